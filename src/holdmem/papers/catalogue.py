"""`Paper` and `Experiment`, with lookup by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from holdmem.core.errors import NotationError, nearest
from holdmem.papers.findings import Finding, Row
from holdmem.papers.runner import ExperimentRunner


@dataclass(frozen=True)
class Experiment:
    """A published table or figure, under its name on the command line."""

    name: str
    title: str
    run: Callable[[ExperimentRunner], Finding]
    judge: Callable[[Sequence[Row]], tuple[Row, ...]] = tuple
    """Give verdicts from rows as printed; may add rows that compare the same figures otherwise."""
    minutes: float = 0
    """Core-minutes at full scale as estimated, for experiments that have not been run at it; 0 if not."""


@dataclass(frozen=True)
class Paper:
    """A publication and its experiments."""

    name: str
    reference: str
    """Full citation."""
    title: str
    experiments: tuple[Experiment, ...]
    abstract: str = ""
    """What it describes and claims, in plain words."""
    method: tuple[str, ...] = ()
    """How our experiments are made, and where they depart from the publication."""


PAPERS = ("casper", "sartre", "imitators", "plicas", "learners", "competition")
"""Modules of this package with a PAPER; the last is not a publication."""


def find_paper(name: str) -> Paper:
    """Return the paper of this name."""
    if name not in PAPERS:
        raise NotationError(
            f"expected {', '.join(PAPERS)} or all, got {name!r}; {nearest(name, list(PAPERS))}"
        )
    paper: Paper = import_module(f"holdmem.papers.{name}").PAPER
    return paper


def find_experiments(papers: Sequence[Paper], only: Sequence[str] = ()) -> list[tuple[Paper, Experiment]]:
    """Return the experiments of these papers, all or those named in `only`."""
    there = [(paper, experiment) for paper in papers for experiment in paper.experiments]
    names = [experiment.name for _, experiment in there]
    for name in only:
        if name not in names:
            raise NotationError(f"expected one of {', '.join(names)}, got {name!r}; {nearest(name, names)}")
    return [(paper, experiment) for paper, experiment in there if not only or experiment.name in only]
