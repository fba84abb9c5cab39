"""Compiled kernels of `holdmem.arena`."""
