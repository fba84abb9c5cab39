"""Named choices of commands and functions, defined without imports so that `--help` can list them at once."""

from typing import Literal

MatchKind = Literal["duplicate", "ring", "bankroll", "freeze-out"]
"""Format of a match; `arena.Design` describes each."""

MemoryMode = Literal["wiped", "kept"]
"""Whether agents that learn forget between the seating orders of a duplicate match."""

OnError = Literal["stop", "fold"]
"""When a bot fails or breaks the rules: stop the match, or let it check or fold and count that."""

VarianceMethod = Literal["adjusted", "aivat", "divat", "divat-showdown"]
"""Estimates with less variance than the money won; `variance` and `arena.aivat` describe each."""

Device = Literal["cpu", "cuda"]
"""Where exact best responses are computed: on processors, or on a graphics card."""

Recall = Literal["imperfect", "perfect"]
"""Whether a card abstraction remembers only the current bucket or those of all streets so far."""

Weighting = Literal["vanilla", "linear", "plus", "discounted"]
"""Weighting of CFR iterations; `cfr.solver` describes each."""

Scale = Literal["smoke", "quick", "full"]
"""Size of the experiments of `papers`."""

LostPlayer = Literal["end", "fold"]
"""When a player on the wire times out or disconnects: end the match, or fold its hands."""

Scheme = Literal["self-play", "opponents"]
"""Against whom weights evolve."""

DeckMode = Literal["new", "rotated"]
"""Decks of an evolution: new ones for every hand, or each replayed in every rotation of the seats."""

ValueTableAxis = Literal["street", "type", "action", "position"]
"""What a learner's values are shown by, besides the bucket."""

StreetName = Literal["preflop", "flop", "turn", "river"]
