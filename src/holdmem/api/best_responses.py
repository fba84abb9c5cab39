"""Training against best responses: strategies of buckets, and the starts that other machines train from."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from holdmem.cbr import read_cases
from holdmem.cfr.device import training
from holdmem.cfr.strategy import StrategyInfo, write_strategy
from holdmem.engine import Game, as_game
from holdmem.learning.best_response_training import (
    memory_start,
    strategy_start,
    train,
    trained_cells,
    trained_strategy,
    write_start,
)

__all__ = ["TrainedStrategy", "export_memory_start", "export_solve_start", "solve_by_best_response"]

BucketCounts = tuple[int, int, int, int]


class TrainedStrategy(NamedTuple):
    """A strategy that was trained against best responses.

    Attributes
    ----------
    file : where it is.
    iterations : number of updates.
    buckets : on each street.
    """

    file: Path
    iterations: int
    buckets: BucketCounts


def _name(buckets: BucketCounts) -> str:
    return "buckets " + "/".join(map(str, buckets))


def export_solve_start(
    path: Path | str, *, game: Game | str = "limit", buckets: BucketCounts, seed: int = 0
) -> Path:
    """Write a file from which a machine with a graphics card trains a strategy of buckets.

    Return the program that trains. It is run as a module of its folder, which needs numpy and CuPy alone.
    """
    write_start(strategy_start(as_game(game, 2), buckets), _name(buckets), Path(path), seed)
    return Path(str(training.__file__))


def export_memory_start(
    folder: Path | str, path: Path | str, *, game: Game | str = "limit", seed: int = 0
) -> Path:
    """Write a file from which a machine with a graphics card trains a memory; see `export_solve_start`."""
    write_start(memory_start(read_cases(Path(folder)), as_game(game, 2)), "memory", Path(path), seed)
    return Path(str(training.__file__))


def solve_by_best_response(
    output: Path | str,
    *,
    game: Game | str = "limit",
    buckets: BucketCounts = (169, 600, 600, 400),
    iterations: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    trained: Path | str | None = None,
    resume: bool = False,
    report: Callable[[int, float], None] | None = None,
) -> TrainedStrategy:
    """Train a strategy of heads-up limit against best responses (CFR-BR), and write it.

    Parameters
    ----------
    output : file for the strategy; FILE.checkpoint, some two gigabytes, is what `resume` goes on from.
    game : a heads-up limit `Game`, or the name of one.
    buckets : number of card buckets before the flop, on the flop, turn and river.
    iterations, minutes : when to stop, whichever comes first.
    seed : random seed of boards.
    trained : take in what `cfr.device.training` wrote on another machine, and train nothing.
    resume : continue from the checkpoint.
    report : called after each update with their number and the share of the work that is done.

    Returns
    -------
    TrainedStrategy : the file, the number of updates and the buckets.

    Raises
    ------
    HoldMemError : there is no graphics card, or no CuPy.
    StrategyError : `trained` or the checkpoint is damaged, or belongs to another start.

    Examples
    --------
    >>> found = solve_by_best_response("hard.strategy", minutes=12)  # doctest: +SKIP
    """
    path, rules = Path(output), as_game(game, 2)
    start = strategy_start(rules, buckets)
    if trained is None:
        cells, updates = train(
            start, _name(buckets), iterations=iterations, minutes=minutes, seed=seed, resume=resume,
            report=report, checkpoint=path.with_name(f"{path.name}.checkpoint"),
        )  # fmt: skip
    else:
        cells, updates = trained_cells(Path(trained), start, _name(buckets))
    command = (
        f"holdmem solve --by best-response --buckets {'/'.join(map(str, buckets))} --iterations {updates}"
    )
    about = StrategyInfo(seed, updates, "linear", (1.0, 1.0), f"{command} --seed {seed}")
    write_strategy(trained_strategy(rules, buckets, cells, about), path)
    return TrainedStrategy(path, updates, buckets)
