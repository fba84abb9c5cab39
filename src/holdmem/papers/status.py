"""What is known of each finding: its scale, date and cost, and which of its parts have changed since."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.storage import StoredFinding, changes_since, read_findings


@dataclass(frozen=True)
class FindingStatus:
    """One experiment and its stored finding, if there is one."""

    paper: str
    name: str
    kept: StoredFinding | None
    changed: tuple[str, ...] | None
    """Parts that have changed since; None where the finding has no digests of its parts."""
    estimate: float
    """Core-minutes that the experiment takes at full scale, as far as estimated; 0 if not."""

    @property
    def state(self) -> str:
        """Say whether the finding is that of the present code and data."""
        if self.kept is None:
            return "not made"
        if self.changed is None:
            return "predates digests"
        return f"changed: {', '.join(self.changed)}" if self.changed else "current"

    @property
    def made(self) -> StoredFinding | None:
        """The stored finding, if it is of full scale."""
        return self.kept if self.kept is not None and self.kept.scale == "full" else None

    @property
    def minutes(self) -> float:
        """Core-minutes that the finding took at full scale, or that it would take as far as estimated."""
        return self.made.minutes if self.made else self.estimate

    @property
    def cost(self) -> str:
        """Say what the finding took, or what it would take, in core-minutes."""
        if self.made:
            return f"{self.minutes:.1f}" + ("" if self.made.workers else " or more")
        return f"about {self.minutes:.0f}" if self.minutes else "–"


def statuses(folder: Path, asked: Sequence[tuple[Paper, Experiment]]) -> list[FindingStatus]:
    """Return the status of each experiment in a folder of findings."""
    stored = {paper.name: {one.experiment: one for one in read_findings(folder, paper)} for paper, _ in asked}
    return [
        status_of(paper, experiment, stored[paper.name].get(experiment.name)) for paper, experiment in asked
    ]


def status_of(paper: Paper, experiment: Experiment, kept: StoredFinding | None) -> FindingStatus:
    """Return the status of an experiment with this stored finding."""
    changed = changes_since(kept, experiment) if kept else None
    return FindingStatus(paper.name, experiment.name, kept, changed, experiment.minutes)


def is_current(kept: StoredFinding | None, experiment: Experiment, scale: str, seed: int) -> bool:
    """Whether playing an experiment again would give what is stored."""
    if kept is None or (kept.scale, kept.seed) != (scale, seed):
        return False
    return changes_since(kept, experiment) == ()


def statement(kept: StoredFinding, experiment: Experiment) -> str:
    """Say in a sentence what has changed since a finding was made."""
    changed = changes_since(kept, experiment)
    if changed is None:
        return (
            f"Made on {kept.date}, before findings recorded the digests of what they depend on:"
            " what has changed since is not known."
        )
    if not changed:
        return f"Made on {kept.date}; nothing that it depends on has changed since."
    words = [_words(name) for name in changed]
    listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return f"Made on {kept.date}; changed since: {listed}. The figures are those of then."


def _words(part: str) -> str:
    """Return a part in words."""
    known = {
        "decks": "the purpose of the decks",
        "experiment": "the experiment's own code",
        "agents": "the agents' code",
        "engine": "the engine",
    }
    return known.get(part, f"the {part}" if part == "tables" or part.startswith("layer ") else part)
