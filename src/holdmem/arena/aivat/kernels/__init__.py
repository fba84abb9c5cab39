"""Compiled kernels of `holdmem.arena.aivat`."""
