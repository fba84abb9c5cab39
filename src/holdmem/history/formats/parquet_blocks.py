"""Convert stored blocks of columns to hands, separating sound rows from damaged ones.

Every row comes from a file and may be damaged. Nulls, list lengths and card numbers are checked before a row
is built; the engine then replays the hand, as with any other source.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.core.errors import HoldMemError, NotationError
from holdmem.engine import Game
from holdmem.engine.state import SEATS
from holdmem.history.formats.parquet_checks import faults, flattened
from holdmem.history.hands import Hands, Terms, blank

SCHEMA: dict[str, Any] = {
    "number": pl.Int64,
    "time": pl.Int64,
    "source": pl.String,
    "line": pl.Int64,
    "table": pl.String,
    "game": pl.String,
    "chip": pl.String,
    "currency": pl.String,
    "players": pl.List(pl.String),
    "stacks": pl.List(pl.Int64),
    "hole": pl.List(pl.Int8),
    "board": pl.List(pl.Int8),
    "betting": pl.List(pl.Int32),
    "net": pl.List(pl.Int64),
    "rake": pl.Int64,
}
"""Columns of a stored block; docs/histories.md describes them."""

LATER: dict[str, Any] = {"site": pl.String, "second_board": pl.List(pl.Int8), "inferred": pl.Boolean}
"""Columns missing from older blocks, where they are taken as empty."""


# Games as one line of JSON


def game_text(game: Game) -> str:
    """Return a game as one line of JSON, leaving out fields at their default value."""
    said = {}
    for field in fields(Game):
        value = getattr(game, field.name)
        if field.default is MISSING or value != field.default:
            said[field.name] = value
    return json.dumps(said, separators=(",", ":"))


def game_of(text: str, where: str) -> Game:
    """Parse the output of `game_text`; NotationError, prefixed with `where`, if it is not a game."""
    try:
        return _game_of(text)
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from None


def _game_of(text: str) -> Game:
    try:
        return Game.from_json(json.loads(text))
    except (ValueError, TypeError, RecursionError, HoldMemError) as error:
        raise NotationError(f"expected a game as {game_text.__name__} writes it: {error}") from None


# Blocks


@dataclass(frozen=True)
class StoredBlock:
    """Hands of one block with their row numbers in the file, from 1, and the damaged rows with reasons."""

    hands: Hands
    file: str
    rows: NDArray[np.int64]
    faults: list[tuple[int, str]]

    def where(self, place: int) -> str:
        """Return the file and row of one hand, for messages."""
        return f"{self.file}, row {self.rows[place]}"


def from_frame(frame: pl.DataFrame, where: str) -> Hands:
    """Convert columns to hands; NotationError if any row is damaged."""
    block = block_of(frame, where)
    if block.faults:
        row, reason = block.faults[0]
        raise NotationError(f"{where}: {reason} in row {row}")
    return block.hands


def block_of(frame: pl.DataFrame, where: str, first: int = 1) -> StoredBlock:
    """Convert the sound rows to hands and list what is wrong with the others; rows count from `first`."""
    frame = _checked_columns(frame, where)
    keys = frame.select(key=pl.concat_str("game", "chip", "currency", separator="\n"))["key"]
    texts, codes = _coded(keys.fill_null(""))
    terms, unclear = _all_terms(texts)
    seats = pl.Series([one.game.seats for one in terms], dtype=pl.Int64).gather(codes)
    unseated = pl.when(frame["players"].list.len() != seats).then(pl.lit(UNSEATED))
    wrong = frame.select(reason=pl.coalesce(faults(frame), unclear.gather(codes), unseated))["reason"]
    sound, rows = wrong.is_null().to_numpy(), first + np.arange(len(frame))
    hands = _rows_of(frame if sound.all() else frame.filter(sound), terms, codes[sound])
    damaged = list(zip(rows[~sound].tolist(), wrong.drop_nulls(), strict=True))
    return StoredBlock(hands, where, rows[sound], damaged)


UNSEATED = "the number of players differs from the game's seats"
NOTHING = Terms(Game("nothing", blinds=(1, 1)))
"""Placeholder for terms that cannot be read; no hand uses it."""


def _rows_of(frame: pl.DataFrame, terms: tuple[Terms, ...], codes: NDArray[np.int32]) -> Hands:
    """Build rows from columns without damage."""
    rows = blank(len(frame))
    for name in ("number", "time", "line", "rake"):
        rows[name] = frame[name].to_numpy()
    rows["terms"] = codes
    tables, rows["table"] = _coded(frame["table"])
    sources, rows["source"] = _coded(frame["source"])
    sites, rows["site"] = _coded(frame["site"])
    players, seat = _coded(frame["players"].explode())
    counts = frame["players"].list.len().to_numpy()
    _put(rows["player"], counts, seat)
    _put(rows["stack"], counts, _entries(frame["stacks"]))
    _put(rows["hole"].reshape(len(rows), 2 * SEATS), 2 * counts, _entries(frame["hole"]))
    _put(rows["board"], frame["board"].list.len().to_numpy(), _entries(frame["board"]))
    second = frame["second_board"]
    _put(rows["second"], second.list.len().to_numpy(), _entries(second))
    scored = frame["net"].is_not_null().to_numpy()
    rows["scored"] = scored * (1 + frame["inferred"].to_numpy())
    _put(rows["net"], counts * scored, _entries(frame["net"].drop_nulls()))
    rows["actions"] = frame["betting"].list.len().to_numpy()
    rows["start"] = np.cumsum(rows["actions"], dtype=np.int64) - rows["actions"]
    return Hands(rows, _entries(frame["betting"]).astype(np.int32), terms, players, tables, sources, sites)


def _entries(column: pl.Series) -> NDArray[Any]:
    """Return all list entries, concatenated."""
    return flattened(column).to_numpy()


def _checked_columns(frame: pl.DataFrame, where: str) -> pl.DataFrame:
    """Return the expected columns, with empty ones added where the block is too old to have them."""
    empty = {"site": "", "second_board": [], "inferred": False}
    later = [
        pl.Series(name, [empty[name]], kind).new_from_index(0, len(frame))
        for name, kind in LATER.items()
        if name not in frame.columns
    ]
    frame = frame.with_columns(later)
    for name, kind in (SCHEMA | LATER).items():
        if frame.schema.get(name) != kind:
            raise NotationError(
                f"{where}: expected a column {name!r} of {kind}, got {frame.schema.get(name)}"
            )
    return frame.select(*SCHEMA, *LATER)


def _coded(series: pl.Series) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return the distinct texts, and for each text its index among them."""
    texts = series.unique(maintain_order=True)
    codes = series.replace_strict(texts, np.arange(len(texts)), return_dtype=pl.Int32)
    return tuple(texts.to_list()), codes.to_numpy()


def _put(table: NDArray[Any], counts: NDArray[Any], values: NDArray[Any]) -> None:
    """Fill the first `counts` entries of each row with `values`."""
    table[np.arange(table.shape[1]) < counts[:, None]] = values


def _all_terms(keys: Iterable[str]) -> tuple[tuple[Terms, ...], pl.Series]:
    """Return the terms of each key, and the fault of those that cannot be read (null for the others)."""
    terms, wrong = list[Terms](), list[str | None]()
    for key in keys:
        try:
            terms.append(_terms(key))
            wrong.append(None)
        except NotationError as error:
            terms.append(NOTHING)
            wrong.append(str(error))
    return tuple(terms), pl.Series(wrong, dtype=pl.String)


_CHIP = re.compile(r"[1-9][0-9]{0,17}(/[1-9][0-9]{0,17})?").fullmatch


def _terms(key: str) -> Terms:
    text, chip, currency = (*key.split("\n", 2), "", "")[:3]
    game = _game_of(text)
    if not _CHIP(chip):
        raise NotationError(f"expected the value of a chip as a number, got {chip[:40]!r}")
    return Terms(game, Fraction(chip), currency)
