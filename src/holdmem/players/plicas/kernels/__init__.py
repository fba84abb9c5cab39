"""Compiled kernels of `holdmem.players.plicas`."""
