"""Compiled kernels of `holdmem.strength`."""
