"""Long solves: the task, its checkpoints and its progress.

A task determines the strategy after a given number of iterations, whatever the number of threads,
interruptions and resumptions, on machines of the same kind. How many iterations fit into a number of minutes
does depend on the machine: `--iterations` is reproducible, `--minutes` is not.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.arena.exploit import local_best_response
from holdmem.cfr import CFRSolver, ExtensiveGame, Kuhn, Leduc, build_game_tree, exploitability, value
from holdmem.cfr.abstract_best_response import exploitability_on_boards
from holdmem.cfr.betting_tree import Sizes, betting_tree
from holdmem.cfr.card_abstraction import card_buckets
from holdmem.cfr.public_chance_sampling import HoldemSolver
from holdmem.cfr.strategy import Strategy, StrategyInfo, strategy_of, write_strategy
from holdmem.core.array_file import like, read_arrays, write_arrays
from holdmem.core.atomic import write_atomically
from holdmem.core.choices import Recall, Weighting
from holdmem.core.errors import GameError, StrategyError
from holdmem.engine import Game, find_game
from holdmem.players import Equilibrium

if TYPE_CHECKING:
    from holdmem.cfr.tree_game import GameTree

SMALL_GAMES: dict[str, ExtensiveGame] = {"kuhn": Kuhn(), "leduc": Leduc()}

TILTS = {"none": (1.0, 1.0), "aggressive": (1.3, 0.95), "passive": (0.7, 1.1)}
"""By style, the value of a chip won by the opponent's fold and of a chip won at showdown."""


@dataclass(frozen=True)
class SolveTask:
    """Everything that determines a solve's result apart from the iteration count."""

    game: str = "limit"
    buckets: tuple[int, int, int, int] = (169, 200, 200, 200)
    recall: Recall = "imperfect"
    boards: int = 0
    sizes: Sizes | None = None
    tilt: tuple[float, float] = (1.0, 1.0)
    weighting: Weighting = "linear"
    seed: int = 0
    stack: int | None = None

    @property
    def rules(self) -> Game:
        """The game, with stacks of `stack` chips if given."""
        return with_stacks(find_game(self.game), self.stack)

    def command(self, iterations: int) -> str:
        """Return the command line that reproduces the strategy."""
        plain = SolveTask(self.game)
        words = [f"holdmem solve --game {self.game} --buckets {'/'.join(map(str, self.buckets))}"]
        if self.stack is not None:
            words.append(f"--stack {self.stack}")
        if self.recall != plain.recall:
            words.append(f"--recall {self.recall}")
        if self.boards:
            words.append(f"--boards {self.boards}")
        if self.sizes:
            first, later = (",".join(f"{f:g}" for f in some) for some in (self.sizes.first, self.sizes.later))
            words.append(f"--bets {first} --raises {later} --most-raises {self.sizes.raises}")
        if self.tilt != plain.tilt:
            words.append(f"--tilt {self.tilt[0]:g},{self.tilt[1]:g}")
        if self.weighting != plain.weighting:
            words.append(f"--weighting {self.weighting}")
        return " ".join([*words, f"--seed {self.seed} --iterations {iterations} -o FILE"])

    def as_json(self) -> dict[str, Any]:
        """Return the task as JSON values."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class SolveProgress:
    """Progress of a solve; `measure` is in 1/1000 big blind (1/1000 ante in the small games)."""

    iterations: int
    seconds: float
    measure: float
    measured: str
    done: float
    local_response: float | None = None  # winnings of a local best response in mbb/h, if probed

    def as_json(self) -> dict[str, Any]:
        """Return the progress as JSON values."""
        return asdict(self)


FIRST_REPORT = 5.0
"""Seconds until the first progress report."""

Probe = Callable[[Path], float]
"""Tests a strategy file in the real game: returns what a local best response wins from it, in mbb/h."""

EXACT = "exploitability"
ABSTRACT = "exploitability inside the abstraction"
REGRET = "average regret (no bound)"


def with_stacks(game: Game, stack: int | None) -> Game:
    """Return a no-limit game in which everybody starts with `stack` chips; the game itself for None."""
    if stack is None:
        return game
    if game.limit or stack < game.big_blind:
        raise GameError(
            f"{game.name}: expected stacks of a big blind or more in a no-limit game, got {stack} chips"
        )
    return replace(game, stacks=(stack,) * game.seats)


def local_response_probe(game: Game, hands: int, seed: int = 0) -> Probe:
    """Return a probe that plays `hands` hands of local best response against the current strategy."""

    def probe(path: Path) -> float:
        return local_best_response(Equilibrium(path), game, hands=hands, seed=seed).rate().mean

    return probe


class HoldemSolve:
    """A hold'em solve in progress: runs in steps, reports progress and writes checkpoints."""

    def __init__(self, task: SolveTask, threads: int = 1) -> None:
        self.task = task
        tree = betting_tree(task.rules, task.sizes)
        self.solver: HoldemSolver = HoldemSolver(
            tree,
            card_buckets(task.buckets, task.recall),
            seed=task.seed,
            weighting=task.weighting,
            tilt=task.tilt,
            threads=threads,
            boards=task.boards,
        )
        self.seconds: float = 0.0

    @property
    def memory(self) -> int:
        """Memory of regrets and strategy sums, in bytes."""
        return self.solver.regrets.nbytes + self.solver.sums.nbytes

    def run(
        self,
        iterations: int | None,
        minutes: float | None,
        every: float,
        checkpoint: Path | None = None,
        probe: Probe | None = None,
    ) -> Iterator[SolveProgress]:
        """Run to a total of `iterations` or `minutes`, whichever comes first; report every `every` seconds.

        Only solving time counts towards `minutes`. Before each report the checkpoint is written, and the
        current strategy is tested by `probe`, if given.
        """
        start = reported = self.seconds
        while not self._over(iterations, minutes):
            began = time.monotonic()
            self.solver.run(1)
            self.seconds += time.monotonic() - began  # solving time only, without reports and probes
            patience = min(every, max(FIRST_REPORT, (self.seconds - start) / 2))  # soon, then less often
            if self.seconds - reported >= patience and not self._over(iterations, minutes):
                yield self._report(iterations, minutes, checkpoint, probe)
                reported = self.seconds
        yield self._report(iterations, minutes, checkpoint, probe)

    def _report(
        self, iterations: int | None, minutes: float | None, checkpoint: Path | None, probe: Probe | None
    ) -> SolveProgress:
        if checkpoint:
            self.keep(checkpoint)
        found = self.progress(iterations, minutes)
        if probe is None:
            return found
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "so-far.strategy"
            self.write(path)
            return replace(found, local_response=probe(path))

    def _over(self, iterations: int | None, minutes: float | None) -> bool:
        return self._done(iterations, minutes) >= 1

    def _done(self, iterations: int | None, minutes: float | None) -> float:
        by_count = self.solver.iterations / iterations if iterations else 0.0
        by_time = self.seconds / (60 * minutes) if minutes else 0.0
        return max(by_count, by_time)

    def progress(self, iterations: int | None = None, minutes: float | None = None) -> SolveProgress:
        """Return the progress, with the exploitability where it can be computed for this abstraction.

        Otherwise the measure is the average regret, which is not a bound.
        """
        if self.task.recall == "perfect" and self.task.boards:
            measured, found = ABSTRACT, exploitability_on_boards(self.solver)
        else:
            measured, found = REGRET, self.solver.average_regret()
        done = min(self._done(iterations, minutes), 1.0)
        return SolveProgress(self.solver.iterations, self.seconds, 1000 * found, measured, done)

    def strategy(self) -> Strategy:
        """Return the current average strategy."""
        task, solver = self.task, self.solver
        source = task.command(solver.iterations)
        about = StrategyInfo(task.seed, solver.iterations, task.weighting, task.tilt, source)
        return strategy_of(solver.tree, solver.buckets, solver.sums, about)

    def write(self, path: Path) -> None:
        """Write the current average strategy to a file."""
        write_strategy(self.strategy(), path)

    def keep(self, path: Path) -> None:
        """Write a checkpoint with all that is needed to resume."""
        solver = self.solver
        arrays = {
            "progress": np.array([solver.iterations, self.seconds]),
            "regrets": solver.regrets,
            "sums": solver.sums,
        }
        write_arrays(path, arrays, self.task.as_json())

    def resume(self, path: Path) -> None:
        """Resume from a checkpoint of the same task; StrategyError for any other file."""
        try:
            arrays, task = read_arrays(path)
            self._expect_task(path, task)
            progress = like(np.zeros(2), arrays.get("progress"), "progress")
            regrets = like(self.solver.regrets, arrays.get("regrets"), "regrets")
            sums = like(self.solver.sums, arrays.get("sums"), "sums")
            if (progress < 0).any() or (sums < 0).any():
                raise ValueError("negative numbers")
        except FileNotFoundError:
            raise StrategyError(f"{path}: no such checkpoint; omit --resume to start over") from None
        except ValueError as error:
            raise StrategyError(
                f"{path}: expected a checkpoint of a solve, got {error}; omit --resume to start over"
            ) from None
        self.solver.regrets[:], self.solver.sums[:] = regrets, sums
        self.solver.iterations, self.seconds = int(progress[0]), float(progress[1])

    def _expect_task(self, path: Path, task: dict[str, Any]) -> None:
        mine = self.task.as_json()
        differs = [key for key in mine if task.get(key) != mine[key]]
        if differs:
            wanted = ", ".join(f"{key} {mine[key]}" for key in differs)
            found = ", ".join(f"{key} {task.get(key)}" for key in differs)
            raise StrategyError(f"{path}: expected a checkpoint with {wanted}, got {found}")


class SmallSolve:
    """A solve of Kuhn or Leduc poker, with exact exploitability."""

    def __init__(self, game: str, weighting: Weighting = "discounted") -> None:
        self.tree: GameTree = build_game_tree(SMALL_GAMES[game])
        CFRSolver(self.tree, weighting).run(1)  # compile before timing starts
        self.solver: CFRSolver = CFRSolver(self.tree, weighting)
        self.game = game

    def run(self, iterations: int | None, minutes: float | None) -> Iterator[SolveProgress]:
        """Run in steps that double the iteration count, up to `iterations` or `minutes`; yield progress."""
        start, limit = time.monotonic(), 60 * minutes if minutes else float("inf")
        goal, done = iterations or 2**62, 0.0
        while done < 1:
            self.solver.run(min(max(self.solver.iterations, 10), goal - self.solver.iterations))
            seconds = time.monotonic() - start
            done = min(max(self.solver.iterations / goal, seconds / limit), 1.0)
            found = exploitability(self.tree, self.solver.average())
            yield SolveProgress(self.solver.iterations, seconds, 1000 * found, EXACT, done)

    def value(self) -> float:
        """Value of the game for the first player, in antes per hand."""
        return value(self.tree, self.solver.average())

    def write(self, path: Path) -> None:
        """Write the strategy as JSON: each information set with the probability of each action."""
        about = {"game": self.game, "iterations": self.solver.iterations, "weighting": self.solver.weighting}
        text = json.dumps({**about, "strategy": self.tree.in_words(self.solver.average())}, indent=1)
        write_atomically(path, text + "\n")
