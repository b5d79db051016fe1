"""The A2A face of a dealer: agent card and JSON-RPC."""
