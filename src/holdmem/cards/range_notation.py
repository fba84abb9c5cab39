"""The notation of ranges.

The parts of a range are separated by commas or spaces; letters in either case, `10` for T:

    88   88+   88-55        pairs: eights; eights or better; from eights down to fives
    A9s  A9s+  A9s-A5s      suited: one class; kickers from the nine to the king; a span of kickers
    AJo  AJo+  QTo-Q8o      offsuit, likewise
    AK   A9+   A9-A5        suited and offsuit together
    JTs-65s                 a span of both ranks with the same gap
    AhKd                    one holding
    15%  5%-20%             the best 15%; the best 20% without the best 5% (see `Range.parse`)
    random  any two  100%   every holding
    AKs:0.5                 any part with a weight; without one it is 1

Spans may be written in either order. Parts that overlap give a holding the largest of their weights.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import (
    CLASS_OF_HOLDING,
    CLASSES,
    COMBOS,
    HOLDING_OF,
    HOLDINGS,
    class_index,
)
from holdmem.cards.notation import RANKS, SUITS, hole, names
from holdmem.core.errors import NotationError

ALL_HOLDINGS = len(HOLDINGS)
_EITHER_CASE = re.IGNORECASE | re.ASCII
_NUMBER = r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)"
_WEIGHT = re.compile(_NUMBER, _EITHER_CASE)
_PERCENT = re.compile(f"{_NUMBER}%(?:-{_NUMBER}%)?", _EITHER_CASE)
_RANKS_AND_KIND = re.compile(f"([{RANKS}])([{RANKS}])([so]?)", _EITHER_CASE)
_HOLDING = re.compile(f"(?:[{RANKS}][{SUITS}]){{2}}", _EITHER_CASE)

# Lines of the grid from best to worst class, along which the notation forms spans.
_PAIRS = [14 * row for row in range(13)]
_SUITED = [[13 * row + column for column in range(row + 1, 13)] for row in range(12)]
_OFFSUIT = [[13 * row + column for row in range(column + 1, 13)] for column in range(12)]


class _Shape(NamedTuple):
    """Two ranks, high >= low, and their kinds: "s", "o", "so" for both, or "" for a pair."""

    high: int
    low: int
    kinds: str

    def classes(self) -> list[int]:
        """Return the hand classes it stands for: both the suited and the offsuit one unless it says which."""
        ranks = RANKS[self.high] + RANKS[self.low]
        return [class_index(ranks + kind) for kind in self.kinds or [""]]

    def best(self) -> "_Shape":
        """Return the upper end of `88+` or `A9s+`: aces, or the kicker just below the high card."""
        return self._replace(high=12, low=12) if self.high == self.low else self._replace(low=self.high - 1)


def read_weights(text: str, ranking: Sequence[str]) -> NDArray[np.float64]:
    """Return the (1326,) weights of a range, with percentages by `ranking`."""
    parts = _parts(text)
    if not parts:
        raise NotationError(f"expected a range such as 88+, A9s+, AJo+ or 15%, got {text!r}")
    weights = np.zeros(ALL_HOLDINGS)
    for part in parts:
        np.maximum(weights, _read_part(part, ranking), out=weights)
    return weights


def write_weights(weights: NDArray[np.float64]) -> str:
    """Return the notation of a range with these (1326,) weights."""
    parts = [
        part if weight == 1 else f"{part}:{weight!r}"
        for weight in sorted(set(weights[weights > 0].tolist()), reverse=True)
        for part in _write_parts(weights == weight)
    ]
    return ", ".join(parts) or "0%"


def _parts(text: str) -> list[str]:
    """Split at commas and spaces, but not at spaces around a dash or colon, nor within "any two"."""
    joined = re.sub(r"\bany\s+two\b", "random", text, flags=re.IGNORECASE)
    joined = re.sub(r"\s*([-:])\s*", r"\1", joined)
    return [part for part in re.split(r"[,\s]+", joined) if part]


def _read_part(part: str, ranking: Sequence[str]) -> NDArray[np.float64]:
    """Return the (1326,) weights of one part: its weight for the holdings that it names, 0 for all others."""
    body, colon, weight = part.partition(":")
    try:
        return np.where(_read_holdings(body, ranking), _read_weight(weight) if colon else 1.0, 0.0)
    except NotationError as error:
        raise NotationError(f"range part {part!r}: {error}") from error


def _read_weight(text: str) -> float:
    """Parse the number after the colon."""
    if _WEIGHT.fullmatch(text) is None or float(text) > 1:
        raise NotationError(f"expected a weight from 0 to 1 after the colon, got {text!r}")
    return float(text)


def _read_holdings(body: str, ranking: Sequence[str]) -> NDArray[np.bool_]:
    """Return a (1326,) mask of the holdings named by a part without its weight."""
    if body.lower() == "random":
        return np.ones(ALL_HOLDINGS, np.bool_)
    if "%" in body:
        return np.isin(CLASS_OF_HOLDING, _read_percentage(body, ranking))
    body = body.replace("10", "T")
    if _HOLDING.fullmatch(body):
        return np.isin(np.arange(ALL_HOLDINGS), HOLDING_OF[hole(body)])
    return np.isin(CLASS_OF_HOLDING, _read_classes(body))


def _read_percentage(body: str, ranking: Sequence[str]) -> list[int]:
    """Return the classes of `15%` or `5%-20%`."""
    found = _PERCENT.fullmatch(body)
    if found is None:
        raise NotationError(f"expected a percentage such as 15% or 5%-20%, got {body!r}")
    less, more = sorted([float(found[1]), float(found[2] or 0)])
    if more > 100:
        raise NotationError(f"expected a percentage from 0 to 100, got {body!r}")
    order = _ranking_order(ranking)
    return order[_reaching(less, order) : _reaching(more, order)]


def _ranking_order(ranking: Sequence[str]) -> list[int]:
    """Return the class numbers of a ranking after checking that each of the 169 occurs once."""
    order = [class_index(name) for name in ranking]
    if sorted(order) != list(range(len(CLASSES))):
        raise NotationError(f"expected a ranking of all {len(CLASSES)} classes, each once, got {len(order)}")
    return order


def _reaching(percent: float, order: list[int]) -> int:
    """Return how many classes from the top of a ranking it takes to reach `percent` of all holdings."""
    held = np.cumsum([0, *COMBOS[order]])
    # Rounding errors in a percentage such as 100 * 18 / 1326 must not add another class.
    enough = ceil(percent / 100 * ALL_HOLDINGS - 1e-9)
    return int(np.searchsorted(held, enough))


def _read_classes(body: str) -> list[int]:
    """Return the classes of `A9s`, `A9s+` or `A9s-A5s`."""
    if body.endswith("+"):
        first = _read_shape(body[:-1])
        ends = [first, first.best()]
    else:
        ends = [_read_shape(end) for end in body.split("-", maxsplit=1)]
    return [index for shape in _span(min(ends), max(ends)) for index in shape.classes()]


def _read_shape(text: str) -> _Shape:
    """Parse the ranks, in either order, and the kind of `88`, `A9s`, `AJo` or `AK`."""
    found = _RANKS_AND_KIND.fullmatch(text)
    if found is None:
        raise NotationError(f"expected ranks such as 88, A9s, AJo or AK here, got {text!r}")
    low, high = sorted(RANKS.index(rank.upper()) for rank in found.groups()[:2])
    if low == high and found[3]:
        raise NotationError(f"expected a pair without s or o, got {text!r}")
    return _Shape(high, low, "" if low == high else found[3].lower() or "so")


def _span(first: _Shape, last: _Shape) -> list[_Shape]:
    """Return the shapes from the lower to the higher one: fixed high card, or both ranks moving together."""
    high, low = last.high - first.high, last.low - first.low
    if first.kinds != last.kinds or high not in (0, low):
        raise NotationError(
            "the ends of a span must agree in kind and in high card or gap, as A9s-A5s or 88-55"
        )
    highs = range(first.high, last.high + 1) if high else [first.high] * (low + 1)
    lows = range(first.low, last.low + 1)
    return [_Shape(*ranks, first.kinds) for ranks in zip(highs, lows, strict=True)]


def _write_parts(included: NDArray[np.bool_]) -> list[str]:
    """Return the notation of a set of holdings: whole classes in spans, then single holdings."""
    if included.all():
        return ["100%"]
    whole = np.bincount(CLASS_OF_HOLDING, included, len(CLASSES)) == COMBOS
    others = HOLDINGS[included & ~whole[CLASS_OF_HOLDING]]
    return _write_classes(whole) + [names((high, low)) for low, high in others[::-1].tolist()]


def _write_classes(whole: NDArray[np.bool_]) -> list[str]:
    """Return spans of pairs, suited and offsuit classes; a span of both kinds is written once, as `A9+`."""
    suited = [span for line in _SUITED for span in _write_spans(line, whole)]
    offsuit = [span for line in _OFFSUIT for span in _write_spans(line, whole)]
    both = {span for span in suited if span.replace("s", "o") in offsuit}
    return [
        *_write_spans(_PAIRS, whole),
        *(span.replace("s", "") if span in both else span for span in suited),
        *(span for span in offsuit if span.replace("o", "s") not in both),
    ]


def _write_spans(line: list[int], whole: NDArray[np.bool_]) -> list[str]:
    """Return the spans along one line of the grid: `A9s+` if it starts at the best class, else `A9s-A5s`."""
    spans = []
    for taken, run in groupby(line, key=lambda index: bool(whole[index])):
        first, *rest = run
        if not taken:
            continue
        if not rest:
            spans.append(CLASSES[first])
        elif first == line[0]:
            spans.append(CLASSES[rest[-1]] + "+")
        else:
            spans.append(f"{CLASSES[first]}-{CLASSES[rest[-1]]}")
    return spans
