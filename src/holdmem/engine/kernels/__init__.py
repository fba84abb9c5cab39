"""Compiled kernels of `holdmem.engine`."""
