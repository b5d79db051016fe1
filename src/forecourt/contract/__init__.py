"""The vehicle-data contract: its JSON Schemas, its errors and its vocabulary."""
