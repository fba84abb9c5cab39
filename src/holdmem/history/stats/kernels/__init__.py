"""Compiled kernels of the statistics."""
