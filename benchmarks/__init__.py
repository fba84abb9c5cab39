"""How fast HoldMem is, beside its peers in the same run: `python -m benchmarks`."""
