"""Explain a decision: a case-based agent shows the cases behind its action."""

from holdmem import Streams, find_game, make_agent
from holdmem.acpc.matchstate import view_of

game = find_game("limit")
seat = make_agent("sartre-2:policy=probabilistic").sit(game, 1, Streams.of(1))

# In the ACPC's notation: a raise and a call before the flop, then a bet; seat 1 holds ace-king.
view = view_of("MATCHSTATE:1:0:rc/r:|AhKd/Kc8s2d", game)[0]
print(view)
print(seat.explain(view))
