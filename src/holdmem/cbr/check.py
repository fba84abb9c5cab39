"""Validate case bases read from disk, header types and column ranges, before kernels see them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import numpy as np
import polars as pl

from holdmem.cbr.cases import Cases
from holdmem.cbr.features.feature import Features
from holdmem.core.errors import TableError
from holdmem.engine import STREET_NAMES

MOST_DECISIONS = 2**40
"""Upper limit on the decisions of a case: sums of counts stay far below the range of 64 bits."""
MOST_WON = 2**53
"""Upper limit on sums of outcomes, in millionths: they stay exact as floats, too."""


def digest_of(header: Mapping[str, Any], contents: Iterable[bytes]) -> str:
    """Return the SHA-256 digest of the files of the streets and of the header without its digest field."""
    stated = {name: value for name, value in header.items() if name != "digest"}
    digest = hashlib.sha256(json.dumps(stated, sort_keys=True).encode())
    for content in contents:
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def check_header(header: Mapping[str, Any], where: str) -> None:
    """Raise TableError if a header field that is used has a type other than `learn` writes."""
    _expect(_is_count(header.get("outcome_step")) and header["outcome_step"] > 0,
            where, "outcome_step", "a whole number above zero", header.get("outcome_step"))  # fmt: skip
    counts = header.get("counts")
    _expect(
        isinstance(counts, dict) and all(_is_count_of_street(counts.get(name)) for name in STREET_NAMES),
        where, "counts", "cases and decisions of each street", counts,
    )  # fmt: skip
    _expect(_is_count(header.get("kept_hands", 0)),
            where, "kept_hands", "a number of hands", header.get("kept_hands"))  # fmt: skip
    marks = header.get("marks", {})
    _expect(isinstance(marks, dict) and all(map(_is_mark, marks.values())),
            where, "marks", "numbers of cases, one per street", marks)  # fmt: skip
    table = header.get("table", {})
    _expect(isinstance(table, dict) and all(map(_is_number, table.values())),
            where, "table", "numbers by name", table)  # fmt: skip


def _expect(fine: bool, where: str, name: str, wanted: str, found: Any) -> None:
    if not fine:
        raise TableError(f"{where}: expected {name} to be {wanted}, got {found!r:.60}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_DECISIONS


def _is_count_of_street(value: Any) -> bool:
    return isinstance(value, dict) and _is_count(value.get("cases")) and _is_count(value.get("decisions"))


def _is_mark(value: Any) -> bool:
    return isinstance(value, list) and len(value) == len(STREET_NAMES) and all(map(_is_count, value))


def check_columns(frame: pl.DataFrame, features: Features, kinds: tuple[str, ...], step: int) -> None:
    """Raise ValueError if a column is missing, has the wrong type or nulls, or holds sums out of range."""
    for name in (*features.names, *kinds, *(f"{kind}_won" for kind in kinds)):
        if name not in frame.columns:
            raise ValueError(f"no column {name!r}")
    whole = {feature.name for feature in features.computed if feature.parts}
    for column in frame.iter_columns():
        may_be_float = column.name in features.names and column.name not in whole
        if not column.dtype.is_integer() and not (may_be_float and column.dtype.is_float()):
            raise ValueError(f"column {column.name!r} has the wrong type: {column.dtype}")
        if column.dtype == pl.UInt64 and len(column) and column.max() >= 2**63:  # type: ignore[operator]
            raise ValueError(f"column {column.name!r} has numbers beyond signed 64 bits")
        if column.null_count():
            raise ValueError(f"column {column.name!r} has {column.null_count():,} missing values")
    for kind in kinds:
        won = frame[f"{kind}_won"]
        if len(won) and max(won.max(), -won.min()) > MOST_WON // step:  # type: ignore[operator,type-var]
            raise ValueError(f"column '{kind}_won' has sums beyond {MOST_WON // step:,}")


def check_cases(cases: Cases, stated: Mapping[str, int] | None = None) -> None:
    """Raise ValueError if a value is outside its feature's range or counts are inconsistent."""
    for feature in cases.features.computed:
        column = cases.values[feature.name]
        bad = np.flatnonzero(~feature.valid(column))
        if len(bad):
            raise ValueError(f"{feature.name} of case {bad[0]:,} is {column[bad[0]]}, which is impossible")
    solutions = cases.solutions
    wrong = (solutions.counts < 0) | (solutions.counts > MOST_DECISIONS)
    wrong |= (solutions.settled < 0) | (solutions.settled > solutions.counts)
    if wrong.any():
        raise ValueError(f"case {np.flatnonzero(wrong.any(axis=1))[0]:,} has impossible counts")
    decisions = int(solutions.seen.sum())
    if stated is not None and decisions != stated["decisions"]:
        raise ValueError(f"the header gives {stated['decisions']:,} decisions, the file has {decisions:,}")
