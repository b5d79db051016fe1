"""Outgoing HTTP that cannot be turned against the network it runs in."""
