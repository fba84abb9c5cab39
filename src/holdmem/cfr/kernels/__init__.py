"""Compiled kernels of `holdmem.cfr`."""
