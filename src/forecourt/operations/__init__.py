"""What a caller of the vehicle-data service can do: one table that feeds REST, MCP and the documents."""
