"""Measurements of the market: rows in, cars told apart."""
