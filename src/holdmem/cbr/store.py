"""Case bases on disk: a readable header, `cases.json`, a Parquet file per street, and one of the hands."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.check import check_cases, check_columns, check_header, digest_of
from holdmem.cbr.features.feature import Features
from holdmem.cbr.link import LinkByFeatures, StoredLink, link_columns, read_link
from holdmem.cbr.maintain import compact, from_frame, solution_columns, to_frame
from holdmem.cbr.maintain_hands import prune_hands
from holdmem.cbr.remembered import Examples, HandPool
from holdmem.cbr.representation import Representation, find_representation
from holdmem.core import headers
from holdmem.core.atomic import atomic_folder
from holdmem.core.data import DATA
from holdmem.core.errors import TableError
from holdmem.core.types import Ints
from holdmem.engine import STREET_NAMES
from holdmem.history.formats.parquet import write_parquet

FORMAT = "holdmem cases"
VERSION = 1
HEADER = "cases.json"
HANDS = "hands.parquet"
KEPT = "kept_hands"
"""Field of the header with the number of hands kept; case bases without hands do not have it."""
MOST_READ = 16
"""Case bases in the cache: more than are shipped, or players in turn would each read their own again."""


def write_cases(base: CaseBase, folder: Path | str, about: Mapping[str, Any] | None = None) -> None:
    """Store a case base in a new folder, written under a temporary name next to it and renamed at the end."""
    kinds = base.representation.actions.names
    base = prune_hands(compact(base) if base.representation.merged else base)
    step = _outcome_step(base)
    ours = header_of(base, step)
    about_base = {
        name: value for name, value in base.about.items() if name not in ours or name == "representation"
    }
    with atomic_folder(folder) as temporary:
        for file, cases in zip(_files(temporary), base.streets, strict=True):
            narrow = _narrow(cases, kinds, step)
            write_parquet(narrow, file, compression="zstd", compression_level=19, statistics=False)
        if base.pool is not None:
            (temporary / HANDS).write_bytes(base.pool.to_bytes())
        header = json.loads(json.dumps(ours | about_base | dict(about or {})))
        digest = digest_of(header, (file.read_bytes() for file in _files(temporary, header)))
        headers.write_header(temporary / HEADER, header | {"digest": digest})


def _files(folder: Path, header: Mapping[str, Any] | None = None) -> list[Path]:
    """Return the Parquet files of the streets, and that of the hands if the header says that there is one."""
    streets = [folder / f"{name}.parquet" for name in STREET_NAMES]
    return [*streets, folder / HANDS] if header and KEPT in header else streets


def header_of(base: CaseBase, step: int) -> dict[str, Any]:
    """Return the header fields that every case base has."""
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
        **({KEPT: len(base.pool)} if base.pool is not None else {}),
    }


def _outcome_step(base: CaseBase) -> int:
    """Greatest common divisor, in millionths, of all sums of outcomes; they are stored as multiples of it."""
    sums = [cases.solutions.won.ravel() for cases in base.streets]
    return int(np.gcd.reduce(np.concatenate([*sums, np.zeros(1, np.int64)]))) or 1


def _narrow(cases: Cases, kinds: tuple[str, ...], step: int) -> pl.DataFrame:
    """Return columns in their narrowest integer types, without `settled` columns equal to the counts."""
    frame = to_frame(cases, kinds).with_columns(
        *(pl.col(f"{kind}_won") // step for kind in kinds),
        *(
            (pl.col(feature.name) * feature.parts).round().cast(pl.Int64)
            for feature in cases.features.computed
            if feature.parts
        ),
    )
    known = [f"{kind}_settled" for kind in kinds if frame[kind].equals(frame[f"{kind}_settled"])]
    frame = frame.drop(known).with_columns(pl.Series(name, column) for name, column in _links(cases).items())
    return pl.DataFrame([column if column.dtype.is_float() else column.shrink_dtype() for column in frame])


def _links(cases: Cases) -> dict[str, Ints]:
    """Return the columns that say which hand is whose; none where the features tell."""
    known = cases.remembered
    if known is None or not isinstance(known.links, StoredLink):
        return {}
    return link_columns(StoredLink(known.pool, known.hand, known.decision))


def read_header(folder: Path) -> dict[str, Any]:
    """Read the header of a case base."""
    return headers.read_header(folder / HEADER, "a case base", FORMAT, VERSION, TableError)


def read_cases(folder: Path | str) -> CaseBase:
    """Read a case base; one that was read before and has not changed comes from a cache.

    Parameters
    ----------
    folder : the folder that `CaseBase.save` or `holdmem learn` wrote; or, as text, the name of a shipped case
        base ("sartre-2", "casper", "imitator-eqm", …), if there is no folder of that name.

    Returns
    -------
    CaseBase : its cases; `player()` plays them, `neighbors()` searches them.

    Raises
    ------
    TableError : the folder holds no case base, or a damaged one.
    NotationError : its representation is unknown.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import learn, record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hands = record("limit", "jagbot", "random", folder=f"{folder}/hands", hands=200, seed=1)
    ...     learn(hands, "jagbot").save(f"{folder}/cases")
    ...     read_cases(f"{folder}/cases").representation.name
    'sartre-2'
    >>> read_cases("casper").about["expert"]
    'poki and simbot:rollouts=16'
    """
    folder = _place_of(folder)
    files = [folder / HEADER, *_files(folder, read_header(folder))]
    try:
        state = tuple((file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    except OSError as error:
        raise TableError(f"{folder}: a Parquet file is missing: {error}") from None
    return _read(folder.resolve(), state)


def _place_of(given: Path | str) -> Path:
    """Return the folder; a name that is no folder here is that of a shipped case base, if there is one."""
    if isinstance(given, str) and not Path(given).exists() and Path(given).name == given:
        shipped = DATA / given
        return shipped if (shipped / HEADER).is_file() else Path(given)
    return Path(given)


@lru_cache(maxsize=MOST_READ)
def _read(folder: Path, state: tuple[tuple[int, int], ...]) -> CaseBase:
    said = read_header(folder)
    representation = find_representation(str(said.get("representation")))
    expected = header_of(CaseBase.empty(representation), 1)
    for part in ("features", "actions", "parts"):
        if said.get(part) != expected.get(part):
            raise TableError(
                f"{folder / HEADER}: expected the {part} of {representation.name}, {expected.get(part)},"
                f" got {said.get(part)}"
            )
    check_header(said, str(folder / HEADER))
    contents = _contents(folder, said)
    pool = HandPool(contents[-1], str(folder / HANDS), said[KEPT]) if KEPT in said else None
    streets = []
    for street, file in enumerate(_files(folder)):
        try:
            streets.append(_cases(contents[street], representation, said, street, pool))
        except (KeyError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise TableError(f"{file}: cannot read the {file.stem} cases: {error}") from None
    return CaseBase(representation, tuple(streets), said)


def _contents(folder: Path, said: Mapping[str, Any]) -> list[bytes]:
    """Read all Parquet files as bytes and verify the header's digest; old case bases have none."""
    try:
        contents = [file.read_bytes() for file in _files(folder, said)]
    except OSError as error:
        raise TableError(f"{folder}: a Parquet file is missing: {error}") from None
    if "digest" in said and said["digest"] != digest_of(said, contents):
        raise TableError(
            f"{folder}: damaged or edited: the contents do not match the digest {said['digest']};"
            " learn it again"
        )
    return contents


def _cases(
    content: bytes,
    representation: Representation,
    said: Mapping[str, Any],
    street: int,
    pool: HandPool | None,
) -> Cases:
    """Return the cases of one street, with every value checked."""
    features, kinds = representation.streets[street], representation.actions.names
    frame, step = pl.read_parquet(BytesIO(content)), int(said["outcome_step"])
    check_columns(frame, features, kinds, step)
    wide = _widened(frame, features, kinds, step)
    cases = from_frame(wide.select(*features.names, *solution_columns(kinds)), features, kinds)
    check_cases(cases, said["counts"][STREET_NAMES[street]])
    if pool is None:
        return cases
    link = read_link(wide, pool) or LinkByFeatures.of(pool, representation, street, cases)
    return replace(cases, remembered=Examples(link))


def _widened(frame: pl.DataFrame, features: Features, kinds: tuple[str, ...], step: int) -> pl.DataFrame:
    frame = frame.with_columns(pl.selectors.integer().cast(pl.Int64))
    # Divide with numpy, as `Feature.of` does: polars multiplies by the inverse, which differs in the last bit
    whole = [one for one in features.computed if one.parts]
    frame = frame.with_columns(pl.Series(one.name, frame[one.name].to_numpy() / one.parts) for one in whole)
    missing = [kind for kind in kinds if f"{kind}_settled" not in frame.columns]
    return frame.with_columns(
        *(pl.col(kind).alias(f"{kind}_settled") for kind in missing),
        *((pl.col(f"{kind}_won") * step) for kind in kinds),
    )
