"""The hands of a case base as a compact Parquet file.

A row is a hand: what seldom changes as text (names, stacks, game), the betting as text, the cards packed by
`card_codes`. Results that follow from the cards and the betting are left out and computed again. Names of
experts, whose decisions were learned, are marked. The order of the cards within a holding or a flop is not
kept, nor are the source file and line. Hands that a site has numbered keep their number; others are numbered
by their row.

A file is read like other stored hands: columns, nulls, list lengths and cards are checked first, and then the
engine replays every hand.
"""

import json
from io import BytesIO
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.card_codes import pack_cards, radices, unpack_cards, widths
from holdmem.core.errors import HoldMemError, TableError
from holdmem.core.types import Flags, Ints
from holdmem.engine.state import SEATS
from holdmem.history import Hands, replay_results
from holdmem.history.formats.parquet import to_frame
from holdmem.history.formats.parquet_blocks import from_frame
from holdmem.history.kernels.replay import AGREED, FINE
from holdmem.history.replay import problem

SPACED: dict[str, type[pl.DataType]] = {
    "stacks": pl.Int64,
    "net": pl.Int64,
    "betting": pl.Int32,
    "second_board": pl.Int8,
}
"""Lists of numbers that are stored as text, separated by spaces."""
PLAIN: dict[str, type[pl.DataType]] = {
    "time": pl.Int64, "rake": pl.Int64, "table": pl.String, "site": pl.String, "game": pl.String,
    "chip": pl.String, "currency": pl.String,
}  # fmt: skip
"""Columns stored as in other Parquet files of hands."""
USUAL: dict[str, Any] = {
    "net": None, "second_board": "", "time": -1, "rake": 0, "table": "", "site": "", "chip": "1",
    "currency": "",
}  # fmt: skip
"""Values of columns that are left out where all hands have them."""
UNSTORED = USUAL | {"number": 0}
DAMAGE = (
    ValueError, TypeError, LookupError, RecursionError, OverflowError, HoldMemError,
    pl.exceptions.PolarsError, pl.exceptions.PanicException,
)  # fmt: skip
"""Exceptions that contents raise which no writer has written."""
CARDS = "cards_"
"""Beginning of the names of columns with packed cards."""
MOST_CARDS = sum(len(widths(word)) for word in radices(SEATS))
"""Columns of packed cards that the largest table needs."""


def pack(hands: Hands, experts: Flags) -> pl.DataFrame:
    """Convert hands to compact columns; `experts` of shape (hands, 10) marks the seats of experts."""
    rows = hands.rows.copy()
    found = replay_results(hands)
    rows["scored"] = (rows["scored"] != 0) & ~((found.verdicts == AGREED) & (rows["rake"] == 0))
    frame = to_frame(Hands(rows, *_rest(hands)))
    columns: dict[str, Any] = {"number": rows["number"].copy(), "players": _names(hands, experts)}
    columns |= {name: frame[name].cast(pl.List(pl.String)).list.join(" ") for name in SPACED}
    columns |= {name: frame[name] for name in PLAIN}
    return numbered(pl.DataFrame(columns | _packed(hands)))


def numbered(frame: pl.DataFrame) -> pl.DataFrame:
    """Number the hands from 1, except those that a site has numbered."""
    place = pl.int_range(1, pl.len() + 1, dtype=pl.Int64)
    return frame.with_columns(number=pl.when(pl.col("site") == "").then(place).otherwise("number"))


def arranged(frame: pl.DataFrame) -> pl.DataFrame:
    """Sort hands by betting, then by names and cards, which compresses best and depends on nothing else."""
    cards = [name for name in frame.columns if name.startswith(CARDS)]
    return numbered(
        frame.sort("game", "betting", "players", *cards[::-1], "stacks", "site", "number", "time")
    )


def _rest(hands: Hands) -> tuple[Any, ...]:
    return hands.betting, hands.terms, hands.players, hands.tables, hands.sources, hands.sites


def _names(hands: Hands, experts: Flags) -> pl.Series:
    """Return each table's names and whether they are experts, as JSON; equal tables are converted once."""
    key = np.where(hands.seated, 2 * hands.rows["player"] + experts, -1)
    tables, which = np.unique(key, axis=0, return_inverse=True)
    texts = [
        json.dumps([[hands.players[code // 2], code % 2] for code in row if code >= 0])
        for row in tables.tolist()
    ]
    return pl.Series(texts, dtype=pl.String).gather(which.reshape(-1))


def _packed(hands: Hands) -> dict[str, pl.Series]:
    """Return the cards as columns; tables with fewer seats are padded with zeros."""
    table = np.zeros((MOST_CARDS, len(hands)), dtype=np.int64)
    for seats in np.unique(hands.seats).tolist():
        places = np.flatnonzero(hands.seats == seats)
        for column, codes in enumerate(
            pack_cards(hands.rows["hole"][places, :seats], hands.rows["board"][places])
        ):
            table[column, places] = codes
    used = max(1, int(np.flatnonzero(table.any(axis=1)).max(initial=-1)) + 1)
    return {f"{CARDS}{column}": pl.Series(table[column]) for column in range(used)}


def unpack(frame: pl.DataFrame, where: str) -> tuple[Hands, Flags]:
    """Return the hands of compact columns and their experts' seats; TableError if one is damaged."""
    try:
        names, experts = _seated(frame["players"])
        lists = {name: frame[name].str.split(" ").list.eval(_numbers(kind)) for name, kind in SPACED.items()}
        plain = {name: frame[name] for name in ("number", *PLAIN)}
        nowhere = {"source": [""] * len(frame), "line": np.full(len(frame), -1, dtype=np.int64)}
        cards = _cards(frame, names.list.len().to_numpy().astype(np.int64))
        columns = plain | nowhere | lists | cards | {"players": names}
        hands = from_frame(pl.DataFrame(columns, schema_overrides={"source": pl.String}), "hands")
        return _with_results(hands), experts
    except DAMAGE as error:
        raise TableError(f"{where}: damaged hands of cases: {_line(error)}") from None


def _numbers(kind: Any) -> pl.Expr:
    """Convert the words of a list to numbers; an empty text is an empty list.

    The empty word is dropped after the conversion: polars 1.30 converts what a filter before it would drop.
    """
    word = pl.element()
    return pl.when(word != "").then(word).cast(kind).drop_nulls()


def _seated(players: pl.Series) -> tuple[pl.Series, Flags]:
    """Return the names at each table, and the seats of experts; equal tables are converted once."""
    texts = players.unique(maintain_order=True)
    codes = players.replace_strict(texts, np.arange(len(texts)), return_dtype=pl.Int64).to_numpy()
    names, experts = list[list[str]](), np.zeros((len(texts), SEATS), dtype=np.bool_)
    for place, text in enumerate(texts.to_list()):
        pairs = json.loads(text)
        if not 2 <= len(pairs) <= SEATS:
            raise ValueError(f"expected 2 to {SEATS} players, got {len(pairs)}")
        names.append([str(name) for name, _ in pairs])
        experts[place, : len(pairs)] = [bool(mark) for _, mark in pairs]
    return pl.Series(names, dtype=pl.List(pl.String)).gather(codes), experts[codes]


def _cards(frame: pl.DataFrame, seats: Ints) -> dict[str, pl.Series]:
    """Return the lists of hole and board cards."""
    hole = np.full((len(frame), SEATS, 2), -1, dtype=np.int8)
    board = np.full((len(frame), 5), -1, dtype=np.int8)
    for count in np.unique(seats).tolist():
        places = np.flatnonzero(seats == count)
        columns = [
            _column(frame, f"{CARDS}{column}")[places]
            for column in range(sum(len(widths(word)) for word in radices(count)))
        ]
        hole[places, :count], board[places] = unpack_cards(columns, count)
    return {
        "hole": _heads(hole.reshape(len(frame), -1), 2 * seats),
        "board": _heads(board, (board >= 0).sum(axis=1)),
    }


def _column(frame: pl.DataFrame, name: str) -> Ints:
    if name not in frame.columns:  # all zeros, and therefore left out
        return np.zeros(len(frame), dtype=np.int64)
    return frame[name].cast(pl.Int64).to_numpy()


def _heads(table: NDArray[np.int8], lengths: Ints) -> pl.Series:
    frame = pl.DataFrame({"row": table, "length": lengths})
    return frame.select(pl.col("row").arr.to_list().list.head("length"))["row"]


def _with_results(hands: Hands) -> Hands:
    """Return these hands with computed results where none is stored; ValueError if one is not playable."""
    found = replay_results(hands)
    wrong = np.flatnonzero(found.problems != FINE)
    if len(wrong):
        raise ValueError(f"hand {wrong[0] + 1:,}: {problem(hands, found, int(wrong[0]))}")
    computed = (hands.rows["scored"] == 0) & found.settled
    hands.rows["net"][computed] = found.net[computed]
    hands.rows["scored"][computed] = 1
    return hands


# Files


def to_bytes(frame: pl.DataFrame) -> bytes:
    """Return compact columns as a Parquet file of one row; equal columns give equal bytes.

    A column of texts or numbers becomes one JSON array. Parquet would otherwise compress texts one page and
    one dictionary at a time, which takes half as much again.
    """
    cards = [name for name in frame.columns if name.startswith(CARDS)]
    usual = {name for name, value in USUAL.items() if frame[name].unique().to_list() == [value]}
    row: dict[str, Any] = {"hands": [len(frame)]}
    for name in ("number", "players", *SPACED, *PLAIN):
        if name not in usual and not (name == "number" and "site" in usual):
            row[name] = [json.dumps(frame[name].to_list(), separators=(",", ":"))]
    for name in cards:
        row[name] = [frame[name].to_numpy().astype(_bytes_per_hand(frame[name])).tobytes()]
    buffer = BytesIO()
    pl.DataFrame(row).write_parquet(buffer, compression="zstd", compression_level=19, statistics=False)
    return buffer.getvalue()


def _bytes_per_hand(cards: pl.Series) -> str:
    """Return the type of a column of packed cards in the file: four bytes or one."""
    return "<u4" if (cards > 255).any() else "<u1"


def from_bytes(content: bytes, where: str) -> pl.DataFrame:
    """Return the compact columns of a hand file; TableError if one is missing or their lengths differ."""
    try:
        return _compact(pl.read_parquet(BytesIO(content)))
    except DAMAGE as error:
        raise TableError(f"{where}: cannot read the hands of cases: {_line(error)}") from None


def _line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _compact(stored: pl.DataFrame) -> pl.DataFrame:
    if stored.height != 1 or not stored["hands"].dtype.is_integer():
        raise ValueError("expected one row with a number of hands")
    count = int(stored["hands"][0])
    # Names first: they must be as many as there are hands before anything is filled up to that number.
    kinds: dict[str, Any] = {"players": pl.String, "number": pl.Int64}
    kinds |= dict.fromkeys(SPACED, pl.String) | PLAIN
    columns = {name: _texts(stored, name, count, kind) for name, kind in kinds.items()}
    cards = {name: _codes(stored[name][0], count) for name in stored.columns if name.startswith(CARDS)}
    return numbered(pl.DataFrame(columns | cards))


def _texts(stored: pl.DataFrame, name: str, count: int, kind: Any) -> pl.Series:
    """Return a column of texts or numbers, filled with the usual value where the file leaves it out."""
    if name not in stored.columns and name in UNSTORED:
        return pl.Series([UNSTORED[name]], dtype=kind).new_from_index(0, count)
    values = json.loads(stored[name][0])
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"expected {count:,} values in column {name!r}")
    column = pl.Series(values, dtype=kind, strict=True)
    if name != "net" and column.null_count():
        raise ValueError(f"column {name!r} has {column.null_count():,} missing values")
    return column


def _codes(packed: Any, count: int) -> pl.Series:
    """Return a column of packed cards."""
    if not isinstance(packed, bytes) or len(packed) not in (count, 4 * count):
        raise ValueError(f"expected the cards of {count:,} hands")
    return pl.Series(np.frombuffer(packed, "<u1" if len(packed) == count else "<u4").astype(np.int64))
