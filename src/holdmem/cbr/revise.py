"""Revised cases: triples that are played in place of what was remembered, stored with the case base.

The case base itself does not change: a revised case still has its remembered decisions and its hands. The
file `revised.npz` in the folder of a case base holds the triples, in whole parts of `PARTS`;
`memory:cases=FOLDER,policy=revised` plays them.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.solutions import Solutions
from holdmem.core.array_file import like, read_arrays, write_arrays
from holdmem.core.errors import TableError
from holdmem.core.types import Floats, Ints
from holdmem.engine import STREET_NAMES

FILE = "revised.npz"
PARTS = 10_000
"""Probabilities are stored as whole parts of this, so that those of a case add up exactly."""
STORED = np.int16
"""Type of the parts in files."""


class Revisions(NamedTuple):
    """Triples of all cases, street by street, in parts; a row of zeros leaves the case as it was."""

    triples: tuple[Ints, ...]

    @classmethod
    def of(cls, base: CaseBase, probabilities: Sequence[Floats]) -> "Revisions":
        """Round probabilities [case, action]; cases whose triple is the remembered one stay as they are."""
        found = []
        for cases, wanted in zip(base.streets, probabilities, strict=True):
            moved = np.abs(wanted - cases.solutions.probabilities).max(axis=1, keepdims=True)
            found.append(np.where(moved > 0.5 / PARTS, _in_parts(wanted), 0))
        return cls(tuple(found))

    def revised(self, street: int) -> NDArray[np.bool_]:
        """Return whether each case of a street is revised."""
        return np.asarray(self.triples[street].any(axis=1))

    def probabilities(self, base: CaseBase, street: int) -> Floats:
        """Return the triple that each case of a street plays."""
        remembered = base.streets[street].solutions.probabilities
        found: Floats = np.where(self.revised(street)[:, None], self.triples[street] / PARTS, remembered)
        return found

    def applied(self, base: CaseBase) -> CaseBase:
        """Return a case base whose counts are in proportion to the triples; it is played, not stored."""
        pairs = zip(base.streets, self.triples, strict=True)
        return replace(base, streets=tuple(_applied(cases, triples) for cases, triples in pairs))

    def overlap(self, base: CaseBase) -> float:
        """Return the agreement with the teacher: the mean of sum(min(remembered, revised)) over decisions."""
        shares, seen = [], []
        for street, cases in enumerate(base.streets):
            both = np.minimum(cases.solutions.probabilities, self.probabilities(base, street))
            shares.append(both.sum(axis=1) * cases.solutions.seen)
            seen.append(cases.solutions.seen)
        return float(np.concatenate(shares).sum() / max(np.concatenate(seen).sum(), 1))


def _in_parts(probabilities: Floats) -> Ints:
    """Round rows that sum to one to whole parts that sum to PARTS; the largest takes the difference."""
    parts = np.rint(probabilities * PARTS).astype(np.int64)
    rows = np.arange(len(parts))
    parts[rows, probabilities.argmax(axis=1)] += PARTS - parts.sum(axis=1)
    return parts


def _applied(cases: Cases, triples: Ints) -> Cases:
    """Scale all counts by PARTS, so that cases keep their weights among each other."""
    solutions = cases.solutions
    revised = triples.sum(axis=1, keepdims=True) > 0
    counts = np.where(revised, triples * solutions.seen[:, None], solutions.counts * PARTS)
    return replace(cases, solutions=Solutions(counts, solutions.settled, solutions.won))


def write_revisions(folder: Path, base: CaseBase, revisions: Revisions, about: dict[str, Any]) -> None:
    """Write revisions into the folder of the case base that they belong to."""
    arrays = {name: revisions.triples[street].astype(STORED) for street, name in enumerate(STREET_NAMES)}
    write_arrays(folder / FILE, arrays, {"cases": base.digest, "parts": PARTS, **about})


def read_revisions(folder: Path, base: CaseBase) -> Revisions:
    """Read the revisions of a case base; TableError if there are none or they belong to other cases."""
    path = folder / FILE
    try:
        arrays, about = read_arrays(path)
        if (about.get("cases"), about.get("parts")) != (base.digest, PARTS):
            raise ValueError("it belongs to other cases")
        return Revisions(
            tuple(_checked(arrays.get(name), base, street) for street, name in enumerate(STREET_NAMES))
        )
    except FileNotFoundError:
        raise TableError(
            f"{folder}: no revised cases; holdmem improve writes a case base with them"
        ) from None
    except ValueError as error:
        raise TableError(f"{path}: expected the revised triples of these cases, got {error}") from None


def _checked(found: NDArray[Any] | None, base: CaseBase, street: int) -> Ints:
    expected = base.streets[street].solutions.counts.astype(STORED)
    triples = like(expected, found, f"triples of the {STREET_NAMES[street]}").astype(np.int64)
    if (triples < 0).any() or not np.isin(triples.sum(axis=1), (0, PARTS)).all():
        raise ValueError(f"triples of the {STREET_NAMES[street]} that are no probabilities")
    return triples
