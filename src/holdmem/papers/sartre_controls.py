"""Controls for Rubin and Watson (2010): how much of SARTRE-2's lead is retrieval, and how much is data."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from holdmem.arena import Design
from holdmem.cbr import Representation
from holdmem.cbr.store import read_cases, write_cases
from holdmem.core.data import DATA
from holdmem.engine import find_game
from holdmem.papers.findings import Finding, Row, shown
from holdmem.papers.growing import agreement_rows, memories
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.sartre import SARTRE_1, SARTRE_2

LIMIT = find_game("limit")
SEED = 7_000_000
"""Far from the seeds of the recordings."""
TEACHER = "both memories are of eqm"


@contextmanager
def with_cases_of(retrieval: Representation, memory: str) -> Iterator[Path]:
    """Write a shipped memory as one of the other system, which has the same features."""
    base = read_cases(DATA / memory)
    about = {name: value for name, value in base.about.items() if name in ("expert", "game", "hands")}
    with TemporaryDirectory(prefix="holdmem-") as place:
        streets = tuple(
            replace(cases, features=features)
            for cases, features in zip(base.streets, retrieval.streets, strict=True)
        )
        write_cases(
            replace(base, representation=retrieval, streets=streets, about=about), Path(place) / "cases"
        )
        yield Path(place) / "cases"


def two_by_two(runner: ExperimentRunner) -> Finding:
    """Play SARTRE-1 and SARTRE-2 with each other's cases, against both systems as they are shipped."""
    hands = runner.at(smoke=50, quick=10_000, full=400_000)
    memories = [DATA / "sartre-1", DATA / "sartre-2"]
    runner.note_files(memories)
    with with_cases_of(SARTRE_2, "sartre-1") as less, with_cases_of(SARTRE_1, "sartre-2") as more:
        pairs = {
            "SARTRE-2's retrieval on SARTRE-1's cases, against SARTRE-1": (
                f"sartre-2:cases={less}",
                "sartre-1",
            ),
            "SARTRE-1's retrieval on SARTRE-2's cases, against SARTRE-1": (
                f"sartre-1:cases={more}",
                "sartre-1",
            ),
            "both, as shipped: SARTRE-2 against SARTRE-1": ("sartre-2", "sartre-1"),
            "SARTRE-2 against SARTRE-1's retrieval on its cases": ("sartre-2", f"sartre-1:cases={more}"),
        }
        return Finding(
            tuple(_rows(runner, pairs, hands)), remark="Not in the paper: retrieval and data apart."
        )


def _rows(runner: ExperimentRunner, pairs: Mapping[str, tuple[str, str]], hands: int) -> list[Row]:
    """Return a row per pair, played both ways on the same decks."""
    designs = [Design(LIMIT, pair, hands, seed=SEED + runner.seed) for pair in pairs.values()]
    found = runner.matches(designs, "SARTRE's retrieval and data")
    rows = []
    for what, result in zip(pairs, found, strict=True):
        ours = result.estimates()[0]
        rows.append(Row(what, "–", shown(ours, unit=True), result.hands, TEACHER, samples=ours.samples))
    return rows


CURVE = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


def curve(runner: ExperimentRunner) -> Finding:
    """Play memories of more and more hands of the teacher against the teacher and against SARTRE-2."""
    steps = runner.at(smoke=(500,), quick=CURVE[:5], full=CURVE)
    hands = runner.at(smoke=50, quick=10_000, full=200_000)
    seed = SEED + 1 + runner.seed
    recorded = Design(LIMIT, ("eqm", "eqm"), steps[-1], kind="ring", seed=seed)
    with TemporaryDirectory(prefix="holdmem-") as place:
        counts = memories(runner, recorded, SARTRE_2, steps, Path(place))
        pairs = {
            f"{step:,} hands remembered ({counts[step]:,} cases), against {other}": (
                f"sartre-2:cases={place}/{step}",
                other,
            )
            for step in steps
            for other in ("eqm", "sartre-2")
        }
        test = runner.at(smoke=50, quick=5_000, full=50_000)
        imitated = agreement_rows(runner, recorded, steps, Path(place), test)
        rows = (*_rows(runner, pairs, hands), *imitated)
        return Finding(rows, remark="A learning curve; not in the paper.")
