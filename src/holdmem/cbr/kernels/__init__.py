"""Compiled kernels of `holdmem.cbr`."""
