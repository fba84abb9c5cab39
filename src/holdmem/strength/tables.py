"""Tabulated values: which tables there are, where they lie, and looking hands up in them.

Before the flop and on the flop the tables come with the package. The turn's is too large for that. It is
built into the cache folder by `holdmem compile`, before the first long run of players who look it up, or by
`holdmem tables build turn`; until then turns are computed directly, with the same decisions. A table in the
cache folder comes before one of the package.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Isomorphism
from holdmem.cards.classes import CLASS_OF, CLASSES
from holdmem.compiled import DATA, cache_root
from holdmem.errors import NotationError, TableError, nearest
from holdmem.strength.hands import Cards, Floats
from holdmem.strength.table_files import STEP, Columns, read_table

VERSION = 1
"""To be raised when the values or the order of classes change: tables of another version are not read."""

POWERS = 18
"""Before the flop the mean of HS ** k is tabulated up to this k: E[HS²] against nine opponents."""


@dataclass(frozen=True)
class Tabulated:
    """One table: a row for each class of hands on a street.

    `rounds` names the classes: (2, 3) and (2, 4) as `Isomorphism` numbers them, (2,) in the order of
    `CLASSES`. Columns: hs1, hs2, ... are the mean of HS to that power over all boards, ppot1 and npot1 the
    potentials with one card to come.
    """

    name: str
    rounds: tuple[int, ...]
    columns: tuple[str, ...]
    dtype: str = "u2"
    packed: bool = False

    @property
    def rows(self) -> int:
        """The number of classes."""
        return len(CLASSES) if self.rounds == (2,) else Isomorphism(self.rounds).size

    @property
    def bytes(self) -> int:
        """The size of the columns, before they are packed."""
        return self.rows * len(self.columns) * np.dtype(self.dtype).itemsize

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.name}.table"

    @property
    def cached(self) -> Path:
        """Where the table is built."""
        return cache_root() / "tables" / self.file

    def path(self) -> Path | None:
        """Where the table lies: in the cache folder, in the package, or nowhere."""
        places = (self.cached, DATA / self.file)
        return next((path for path in places if path.exists()), None)

    def read(self, path: Path) -> dict[str, Columns]:
        """The columns in this file, or TableError."""
        expected = {field: getattr(self, field) for field in ("name", "columns", "rows", "dtype", "packed")}
        return read_table(path, {"version": VERSION, **expected})

    def index(self, holes: Cards, boards: Cards) -> NDArray[np.int64]:
        """The row of each hand."""
        if self.rounds == (2,):
            return CLASS_OF[holes[:, 0], holes[:, 1]].astype(np.int64)
        return Isomorphism(self.rounds).index(np.hstack([holes, boards]))


TABLES = {
    table.name: table
    for table in (
        Tabulated("preflop", (2,), tuple(f"hs{power}" for power in range(1, POWERS + 1)), "f8"),
        Tabulated("flop", (2, 3), ("hs1", "hs2", "ihs", "ppot", "npot", "ppot1", "npot1"), packed=True),
        Tabulated("turn", (2, 4), ("hs1", "hs2", "ihs", "ppot", "npot")),
        Tabulated("flop-two", (2, 3), ("hs4",), packed=True),
    )
}
ON_BOARD = {sum(table.rounds[1:]): table for table in TABLES.values() if "hs1" in table.columns}
"""The table for boards of 0, 3 and 4 cards; rivers are computed. E[HS²] against two opponents, which only
those look up who sort such flops by the million, is in `flop-two`."""


def find_table(name: str) -> Tabulated:
    """The table of this name."""
    if name not in TABLES:
        raise NotationError(f"no table is called {name!r}: {nearest(name, list(TABLES))}")
    return TABLES[name]


@cache
def columns_of(table: Tabulated) -> dict[str, Columns] | None:
    """The columns of a table, read once in a process, or None where it has not been built."""
    path = table.path()
    if path is None:
        return None
    try:
        return table.read(path)
    except TableError as error:
        raise TableError(f"{error}; `holdmem tables build {table.name}` builds it anew") from error


WANTED: set[str] = set()
"""Tables that players who have sat down in this process look up."""


def forget_tables() -> None:
    """Look for the files again: they were built or removed."""
    columns_of.cache_clear()


def look_up(holes: Cards, boards: Cards, columns: Sequence[str]) -> Floats | None:
    """(n, columns): these values from the table of the street, or None if it is not built or lacks one.

    Values kept in 16 bits are off by half a `STEP` (1/131,070) at the most.
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


def whole_column(name: str, column: str) -> Floats:
    """A column of a table for all classes, in their order; TableError if the table is not built."""
    table = find_table(name)
    found = columns_of(table)
    if found is None:
        raise TableError(f"expected the table {name}, which is not built; `holdmem tables build {name}` does")
    return np.multiply(found[column], STEP if table.dtype == "u2" else 1.0, dtype=np.float64)


def state_of(table: Tabulated) -> str:
    """Whether the table can be used: "ready", "not built", or what is wrong with its file."""
    path = table.path()
    if path is None:
        return "not built"
    try:
        table.read(path)
    except TableError as error:
        return str(error)
    return "ready"
