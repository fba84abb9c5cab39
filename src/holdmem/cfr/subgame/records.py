"""What the kernels of a subgame read and write, as named tuples of arrays."""

from typing import NamedTuple

import numpy as np

from holdmem.core.types import Floats, Ints

Regrets = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
"""Regrets or sums of strategies, [row of an action, position], without the axes."""


class BoardCards(NamedTuple):
    """Holdings from the weakest to the strongest, as in `SortedHoldings`."""

    first: Ints
    second: Ints
    ends: Ints


class WalkRoom(NamedTuple):
    """Working memory of a walk."""

    reach: Floats  # [sequence, position]
    values: Floats  # [node, position]
    strategy: Floats  # [action, position]
    totals: Floats  # [position]
    there: Floats  # [position, lane]
    score: Floats  # [position, lane]
    total: Floats  # [lane]
    cards: Floats  # [card, lane]


class SubgameShape(NamedTuple):
    """A street as one seat sees it."""

    kind: Ints  # [node] OWN, OTHER, FOLD, SHOWDOWN or ONWARD
    actions: Ints
    child: Ints
    offset: Ints
    others: Ints  # the opponent's decisions, parents first
    inner: Ints  # all decisions, children first
    sequence: Ints  # [node] the opponent's sequence; root r has sequence r
    stake: Floats  # [node] payoff of a terminal per unit of reach
    lane: Ints  # [node] lane of a terminal within its block
    lanes: Ints  # sequences of the lanes, block by block
    blocks: Ints  # [block] index of its first lane; one more entry at the end
    showdowns: Ints  # [block] whether it has showdowns
    terminals: Ints  # [block] index of its first terminal; one more entry at the end
    terminal: Ints  # terminals, block by block


class Rivers(NamedTuple):
    """All rivers of a turn, one after the other in each array; none if the subgame has a single street."""

    shapes: tuple[SubgameShape, SubgameShape]  # by player of the walk
    holdings: Ints  # [river] index of its first holding; one more entry at the end
    first: Ints
    second: Ints
    place: Ints  # [holding] its position on the turn
    group_starts: Ints  # [river] index of its first group; one more entry at the end
    groups: Ints  # ends of groups of equal strength
    ends: Ints  # nodes at which the turn's betting ends and a river is dealt
    rows: int  # actions at all decisions of a river
    chance: np.float32  # of each river
    regrets: Regrets
    sums: Regrets
    room: WalkRoom
