"""Compiled kernels of `holdmem.core`."""
