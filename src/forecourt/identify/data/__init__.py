"""Tables of makers, countries, model years and type codes."""
