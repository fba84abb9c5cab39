"""Compiled kernels of subgame solving."""
