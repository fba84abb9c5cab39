"""Work with agents beyond matches: solving, recording, learning, reviewing, exploiting."""
