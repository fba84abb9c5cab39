"""Export of finished results to files for other programs."""

import csv
import io
import json
from pathlib import Path

from holdmem.arena.ledger import Ledger
from holdmem.arena.result import MatchResult
from holdmem.core.atomic import write_atomically
from holdmem.core.errors import NotationError

COLUMNS = (
    "hash",
    "game",
    "kind",
    "seed",
    "hands",
    "matches",
    "agent",
    "mean",
    "standard_error",
    "low",
    "high",
    "unit",
)


def finished(ledger: Ledger) -> list[MatchResult]:
    """Return all complete results of a ledger."""
    found = (ledger.result(plan) for plan, _ in ledger.plans())
    return [result for result in found if result is not None]


def export(ledger: Ledger, path: Path) -> int:
    """Write all finished results to a .json or .csv file atomically, and return their number."""
    results = finished(ledger)
    if path.suffix == ".json":
        text = json.dumps([result.as_json() for result in results], indent=2) + "\n"
    elif path.suffix == ".csv":
        text = _as_csv(results)
    else:
        raise NotationError(f"expected a .json or .csv file, got {path}")
    write_atomically(path, text)
    return len(results)


def _as_csv(results: list[MatchResult]) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for result in results:
        design = result.design
        about = (result.hash, design.game.name, design.kind, design.seed, result.hands, design.matches)
        for name, found in zip(design.agents, result.estimates(), strict=True):
            rows.writerow((*about, name, found.mean, found.standard_error, found.low, found.high, found.unit))
    return out.getvalue()
