"""Conformance checks for anyone's AAP dealer agent."""
