"""The account of a reading: the hands read, and what was repaired, left out or could not be read."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from holdmem.core.errors import NotationError
from holdmem.history.archives import printable

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
    inferred: int = 0
    """Hands without a recorded result in which mucked hands are taken to have lost to those shown."""
    repaired: Counter[str] = field(default_factory=Counter)
    """Number of recorded results that needed, and allowed, an unambiguous repair, by kind of repair."""
    unscored: Counter[str] = field(default_factory=Counter)
    """Hands left without a result: the recorded one is impossible and none can be computed."""
    duplicates: Counter[str] = field(default_factory=Counter)
    """Hands left out because their site and number were read before."""
    experimental: set[str] = field(default_factory=set)
    """Names of the formats read whose readers have seen few real hands."""
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

    def copied(self) -> "Account":
        """Return a copy that later records do not change."""
        values: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        changing = (name for name, value in values.items() if isinstance(value, list | dict | set))
        return replace(self, **{name: values[name].copy() for name in changing})

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
            "inferred": self.inferred,
            **counted,
            "duplicates": dict(self.duplicates.most_common()),
            "unread": dict(self.reasons.most_common()),
            "broken_files": self.broken,
            "experimental": sorted(self.experimental),
        }
