"""Players that follow fixed rules."""
