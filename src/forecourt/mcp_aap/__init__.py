"""The MCP face of any AAP dealer: five tools that forward by one SendMessage."""
