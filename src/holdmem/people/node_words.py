"""The situations of a node of a tree in words."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from holdmem.agent.words.english import joined, plain
from holdmem.core.types import Floats
from holdmem.history.stats import POSITIONS
from holdmem.people.kernels.situations import (
    COMMITMENTS,
    DEPTHS,
    FACED,
    FACED_PREFLOP,
    FEATURES,
    ODDS,
    POTS,
    VALUES,
)
from holdmem.people.tree import SituationTree

LABELS = {
    "seats": "the number of players", "position": "position", "opponents": "the opponents left",
    "behind": "who is still to act", "in_position": "who acts later after the flop", "bets": "bets so far",
    "callers": "callers", "faced": "the size of the bet", "odds": "the pot odds",
    "aggressor": "who bet", "aggressor_after": "whether the bettor acts later",
    "aggressor_all_in": "whether the bettor is all-in", "own_last": "its own last action",
    "own_preflop": "its own play before the flop", "previous_aggressor": "who bet on the street before",
    "previous_bets": "bets on the street before", "own_previous": "its own play on the street before",
    "barrels": "how often the bettor has bet", "own_barrels": "how often it has bet itself",
    "pot_type": "raises before the flop", "depth": "effective stacks", "own_depth": "its own stack",
    "commitment": "stacks against the pot", "largest": "the largest possible raise", "pot": "the pot",
    "suits": "suits on the board", "paired": "pairs on the board", "connected": "straights on the board",
    "high": "the highest card", "last_card": "the last card", "first_in": "whether the pot is open",
    "bb_faces": "whether the big blind is to act", "street": "the street",
}  # fmt: skip
"""What each feature is called in a sentence."""

_LAST = ("no action yet on this street", "a check", "a call", "a bet or raise")
_NAMED: dict[str, tuple[str, Sequence[str]]] = {
    "position": ("in", POSITIONS),
    "aggressor": ("facing", ("no bet", *(f"a bet from {name}" for name in POSITIONS))),
    "aggressor_after": ("", ("not out of position to the bettor", "out of position to the bettor")),
    "aggressor_all_in": ("", ("the bettor has chips left", "the bettor is all-in")),
    "own_last": ("after", _LAST),
    "own_previous": ("on the street before", ("no action", "a check", "a call", "a bet or raise")),
    "own_preflop": (
        "before the flop it",
        ("did nothing or checked", "limped", "called", "raised", "re-raised", "4-bet or more"),
    ),
    "previous_aggressor": (
        "the street before was led by",
        ("nobody", "somebody now out", "another player", "itself"),
    ),
    "largest": ("", ("no raise possible", *(f"raises up to size {size} possible" for size in range(1, 7)))),
    "high": ("highest card", ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]),
    "last_card": ("last card", ("a blank", "an overcard", "a pair", "a third or fourth of a suit")),
    "first_in": ("", ("the pot is open", "first to enter the pot")),
    "bb_faces": ("", ("the big blind is not to act", "the big blind is still to act")),
    "street": ("on the", ("preflop", "flop", "turn", "river")),
}
_COUNTED = {
    "seats": "players dealt in", "opponents": "opponents left", "behind": "still to act",
    "in_position": "that act later after the flop", "bets": "bets on this street", "callers": "callers",
    "previous_bets": "bets on the street before", "barrels": "earlier bets by the bettor",
    "own_barrels": "earlier bets of its own", "pot_type": "raises before the flop",
    "suits": "cards of one suit on the board", "paired": "paired cards on the board",
    "connected": "cards to a straight on the board",
}  # fmt: skip
_MEASURED: dict[str, tuple[str, Floats, float, str]] = {
    "odds": ("pot odds", ODDS, 100, "%"),
    "depth": ("effective stacks", DEPTHS, 1, " big blinds"),
    "own_depth": ("own stack", DEPTHS, 1, " big blinds"),
    "commitment": ("stacks", COMMITMENTS, 1, " times the pot"),
    "pot": ("pot", POTS, 1, " big blinds"),
}


def node_words(tree: SituationTree, node: int, postflop: bool) -> str:
    """Describe the situations of a node by what all of them have in common."""
    bounds: dict[str, tuple[int, int]] = {}
    path = tree.path(node)
    for above, below in pairwise(path):
        name, cut = FEATURES[tree.split[above]], int(tree.cut[above])
        low, high = bounds.get(name, (0, VALUES - 1))
        bounds[name] = (max(low, cut), high) if below == tree.right[above] else (low, min(high, cut - 1))
    parts = [_words(name, *span, postflop) for name, span in bounds.items()]
    start = "after the flop" if postflop else "before the flop"
    return ", ".join([start, *parts])


def _words(name: str, low: int, high: int, postflop: bool) -> str:
    if name in _NAMED:
        start, names = _NAMED[name]
        return f"{start} {joined(list(names[low : high + 1]), 'or')}".strip()
    if name in _COUNTED:
        return f"{_span(low, high)} {_COUNTED[name]}"
    if name == "faced":
        share = (
            ("facing", FACED, 100, "% of the pot")
            if postflop
            else ("facing", FACED_PREFLOP, 1, " big blinds")
        )
        return _measured(share, low, high)
    return _measured(_MEASURED[name], low, high)


def _span(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"at least {low}" if high == VALUES - 1 else f"{low} to {high}" if low else f"at most {high}"


def _measured(what: tuple[str, Floats, float, str], low: int, high: int) -> str:
    label, cuts, scale, unit = what
    edges = np.concatenate([[0.0], cuts]) * scale
    least = plain(float(edges[min(low, len(edges) - 1)]))
    most = plain(float(edges[high + 1])) if high + 1 < len(edges) else ""
    if not most:
        return f"{label} at least {least}{unit}"
    return f"{label} below {most}{unit}" if low == 0 else f"{label} {least} to {most}{unit}"
