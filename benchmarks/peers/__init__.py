"""What Forecourt is measured beside: the least that the framework allows, and the same work on other SDKs."""
