"""Findings on disk: a JSON file and pictures per experiment, from which the pages are made."""

import json
import time
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from holdmem import __version__
from holdmem.arena.design import DeckPurpose
from holdmem.core.atomic import write_atomically
from holdmem.core.errors import NotationError
from holdmem.core.sources import source_hash
from holdmem.learning.decks import DeckRange
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.dependencies import DECKS, changed_parts, code_of_function, parts_of
from holdmem.papers.findings import TOO_SMALL, Finding, Grid, Picture, Row, without_verdicts
from holdmem.papers.runner import ExperimentRunner
from holdmem.plots.figure import new_figure, save

FORMAT = "holdmem finding"
SOURCE = source_hash()
"""Hash of the whole package when this process began."""


@dataclass(frozen=True)
class StoredFinding:
    """A stored finding with its date, scale, source version and result hashes."""

    paper: str
    experiment: str
    title: str
    scale: str
    seed: int
    date: str
    seconds: float
    version: str
    source: str
    rows: tuple[Row, ...]
    grids: tuple[Grid, ...]
    pictures: tuple[tuple[str, str], ...]
    """Title and file name of each picture."""
    remark: str
    used: dict[str, str]
    parts: dict[str, str] = field(default_factory=dict)
    """Digests of what the finding depends on, by part; empty for findings made before they were stored."""
    decks: tuple[DeckRange, ...] = ()
    """The decks dealt, all of purpose "play" for findings made before they were stored."""
    workers: int = 0
    """Processes that played; 0 for findings made before this was stored."""

    @property
    def purpose(self) -> DeckPurpose:
        """Purpose of the decks on which the finding was played."""
        return cast("DeckPurpose", self.parts.get(DECKS, "play"))

    @property
    def minutes(self) -> float:
        """Core-minutes of the run that made it, at least; what the ledger already had is not included."""
        return self.seconds * max(self.workers, 1) / 60


def changes_since(kept: StoredFinding, experiment: Experiment) -> tuple[str, ...] | None:
    """Return the parts that have changed since a finding was made; None where that is not known."""
    if kept.source == SOURCE:
        return ()
    return changed_parts(kept.parts, code_of_function(experiment.run)) if kept.parts else None


def run_experiment(
    paper: Paper, experiment: Experiment, runner: ExperimentRunner, folder: Path
) -> StoredFinding:
    """Run one experiment and store its finding; an experiment that fails stores nothing."""
    runner.used.clear()
    runner.data.clear()
    runner.decks.clear()
    began = time.perf_counter()
    finding = judge(experiment, experiment.run(runner), runner.scale)
    place = folder / paper.name
    place.mkdir(parents=True, exist_ok=True)
    kept = StoredFinding(
        paper.name, experiment.name, experiment.title, runner.scale, runner.seed,
        datetime.now(UTC).date().isoformat(), round(time.perf_counter() - began, 1), __version__, SOURCE,
        finding.rows, finding.grids, _draw(finding, place, experiment.name), finding.remark,
        dict(runner.used), {**parts_of(code_of_function(experiment.run), runner.data), DECKS: runner.purpose},
        tuple(sorted(runner.decks, key=repr)), runner.workers,
    )  # fmt: skip
    return write_finding(kept, folder)


def judge(experiment: Experiment, finding: Finding, scale: str) -> Finding:
    """Give verdicts to a finding of full size, and take those of a smaller one away."""
    found = replace(finding, rows=experiment.judge(finding.rows))
    return found if scale == "full" else without_verdicts(found, scale)


def judge_again(paper: Paper, experiment: Experiment, folder: Path) -> StoredFinding | None:
    """Give new verdicts to a stored finding from the figures that it has; None if nothing is stored."""
    file = folder / paper.name / f"{experiment.name}.json"
    if not file.is_file():
        return None
    kept = _read(file)
    remark = kept.remark.removeprefix(TOO_SMALL.get(kept.scale, "")).strip()
    found = judge(experiment, Finding(kept.rows, kept.grids, (), remark), kept.scale)
    return write_finding(replace(kept, rows=found.rows, remark=found.remark), folder)


def write_finding(kept: StoredFinding, folder: Path) -> StoredFinding:
    """Write a finding as JSON and return it."""
    said = asdict(kept)
    if not kept.parts:  # made before they were stored
        del said["parts"], said["decks"], said["workers"]
    text = json.dumps({"format": FORMAT, **said}, indent=1, ensure_ascii=False)
    write_atomically(folder / kept.paper / f"{kept.experiment}.json", text + "\n")
    return kept


def _draw(finding: Finding, place: Path, name: str) -> tuple[tuple[str, str], ...]:
    files = []
    for number, picture in enumerate(finding.pictures, 1):
        file = f"{name}-{number}.png" if len(finding.pictures) > 1 else f"{name}.png"
        draw(picture, place / file)
        files.append((picture.title, file))
    return tuple(files)


def draw(picture: Picture, path: Path) -> None:
    """Write a picture as a PNG."""
    figure = new_figure(*picture.size)
    picture.draw(figure)
    save(figure, path)


def read_findings(folder: Path, paper: Paper) -> list[StoredFinding]:
    """Return the stored findings of a paper, in the order of its experiments."""
    files = [folder / paper.name / f"{experiment.name}.json" for experiment in paper.experiments]
    return [_read(file) for file in files if file.is_file()]


def _read(file: Path) -> StoredFinding:
    try:
        said: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if said.pop("format") != FORMAT:
            raise ValueError(f"no {FORMAT!r}")
        said["rows"] = tuple(Row(**row) for row in said["rows"])
        said["grids"] = tuple(
            Grid(grid["title"], tuple(grid["header"]), tuple(map(tuple, grid["rows"])))
            for grid in said["grids"]
        )
        said["decks"] = tuple(DeckRange.from_json(one) for one in said.get("decks", ()))
        said["pictures"] = tuple(map(tuple, said["pictures"]))
        return StoredFinding(**said)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotationError(f"{file}: expected a finding in JSON, got: {error}") from None
