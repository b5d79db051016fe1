"""Forecourt: real dealer stock and honest vehicle values for AI assistants."""

__version__ = "0.1.0"
