"""What every other package stands on: errors, clock, ids, money, strict JSON, vocabulary."""
