"""MCP face of the vehicle-data service: its operations as eight tools, and the prompt `value_a_car`."""
