"""Makes, models and generations of the core, as tab-separated tables."""
