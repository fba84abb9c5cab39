"""Improve a memory in its own representation: repeated exact best responses and cautious steps.

A round draws fresh flops, finds a best response to the memory on them, and moves the triple of every case
that has a better action a little towards it:

    triple <- (1 - s) * triple + s * (the action that is best for the case against the best response)

with s = step / (1 + round * step), as in fictitious play. The exploitability that a round reports is that of
the memory before its step, on flops that no earlier step has seen.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.case_costs import CaseCosts
from holdmem.cbr.revise import Revisions
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.public_game import HOLDEM
from holdmem.core.errors import GameError
from holdmem.core.random import Streams
from holdmem.core.types import Floats
from holdmem.engine import Game
from holdmem.learning.costly_cases import MemoryCosts, costs_on_flops

ToldRound = Callable[[int, MemoryCosts], None]


@dataclass(frozen=True, eq=False)
class Improvement:
    """A revised memory and how it came about."""

    base: CaseBase
    revisions: Revisions
    rounds: tuple[MemoryCosts, ...]
    """Costs and exploitability before each step, each on its own flops"""

    @property
    def revised(self) -> int:
        """Number of revised cases."""
        return sum(int(self.revisions.revised(street).sum()) for street in range(len(self.base.streets)))


def improve_memory(
    base: CaseBase,
    game: Game,
    *,
    rounds: int = 3,
    flops: int = 4,
    step: float = 0.2,
    seed: int = 0,
    told: ToldRound | None = None,
) -> Improvement:
    """Revise the cases of a memory, played probabilistically, to make it less exploitable."""
    if rounds < 1 or not 0 < step <= 1:
        raise GameError(f"expected at least 1 round and a step above 0, at most 1, got {rounds} and {step}")
    triples = [cases.solutions.probabilities for cases in base.streets]
    found: list[MemoryCosts] = []
    for number in range(rounds):
        costs = costs_of(Revisions.of(base, triples).applied(base), game, flops, seed + number)
        found.append(costs)
        if told:
            told(number, costs)
        share = step / (1 + number * step)
        triples = [stepped(one, some, share) for one, some in zip(triples, costs.streets, strict=True)]
    return Improvement(base, Revisions.of(base, triples), tuple(found))


def costs_of(base: CaseBase, game: Game, flops: int, seed: int) -> MemoryCosts:
    """Return the costs of the cases of a case base in memory."""
    tree = betting_tree(game)
    tables = base.player("probabilistic").sit(game, 1, Streams.of(seed, "player", 0)).tabulate(tree)
    return costs_on_flops(ExactResponse(tree, tables, HOLDEM, np.float32), tables, flops, seed)


def stepped(triples: Floats, costs: CaseCosts, share: float) -> Floats:
    """Move the triples of cases that cost something towards their better actions."""
    better = np.eye(triples.shape[1])[costs.actions]
    moved: Floats = np.where(costs.costs[:, None] > 0, (1 - share) * triples + share * better, triples)
    return moved
