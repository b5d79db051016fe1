"""Feeds: what a dealer sends is read, judged row by row, and published as the dealer's stock."""
