"""A case base on disk: one folder with `cases.json`, a small readable header, and a Parquet file a street."""

import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from holdmem.casebase.cases import CaseBase, Cases, find_representation
from holdmem.casebase.features import Features
from holdmem.casebase.maintenance import merged, of_frame, solution_columns, to_frame
from holdmem.errors import NotationError, TableError
from holdmem.history import headers
from holdmem.rules import STREET_NAMES

FORMAT = "holdmem cases"
VERSION = 1
HEADER = "cases.json"


def write_cases(base: CaseBase, folder: Path | str, about: Mapping[str, Any] | None = None) -> None:
    """Store a case base in a new folder, written beside its place and renamed at the end."""
    folder = Path(folder)
    if folder.exists():
        raise NotationError(f"{folder}: expected a new folder for the cases, got one that is there")
    beside = folder.with_name(folder.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    kinds = base.representation.actions.names
    step = _outcome_step(base)
    for name, cases in zip(STREET_NAMES, base.streets, strict=True):
        kept = merged(cases, kinds) if base.representation.merged else cases
        _narrow(kept, kinds, step).write_parquet(
            beside / f"{name}.parquet", compression="zstd", compression_level=19, statistics=False
        )
    ours = header_of(base, step)
    told = {name: value for name, value in base.about.items() if name not in ours or name == "representation"}
    headers.write_header(beside / HEADER, ours | told | dict(about or {}))
    beside.replace(folder)


def header_of(base: CaseBase, step: int) -> dict[str, Any]:
    """What a header says of any case base."""
    features = {
        name: {feature: repr(similarity) for feature, similarity in street.similarities}
        for name, street in zip(STREET_NAMES, base.representation.streets, strict=True)
    }
    parts = {
        feature.name: feature.parts
        for street in base.representation.streets
        for feature in street.computed
        if feature.parts
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "representation": base.representation.name,
        "features": features,
        **({"parts": parts} if parts else {}),
        "retrieval": repr(base.representation.retrieval),
        "actions": list(base.representation.actions.names),
        "counts": base.counts,
        "outcome_step": step,
    }


def _outcome_step(base: CaseBase) -> int:
    """The largest number of millionths that divides all sums of outcomes: stored are multiples of it."""
    sums = [cases.solutions.won.ravel() for cases in base.streets]
    return int(np.gcd.reduce(np.concatenate([*sums, np.zeros(1, np.int64)]))) or 1


def _narrow(cases: Cases, kinds: tuple[str, ...], step: int) -> pl.DataFrame:
    """Columns as narrow as their numbers allow, without those that the others tell."""
    frame = to_frame(cases, kinds).with_columns(
        *(pl.col(f"{kind}_won") // step for kind in kinds),
        *(
            (pl.col(feature.name) * feature.parts).round().cast(pl.Int64)
            for feature in cases.features.computed
            if feature.parts
        ),
    )
    told = [f"{kind}_settled" for kind in kinds if frame[kind].equals(frame[f"{kind}_settled"])]
    return pl.DataFrame(
        [column if column.dtype.is_float() else column.shrink_dtype() for column in frame.drop(told)]
    )


def read_header(folder: Path) -> dict[str, Any]:
    """The header of a case base."""
    return headers.read_header(folder / HEADER, "a case base", FORMAT, VERSION, TableError)


def read_cases(folder: Path | str) -> CaseBase:
    """The case base in a folder; one that was read before and has not changed since is not read again."""
    folder = Path(folder)
    read_header(folder)
    files = [folder / HEADER, *(folder / f"{name}.parquet" for name in STREET_NAMES)]
    try:
        state = tuple((file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    except OSError as error:
        raise TableError(f"{folder}: expected a Parquet file for each street: {error}") from None
    return _read(folder.resolve(), state)


@lru_cache(maxsize=8)
def _read(folder: Path, state: tuple[tuple[int, int], ...]) -> CaseBase:
    said = read_header(folder)
    representation = find_representation(str(said.get("representation")))
    kinds = representation.actions.names
    expected = header_of(CaseBase.empty(representation), 1)
    for part in ("features", "actions", "parts"):
        if said.get(part) != expected.get(part):
            raise TableError(
                f"{folder / HEADER}: expected the {part} of {representation.name}, {expected.get(part)},"
                f" got {said.get(part)}"
            )
    streets = []
    for name, features in zip(STREET_NAMES, representation.streets, strict=True):
        file = folder / f"{name}.parquet"
        try:
            frame = _widened(pl.read_parquet(file), features, kinds, int(said["outcome_step"]))
            streets.append(of_frame(frame.select(*features.names, *solution_columns(kinds)), features, kinds))
        except (OSError, KeyError, ValueError, pl.exceptions.PolarsError) as error:
            raise TableError(f"{file}: expected the cases of the {name} in Parquet: {error}") from None
    return CaseBase(representation, tuple(streets), said)


def _widened(frame: pl.DataFrame, features: Features, kinds: tuple[str, ...], step: int) -> pl.DataFrame:
    frame = frame.with_columns(pl.selectors.integer().cast(pl.Int64))
    # numpy's division, which is what `Feature.of` does: polars multiplies by the inverse, off by a last bit
    whole = [one for one in features.computed if one.parts]
    frame = frame.with_columns(pl.Series(one.name, frame[one.name].to_numpy() / one.parts) for one in whole)
    missing = [kind for kind in kinds if f"{kind}_settled" not in frame.columns]
    return frame.with_columns(
        *(pl.col(kind).alias(f"{kind}_settled") for kind in missing),
        *((pl.col(f"{kind}_won") * step) for kind in kinds),
    )
