"""Valuations: what is asked, what is answered, and the record of both."""
