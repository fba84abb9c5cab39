"""What is done beyond matches: solving games, and what can be won from a strategy."""
