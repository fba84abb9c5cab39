"""`Hands`: any number of recorded hands as columns. Readers build it, `replay` plays it again.

A hand is one row of fixed width and a stretch of `betting`, the actions of all hands one after another. What
many hands share (the game, names, files) stands once, in a tuple, and the row has its place there.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import NotationError
from holdmem.rules import Game
from holdmem.rules.state import BOARD_CARDS, PARTS, SEATS, record
from holdmem.table import Finished

UNKNOWN = -1
"""In place of a card that nobody showed, a time or a number that was not written down."""

RECORD = record(
    [
        ("number", "i8"),  # what the source calls this hand
        ("time", "i8"),  # seconds since 1970 by the clock of the source
        ("line", "i8"),  # where in the source it begins
        ("start", "i8"),  # of its actions in `betting`
        ("rake", "i8"),  # chips that the house took
        ("stack", "i8", SEATS),  # before blinds and antes
        ("net", "i8", SEATS),  # as recorded, in parts of a chip, rake taken off
        ("actions", "i4"),
        ("terms", "i4"),
        ("table", "i4"),
        ("source", "i4"),
        ("site", "i4"),  # where numbers of hands are given out once
        ("player", "i4", SEATS),  # -1 where there is no seat
        ("hole", "i1", (SEATS, 2)),
        ("board", "i1", 5),
        ("second", "i1", 5),  # the other board of a hand that was run twice
        ("scored", "u1"),  # the source says who won what
    ]
)

SHARED = (("terms", "terms"), ("table", "tables"), ("source", "sources"), ("site", "sites"))
"""Columns that are places in a tuple of `Hands`, and the tuple."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """What is played, and what a chip is: its worth and the sign of the money, if it is money."""

    game: Game
    chip: Fraction = Fraction(1)
    currency: str = ""


class RecordedHand(NamedTuple):
    """One hand as a reader found it, seats counted from the left of the button; see `RECORD`.

    `betting` has FOLD, CALL or the total of the street for a raise, as the engine does. `net` is in parts of
    a chip, or None where the source does not say it.
    """

    terms: Terms
    names: Sequence[str]
    stacks: Sequence[int]
    hole: Sequence[Sequence[int]]
    board: Sequence[int]
    betting: Sequence[int]
    net: Sequence[int] | None = None
    rake: int = 0
    number: int = UNKNOWN
    table: str = ""
    time: int = UNKNOWN
    line: int = UNKNOWN
    site: str = ""
    """Where `number` is given out once, so that it names the hand; empty if nothing sees to that."""
    second: Sequence[int] = ()
    """The second board of a hand that was run twice: one board does not settle it; the record stands."""


@dataclass(frozen=True, eq=False)
class Hands:
    """Recorded hands, one a row. `hands[5]` is one `RecordedHand`; slices, masks and places give `Hands`."""

    rows: NDArray[np.record]
    betting: NDArray[np.int32]
    terms: tuple[Terms, ...]
    players: tuple[str, ...]
    tables: tuple[str, ...] = ("",)
    sources: tuple[str, ...] = ("",)
    sites: tuple[str, ...] = ("",)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[RecordedHand]:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, int | np.integer):
            return self._one(int(which))
        return replace(self, rows=self.rows[which])

    def _one(self, place: int) -> RecordedHand:
        row = self.rows[place]
        terms = self.terms[row["terms"]]
        seats = terms.game.seats
        return RecordedHand(
            terms=terms,
            names=tuple(self.players[player] for player in row["player"][:seats].tolist()),
            stacks=tuple(row["stack"][:seats].tolist()),
            hole=tuple(map(tuple, row["hole"][:seats].tolist())),
            board=tuple(card for card in row["board"].tolist() if card != UNKNOWN),
            betting=tuple(self.actions_of(place).tolist()),
            net=tuple(row["net"][:seats].tolist()) if row["scored"] else None,
            rake=int(row["rake"]),
            number=int(row["number"]),
            table=self.tables[row["table"]],
            time=int(row["time"]),
            line=int(row["line"]),
            site=self.sites[row["site"]],
            second=tuple(card for card in row["second"].tolist() if card != UNKNOWN),
        )

    def actions_of(self, place: int) -> NDArray[np.int32]:
        """What was done in one hand, in order."""
        row = self.rows[place]
        return self.betting[row["start"] : row["start"] + row["actions"]]

    def where(self, place: int) -> str:
        """The file and line of one hand, or the number of the hand, for messages."""
        row = self.rows[place]
        source = self.sources[row["source"]]
        line = f":{row['line']}" if row["line"] != UNKNOWN else ""
        return f"{source}{line}" if source else f"hand {row['number']}"

    @property
    def seats(self) -> Ints:
        """How many sat at each table."""
        counts = np.array([terms.game.seats for terms in self.terms], dtype=np.int64)
        return counts[self.rows["terms"]]  # type: ignore[no-any-return]

    @property
    def seated(self) -> NDArray[np.bool_]:
        """Which of the ten places of a row are seats, (hands, 10)."""
        return np.arange(SEATS) < self.seats[:, None]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whose hole cards are known, (hands, 10)."""
        return (self.rows["hole"] != UNKNOWN).all(axis=2)  # type: ignore[no-any-return]

    def with_player(self, *names: str) -> "Hands":
        """The hands in which somebody of one of these names sat."""
        who = [place for place, name in enumerate(self.players) if name in names]
        return self[np.isin(self.rows["player"], who).any(axis=1)]  # type: ignore[no-any-return]

    def packed(self) -> "Hands":
        """The same hands with their actions next to each other and nothing else in `betting`."""
        counts = self.rows["actions"].astype(np.int64)
        ends = np.cumsum(counts)
        places = np.repeat(self.rows["start"] - (ends - counts), counts) + np.arange(counts.sum())
        rows = self.rows.copy()
        rows["start"] = ends - counts
        return replace(self, rows=rows, betting=self.betting[places])

    @classmethod
    def of(cls, finished: Finished, names: Sequence[str], chip: Fraction = Fraction(1)) -> "Hands":
        """Hands that were just played, as they were seen: all cards, or those that one player saw."""
        game, seats = finished.game, finished.game.seats
        rows = blank(len(finished))
        rows["number"] = finished.spots["hand"]
        rows["stack"][:, :seats] = finished.batch.stacks
        rows["net"][:, :seats] = finished.parts
        rows["player"][:, :seats] = finished.lineup
        rows["hole"][:, :seats] = finished.hole
        rows["board"] = finished.board
        rows["actions"] = finished.actions
        rows["scored"] = 1
        done = np.arange(finished.history.shape[1]) < finished.actions[:, None]
        rows["start"] = np.cumsum(finished.actions) - finished.actions
        return cls(rows, finished.history["to"][done], (Terms(game, chip),), tuple(names))


def blank(count: int) -> NDArray[np.record]:
    """Rows of hands of which nothing is known yet."""
    rows = np.zeros(count, dtype=RECORD)
    for name in ("number", "time", "line", "player", "hole", "board", "second"):
        rows[name] = UNKNOWN
    return rows


@dataclass
class Builder:
    """Gathers hands one at a time, for readers that find them so; `take` empties it into `Hands`."""

    sources: Sequence[str] = ("",)
    _hands: list[tuple[int, RecordedHand]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._hands)

    def add(self, hand: RecordedHand, source: int = 0) -> None:
        """One more hand, from the file at this place in `sources`; NotationError if no row can hold it."""
        expect_fit(hand)
        self._hands.append((source, hand))

    def take(self) -> Hands:
        """What was gathered since the last time."""
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
        rows["scored"] = [hand.net is not None for hand in hands]
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
        raise NotationError("expected numbers of a hand of poker, got one too large to store") from None


def _fill(row: np.record, hand: RecordedHand, players: dict[str, int]) -> None:
    """What a row has once a seat, and the board."""
    seats = len(hand.names)
    row["player"][:seats] = [players[name] for name in hand.names]
    row["stack"][:seats] = hand.stacks
    row["hole"][:seats] = hand.hole
    row["board"][: len(hand.board)] = hand.board
    row["second"][: len(hand.second)] = hand.second
    if hand.net is not None:
        row["net"][:seats] = hand.net


def _places(names: Iterable[Any]) -> dict[Any, int]:
    """The place of each name in the order of their first appearance."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def join(blocks: Sequence[Hands]) -> Hands:
    """Several blocks as one, with shared names, games and files said once."""
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
        # The last entry answers for -1, where nobody sits.
        part["player"] = np.append(_moved(block.players, places["players"]), UNKNOWN)[part["player"]]
        begin, actions = begin + len(block), actions + len(block.betting)
    return Hands(rows, betting, **shared)


def _moved(values: Sequence[Any], places: dict[Any, int]) -> Ints:
    """Where each of the values stands among the shared ones."""
    return np.array([places[value] for value in values], dtype=np.int64)


def in_chips(parts: int) -> Fraction:
    """An exact result in chips."""
    return Fraction(parts, PARTS)
