"""`Paper` and `Experiment`, and where to find them by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from holdmem.errors import NotationError, nearest
from holdmem.papers.findings import Finding
from holdmem.papers.lab import Lab


@dataclass(frozen=True)
class Experiment:
    """A published table or figure, by the name it has on the command line."""

    name: str
    title: str
    run: Callable[[Lab], Finding]


@dataclass(frozen=True)
class Paper:
    """A publication and its experiments."""

    name: str
    reference: str
    """The publication in full."""
    title: str
    experiments: tuple[Experiment, ...]


PAPERS = ("casper", "sartre", "imitators", "plicas", "learners", "competition")
"""Modules of this package that have a PAPER; the last is our own."""


def find_paper(name: str) -> Paper:
    """The paper of this name."""
    if name not in PAPERS:
        raise NotationError(
            f"expected {', '.join(PAPERS)} or all, got {name!r}; {nearest(name, list(PAPERS))}"
        )
    paper: Paper = import_module(f"holdmem.papers.{name}").PAPER
    return paper


def find_experiments(papers: Sequence[Paper], only: Sequence[str] = ()) -> list[tuple[Paper, Experiment]]:
    """All experiments of these papers, or those of them that are asked for."""
    there = [(paper, experiment) for paper in papers for experiment in paper.experiments]
    names = [experiment.name for _, experiment in there]
    for name in only:
        if name not in names:
            raise NotationError(f"expected one of {', '.join(names)}, got {name!r}; {nearest(name, names)}")
    return [(paper, experiment) for paper, experiment in there if not only or experiment.name in only]
