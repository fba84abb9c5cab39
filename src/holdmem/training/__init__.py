"""What is done with agents beyond matches: how much can be won from one that gives its probabilities."""
