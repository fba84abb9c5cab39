"""Compiled kernels of `holdmem.players.learners`."""
