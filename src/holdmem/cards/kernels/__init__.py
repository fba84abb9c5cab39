"""Compiled kernels of `holdmem.cards`."""
