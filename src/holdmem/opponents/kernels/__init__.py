"""Compiled kernels of `holdmem.opponents`."""
