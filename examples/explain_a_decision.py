"""Explain a decision: a case-based agent says what the expert did in such situations and what it earned."""

from holdmem import Situation, explain

# A raise and a call before the flop, then a bet; the player to act holds ace-king.
situation = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r", game="limit")
print(explain("sartre-2:policy=probabilistic", situation, seed=1))
