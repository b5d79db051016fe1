"""What cars exist: makes, their models, the generations of each and their drivetrains."""
