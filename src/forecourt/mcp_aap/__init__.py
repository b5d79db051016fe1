"""MCP face of AAP: five tools, each forwarded to a dealer by one `SendMessage`."""
