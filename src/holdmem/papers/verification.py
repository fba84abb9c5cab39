"""Compare a new finding with a stored one: numbers by position, words separately.

Rewording a table must not hide a changed number, nor must a better word look like one. So both findings
are walked together: title, remark, rows, grids and picture titles, place by place. Each text is split into
numbers and words. Its numbers, in order, must be exactly those stored; words may differ and are reported.

A number is a run of digits that stands alone, with no letter, underscore or hyphen next to it. It includes
its sign, thousands separators, decimals, exponent, percent sign and ordinal ending, as in `-0.0444`,
`28,224`, `1e-05`, `53.0%` and `2nd`. It is compared as written, apart from separators, dollar signs and a
leading plus: `0.50` is not `0.5`. Digits in names are words: `sartre-2`, `casper01`, `figure5.5`, `J8o`,
`UCB1`, `table5.png`. A parameter is a number, as in `casper:first=7000`. Numbers spelled out, such as `ten`,
are words.

A verdict is a result even though it is a word, so a changed verdict counts as a changed number. So does a
row, column, grid or picture that is missing or extra. Date, seconds, version, source, hashes and the pixels
of pictures are not compared; scale and seed are named only if numbers differ, as they may be the reason.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest

from holdmem.papers.findings import Grid, Row
from holdmem.papers.storage import StoredFinding

NUMBER = re.compile(
    r"""
    (?<![\w-]) (?<!\w\.)                # not within or right after a word such as sartre-2, casper01, limit.2
    [+−-]? \$?
    (?>                                 # all of it or nothing: 16.5k must not be read as 16
        \d+ (?:,\d{3}(?!\d))* (?:\.\d+)* (?:[eE][+-]?\d+)?
        (?:st|nd|rd|th)? %?
    )
    (?![\w-]) (?!\.\w)                  # not the beginning of a word such as 2p, 16-card, 5.png
    """,
    re.VERBOSE,
)

Pair = tuple[str, str | None, str | None]
"""A place with its stored and its new text; None if it is missing."""


@dataclass(frozen=True)
class Change:
    """A place at which two findings differ, with both values; None is a value that one of them lacks."""

    place: str
    stored: str | None
    new: str | None

    def __str__(self) -> str:
        return f"{self.place}: stored {_shown(self.stored)}, new {_shown(self.new)}"


@dataclass(frozen=True)
class Comparison:
    """What differs between a stored and a new finding."""

    compared: int
    """How many numbers the stored finding has."""
    numbers: tuple[Change, ...]
    """Numbers and verdicts that differ, and parts that are missing or extra."""
    words: tuple[Change, ...]
    """Texts with the same numbers in other words."""

    @property
    def verified(self) -> bool:
        """Whether every number is the same."""
        return not self.numbers


def compare(stored: StoredFinding | None, new: StoredFinding) -> Comparison:
    """Compare two findings of one experiment place by place; None if nothing is stored."""
    if stored is None:
        return Comparison(0, (Change("finding", None, new.title),), ())
    compared = 0
    numbers: list[Change] = []
    words: list[Change] = []
    for place, before, now in _pairs(stored, new):
        compared += len(numbers_in(before or ""))
        changes = _changed_numbers(place, before, now)
        numbers += changes
        if not changes and before != now:
            words.append(Change(place, before, now))
    reasons = _changed_settings(stored, new) if numbers else []
    return Comparison(compared, (*reasons, *numbers), tuple(words))


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text in order, without separators, dollar signs and leading plus signs."""
    plain = str.maketrans("−", "-", ",+$")
    return [found.translate(plain) for found in NUMBER.findall(text)]


def _changed_settings(stored: StoredFinding, new: StoredFinding) -> list[Change]:
    pairs = [("scale", stored.scale, new.scale), ("seed", str(stored.seed), str(new.seed))]
    return [Change(*pair) for pair in pairs if pair[1] != pair[2]]


def _changed_numbers(place: str, before: str | None, now: str | None) -> list[Change]:
    whole = [Change(place, before, now)] if before != now else []
    if before is None or now is None or place.endswith(".verdict"):
        return whole
    old, new = numbers_in(before), numbers_in(now)
    if len(old) != len(new):
        return whole
    return [
        Change(f"{place}, number {number}" if len(old) > 1 else place, one, other)
        for number, (one, other) in enumerate(zip(old, new, strict=True), 1)
        if one != other
    ]


def _shown(text: str | None) -> str:
    if text is None:
        return "nothing"
    return text if NUMBER.fullmatch(text) else repr(text)


def _pairs(stored: StoredFinding, new: StoredFinding) -> Iterator[Pair]:
    """Walk both findings together."""
    yield "title", stored.title, new.title
    yield "remark", stored.remark, new.remark
    for number, (row, other) in enumerate(zip_longest(stored.rows, new.rows), 1):
        yield from _row_pairs(f"row {number}", row, other)
    for number, (grid, other_grid) in enumerate(zip_longest(stored.grids, new.grids), 1):
        yield from _grid_pairs(f"grid {number}", grid, other_grid)
    titles = [[title for title, _ in kept.pictures] for kept in (stored, new)]
    for number, (title, other_title) in enumerate(zip_longest(*titles), 1):
        yield f"picture {number}.title", title, other_title


def _row_pairs(place: str, stored: Row | None, new: Row | None) -> Iterator[Pair]:
    if stored is None or new is None:
        yield place, stored.what if stored else None, new.what if new else None
        return
    for field in fields(Row):
        yield f"{place}.{field.name}", str(getattr(stored, field.name)), str(getattr(new, field.name))


def _grid_pairs(place: str, stored: Grid | None, new: Grid | None) -> Iterator[Pair]:
    if stored is None or new is None:
        yield place, stored.title if stored else None, new.title if new else None
        return
    yield f"{place}.title", stored.title, new.title
    yield from _cell_pairs(f"{place}.header", (), stored.header, new.header)
    for number, (cells, others) in enumerate(zip_longest(stored.rows, new.rows), 1):
        yield from _cell_pairs(f"{place}.row {number}", stored.header, cells, others)


def _cell_pairs(
    place: str, header: Sequence[str], stored: Sequence[str] | None, new: Sequence[str] | None
) -> Iterator[Pair]:
    if stored is None or new is None:
        yield place, _joined(stored), _joined(new)
        return
    for index, (cell, other) in enumerate(zip_longest(stored, new)):
        yield f"{place}.{_column(header, index)}", cell, other


def _joined(cells: Sequence[str] | None) -> str | None:
    return None if cells is None else " | ".join(cells)


def _column(header: Sequence[str], index: int) -> str:
    """Return the stored heading of a column, or its number if that heading is empty or not the only one."""
    name = header[index] if index < len(header) else ""
    return name if name and header.count(name) == 1 else f"column {index + 1}"
