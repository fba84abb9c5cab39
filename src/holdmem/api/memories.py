"""Maintain memories: merge case bases, find the cases that cost most, revise them, evolve feature weights."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from holdmem.cbr import CaseBase, read_cases
from holdmem.cbr.maintain import merge_stored
from holdmem.cbr.revise import write_revisions
from holdmem.core.atomic import expect_new
from holdmem.core.errors import NotationError
from holdmem.core.parallel import WorkerPool
from holdmem.core.types import Progress
from holdmem.engine import Game, as_game
from holdmem.learning.costly_cases import MemoryCosts, memory_costs
from holdmem.learning.evolve.evolution import Evolution, GenerationReport
from holdmem.learning.evolve.evolution_files import load_or_start, resume
from holdmem.learning.evolve.task import EvolutionTask
from holdmem.learning.improve import Improvement, ToldRound, improve_memory

__all__ = ["Reuse", "case_costs", "evolve", "improve", "merge_cases"]

Reuse = Literal["probabilistic", "majority", "best-outcome"]
"""How cases are reused: the policies of a memory."""


def merge_cases(*folders: Path | str, forget: int = 1) -> CaseBase:
    """Merge stored case bases of one representation into one, with their remembered hands.

    Parameters
    ----------
    folders : the stored case bases.
    forget : drop cases that were seen fewer times than this.

    Returns
    -------
    CaseBase : the merged cases; `save` stores them, with the folders they came from.

    Raises
    ------
    NotationError : there is no folder, or the representations differ.
    TableError : a folder has no case base, or a damaged one.

    Examples
    --------
    >>> both = merge_cases("cases-of-may", "cases-of-june", forget=2)  # doctest: +SKIP
    """
    if not folders:
        raise NotationError("expected at least one case base to merge, got none")
    paths = [Path(folder) for folder in folders]
    return merge_stored([read_cases(path) for path in paths], paths, forget)


def case_costs(
    folder: Path | str,
    *,
    policy: Reuse = "probabilistic",
    game: Game | str = "limit",
    flops: int = 4,
    seed: int = 0,
    progress: Progress | None = None,
) -> MemoryCosts:
    """Compute what each case of a memory costs against a best response in heads-up limit.

    The cost of a case is how fast the memory's exploitability falls when the case, wherever it is retrieved,
    begins to play its best action, while the best response stays the same. Costs do not add up.

    Parameters
    ----------
    folder : a stored case base of a limit player.
    policy : how the cases are reused.
    game : a heads-up limit `Game`, or the name of one.
    flops : number of random flops; the costs are estimates from these.
    seed : random seed of the flops.
    progress : called with the number of steps done so far and the total.

    Returns
    -------
    MemoryCosts : exploitability in mbb/h and costs by street; `dearest(20)` lists the dearest cases.

    Raises
    ------
    GameError : the game is not heads-up limit, or there are no flops.
    AgentError : the memory does not play from its cases alone.

    Examples
    --------
    >>> dearest = case_costs("cases", flops=2).dearest(20)  # doctest: +SKIP
    """
    agent = f"memory:cases=[{folder}],policy={policy}"
    return memory_costs(agent, as_game(game, 2), flops=flops, seed=seed, progress=progress)


def improve(
    folder: Path | str,
    output: Path | str,
    *,
    game: Game | str = "limit",
    rounds: int = 3,
    flops: int = 4,
    step: float = 0.2,
    seed: int = 0,
    report: ToldRound | None = None,
) -> Improvement:
    """Revise the cases of a memory to make it less exploitable, and store it with its revisions.

    Each round finds a best response and moves every case that has a better action against it a little towards
    that action. "memory:cases=OUTPUT,policy=revised" plays the result.

    Parameters
    ----------
    folder : a stored case base of a limit player.
    output : where to store the revised one; it must not exist yet.
    game : a heads-up limit `Game`, or the name of one.
    rounds : number of best responses, each with a step.
    flops : fresh random flops in each round.
    step : size of the first step, above 0 and at most 1; later steps are smaller.
    seed : random seed of the flops.
    report : called after each round with its number, from 0, and its `MemoryCosts`.

    Returns
    -------
    Improvement : the memory, its revisions, and its exploitability before each step on fresh flops.

    Raises
    ------
    OutputExists : the output folder already exists.
    GameError : the game is not heads-up limit, or a number is out of range.

    Examples
    --------
    >>> found = improve("cases", "improved", rounds=3, flops=4)  # doctest: +SKIP
    """
    path = Path(output)
    expect_new(path)  # now rather than after hours of work
    found = improve_memory(
        read_cases(Path(folder)), as_game(game, 2), rounds=rounds, flops=flops, step=step, seed=seed,
        told=report,
    )  # fmt: skip
    found.base.save(path)
    about = {"rounds": rounds, "flops": flops, "step": step, "seed": seed}
    write_revisions(path, read_cases(path), found.revisions, about)
    return found


def evolve(
    task: EvolutionTask,
    folder: Path | str,
    *,
    minutes: float | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
    begun: Callable[[Evolution, bool], None] | None = None,
    report: Callable[[GenerationReport], None] | None = None,
) -> Evolution:
    """Evolve the weights of Casper's features (Rubin 2007, chapter 4), or continue a stopped evolution.

    Parameters
    ----------
    task : what to evolve, against whom, and how.
    folder : where every generation is stored; the same folder and task continue a stopped run.
    minutes : stop after this many minutes; by default at the end.
    workers : number of worker processes.
    on : address of a Dask scheduler to run on instead (tcp://host:port).
    progress : called with the number of hands played so far and the total.
    begun : called first, with the evolution as it was found and whether HoldMem has not changed since.
    report : called after every generation.

    Returns
    -------
    Evolution : all generations played so far; `finished` says whether it has ended.
    """
    path = Path(folder)
    evolution, same_source = load_or_start(task, path)
    if begun:
        begun(evolution, same_source)
    if progress:
        progress(evolution.hands_done, task.all_hands)
    with WorkerPool(workers, on) as crew:
        for one in resume(evolution, path, crew, minutes, progress):
            if report:
                report(one)
    return evolution
