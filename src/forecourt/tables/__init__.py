"""Read any table of vehicles: find its layout, name its columns, account for every row."""
