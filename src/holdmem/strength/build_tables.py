"""Build the tables: visit every board once up to suit isomorphism, with all holdings at the same time."""

import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import comb
from multiprocessing import get_context
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Isomorphism
from holdmem.cards.class_sizes import hands_in
from holdmem.cards.classes import CLASS_OF_HOLDING, COMBOS, HOLDINGS
from holdmem.core.cache_folder import cache_root
from holdmem.core.errors import TableError
from holdmem.core.types import Floats, Progress
from holdmem.strength.hand_strength import compute_directly
from holdmem.strength.hands import FULL_BOARD, Cards, kernel_layout
from holdmem.strength.kernels.enumerate_board import add_class_moments, moments_on_board, potentials_on_board
from holdmem.strength.table_files import HEADER, STEP, TableColumns, write_table
from holdmem.strength.tables import (
    BUILT_ON_USE,
    POWERS,
    VERSION,
    WANTED,
    StrengthTable,
    clear_table_cache,
    columns_of,
    find_table,
    state_of,
)

BOARDS = {"preflop": 5, "flop-potential": 3, "flop": 3, "flop-two": 3, "turn": 4}
"""Number of board cards to enumerate for each table, up to suit isomorphism."""
BOARDS_IN_UNIT = {"preflop": 2000, "flop-potential": 5, "flop": 20, "flop-two": 20, "turn": 100}

LONG_RUN = 100_000
"""Hands for which it is worth building a table first."""

RoundedValues = NDArray[np.uint16]
UnitValue = TypeVar("UnitValue")


def build_table(
    name: str, folder: Path | None = None, workers: int = 1, progress: Progress | None = None
) -> Path:
    """Compute a table, write it to `folder` (default: the cache folder) and return the path.

    The work is divided among `workers` processes; the file is byte-identical for any number of them.
    `progress(done, all)` reports the number of boards done.
    """
    table = find_table(name)
    path = table.cached if folder is None else folder / table.file
    write_table(path, name, VERSION, compute_table(table, workers, progress or _quiet), table.packed)
    clear_table_cache()
    return path


def compute_table(table: StrengthTable, workers: int, progress: Progress) -> dict[str, TableColumns]:
    """Return the columns of a table; those of its base are copied."""
    if table.name == "preflop":
        return _preflop(table, workers, progress)
    found = _postflop(table, workers, progress)
    base = columns_of(find_table(table.base)) if table.base else {}
    if base is None:
        raise TableError(f"the table {table.base} is missing; run `holdmem tables build {table.base}`")
    return {name: (found | base)[name] for name in table.columns}


_BUILDING = Lock()
"""Held while a table is built on use, so that threads do not build it at the same time."""


def build_on_use(name: str) -> dict[str, TableColumns]:
    """Build a missing table for this process, and store it for later ones if possible."""
    table = find_table(name)
    with _BUILDING:
        path = table.path()
        if path is not None:  # another thread has built it
            return table.read(path)
        _say(f"HoldMem is building the table {name}, once; this takes about half a minute.")
        columns = compute_table(table, 1, _quiet)
        try:
            _expect_room(table)
            write_table(table.cached, name, VERSION, columns, table.packed)
        except (OSError, TableError) as error:
            _say(f"the table {name} cannot be stored, so every process builds it again: {error}")
        return columns


BUILT_ON_USE.update({name: partial(build_on_use, name) for name in ("flop", "flop-two")})


def try_to_build(name: str, workers: int = 1, progress: Progress | None = None) -> str | None:
    """Build a table unless a complete one exists; return the reason if it cannot be built.

    The file is renamed into place when it is complete, so two processes that build at the same time only
    waste some seconds, and one that is interrupted leaves nothing behind.
    """
    table = find_table(name)
    if state_of(table) == "ready":
        return None
    try:
        _expect_room(table)
        build_table(name, workers=workers, progress=progress)
    except (OSError, TableError) as error:
        return f"the table {name} cannot be built: {error}"
    return None


def _expect_room(table: StrengthTable) -> None:
    needed, folder = HEADER + table.bytes, cache_root()
    free = disk_usage(folder).free
    if free < needed:
        raise TableError(f"{folder}: {needed / 1e6:.0f} MB needed, only {free / 1e6:.0f} MB free")


def build_wanted(hands: int, workers: int = 1) -> None:
    """Before a long run, build the tables that its players look up.

    A run never fails for want of a table: what cannot be built is computed, more slowly.
    """
    missing = [name for name in sorted(WANTED) if find_table(name).path() is None]
    if hands < LONG_RUN:
        return
    for name in missing:
        _say(f"HoldMem is building the table {name} for long runs, once; this takes up to a minute.")
        problem = try_to_build(name, workers)
        if problem:
            _say(f"{problem}; continuing without it")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _quiet(done: int, boards: int) -> None:
    pass


def _postflop(table: StrengthTable, workers: int, progress: Progress) -> dict[str, TableColumns]:
    """Compute the columns of a flop or turn table that are not in its base."""
    values = np.empty((len(table.computed), table.rows), np.uint16)
    for classes, found in _work(table.name, _unit_of_boards, workers, progress):
        values[:, classes] = found
    return dict(zip(table.computed, values, strict=True))


def _preflop(table: StrengthTable, workers: int, progress: Progress) -> dict[str, TableColumns]:
    """Compute the columns of the preflop table: means over the holdings of a class and all boards."""
    sums = np.zeros((len(COMBOS), POWERS))
    for found in _work(table.name, _unit_of_sums, workers, progress):
        sums += found
    means = sums / comb(50, FULL_BOARD) / COMBOS[:, None]
    return dict(zip(table.columns, np.ascontiguousarray(means.T), strict=True))


def _work(
    name: str, unit: Callable[[str, range], UnitValue], workers: int, progress: Progress
) -> Iterator[UnitValue]:
    """Yield the results of `unit` on all boards, in order, one work unit at a time."""
    boards, size = Isomorphism((BOARDS[name],)).size, BOARDS_IN_UNIT[name]
    parts = [range(start, min(start + size, boards)) for start in range(0, boards, size)]
    names = [name] * len(parts)
    progress(0, boards)
    if workers == 1:
        for part, found in zip(parts, map(unit, names, parts), strict=True):
            yield found
            progress(part.stop, boards)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for part, found in zip(parts, pool.map(unit, names, parts), strict=True):
            yield found
            progress(part.stop, boards)


def first_unit(name: str) -> None:
    """Run a small work unit and discard the result, so that everything it needs is compiled."""
    (_unit_of_sums if name == "preflop" else _unit_of_boards)(name, range(1))


def _boards(name: str, numbers: range) -> Cards:
    return kernel_layout(Isomorphism((BOARDS[name],)).cards(np.array(numbers)))


def _unit_of_boards(name: str, numbers: range) -> tuple[NDArray[np.int64], RoundedValues]:
    """Return the classes of all holdings on these boards, and their columns in 16 bits."""
    table = find_table(name)
    found = [values_on(board, table) for board in _boards(name, numbers)]
    return np.concatenate([classes for classes, _ in found]), np.hstack([rounded for _, rounded in found])


def values_on(board: Cards, table: StrengthTable) -> tuple[NDArray[np.int64], RoundedValues]:
    """Return each holding's row of the table on a board, and the computed columns rounded to 16 bits."""
    holdings = kernel_layout(HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)])
    values = all_holdings(board, holdings, table.computed)
    rounded = np.rint(np.stack([values[column] for column in table.computed]) / STEP).astype(np.uint16)
    return table.index(holdings, np.tile(board, (len(holdings), 1))), rounded


def all_holdings(board: Cards, holdings: Cards, columns: Collection[str]) -> dict[str, Floats]:
    """Return at least these columns of all holdings on a flop or turn.

    `holdings` must be all pairs of cards that are not on the board.
    """
    powers = max((int(column[2:]) for column in columns if column.startswith("hs")), default=0)
    values = _all_moments(board, holdings, powers) if powers else {}
    if "ppot" in columns:
        values |= _all_potentials(board, holdings, FULL_BOARD - len(board), "")
    if "ppot1" in columns:
        values |= _all_potentials(board, holdings, 1, "1")
    return values


def _all_potentials(board: Cards, holdings: Cards, to_come: int, suffix: str) -> dict[str, Floats]:
    """Return IHS, PPOT and NPOT of all holdings with this many cards to come."""
    ihs, ppot, npot = np.empty((3, len(holdings)))
    potentials_on_board(board, to_come, holdings, ihs, ppot, npot)
    return {"ihs": ihs, f"ppot{suffix}": ppot, f"npot{suffix}": npot}


def _all_moments(board: Cards, holdings: Cards, powers: int) -> dict[str, Floats]:
    """Return the means of HS, HS², ... of all holdings on a flop or turn."""
    moments = np.empty((len(holdings), powers))
    moments_on_board(board, FULL_BOARD - len(board), holdings, moments)
    return {f"hs{power}": moments[:, power - 1] for power in range(1, powers + 1)}


def _unit_of_sums(name: str, numbers: range) -> Floats:
    """Return (169, powers): sums of HS ** k over the holdings of each class and all deals of these boards."""
    deals = hands_in(Isomorphism((FULL_BOARD,)), np.array(numbers))
    sums = np.zeros((len(COMBOS), POWERS))
    add_class_moments(
        _boards(name, numbers), deals, kernel_layout(HOLDINGS), CLASS_OF_HOLDING.astype(np.int64), sums
    )
    return sums


def check_table(name: str, sample: int, seed: int = 0) -> float:
    """Compute `sample` random classes directly; return the largest difference from the table.

    Raises TableError if it is larger than rounding explains.
    """
    table = find_table(name)
    found = columns_of(table)
    if found is None:
        raise TableError(f"the table {name} is not built; run `holdmem tables build {name}`")
    hands = _random_hands(table, sample, seed)
    classes = table.index(hands[:, :2], hands[:, 2:])
    direct = compute_directly(kernel_layout(hands[:, :2]), kernel_layout(hands[:, 2:]), table.columns)
    unit, allowed = (STEP, STEP / 2) if table.dtype == "u2" else (1.0, 0.0)
    tabulated = np.stack([found[column][classes] * unit for column in table.columns], axis=1)
    difference = np.abs(tabulated - direct)
    if difference.max() > allowed + 1e-10:
        row, column = np.unravel_index(difference.argmax(), difference.shape)
        raise TableError(
            f"{table.path()}: expected {table.columns[column]} {direct[row, column]:.6f} for class"
            f" {classes[row]}, got {tabulated[row, column]:.6f}"
        )
    return float(difference.max())


def _random_hands(table: StrengthTable, sample: int, seed: int) -> Cards:
    """Return hands of random classes of a table."""
    form = Isomorphism(table.rounds)
    return kernel_layout(form.cards(np.random.default_rng(seed).integers(0, form.size, sample)))
