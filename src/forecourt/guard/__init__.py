"""Limits on what one caller may ask for."""
