"""Shrinkage: weigh what few cases show with what a coarser neighbour shows.

The frequencies of one retrieved case are poor probabilities if it was seen once or twice. Its coarser
neighbour is the sum of the `k` most similar cases, which is in turn shrunk towards how often each action was
taken on the street at all. With counts c of the retrieved cases, C of the neighbourhood and shares f of the
street, n and N their sums:

    q = (C + wide · f) / (N + wide),    p = (c + near · q) / (n + near)

So `near` and `wide` are numbers of decisions: a case with `near` decisions and its neighbourhood count
equally. This is the posterior mean under Dirichlet priors (Good 1965), as in smoothing of language models.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from holdmem.agent import Policy, Views, legal_policy
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.features.feature import Column
from holdmem.cbr.retrieve import Nearest
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.tabulate import CaseTables
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.types import Floats

BATCH = 20_000
"""Targets per retrieval, so that neighbourhoods take little memory."""


@dataclass(frozen=True)
class Shrinkage:
    """How far frequencies are shrunk; the values were chosen on hands that no memory and no table uses."""

    near: float = 4.0
    wide: float = 4.0
    k: int = 30

    def __post_init__(self) -> None:
        if self.near < 0 or self.wide <= 0 or self.k < 1:
            raise NotationError(f"expected weights above zero and at least one neighbour, got {self}")

    def towards(self, cases: Cases, values: Mapping[str, Column]) -> Floats:
        """Return q for targets with these feature values, one row of probabilities each."""
        total = cases.solutions.counts.sum(axis=0)
        usual = total / max(int(total.sum()), 1)
        size = len(next(iter(values.values())))
        counts = np.zeros((size, len(total)))
        for start in range(0, size if len(cases) else 0, BATCH):
            part = {name: column[start : start + BATCH] for name, column in values.items()}
            found = cases.where(part, Nearest(self.k))
            counts[start : start + BATCH] = cases.solutions.over(found.places).counts
        shrunk: Floats = (counts + self.wide * usual) / (counts.sum(axis=1, keepdims=True) + self.wide)
        return shrunk

    def probabilities(self, solutions: Solutions, towards: Floats) -> Floats:
        """Return p for retrieved solutions and their coarser neighbours."""
        shrunk: Floats = (solutions.counts + self.near * towards) / (solutions.seen[:, None] + self.near)
        return shrunk


SHRINKAGE = Shrinkage()


@dataclass(frozen=True)
class ShrinkingSeat(CaseBasedSeat):
    """Plays the shrunk probabilities of the retrieved cases."""

    shrinkage: Shrinkage = SHRINKAGE

    def reuse(self, views: Views, solutions: Solutions) -> Policy:
        """Turn these solutions into a legal policy."""
        weights = self.shrinkage.probabilities(solutions, coarser(self.base, views, self.shrinkage))
        nothing = weights.sum(axis=1) <= 0
        weights[nothing] = self.base.representation.default
        return legal_policy(views, weights, self.base.representation.actions.totals(views))

    def tabulate(self, tree: Any) -> CaseTables:
        """Raise AgentError: a neighbourhood is not a function of the features that tables are made of."""
        raise AgentError("policy=shrunk cannot be tabulated; use the local best response without --exact")


def coarser(base: CaseBase, views: Views, shrinkage: Shrinkage = SHRINKAGE) -> Floats:
    """Return the coarser neighbours of views on any street, one row of probabilities each."""
    found = np.zeros((len(views), len(base.representation.actions.names)))
    for street, cases in enumerate(base.streets):
        rows = np.flatnonzero(views.street == street)
        if len(rows):
            here = views if len(rows) == len(views) else views[rows]
            found[rows] = shrinkage.towards(cases, cases.features.of(here))
    return found
