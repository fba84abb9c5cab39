"""Columnar storage of recorded hands: `Hands`, which `HandsBuilder` builds and `replay` replays.

Each hand is one fixed-width row plus a slice of `betting`, which holds the actions of all hands back to back.
Values that many hands share (games, names, files) are stored once in a tuple; the row holds the index into
that tuple.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands
from holdmem.cards.notation import names
from holdmem.core.display import Html, html_cards, html_table, short_list
from holdmem.core.records import record
from holdmem.core.types import Ints
from holdmem.engine import Game
from holdmem.engine.state import PARTS, SEATS

if TYPE_CHECKING:
    import polars as pl

SHOWN = 10
"""Number of hands shown in a notebook."""

UNKNOWN = -1
"""Marks a hole card that was not shown, or a time or number that was not recorded."""

NOT_SCORED, RECORDED, INFERRED = range(3)
"""Where a result is from: there is none, the source records it, or it follows from the cards shown if mucked
hands lost to them."""

RECORD = record(
    [
        ("number", "i8"),  # hand number given by the source
        ("time", "i8"),  # seconds since 1970 by the source's clock
        ("line", "i8"),  # line of the source at which the hand begins
        ("start", "i8"),  # index of its first action in `betting`
        ("rake", "i8"),  # chips taken by the house
        ("stack", "i8", SEATS),  # before blinds and antes
        ("net", "i8", SEATS),  # as recorded, in parts of a chip, after rake
        ("actions", "i4"),
        ("terms", "i4"),
        ("table", "i4"),
        ("source", "i4"),
        ("site", "i4"),  # site that assigns each hand number only once
        ("player", "i4", SEATS),  # -1 where there is no seat
        ("hole", "i1", (SEATS, 2)),
        ("board", "i1", 5),
        ("second", "i1", 5),  # second board of a hand that was run twice
        ("scored", "u1"),  # NOT_SCORED, RECORDED or INFERRED
    ]
)

SHARED = (("terms", "terms"), ("table", "tables"), ("source", "sources"), ("site", "sites"))
"""Columns that hold indices into a tuple of `Hands`, each with the name of that tuple."""


@dataclass(frozen=True)
class Terms:
    """Game being played, value of a chip, and currency symbol (empty if chips are not money)."""

    game: Game
    chip: Fraction = Fraction(1)
    currency: str = ""


class RecordedHand(NamedTuple):
    """One hand as read from a source, with seats counted from the left of the button; see `RECORD`.

    `betting` holds FOLD, CALL or, for a raise, the seat's total on the street, as in the engine. `net` is in
    parts of a chip, or None if the source does not record the result.
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
    """Site within which `number` is unique and identifies the hand; empty if nothing ensures that."""
    second: Sequence[int] = ()
    """Second board of a hand run twice; one board cannot settle it, so the recorded result is kept."""
    inferred: bool = False
    """Whether `net` is not recorded, but follows from the cards shown if mucked hands lost to them."""

    def _repr_html_(self) -> str:
        from holdmem.history.describe import describe_hand  # noqa: PLC0415  it imports this module

        cards = [(name, html_cards(_shown(hole))) for name, hole in zip(self.names, self.hole, strict=True)]
        table = html_table(("player", "hole cards"), [*cards, ("board", html_cards(_shown(self.board)))])
        return f"{table}<pre>{escape(chr(10).join(describe_hand(self)))}</pre>"


def _shown(cards: Sequence[int]) -> str:
    return "".join("??" if card == UNKNOWN else names([card]) for card in cards)


def _cards_of(hand: RecordedHand) -> Html:
    """Return who was dealt what and won how much, where that is recorded."""
    won: Sequence[int | None] = hand.net if hand.net is not None else [None] * len(hand.names)
    return Html(
        "<br>".join(
            f"{escape(name)} {html_cards(_shown(hole))}" + (f" {net / PARTS:+,g}" if net else "")
            for name, hole, net in zip(hand.names, hand.hole, won, strict=True)
        )
    )


@dataclass(frozen=True, eq=False)
class Hands:
    """Recorded hands, one per row.

    `hands[5]` is a `RecordedHand`; a slice, mask or index array gives `Hands`.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "random", "always-call", folder=f"{folder}/hands", hands=100)
    ...     hands = read_hands(played.path).collect()
    >>> hands
    Hands(100 hands of holdem.limit.2p.reverse_blinds; always-call, random)
    >>> len(hands[:10]), hands[:10].frame().height  # a row of the frame is a hand and a player
    (10, 20)
    """

    rows: NDArray[np.record]
    betting: NDArray[np.int32]
    terms: tuple[Terms, ...]
    players: tuple[str, ...]
    tables: tuple[str, ...] = ("",)
    sources: tuple[str, ...] = ("",)
    sites: tuple[str, ...] = ("",)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        games = short_list(sorted({terms.game.name for terms in self.terms}), most=2)
        return f"Hands({len(self):,} hands of {games}; {short_list(sorted(self.players), width=24)})"

    def _repr_html_(self) -> str:
        rows = [(hand.number, _cards_of(hand), html_cards(_shown(hand.board))) for hand in self[:SHOWN]]
        return html_table(("hand", "players", "board"), rows, repr(self))

    def frame(self) -> "pl.DataFrame":
        """Return the hands as a polars data frame, one row per hand and player.

        `net` is in chips, after rake; it is null where the source does not record the result.

        Returns
        -------
        polars.DataFrame : one row per hand and player.
        """
        import polars as pl  # noqa: PLC0415

        hand, seat = np.nonzero(self.seated)
        rows = self.rows[hand]
        hole = rows["hole"][np.arange(len(seat)), seat].tolist()
        net = np.where(rows["scored"] != 0, rows["net"][np.arange(len(seat)), seat] / PARTS, np.nan)
        boards = [names(card for card in board if card != UNKNOWN) for board in self.rows["board"].tolist()]
        columns = {
            "hand": rows["number"],
            "game": [self.terms[place].game.name for place in rows["terms"].tolist()],
            "seat": seat,
            "player": [self.players[place] for place in rows["player"][np.arange(len(seat)), seat].tolist()],
            "hole": [None if UNKNOWN in pair else names(pair) for pair in hole],
            "board": [boards[place] for place in hand.tolist()],
            "net": net,
        }
        return pl.DataFrame(columns, schema_overrides={"hole": pl.String}).fill_nan(None)

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
            inferred=bool(row["scored"] == INFERRED),
        )

    def actions_of(self, place: int) -> NDArray[np.int32]:
        """Return the actions of one hand, in order.

        Parameters
        ----------
        place : row of the hand.

        Returns
        -------
        NDArray : action codes: FOLD, CALL or the total of a raise.
        """
        row = self.rows[place]
        return self.betting[row["start"] : row["start"] + row["actions"]]

    def where(self, place: int) -> str:
        """Return the file and line of one hand, or its number if the source has no name, for messages.

        Parameters
        ----------
        place : row of the hand.

        Returns
        -------
        str : file and line, or the number of the hand.
        """
        row = self.rows[place]
        source = self.sources[row["source"]]
        line = f":{row['line']}" if row["line"] != UNKNOWN else ""
        return f"{source}{line}" if source else f"hand {row['number']}"

    @property
    def seats(self) -> Ints:
        """Number of seats of each hand."""
        counts = np.array([terms.game.seats for terms in self.terms], dtype=np.int64)
        return counts[self.rows["terms"]]  # type: ignore[no-any-return]

    @property
    def seated(self) -> NDArray[np.bool_]:
        """Which of the ten seat columns of each row are in use, shape (hands, 10)."""
        return np.arange(SEATS) < self.seats[:, None]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which hole cards are known, shape (hands, 10)."""
        return (self.rows["hole"] != UNKNOWN).all(axis=2)  # type: ignore[no-any-return]

    def with_player(self, *names: str) -> "Hands":
        """Return the hands in which any of the named players sat.

        Parameters
        ----------
        names : names of players as recorded.

        Returns
        -------
        Hands : the hands in which at least one of them sat.
        """
        who = [place for place, name in enumerate(self.players) if name in names]
        return self[np.isin(self.rows["player"], who).any(axis=1)]  # type: ignore[no-any-return]

    def packed(self) -> "Hands":
        """Return these hands with `betting` compacted: their actions in row order and no others.

        Returns
        -------
        Hands : equal hands whose `betting` has no gaps.
        """
        counts = self.rows["actions"].astype(np.int64)
        ends = np.cumsum(counts)
        places = np.repeat(self.rows["start"] - (ends - counts), counts) + np.arange(counts.sum())
        rows = self.rows.copy()
        rows["start"] = ends - counts
        return replace(self, rows=rows, betting=self.betting[places])

    @classmethod
    def of(cls, finished: FinishedHands, names: Sequence[str], chip: Fraction = Fraction(1)) -> "Hands":
        """Convert hands just played, with the cards visible in them: all, or those one player saw.

        Parameters
        ----------
        finished : the hands as `play` or a seat's `watch` has them.
        names : names of the players.
        chip : worth of a chip in the unit of account, such as dollars.

        Returns
        -------
        Hands : one row per hand.
        """
        game, seats = finished.game, finished.game.seats
        rows = blank(len(finished))
        rows["number"] = finished.hand_ids["hand"]
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
    """Return rows with every field at its unknown or zero value."""
    rows = np.zeros(count, dtype=RECORD)
    for name in ("number", "time", "line", "player", "hole", "board", "second"):
        rows[name] = UNKNOWN
    return rows
