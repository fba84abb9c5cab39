"""Compiled kernels of `holdmem.variance`."""
