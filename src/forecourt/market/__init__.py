"""The market: listings that others advertise, cleaned, kept with their history, and ready to price from."""
