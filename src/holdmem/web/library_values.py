"""What a review found for every single decision, stored with it so that the replayer can show it at once."""

import io
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from holdmem.core.array_file import Arrays, read_npz
from holdmem.core.atomic import write_atomically
from holdmem.core.types import Ints, JsonObject
from holdmem.ev.candidates import NONE
from holdmem.ev.review import LeakReport
from holdmem.web.kept_model import named_by
from holdmem.web.library import OWN

COLUMNS = ("action", "codes", "values", "errors", "taken", "best", "loss", "loss_error")
WIDE = ("codes", "values", "errors")
"""Columns with a number for each action of a decision."""
KEPT = 4
"""Reviews whose values are kept in memory."""


def keep_values(folder: Path, found: LeakReport, places: Ints) -> None:
    """Keep the values of a review; `places` has the number, from 1, of each of its hands in the file.

    Hands played at this table have no place but the number by which they are replayed.
    """
    if folder.name == OWN:
        places = found.hands.rows["number"].astype(np.int64)
    write_atomically(values_file(folder, found.player), packed_values(found, places))


def packed_values(found: LeakReport, places: Ints, more: Sequence[str] = ()) -> bytes:
    """Return the values of a review as the content of a file, with `more` of its columns."""
    columns: Arrays = {name: np.asarray(found.columns[name]) for name in (*COLUMNS, *more)}
    columns["place"] = places[found.columns["hand"]]
    content = io.BytesIO()
    np.savez_compressed(content, **{name: _small(column) for name, column in columns.items()})  # type: ignore[arg-type]
    return content.getvalue()


def _small(column: np.ndarray) -> np.ndarray:
    return column.astype(np.float32 if column.dtype.kind == "f" else np.int32)


def values_of_hand(folder: Path, player: str, place: int, number: str) -> list[JsonObject]:
    """Return the values that a player's review has for the decisions of one hand.

    The hand is the one at `place` in the file, with this number. A review that kept only its most expensive
    decisions gives those of them that belong to the hand.
    """
    file = values_file(folder, player)
    try:
        columns = _read(file, file.stat().st_mtime_ns)
    except (OSError, ValueError):
        return _dearest(folder / f"review-{named_by(player)}.json", place, number)
    return [_decision_of(columns, row) for row in np.flatnonzero(columns["place"] == place).tolist()]


@lru_cache(KEPT)
def _read(file: Path, changed: int) -> Arrays:
    """Read the columns; ValueError unless they are numbers of the same decisions."""
    found = read_npz(file)
    rows = found["codes"].shape if "codes" in found else ()
    for name in (*COLUMNS, "place"):
        column = found.get(name)
        expected = rows if name in WIDE else rows[:1]
        if column is None or column.dtype.kind not in "if" or column.shape != expected or len(rows) != 2:
            raise ValueError(f"{file}: damaged column {name!r}")
    return found


def _decision_of(columns: Arrays, row: int) -> JsonObject:
    present = np.flatnonzero(columns["codes"][row] != NONE)
    order = present[np.argsort(columns["codes"][row][present], kind="stable")]
    return {
        "step": int(columns["action"][row]),
        "loss": _number(columns["loss"][row]),
        "error": _number(columns["loss_error"][row]),
        "taken": int(columns["taken"][row]),
        "best": int(columns["best"][row]),
        "actions": [
            {
                "code": int(columns["codes"][row, column]),
                "bb": _number(columns["values"][row, column]),
                "error": _number(columns["errors"][row, column]),
            }
            for column in order
        ],
    }


def _number(value: float) -> float | None:
    return round(float(value), 4) if np.isfinite(value) else None


def _dearest(file: Path, place: int, number: str) -> list[JsonObject]:
    try:
        listed = json.loads(file.read_text(encoding="utf-8")).get("dearest", [])
        return [
            {"step": one["step"], "loss": one["loss"], "error": one["error"], "actions": []}
            for one in listed
            if one["number"] == number and (one["place"] == place or file.parent.name == OWN)
        ]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return []


def values_file(folder: Path, player: str) -> Path:
    """Return where the values of a player's review are kept."""
    return folder / f"values-{named_by(player)}.npz"
