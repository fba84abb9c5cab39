"""Compiled kernels of `holdmem.history.formats`."""
