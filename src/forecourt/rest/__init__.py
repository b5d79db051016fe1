"""The vehicle-data service over REST, with its documentation."""
