"""What a dealer answers: the use cases behind the five skills."""
