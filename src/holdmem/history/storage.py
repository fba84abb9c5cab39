"""Hands on disk: a folder of Parquet files, each a block of hands, with a small readable header beside them.

The columns are plain enough for any other tool: one row a hand, lists with one entry a seat, cards as 0 to
51, betting as the engine's actions. Blocks are written one after another and read the same way, so that any
number of hands can be stored and read in the memory of one block. One `.parquet` file will do as well.
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.errors import HoldMemError, NotationError
from holdmem.history.headers import read_header, write_header
from holdmem.history.records import UNKNOWN, Hands, Terms, blank
from holdmem.rules import Game
from holdmem.rules.state import PARTS, SEATS

FORMAT = "holdmem hands"
VERSION = 1
HEADER = "hands.json"
BLOCK = 16_384
"""Hands a block: as many as are in memory at a time."""

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
"""The columns of a stored block; docs/histories.md says what is in them."""


# A game in one line


def game_text(game: Game) -> str:
    """All that a game is, as one line of JSON; fields that have their usual value are left out."""
    said = {}
    for field in fields(Game):
        value = getattr(game, field.name)
        if field.default is MISSING or value != field.default:
            said[field.name] = value
    return json.dumps(said, separators=(",", ":"))


def game_of(text: str, where: str) -> Game:
    """The game that such a line says."""
    try:
        said: dict[str, Any] = json.loads(text)
        for name, value in said.items():
            said[name] = tuple(value) if isinstance(value, list) else value
        return Game(**said)
    except (ValueError, TypeError, AttributeError, HoldMemError) as error:
        raise NotationError(f"{where}: expected a game as {game_text.__name__} writes it: {error}") from None


# Blocks as frames


def to_frame(hands: Hands) -> pl.DataFrame:
    """One block as columns."""
    rows, seats = hands.rows, hands.seats
    terms, number = hands.terms, rows["terms"]
    columns = {
        "number": rows["number"].copy(),
        "time": rows["time"].copy(),
        "source": _taken(hands.sources, rows["source"]),
        "line": rows["line"].copy(),
        "table": _taken(hands.tables, rows["table"]),
        "game": _taken([game_text(one.game) for one in terms], number),
        "chip": _taken([str(one.chip) for one in terms], number),
        "currency": _taken([one.currency for one in terms], number),
        "players": _names(hands),
        "stacks": _lists(rows["stack"], seats),
        "hole": _lists(rows["hole"].reshape(len(rows), -1), 2 * seats),
        "board": _lists(rows["board"], (rows["board"] != UNKNOWN).sum(axis=1)),
        "net": _lists(rows["net"], np.where(rows["scored"] == 1, seats, UNKNOWN)),
        "betting": _betting(hands),
        "rake": rows["rake"].copy(),
    }
    return pl.DataFrame({name: columns[name] for name in SCHEMA}, schema=SCHEMA)


def _lists(table: NDArray[Any], lengths: NDArray[Any]) -> pl.Series:
    """The first entries of each row as a list; none at all where the length is -1."""
    frame = pl.DataFrame({"row": np.ascontiguousarray(table), "length": lengths})
    cut = pl.col("row").arr.to_list().list.head("length")
    return frame.select(pl.when(pl.col("length") >= 0).then(cut))["row"]


def _taken(values: Sequence[str], places: NDArray[Any]) -> pl.Series:
    return pl.Series(values, dtype=pl.String).gather(places.astype(np.int64))


def _names(hands: Hands) -> pl.Series:
    """The names at each table, in the order of the seats."""
    seated, count = hands.seated, len(hands)
    names = _taken(hands.players, hands.rows["player"][seated])
    hand = np.repeat(np.arange(count), SEATS).reshape(count, SEATS)[seated]
    return _grouped(hand, names)


def _betting(hands: Hands) -> pl.Series:
    """The actions of each hand. A first entry that is cut off again keeps hands without any."""
    packed = hands.packed()
    counts = packed.rows["actions"].astype(np.int64)
    actions = np.insert(packed.betting, packed.rows["start"], 0)
    return _grouped(np.repeat(np.arange(len(counts)), counts + 1), pl.Series(actions)).list.slice(1)


def _grouped(hand: NDArray[np.int64], values: pl.Series) -> pl.Series:
    """Values in a row as one list for each hand."""
    frame = pl.DataFrame({"hand": hand, "value": values})
    return frame.group_by("hand", maintain_order=True).agg("value")["value"]


def of_frame(frame: pl.DataFrame, where: str) -> Hands:
    """The block that such columns hold."""
    _check_columns(frame, where)
    rows = blank(len(frame))
    for name in ("number", "time", "line", "rake"):
        rows[name] = frame[name].to_numpy()
    keys = frame.select(key=pl.concat_str("game", "chip", "currency", separator="\n"))["key"]
    terms, rows["terms"] = _coded(keys)
    tables, rows["table"] = _coded(frame["table"])
    sources, rows["source"] = _coded(frame["source"])
    players, seat = _coded(frame["players"].explode())
    counts = frame["players"].list.len().to_numpy()
    _put(rows["player"], counts, seat, where)
    _put(rows["stack"], counts, frame["stacks"].explode().to_numpy(), where)
    _put(rows["hole"].reshape(len(rows), -1), 2 * counts, frame["hole"].explode().to_numpy(), where)
    board = frame["board"].list.len().to_numpy()
    _put(rows["board"], board, _flat(frame["board"].drop_nulls()), where)
    rows["scored"] = frame["net"].is_not_null().to_numpy()
    net = _flat(frame["net"].drop_nulls())
    _put(rows["net"], counts * rows["scored"], net, where)
    rows["actions"] = frame["betting"].list.len().to_numpy()
    rows["start"] = np.cumsum(rows["actions"]) - rows["actions"]
    betting = _flat(frame["betting"]).astype(np.int32)
    return Hands(rows, betting, tuple(_terms(key, where) for key in terms), players, tables, sources)


def _check_columns(frame: pl.DataFrame, where: str) -> None:
    for name, kind in SCHEMA.items():
        if frame.schema.get(name) != kind:
            raise NotationError(
                f"{where}: expected a column {name!r} of {kind}, got {frame.schema.get(name)}"
            )


def _coded(series: pl.Series) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Each different text once, and the place of each among them."""
    texts = series.unique(maintain_order=True)
    codes = series.replace_strict(texts, np.arange(len(texts)), return_dtype=pl.Int32)
    return tuple(texts.to_list()), codes.to_numpy()


def _flat(lists: pl.Series) -> NDArray[Any]:
    """The elements of all lists, one after the other; exploding an empty list would add a null."""
    return lists.filter(lists.list.len() > 0).explode().to_numpy()


def _put(table: NDArray[Any], counts: NDArray[Any], values: NDArray[Any], where: str) -> None:
    """Write the first `counts` entries of each row."""
    width = table.shape[1]
    if len(counts) and (counts.max() > width or counts.sum() != len(values)):
        raise NotationError(f"{where}: expected lists with one entry a seat, got {len(values)} of them")
    table[np.arange(width) < counts[:, None]] = values


def _terms(key: str, where: str) -> Terms:
    text, chip, currency = key.split("\n")
    game = game_of(text, where)
    try:
        return Terms(game, Fraction(chip), currency)
    except (ValueError, ZeroDivisionError):
        raise NotationError(f"{where}: expected the worth of a chip as a number, got {chip!r}") from None


# Files


def write_hands(blocks: Iterable[Hands], target: Path | str, about: dict[str, Any] | None = None) -> int:
    """Store hands in a new folder, or in one file if the name ends in `.parquet`; how many they were.

    Everything is written beside the place and renamed at the end; `about` goes into the header.
    """
    target = Path(target)
    if target.exists():
        raise NotationError(f"{target}: expected a new folder or file for the hands, got one that is there")
    beside = target.with_name(target.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    count, games = 0, Counter[str]()
    for number, hands in enumerate(block for block in blocks if len(block)):
        to_frame(hands).write_parquet(beside / f"block-{number:05}.parquet")
        count += len(hands)
        for place, terms in enumerate(hands.terms):
            games[terms.game.name] += int((hands.rows["terms"] == place).sum())
    said = {"format": FORMAT, "version": VERSION, "hands": count, "games": games, **(about or {})}
    write_header(beside / HEADER, said)
    if target.suffix == ".parquet" and count:
        whole = target.with_name(target.name + ".whole")
        pl.scan_parquet(beside / "*.parquet").sink_parquet(whole, row_group_size=BLOCK)
        whole.replace(target)
        shutil.rmtree(beside)
    else:
        beside.replace(target)
    return count


@dataclass(frozen=True)
class StoredHands:
    """Hands that were stored, block by block."""

    path: Path

    @cached_property
    def header(self) -> dict[str, Any]:
        """What is said about them."""
        return read_header(self.path / HEADER, "stored hands", FORMAT, VERSION, NotationError)

    def __len__(self) -> int:
        return sum(map(_length, self._files()))

    def __iter__(self) -> Iterator[Hands]:
        if self.path.is_dir():
            self.header  # noqa: B018  a folder of another kind is refused before anything is read
        for file in self._files():
            yield from self._blocks(file)

    def _files(self) -> list[Path]:
        return sorted(self.path.glob("block-*.parquet")) if self.path.is_dir() else [self.path]

    @staticmethod
    def _blocks(file: Path) -> Iterator[Hands]:
        for begin in range(0, _length(file), BLOCK):
            yield of_frame(_collected(file, pl.scan_parquet(file).slice(begin, BLOCK)), str(file))


def _length(file: Path) -> int:
    return int(_collected(file, pl.scan_parquet(file).select(pl.len())).item())


def _collected(file: Path, wanted: pl.LazyFrame) -> pl.DataFrame:
    try:
        return wanted.collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise NotationError(f"{file}: expected stored hands in Parquet: {error}") from None


def in_units(hands: Hands, net: NDArray[np.int64]) -> NDArray[np.float64]:
    """Results in parts of a chip, one a hand, as small bets or big blinds of their games."""
    units = np.array([terms.game.unit[0] for terms in hands.terms], dtype=np.float64)
    return net / (PARTS * units[hands.rows["terms"]])  # type: ignore[no-any-return]
