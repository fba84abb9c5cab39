"""Subgames: the end of a hand, solved in holdings while it is played."""
