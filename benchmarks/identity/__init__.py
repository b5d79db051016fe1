"""How often cars are recognised, on texts and keys whose car is known."""
