"""Compiled kernels of `holdmem.agent`."""
