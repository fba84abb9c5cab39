"""Slow and obvious twins of the compiled kernels, written from the rules and not from the kernels."""
