"""Sources of hands (files, folders and archives), and the check of what was read against the rules.

A reader turns one `Source` into blocks of `Hands`. It reports what it cannot read, with the reason. What it
can read is replayed by the engine before it is returned, and a hand that the rules do not allow is reported
too. Nothing is dropped silently.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np

from holdmem.core.errors import NotationError
from holdmem.core.types import Flags
from holdmem.history.account import Account, UnreadItem
from holdmem.history.archives import (
    MAX_SIZE,
    Source,
    UnreadableFile,
    broken_source,
    files_below,
    files_of,
    files_of_stream,
    naming_errors,
)
from holdmem.history.duplicates import OTHER, SAME, DuplicateIndex
from holdmem.history.formats.parquet import HEADER
from holdmem.history.hands import INFERRED, Hands
from holdmem.history.kernels.replay import DIFFERENT, FINE, IMPOSSIBLE
from holdmem.history.replay import ReplayResults, problem, replay_results


def sources(path: Path | str, max_size: int = MAX_SIZE) -> Iterator[Source]:
    """Yield the files under a path, in order: the file itself, or those in a folder or archive.

    A pipe, such as /dev/stdin, must carry a tar archive.

    Unreadable files are included; reading them raises the error.
    """
    path = Path(path)
    if path.is_dir():
        yield from group_months(_in_folder(path, max_size))
    elif path.is_file():
        yield from group_months(files_of(path, max_size))
    elif path.is_fifo():
        yield from group_months(files_of_stream(path, max_size))
    else:
        raise NotationError(f"{path}: no such file or folder")


def _in_folder(folder: Path, max_size: int) -> Iterator[Source]:
    for below in files_below(folder):
        if isinstance(below, Source):
            yield below
        elif not below.name.startswith(".") and below.name != HEADER:
            yield from files_of(below, max_size)


def group_months(found: Iterable[Source]) -> Iterator[Source]:
    """Group the files of each month of the IRC database into one source."""
    for month, group in groupby(found, key=_month):
        if month is None:
            yield from group
            continue
        parts = tuple(map(_kept, group))
        yield Source(month, parts[0].read, parts=parts, size=sum(part.size for part in parts))


def _kept(part: Source) -> Source:
    """Return the file with its content read now: in an archive, files can only be read in sequence."""
    try:
        with naming_errors(part.name):
            return Source(part.name, partial(bytes, part.read()), size=part.size)
    except NotationError as error:
        return broken_source(part.name, error)


def _month(source: Source) -> str | None:
    """Return the month folder that a file of the IRC database belongs to, or None."""
    path = source.path
    if path.name in ("hdb", "hroster"):
        return str(path.parent)
    if path.name.startswith("pdb.") and path.parent.name == "pdb":
        return str(path.parent.parent)
    return None


def playable(
    hands: Hands,
    account: Account,
    seen: DuplicateIndex | None = None,
    where: Callable[[int], str] | None = None,
    found: ReplayResults | None = None,
) -> Hands:
    """Return the hands that the rules allow, each once; the others are recorded in the account.

    Results that the rules contradict are replaced by the computed ones, or removed where none can be
    computed. `found` is the outcome of replaying the hands, if that was done before.
    """
    found, where = found or replay_results(hands), where or hands.where
    for place in np.flatnonzero(found.problems != FINE).tolist():
        reason, number = problem(hands, found, place), int(hands.rows["number"][place])
        account.skip(where(place), reason, "illegal betting", number)
    kept = found.problems == FINE
    if seen is not None:
        kept &= _first_time(hands, kept, account, seen)
    hands = repair_results(hands, found, kept, account, where)
    account.hands += int(kept.sum())
    account.checked += int((kept & found.settled & (hands.rows["scored"] != 0)).sum())
    account.raked += int((hands.rows["rake"][kept] != 0).sum())
    account.inferred += int((hands.rows["scored"][kept] == INFERRED).sum())
    return hands if kept.all() else hands[kept]


def _first_time(hands: Hands, kept: Flags, account: Account, seen: DuplicateIndex) -> Flags:
    """Return which hands were not read before, by site and number."""
    states = seen.note(hands, kept)
    for state, kind in ((SAME, "read before"), (OTHER, "read before with different betting, cards or chips")):
        count = int((states == state).sum())
        if count:
            account.duplicates[kind] += count
    return (states != SAME) & (states != OTHER)  # type: ignore[no-any-return]


def repair_results(
    hands: Hands, found: ReplayResults, kept: Flags, account: Account, where: Callable[[int], str]
) -> Hands:
    """Replace recorded results that contradict the rules, or remove them where none can be computed."""
    different = kept & (found.verdicts == DIFFERENT)
    impossible = kept & (found.verdicts == IMPOSSIBLE)
    for place in np.flatnonzero(different).tolist():
        account.differing.append(UnreadItem(where(place), "recorded and computed results differ"))
    for place in np.flatnonzero(impossible).tolist():
        account.unscore(where(place), "impossible result: more won than lost, or more lost than paid")
    wrong = different | impossible
    if not wrong.any():
        return hands
    rows = hands.rows.copy()
    rows["net"][wrong] = found.net[wrong]
    rows["scored"][impossible] = 0
    rows["rake"][wrong] = 0
    return replace(hands, rows=rows)


__all__ = [
    "Account",
    "Source",
    "UnreadItem",
    "UnreadableFile",
    "group_months",
    "playable",
    "repair_results",
    "sources",
]
