"""What every MCP face needs of the protocol: one stateless endpoint for both eras, and safe errors."""
