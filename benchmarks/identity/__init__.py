"""Measures of what identifies a car: VINs, German type keys, plates, free text."""
