"""AIVAT: winnings without the luck of cards and of known policies, heads-up (Burch et al. 2018)."""

from holdmem.arena.aivat.reduction import Aivat, has_known_policy

__all__ = ["Aivat", "has_known_policy"]
