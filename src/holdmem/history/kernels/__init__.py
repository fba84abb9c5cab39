"""Compiled kernels of `holdmem.history`."""
