"""Which car is meant: from free text and partial fields to an entry of the catalogue."""
