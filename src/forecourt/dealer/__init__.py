"""Dealers and their stock: profile, feed, listings, search."""
