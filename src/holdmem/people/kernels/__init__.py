"""Compiled kernels of the memory of people."""
