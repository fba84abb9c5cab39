"""Solve games by counterfactual regret minimisation."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.solver import WEIGHTINGS
from holdmem.core.choices import Recall, Weighting
from holdmem.core.display import html_table
from holdmem.core.errors import GameError, NotationError, nearest
from holdmem.engine import Game, find_game
from holdmem.learning.solve import (
    SMALL_GAMES,
    TILTS,
    HoldemSolve,
    SmallSolve,
    SolveProgress,
    SolveTask,
    local_response_probe,
)

if TYPE_CHECKING:
    import polars as pl

SHORT_SOLVE, LONG_SOLVE = 0.02, 10.0
"""Default minutes for the small games and for hold'em."""


@dataclass(frozen=True, eq=False)
class SolveResult:
    """A solved game: its strategy, and the progress of the solve.

    Attributes
    ----------
    solver : the finished solve; running it further refines the strategy.
    reports : progress reports; the last one describes the result.

    Examples
    --------
    >>> solved = solve("leduc", iterations=200)
    >>> solved.iterations, solved.exploitability < 0.01
    (200, True)
    >>> solved.frame().columns[:3]
    ['iterations', 'seconds', 'measure']
    """

    solver: HoldemSolve | SmallSolve
    reports: tuple[SolveProgress, ...] = field(repr=False)

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.solver.game if isinstance(self.solver, SmallSolve) else self.solver.task.game

    @property
    def iterations(self) -> int:
        """Number of iterations, over all runs of this solve."""
        return self.reports[-1].iterations

    @property
    def exploitability(self) -> float | None:
        """Exploitability in big blinds (antes in the small games) per hand; None where it is not computed."""
        last = self.reports[-1]
        return last.measure / 1000 if last.measured.startswith("exploitability") else None

    def save(self, path: Path | str) -> None:
        """Write the strategy to a file: JSON for the small games, else a file for "eqm:strategy=FILE".

        Parameters
        ----------
        path : file to write.
        """
        self.solver.write(Path(path))

    def frame(self) -> "pl.DataFrame":
        """Return the progress reports as a polars data frame.

        Returns
        -------
        polars.DataFrame : one row per report of progress.
        """
        import polars as pl  # noqa: PLC0415

        rows: list[dict[str, Any]] = [asdict(report) for report in self.reports]
        return pl.DataFrame(rows, schema_overrides={"local_response": pl.Float64})

    def __repr__(self) -> str:
        last = self.reports[-1]
        return (
            f"SolveResult({self.game}: {last.measured} {last.measure:.3f} thousandths"
            f" after {last.iterations:,} iterations)"
        )

    def _repr_html_(self) -> str:
        rows = [
            (f"{one.iterations:,}", f"{one.seconds:.1f}", one.measured, f"{one.measure:.3f}")
            for one in self.reports
        ]
        return html_table(("iterations", "seconds", "measure", "thousandths"), rows, f"solve of {self.game}")


def solve(
    game: Game | str = "limit",
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    buckets: tuple[int, int, int, int] = (169, 200, 200, 200),
    recall: Recall = "imperfect",
    boards: int = 0,
    bets: Sequence[float] = (0.5, 1.0),
    raises: Sequence[float] = (1.0,),
    most_raises: int = 3,
    tilt: str | tuple[float, float] = "none",
    weighting: Weighting | None = None,
    threads: int = 1,
    seed: int = 0,
    stack: int | None = None,
    checkpoint: Path | str | None = None,
    resume: bool = False,
    every: float = 60.0,
    exploit: int = 0,
    progress: Callable[[SolveProgress], None] | None = None,
) -> SolveResult:
    """Solve a game by counterfactual regret minimisation.

    Parameters
    ----------
    game : "kuhn", "leduc", or a heads-up game: a built-in `Game`, its name, or the path of a `.game` file.
    iterations, minutes : when to stop, in total; whichever comes first. By default 10 minutes, for Kuhn and
        Leduc about a second.
    buckets : number of card buckets before the flop (169: all classes) and on the flop, turn and river.
    recall : "imperfect" (only the current bucket) or "perfect" (all buckets so far).
    boards : number of fixed boards to deal; 0 for all boards.
    bets, raises : no-limit: sizes of a street's first bet and of further raises, as fractions of the pot.
    most_raises : no-limit: maximum bets and raises per street, besides all-in.
    tilt : "none", "aggressive", "passive", or factors on chips won by folds and at showdowns.
    weighting : "linear" (default), "plus", "discounted" (default for Kuhn and Leduc) or "vanilla".
    threads : number of threads; they do not affect the result.
    seed : random seed.
    stack : no-limit: chips that both players start with, if other than the game's.
    checkpoint : file from which an interrupted solve can be resumed.
    resume : continue from the checkpoint.
    every : seconds between checkpoints and reports.
    exploit : hands of local best response at each report; 0 for none.
    progress : called with each report.

    Returns
    -------
    SolveResult : `save` writes the strategy, `frame` gives the progress.

    Raises
    ------
    GameError : the game cannot be solved.
    NotationError : a choice such as `weighting` is unknown.
    StrategyError : the checkpoint is missing or belongs to another solve.

    Examples
    --------
    >>> solved = solve("kuhn", iterations=1000)
    >>> solved.exploitability < 0.001, round(solved.solver.value(), 3)
    (True, -0.056)
    """
    name = _name(game)
    small = name in SMALL_GAMES
    if minutes is None and iterations is None:
        minutes = SHORT_SOLVE if small else LONG_SOLVE
    kind = _weighting(weighting or ("discounted" if small else "linear"))
    if small:
        if tilt != "none":
            raise GameError(f"{name}: a tilt applies to hold'em games only")
        toy = SmallSolve(name, kind)
        return SolveResult(toy, _reports(toy.run(iterations, minutes), progress))
    sizes = None if find_game(name).limit else Sizes(tuple(bets), tuple(raises), most_raises)
    task = SolveTask(name, buckets, _recall(recall), boards, sizes, read_tilt(tilt), kind, seed, stack)
    file = None if checkpoint is None else Path(checkpoint)
    if resume and file is None:
        raise NotationError("to resume, name the checkpoint")
    solving = HoldemSolve(task, threads)
    if resume and file:
        solving.resume(file)
    probe = local_response_probe(task.rules, exploit, seed) if exploit else None
    return SolveResult(solving, _reports(solving.run(iterations, minutes, every, file, probe), progress))


def _name(game: Game | str) -> str:
    """Return the name by which solves look up their game."""
    if isinstance(game, str):
        return game
    try:
        found = find_game(game.name)
    except GameError:
        found = None
    if found != game:
        raise GameError(f"{game.name}: a solve needs a built-in game or the path of a .game file")
    return game.name


def _weighting(name: Any) -> Weighting:
    if name not in WEIGHTINGS:
        raise NotationError(f"unknown weighting {name!r}; {nearest(name, list(WEIGHTINGS))}")
    return name  # type: ignore[no-any-return]


def _recall(name: Any) -> Recall:
    if name not in ("imperfect", "perfect"):
        raise NotationError(f"expected recall imperfect or perfect, got {name!r}")
    return name  # type: ignore[no-any-return]


def read_tilt(tilt: str | tuple[float, float]) -> tuple[float, float]:
    """Return the value of a chip won by a fold and at showdown, given as such or by the name of a style."""
    if isinstance(tilt, str):
        if tilt not in TILTS:
            raise NotationError(f"expected a tilt {', '.join(TILTS)} or two factors, got {tilt!r}")
        return TILTS[tilt]
    if len(tilt) != 2 or not all(0 < factor < 10 for factor in tilt):
        raise NotationError(f"expected two factors above 0 and below 10 as a tilt, got {tilt}")
    return float(tilt[0]), float(tilt[1])


def _reports(
    reports: Iterator[SolveProgress], progress: Callable[[SolveProgress], None] | None
) -> tuple[SolveProgress, ...]:
    found = []
    for report in reports:
        found.append(report)
        if progress:
            progress(report)
    return tuple(found)
