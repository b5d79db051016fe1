"""Registers of vehicles: who can be asked which car has a plate, each behind the same small interface."""
