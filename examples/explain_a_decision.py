"""Explain a decision: a case-based agent shows the cases behind its action."""

from holdmem import Situation, explain

# A raise and a call before the flop, then a bet; the player to act holds ace-king.
situation = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r", game="limit")
print(situation)
print(explain("sartre-2:policy=probabilistic", situation, seed=1))
