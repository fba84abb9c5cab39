"""Hands on disk: a folder of Parquet files, each a block of hands, plus a small readable header.

The columns are easy to read with any other tool: one row per hand, lists with one entry per seat, cards from
0 to 51, betting as the engine's actions. Blocks are written and read one at a time, so that any number of
hands fits in the memory of one block. A single `.parquet` file works as well.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.core.atomic import atomic_file, atomic_folder, scratch_folder
from holdmem.core.display import short
from holdmem.core.errors import NotationError
from holdmem.core.headers import read_header, write_header
from holdmem.engine import Game
from holdmem.engine.state import PARTS, SEATS
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format, WriteOptions
from holdmem.history.formats.parquet_blocks import (
    LATER,
    SCHEMA,
    StoredBlock,
    block_of,
    from_frame,
    game_of,
    game_text,
)
from holdmem.history.formats.parquet_seal import expect_sound, seal
from holdmem.history.hands import INFERRED, UNKNOWN, Hands

HEADER_FORMAT = "holdmem hands"
VERSION = 1
HEADER = "hands.json"
SUFFIX = ".parquet"
BLOCK = 16_384
"""Hands per block, and so held in memory at a time."""

# Blocks as frames


def to_frame(hands: Hands) -> pl.DataFrame:
    """Convert one block to columns."""
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
        "net": _lists(rows["net"], np.where(rows["scored"] != 0, seats, UNKNOWN)),
        "betting": _betting(hands),
        "rake": rows["rake"].copy(),
        "site": _taken(hands.sites, rows["site"]),
        "second_board": _lists(rows["second"], (rows["second"] != UNKNOWN).sum(axis=1)),
        "inferred": rows["scored"] == INFERRED,
    }
    return pl.DataFrame({name: columns[name] for name in SCHEMA | LATER}, schema=SCHEMA | LATER)


def _lists(table: NDArray[Any], lengths: NDArray[Any]) -> pl.Series:
    """Cut each row of a table to its length, as lists; null where the length is -1."""
    frame = pl.DataFrame({"row": np.ascontiguousarray(table), "length": lengths})
    cut = pl.col("row").arr.to_list().list.head("length")
    return frame.select(pl.when(pl.col("length") >= 0).then(cut))["row"]


def _taken(values: Sequence[str], places: NDArray[Any]) -> pl.Series:
    return pl.Series(values, dtype=pl.String).gather(places.astype(np.int64))


def _names(hands: Hands) -> pl.Series:
    """Return the names at each table, in seat order."""
    seated, count = hands.seated, len(hands)
    names = _taken(hands.players, hands.rows["player"][seated])
    hand = np.repeat(np.arange(count), SEATS).reshape(count, SEATS)[seated]
    return _grouped(hand, names)


def _betting(hands: Hands) -> pl.Series:
    """Return the actions of each hand. A dummy first entry, later removed, keeps hands without actions."""
    packed = hands.packed()
    counts = packed.rows["actions"].astype(np.int64)
    actions = np.insert(packed.betting, packed.rows["start"], 0)
    return _grouped(np.repeat(np.arange(len(counts)), counts + 1), pl.Series(actions)).list.slice(1)


def _grouped(hand: NDArray[np.int64], values: pl.Series) -> pl.Series:
    """Group consecutive values into one list per hand."""
    frame = pl.DataFrame({"hand": hand, "value": values})
    return frame.group_by("hand", maintain_order=True).agg("value")["value"]


# Writing


def write(blocks: Iterable[Hands], target: Path, options: WriteOptions) -> int:
    """Store hands in a new folder, or in one file if the name ends in `.parquet`; return the number of hands.

    Everything is written under a temporary name and renamed at the end; `about` goes into a folder's header.
    """
    if target.suffix == SUFFIX:
        return _write_file(blocks, target)
    with atomic_folder(target) as folder:
        count, games = _write_blocks(blocks, folder)
        write_folder_header(folder, count, games, options.about)
    return count


def write_folder_header(
    folder: Path, hands: int, games: Mapping[str, int], about: Mapping[str, Any] | None = None
) -> None:
    """Write the header of a folder of blocks."""
    said = {"format": HEADER_FORMAT, "version": VERSION, "hands": hands, "games": dict(games)}
    write_header(folder / HEADER, said | dict(about or {}))


def _write_file(blocks: Iterable[Hands], target: Path) -> int:
    """Write one file block by block, so that only one block is in memory at a time."""
    with atomic_file(target, new=True) as file, scratch_folder(target) as folder:
        count, _ = _write_blocks(blocks, folder)
        if count:
            pl.scan_parquet(folder / "*.parquet").sink_parquet(file, row_group_size=BLOCK)
        else:
            write_parquet(pl.DataFrame(schema=SCHEMA), file)
        seal(file)
    return count


def _write_blocks(blocks: Iterable[Hands], folder: Path) -> tuple[int, Counter[str]]:
    """Write one file per block; return the number of hands in total and per game."""
    count, games = 0, Counter[str]()
    for number, hands in enumerate(block for block in blocks if len(block)):
        write_block(hands, folder / f"block-{number:05}.parquet")
        count += len(hands)
        games += count_games(hands)
    return count, games


def write_block(hands: Hands, file: Path) -> None:
    """Write one block with its digest."""
    write_parquet(to_frame(hands), file)
    seal(file)


def count_games(hands: Hands) -> Counter[str]:
    """Return the number of hands per name of a game."""
    games = Counter[str]()
    for place, terms in enumerate(hands.terms):
        games[terms.game.name] += int((hands.rows["terms"] == place).sum())
    return games


def write_parquet(frame: pl.DataFrame, file: Path, **options: Any) -> None:
    """Write a frame through a buffer, so that a full disk raises Python's OSError rather than polars' own."""
    buffer = BytesIO()
    frame.write_parquet(buffer, **options)
    file.write_bytes(buffer.getvalue())


# Reading


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether this is a Parquet file on disk; one in an archive cannot be read block by block."""
    return source.path.suffix == SUFFIX and Path(source.name).is_file()


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read the hands of one file in blocks; damaged rows are recorded in the account."""
    for block in read_blocks(source, account):
        yield block.hands


def read_blocks(source: Source, account: Account) -> Iterator[StoredBlock]:
    """Yield the blocks of one file, which know the row of each hand; damaged rows go into the account."""
    for block in blocks_of(Path(source.name)):
        for row, reason in block.faults:
            account.skip(f"{source.name}, row {row}", reason, "damaged rows of stored hands")
        yield block


@dataclass(frozen=True)
class StoredHands:
    """Stored hands, read block by block."""

    path: Path

    @cached_property
    def header(self) -> dict[str, Any]:
        """Contents of the header file."""
        return read_header(self.path / HEADER, "stored hands", HEADER_FORMAT, VERSION, NotationError)

    def __repr__(self) -> str:
        return f"StoredHands({short(str(self.path), 120)!r})"

    def _repr_html_(self) -> str:
        first = next(iter(self), None)
        return f"<p>{escape(repr(self))}: {len(self):,} hands</p>" + (first._repr_html_() if first else "")

    def __len__(self) -> int:
        for file in self.files():
            expect_sound(file, BLOCK)
        return sum(map(_length, self.files()))

    def __iter__(self) -> Iterator[Hands]:
        """Yield the hands block by block; a damaged row raises NotationError."""
        for block in self.blocks():
            if block.faults:
                row, reason = block.faults[0]
                raise NotationError(f"{block.file}: {reason} in row {row}")
            yield block.hands

    def blocks(self) -> Iterator[StoredBlock]:
        """Yield the blocks, each with the faults of its damaged rows."""
        if self.path.is_dir():
            self.header  # noqa: B018  reject a folder of another kind before reading anything
        for file in self.files():
            yield from blocks_of(file)

    def files(self) -> list[Path]:
        """Return the Parquet files in order."""
        return sorted(self.path.glob("block-*.parquet")) if self.path.is_dir() else [self.path]


def blocks_of(file: Path) -> Iterator[StoredBlock]:
    """Yield the hands of one Parquet file."""
    expect_sound(file, BLOCK)
    for begin in range(0, _length(file), BLOCK):
        frame = _collected(file, pl.scan_parquet(file).slice(begin, BLOCK))
        yield block_of(frame, str(file), begin + 1)


def _length(file: Path) -> int:
    return int(_collected(file, pl.scan_parquet(file).select(pl.len())).item())


def _collected(file: Path, wanted: pl.LazyFrame) -> pl.DataFrame:
    try:
        return wanted.collect()
    except (OSError, MemoryError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise NotationError(f"{file}: cannot be read as stored hands in Parquet: {said}") from None


def in_units(hands: Hands, net: NDArray[np.int64]) -> NDArray[np.float64]:
    """Convert results in parts of a chip, one per hand, to small bets or big blinds of each hand's game."""
    units = np.array([terms.game.unit[0] for terms in hands.terms], dtype=np.float64)
    return net / (PARTS * units[hands.rows["terms"]])  # type: ignore[no-any-return]


FORMAT = Format("parquet", "Parquet", (SUFFIX, ""), looks_like, read, write_path=write)

__all__ = [
    "FORMAT",
    "StoredBlock",
    "StoredHands",
    "blocks_of",
    "from_frame",
    "game_of",
    "game_text",
    "in_units",
    "looks_like",
    "read",
    "to_frame",
    "write",
]
