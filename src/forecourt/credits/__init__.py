"""Prepaid credits: a ledger that only grows, what is left of each grant, what is put aside."""
