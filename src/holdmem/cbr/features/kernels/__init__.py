"""Compiled kernels of `holdmem.cbr.features`."""
