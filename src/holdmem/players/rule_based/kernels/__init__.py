"""Compiled kernels of `holdmem.players.rule_based`."""
