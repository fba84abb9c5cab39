"""Tabulated values: the available tables, where they are stored, and look-up of hands.

The preflop table and the flop's potentials, which take longest to compute, ship with the package. The other
tables are built into the cache folder by `holdmem compile` or `holdmem tables build`. Without these, flop
tables are built when they are first needed, and the turn's before the first long run of agents that look it
up; until then turns are computed directly, with the same decisions. A table in the cache folder takes
precedence over the one in the package.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Isomorphism
from holdmem.cards.classes import CLASS_OF, CLASSES, HOLDING_OF
from holdmem.core.cache_folder import cache_root
from holdmem.core.data import DATA
from holdmem.core.errors import NotationError, TableError, nearest
from holdmem.core.types import Floats
from holdmem.strength.hands import Cards, kernel_layout
from holdmem.strength.table_files import STEP, TableColumns, read_table

VERSION = 1
"""Increase when the values or the order of classes change: tables of another version are rejected."""

POWERS = 18
"""Largest k for which the preflop mean of HS ** k is tabulated: E[HS²] against nine opponents."""

SUITS = np.array(list(permutations(range(4))), np.uint8)
"""All 24 permutations of the suits."""


@dataclass(frozen=True)
class StrengthTable:
    """A table with one row per class of hands on a street.

    `rounds` selects the classes: (2, 3) and (2, 4) as numbered by `Isomorphism`, (2,) in the order of
    `CLASSES`. Columns: hs1, hs2, ... are the means of HS to that power over all boards, ppot1 and npot1 the
    potentials with one card to come. The columns of the table `base` are copied from it, not computed.
    """

    name: str
    rounds: tuple[int, ...]
    columns: tuple[str, ...]
    dtype: str = "u2"
    packed: bool = False
    base: str = ""

    @property
    def computed(self) -> tuple[str, ...]:
        """The columns that are not in `base`."""
        copied = TABLES[self.base].columns if self.base else ()
        return tuple(column for column in self.columns if column not in copied)

    @property
    def rows(self) -> int:
        """Number of classes."""
        return len(CLASSES) if self.rounds == (2,) else Isomorphism(self.rounds).size

    @property
    def bytes(self) -> int:
        """The size of the columns, before they are packed."""
        return self.rows * len(self.columns) * np.dtype(self.dtype).itemsize

    @property
    def file(self) -> str:
        """File name."""
        return f"{self.name}.table"

    @property
    def cached(self) -> Path:
        """Path at which the table is built, in the cache folder."""
        return cache_root() / "tables" / self.file

    def path(self) -> Path | None:
        """Return the file to read, in the cache folder or else in the package, or None."""
        places = (self.cached, DATA / self.file)
        return next((path for path in places if path.exists()), None)

    def read(self, path: Path) -> dict[str, TableColumns]:
        """Read the columns from this file, or raise TableError."""
        expected = {field: getattr(self, field) for field in ("name", "columns", "rows", "dtype", "packed")}
        return read_table(path, {"version": VERSION, **expected})

    def index(self, holes: Cards, boards: Cards) -> NDArray[np.int64]:
        """Return the row of each hand."""
        if self.rounds == (2,):
            return CLASS_OF[holes[:, 0], holes[:, 1]].astype(np.int64)
        return Isomorphism(self.rounds).index(np.hstack([holes, boards]))


TABLES = {
    table.name: table
    for table in (
        StrengthTable("preflop", (2,), tuple(f"hs{power}" for power in range(1, POWERS + 1)), "f8"),
        StrengthTable("flop-potential", (2, 3), ("ppot", "npot"), packed=True),
        StrengthTable(
            "flop", (2, 3), ("hs1", "hs2", "ihs", "ppot", "npot", "ppot1", "npot1"), base="flop-potential"
        ),
        StrengthTable("flop-two", (2, 3), ("hs4",)),
        StrengthTable("turn", (2, 4), ("hs1", "hs2", "ihs", "ppot", "npot")),
    )
}
NOT_SHIPPED = ("flop", "flop-two", "turn")
"""Tables that are built on each machine, in the order in which `holdmem compile` builds them."""
ON_BOARD = {sum(table.rounds[1:]): table for table in TABLES.values() if "hs1" in table.columns}
"""Table by number of board cards, 0, 3 or 4; rivers are computed.

`flop-two`, with E[HS²] against two opponents, is not included: only code that sorts such flops by the million
uses it.
"""


def find_table(name: str) -> StrengthTable:
    """Return the table of this name."""
    if name not in TABLES:
        raise NotationError(f"unknown table {name!r}; {nearest(name, list(TABLES))}")
    return TABLES[name]


BUILT_ON_USE: dict[str, Callable[[], dict[str, TableColumns]]] = {}
"""Functions that build missing tables when they are needed, by table; `build_tables` enters them."""


@cache
def columns_of(table: StrengthTable) -> dict[str, TableColumns] | None:
    """Return the columns of a table, read once per process, or None if it has not been built.

    Tables of `BUILT_ON_USE` are built if they are missing.
    """
    path = table.path()
    if path is None:
        build = BUILT_ON_USE.get(table.name)
        return build() if build else None
    try:
        return table.read(path)
    except TableError as error:
        raise TableError(f"{error}; rebuild it with `holdmem tables build {table.name}`") from error


WANTED: set[str] = set()
"""Tables that players who have sat down in this process look up."""


def clear_table_cache() -> None:
    """Clear the cache of `columns_of` after table files were built or removed."""
    columns_of.cache_clear()


def look_up(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats | None:
    """Return (n, columns) values from the street's table, or None if it is not built or lacks a column.

    Values stored in 16 bits have an error of at most half a `STEP` (1/131,070).
    """
    table = ON_BOARD.get(boards.shape[1])
    if table is None or not set(columns) <= set(table.columns):
        return None
    found = columns_of(table)
    if found is None:
        return None
    rows = table.index(holes, boards)
    unit = STEP if table.dtype == "u2" else 1.0
    return np.stack([found[column][rows] * unit for column in columns], axis=1)


def canonical_suits(holes: Cards, boards: Cards) -> tuple[Cards, Cards]:
    """Return the hands relabelled to the suits in which a table computes them, for identical values.

    Suits determine the order in which rivers are summed and so the last bit of a mean; where a mean lies
    halfway between two steps, that bit decides how it is rounded. A table enumerates one board per class; of
    isomorphic holdings on it, the last one counts.
    """
    form = Isomorphism((boards.shape[1],))
    there = np.sort(form.cards(form.index(boards)), axis=1)
    relabelled = np.sort(boards // 4 * 4 + SUITS[:, boards % 4], axis=2)
    own = np.sort(holes // 4 * 4 + SUITS[:, holes % 4], axis=2)
    fits = (relabelled == there).all(axis=2)
    last = np.where(fits, HOLDING_OF[own[..., 0], own[..., 1]], -1).argmax(axis=0)
    return kernel_layout(own[last, np.arange(len(holes))]), kernel_layout(there)


def whole_column(name: str, column: str) -> Floats:
    """Return a column of a table for all classes, in their order; TableError if the table is not built."""
    table = find_table(name)
    found = columns_of(table)
    if found is None:
        raise TableError(f"the table {name} is not built; run `holdmem tables build {name}`")
    return np.multiply(found[column], STEP if table.dtype == "u2" else 1.0, dtype=np.float64)


def state_of(table: StrengthTable) -> str:
    """Return "ready", "not built", or what is wrong with the table's file."""
    path = table.path()
    if path is None:
        return "not built"
    try:
        table.read(path)
    except TableError as error:
        return str(error)
    return "ready"
