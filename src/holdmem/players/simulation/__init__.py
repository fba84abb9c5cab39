"""Players that simulate the rest of the hand against opponent models."""
