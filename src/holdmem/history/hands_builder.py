"""Build `Hands` from hands read one by one, and join blocks of them."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from holdmem.core.errors import NotationError
from holdmem.core.types import Ints
from holdmem.engine.state import BOARD_CARDS
from holdmem.history.hands import SHARED, UNKNOWN, Hands, RecordedHand, blank


@dataclass
class HandsBuilder:
    """Collects hands one at a time for readers; `take` returns them as `Hands` and empties the builder."""

    sources: Sequence[str] = ("",)
    _hands: list[tuple[int, RecordedHand]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._hands)

    def add(self, hand: RecordedHand, source: int = 0) -> None:
        """Add a hand from the file at index `source` of `sources`; NotationError if a row cannot hold it."""
        expect_fit(hand)
        self._hands.append((source, hand))

    def take(self) -> Hands:
        """Return the hands collected since the previous call."""
        hands = [hand for _, hand in self._hands]
        terms = {key: place for place, key in enumerate(dict.fromkeys(hand.terms for hand in hands))}
        players = _places(name for hand in hands for name in hand.names)
        tables = _places(["", *(hand.table for hand in hands)])
        sites = _places(["", *(hand.site for hand in hands)])
        rows = blank(len(hands))
        rows["source"] = [source for source, _ in self._hands]
        rows["terms"] = [terms[hand.terms] for hand in hands]
        rows["table"] = [tables[hand.table] for hand in hands]
        rows["site"] = [sites[hand.site] for hand in hands]
        for name in ("number", "time", "line", "rake"):
            rows[name] = [getattr(hand, name) for hand in hands]
        rows["actions"] = [len(hand.betting) for hand in hands]
        rows["start"] = np.cumsum(rows["actions"]) - rows["actions"]
        rows["scored"] = [(hand.net is not None) * (1 + hand.inferred) for hand in hands]
        for place, hand in enumerate(hands):
            _fill(rows[place], hand, players)
        betting = np.array([action for hand in hands for action in hand.betting], dtype=np.int32)
        self._hands = []
        shared = (tuple(tables), tuple(self.sources), tuple(sites))
        return Hands(rows, betting, tuple(terms), tuple(players), *shared)


def expect_fit(hand: RecordedHand) -> None:
    """Raise NotationError unless a row can hold this hand: one entry per seat, and no number too large."""
    seats = hand.terms.game.seats
    lists = {"players": hand.names, "stacks": hand.stacks, "hole cards": hand.hole}
    for what, entries in (lists if hand.net is None else lists | {"results": hand.net}).items():
        if len(entries) != seats:
            raise NotationError(f"expected {what} for {seats} seats, got {len(entries)}")
    if max(len(hand.board), len(hand.second)) > BOARD_CARDS[-1]:
        raise NotationError(f"expected one board of five cards, got {len(hand.board)} cards")
    try:
        array("q", (*hand.stacks, *(hand.net or ()), hand.rake, hand.number, hand.time, hand.line))
        array("i", hand.betting)
        array("b", (*chain.from_iterable(hand.hole), *hand.board, *hand.second))
    except OverflowError:
        raise NotationError("a number of this hand is too large to store") from None


def _fill(row: np.record, hand: RecordedHand, players: dict[str, int]) -> None:
    """Fill in the per-seat columns and the boards of a row."""
    seats = len(hand.names)
    row["player"][:seats] = [players[name] for name in hand.names]
    row["stack"][:seats] = hand.stacks
    row["hole"][:seats] = hand.hole
    row["board"][: len(hand.board)] = hand.board
    row["second"][: len(hand.second)] = hand.second
    if hand.net is not None:
        row["net"][:seats] = hand.net


def _places(names: Iterable[Any]) -> dict[Any, int]:
    """Map each name to its index, in order of first appearance."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def join(blocks: Sequence[Hands]) -> Hands:
    """Concatenate blocks into one, with each shared game, name and file stored once."""
    if len(blocks) == 1:
        return blocks[0]
    packed = [block.packed() for block in blocks]
    rows = np.concatenate([block.rows for block in packed]) if packed else blank(0)
    betting = np.concatenate([block.betting for block in packed]) if packed else np.empty(0, np.int32)
    shared: dict[str, tuple[Any, ...]] = {}
    begin, actions = 0, 0
    places: dict[str, dict[Any, int]] = {}
    for name in ("terms", "players", "tables", "sources", "sites"):
        places[name] = _places(value for block in packed for value in getattr(block, name))
        shared[name] = tuple(places[name])
    for block in packed:
        part = rows[begin : begin + len(block)]
        part["start"] += actions
        for column, name in SHARED:
            part[column] = _moved(getattr(block, name), places[name])[part[column]]
        # The appended last entry maps -1, an empty seat, to itself.
        part["player"] = np.append(_moved(block.players, places["players"]), UNKNOWN)[part["player"]]
        begin, actions = begin + len(block), actions + len(block.betting)
    return Hands(rows, betting, **shared)


def _moved(values: Sequence[Any], places: dict[Any, int]) -> Ints:
    """Return the index of each value in the merged tuple."""
    return np.array([places[value] for value in values], dtype=np.int64)
