"""Improve a memory in its own representation: by cautious steps against best responses, or by regret.

**Cautious steps.** A round draws fresh flops, finds a best response to the memory on them, and moves the
triple of every case that has a better action a little towards it:

    triple <- (1 - s) * triple + s * (the action that is best for the case against the best response)

with s = step / (1 + round * step), as in fictitious play. The exploitability that a round reports is that of
the memory before its step, on flops that no earlier step has seen.

**Regret minimisation.** Many cheap iterations on random boards in place of a few exact best responses; see
`case_regret`. It does not measure exploitability on the way.

**Best response.** Regret minimisation against a player that answers best, on a graphics card; see
`cfr.device.training`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.case_costs import CaseCosts
from holdmem.cbr.revise import Revisions
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.public_game import HOLDEM
from holdmem.core.display import html_table
from holdmem.core.errors import GameError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Progress
from holdmem.engine import Game
from holdmem.learning.best_response_training import memory_start, train, trained_cells
from holdmem.learning.case_regret import CaseSolver
from holdmem.learning.costly_cases import MemoryCosts, costs_on_flops

if TYPE_CHECKING:
    import polars as pl

RoundReport = Callable[[int, MemoryCosts], None]
BETWEEN_CHECKPOINTS = 100
"""Iterations of regret minimisation between two checkpoints, some ten seconds."""


@dataclass(frozen=True, eq=False)
class Improvement:
    """A revised memory and how it came about.

    Examples
    --------
    >>> better = improve("sartre-2", rounds=2, flops=4)  # doctest: +SKIP
    >>> better.revised, better.frame()  # doctest: +SKIP
    """

    base: CaseBase
    revisions: Revisions
    rounds: tuple[MemoryCosts, ...]
    """Costs and exploitability before each step, each on its own flops; none by regret minimisation"""

    def most_changed(self, count: int) -> list[tuple[int, int]]:
        """Return street and number of the cases with the most remembered decisions now played otherwise.

        Parameters
        ----------
        count : number of cases.

        Returns
        -------
        list of (int, int) : street and number, the most changed first.
        """
        found = []
        for street, cases in enumerate(self.base.streets):
            moved = np.abs(
                self.revisions.probabilities(self.base, street) - cases.solutions.probabilities
            ).sum(axis=1)
            weight = moved * cases.solutions.seen / 2
            found += [(float(weight[place]), street, int(place)) for place in np.argsort(-weight)[:count]]
        return [(street, place) for _, street, place in sorted(found, key=lambda one: -one[0])[:count]]

    @property
    def revised(self) -> int:
        """Number of revised cases."""
        return sum(int(self.revisions.revised(street).sum()) for street in range(len(self.base.streets)))

    def frame(self) -> "pl.DataFrame":
        """Return the rounds as a polars data frame.

        Returns
        -------
        polars.DataFrame : one row per round; the exploitability in mbb/h is that before its step.
        """
        import polars as pl  # noqa: PLC0415

        rows = [
            (number, one.exploitability, one.flops, one.seed) for number, one in enumerate(self.rounds, 1)
        ]
        columns = {"round": pl.Int64, "exploitability": pl.Float64, "flops": pl.Int64, "seed": pl.Int64}
        return pl.DataFrame(rows, columns, orient="row")

    def __repr__(self) -> str:
        return f"Improvement({self.revised:,} of {len(self.base):,} cases revised)"

    def _repr_html_(self) -> str:
        return html_table(
            ("round", "mbb/h before its step", "flops", "seed"), self.frame().rows(), repr(self)
        )


def improve_memory(
    base: CaseBase,
    game: Game,
    *,
    rounds: int = 3,
    flops: int = 4,
    step: float = 0.2,
    seed: int = 0,
    report: RoundReport | None = None,
) -> Improvement:
    """Revise the cases of a memory, played probabilistically, to make it less exploitable."""
    if rounds < 1 or not 0 < step <= 1:
        raise GameError(f"expected at least 1 round and a step above 0, at most 1, got {rounds} and {step}")
    triples = [cases.solutions.probabilities for cases in base.streets]
    found: list[MemoryCosts] = []
    for number in range(rounds):
        costs = costs_of(Revisions.of(base, triples).applied(base), game, flops, seed + number)
        found.append(costs)
        if report:
            report(number, costs)
        share = step / (1 + number * step)
        triples = [stepped(one, some, share) for one, some in zip(triples, costs.streets, strict=True)]
    return Improvement(base, Revisions.of(base, triples), tuple(found))


def improve_by_regret(
    base: CaseBase,
    game: Game,
    *,
    iterations: int = 2000,
    seed: int = 0,
    checkpoint: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Improvement:
    """Revise the cases of a memory to the average strategy of regret minimisation among them."""
    if iterations < 1:
        raise GameError(f"expected at least 1 iteration, got {iterations}")
    solver = CaseSolver(base, game, seed=seed)
    if resume and checkpoint:
        solver.resume(checkpoint)
    while solver.iterations < iterations:
        if progress:
            progress(solver.iterations, iterations)
        solver.run(min(BETWEEN_CHECKPOINTS, iterations - solver.iterations))
        if checkpoint:
            solver.keep(checkpoint)
    triples = [solver.average(street) for street in range(len(base.streets))]
    return Improvement(base, Revisions.of(base, triples), ())


def improve_by_best_response(
    base: CaseBase,
    game: Game,
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    checkpoint: Path | None = None,
    trained: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> tuple[Improvement, int]:
    """Train the cases of a memory on a card, or take in what one has trained; also return the updates."""
    start = memory_start(base, game)
    if trained is None:
        tell = progress or (lambda done, of: None)
        cells, updates = train(
            start, "memory", iterations=iterations, minutes=minutes, seed=seed, checkpoint=checkpoint,
            resume=resume, report=lambda _, done: tell(round(1000 * min(done, 1)), 1000),
        )  # fmt: skip
    else:
        cells, updates = trained_cells(trained, start, "memory")
    triples = [found[: len(cases)] for found, cases in zip(cells, base.streets, strict=True)]
    return Improvement(base, Revisions.of(base, triples), ()), updates


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
