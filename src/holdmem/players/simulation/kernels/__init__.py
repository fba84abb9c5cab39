"""Compiled kernels of `holdmem.players.simulation`."""
