"""Compiled kernels of `holdmem.rl`."""
