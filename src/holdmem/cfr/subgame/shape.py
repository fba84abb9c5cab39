"""A street of a subgame as one seat's kernels see it: what each node is, its sequence, its stake."""

from typing import TYPE_CHECKING

import numpy as np

from holdmem.cfr.subgame.kernels.solver import FOLD as FOLDS
from holdmem.cfr.subgame.kernels.solver import ONWARD, OTHER, OWN, SHOWDOWN
from holdmem.cfr.subgame.records import SubgameShape
from holdmem.core.types import Floats, Ints

if TYPE_CHECKING:
    from holdmem.cfr.subgame.tree import StreetTree

LANES, PADDING = 64, 16
"""Lanes of a block at most, and what their number is a multiple of."""

FOLDED, SHOWN, DEALT = 2, 3, 4
"""Values of `turn` where nobody decides: a fold, a showdown, or the next street begins."""


def street_shape(tree: "StreetTree", seat: int) -> SubgameShape:
    """Lay a street out for one seat."""
    kind = np.select(
        [tree.turn == seat, tree.turn == 1 - seat, tree.turn == FOLDED, tree.turn == SHOWN],
        [OWN, OTHER, FOLDS, SHOWDOWN],
        ONWARD,
    )
    sequence = _sequences(tree, kind)
    ends = np.flatnonzero((kind == FOLDS) | (kind == SHOWDOWN))
    lanes, blocks, shown = _lanes(sequence[ends], kind[ends])
    of_terminal = np.array([lanes.index(one) for one in sequence[ends].tolist()], np.int64)
    block = np.searchsorted(blocks, of_terminal, side="right") - 1
    lane = np.full(len(tree), -1)
    lane[ends] = of_terminal - blocks[block]
    order = np.argsort(block, kind="stable")
    inner = np.flatnonzero(tree.turn < 2)
    return SubgameShape(
        kind=kind,
        actions=tree.actions,
        child=tree.child,
        offset=tree.offset,
        others=np.flatnonzero(kind == OTHER),
        inner=np.ascontiguousarray(inner[::-1]),
        sequence=sequence,
        stake=_stakes(tree, seat).astype(np.float32),
        lane=lane,
        lanes=np.array(lanes, np.int64),
        blocks=blocks,
        showdowns=shown,
        terminals=np.searchsorted(block[order], np.arange(len(blocks))),
        terminal=ends[order],
    )


def _sequences(tree: "StreetTree", kind: Ints) -> Ints:
    """Number the opponent's sequences: a new one after each of its actions."""
    sequence, found = np.arange(len(tree)), tree.roots
    for node in range(tree.roots, len(tree)):
        parent = tree.parent[node]
        sequence[node] = sequence[parent]
        if kind[parent] == OTHER:
            sequence[node] = found
            found += 1
    return sequence


def _lanes(sequences: Ints, kinds: Ints) -> tuple[list[int], Ints, Ints]:
    """Return the sequence of each lane, the bounds of blocks, and whether each block has showdowns.

    Sequences with showdowns come first, in blocks of their own; blocks are padded with a sequence repeated.
    """
    shown = np.unique(sequences[kinds == SHOWDOWN])
    lanes: list[int] = []
    bounds, has_showdowns = [0], []
    for some, showdown in ((shown, 1), (np.setdiff1d(sequences, shown), 0)):
        for start in range(0, len(some), LANES):
            block = some[start : start + LANES].tolist()
            lanes += block + [block[0]] * (-len(block) % PADDING)
            bounds.append(len(lanes))
            has_showdowns.append(showdown)
    return lanes, np.array(bounds), np.array(has_showdowns, np.int64)


def _stakes(tree: "StreetTree", seat: int) -> Floats:
    """Return what a terminal pays the seat: what the loser of a fold has paid, or what both have at stake."""
    at_stake = tree.paid.min(axis=1)
    won: Floats = np.where(tree.loser == seat, -tree.paid[:, seat], tree.paid[:, 1 - seat])
    return np.where(tree.turn == FOLDED, won, at_stake)
