"""Sources of hands (files, folders and archives), and the account of what was read, repaired or rejected.

A reader turns one `Source` into blocks of `Hands`. It reports what it cannot read, with the reason. What it
can read is replayed by the engine before it is returned, and a hand that the rules do not allow is reported
too. Nothing is dropped silently.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.core.errors import NotationError
from holdmem.core.types import Flags
from holdmem.engine import Game
from holdmem.history.archives import (
    MAX_SIZE,
    Source,
    UnreadableFile,
    broken_source,
    files_below,
    files_of,
    naming_errors,
    printable,
)
from holdmem.history.duplicates import OTHER, SAME, DuplicateIndex
from holdmem.history.formats.parquet import HEADER
from holdmem.history.hands import Hands
from holdmem.history.kernels.replay import DIFFERENT, FINE, IMPOSSIBLE
from holdmem.history.replay import ReplayResults, problem, replay_results

EXAMPLES = 1000
"""Number of unreadable hands listed individually; the rest are only counted."""


@dataclass(frozen=True)
class UnreadItem:
    """A hand, or something in place of a hand, that could not be read."""

    where: str
    reason: str
    number: int | None = None
    """Hand number in the source, if it could be read."""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass
class Account:
    """What happened to everything found: hands read, results checked, and what could not be read."""

    hands: int = 0
    checked: int = 0
    """Hands whose recorded result could be recomputed from betting and cards."""
    differing: list[UnreadItem] = field(default_factory=list)
    """Hands whose recorded result, apart from rake, contradicts the rules; the computed result is used."""
    raked: int = 0
    repaired: Counter[str] = field(default_factory=Counter)
    """Number of recorded results that needed, and allowed, an unambiguous repair, by kind of repair."""
    unscored: Counter[str] = field(default_factory=Counter)
    """Hands left without a result: the recorded one is impossible and none can be computed."""
    duplicates: Counter[str] = field(default_factory=Counter)
    """Hands left out because their site and number were read before."""
    broken: int = 0
    """Files and archives that could not be read, or not to their end; they are also listed as unread."""
    repairs: list[UnreadItem] = field(default_factory=list)
    impossible: list[UnreadItem] = field(default_factory=list)
    """The first of the unscored hands; `repairs` holds the first of the repaired ones."""
    unread: list[UnreadItem] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    listen: Callable[[UnreadItem], None] | None = None
    """Called for each item that cannot be read, immediately; `unread` keeps only the first ones."""

    def skip(self, where: str, reason: str, kind: str | None = None, number: int | None = None) -> None:
        """Record something unreadable; `kind` is the general reason, used for counting."""
        where, reason, kind = printable(where), printable(reason), printable(kind or reason)
        self.reasons[kind] += 1
        if self.listen is not None:
            self.listen(UnreadItem(where, reason, number))
        self._note(self.unread, where, reason)

    def lose(self, error: NotationError, where: str) -> None:
        """Record a whole file that cannot be read."""
        self.broken += 1
        self.skip(where, str(error).removeprefix(f"{where}: "), "a file that cannot be read")

    def repair(self, where: str, reason: str) -> None:
        """Record a hand whose result was repaired; `reason` says how and is used for counting."""
        self.repaired[reason] += 1
        self._note(self.repairs, where, reason)

    def unscore(self, where: str, reason: str) -> None:
        """Record a hand whose result cannot be used; `reason` says why and is used for counting."""
        self.unscored[reason] += 1
        self._note(self.impossible, where, reason)

    @staticmethod
    def _note(examples: list[UnreadItem], where: str, reason: str) -> None:
        if len(examples) < EXAMPLES:
            examples.append(UnreadItem(where, reason))

    @property
    def skipped(self) -> int:
        """Number of items that could not be read."""
        return self.reasons.total()

    def as_json(self) -> dict[str, Any]:
        """Return the counts as JSON values, by reason where there are several."""
        counted = {name: dict(getattr(self, name).most_common()) for name in ("repaired", "unscored")}
        return {
            "hands": self.hands,
            "checked": self.checked,
            "differing": len(self.differing),
            "raked": self.raked,
            **counted,
            "duplicates": dict(self.duplicates.most_common()),
            "unread": dict(self.reasons.most_common()),
            "broken_files": self.broken,
        }


@dataclass(frozen=True)
class Format:
    """How one history format is recognised and read.

    `looks_like` receives the first bytes of a file. `read` yields blocks of hands and records in the account
    what it cannot read; `game` is the game given by the user, for formats that do not state it.
    """

    name: str
    looks_like: Callable[[Source, bytes], bool]
    read: Callable[[Source, Account, Game | None], Iterator[Hands]]


def sources(path: Path | str, max_size: int = MAX_SIZE) -> Iterator[Source]:
    """Yield the files under a path, in order: the file itself, or those in a folder or archive.

    Unreadable files are included; reading them raises the error.
    """
    path = Path(path)
    if path.is_dir():
        yield from group_months(_in_folder(path, max_size))
    elif path.is_file():
        yield from group_months(files_of(path, max_size))
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
        yield Source(month, parts[0].read, parts=parts)


def _kept(part: Source) -> Source:
    """Return the file with its content read now: in an archive, files can only be read in sequence."""
    try:
        with naming_errors(part.name):
            return Source(part.name, partial(bytes, part.read()))
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
) -> Hands:
    """Return the hands that the rules allow, each once; the others are recorded in the account.

    Results that the rules contradict are replaced by the computed ones, or removed where none can be
    computed.
    """
    found, where = replay_results(hands), where or hands.where
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
    "Format",
    "Source",
    "UnreadItem",
    "UnreadableFile",
    "group_months",
    "playable",
    "repair_results",
    "sources",
]
