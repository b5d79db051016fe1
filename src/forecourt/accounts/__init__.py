"""Organisations, their people and their API keys, and who a caller is."""
