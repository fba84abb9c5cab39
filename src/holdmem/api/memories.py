"""Maintain memories: merge case bases, find the cases that cost most, revise them, evolve feature weights."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from holdmem.cbr import CaseBase, read_cases
from holdmem.cbr.maintain import merge_stored
from holdmem.cbr.revise import write_revisions
from holdmem.core.atomic import expect_new
from holdmem.core.errors import NotationError
from holdmem.core.parallel import WorkerPool
from holdmem.core.types import Progress
from holdmem.engine import Game, as_game
from holdmem.learning.costly_cases import MemoryCosts, memory_costs
from holdmem.learning.decks import decks_in
from holdmem.learning.evolve.evolution import Evolution, GenerationReport
from holdmem.learning.evolve.evolution_files import load_or_start, resume
from holdmem.learning.evolve.task import EvolutionTask
from holdmem.learning.improve import (
    Improvement,
    RoundReport,
    improve_by_best_response,
    improve_by_regret,
    improve_memory,
)

__all__ = ["ImprovedBy", "Reuse", "case_costs", "evolve", "improve", "merge_cases"]

Reuse = Literal["probabilistic", "majority", "best-outcome"]
"""How cases are reused: the policies of a memory."""

ImprovedBy = Literal["steps", "regret", "best-response"]
"""How a memory is improved: cautious steps against best responses, or regret minimisation."""


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
    bases = [read_cases(path) for path in paths]
    merged = merge_stored(bases, paths, forget)
    decks = [one.as_json() for base in bases for one in decks_in(base.about)]
    return replace(merged, about={**merged.about, "decks": decks}) if decks else merged


def case_costs(
    folder: Path | str,
    *,
    policy: Reuse = "probabilistic",
    game: Game | str = "limit",
    flops: int = 4,
    seed: int = 0,
    savings: int = 0,
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
    savings : for so many of the dearest cases, compute the exploitability again with that case alone revised.
    progress : called with the number of steps done so far and the total.

    Returns
    -------
    MemoryCosts : exploitability in mbb/h and costs by street; `dearest(20)` lists the dearest cases, and
        `savings` has what revising the first of these would save.

    Raises
    ------
    GameError : the game is not heads-up limit, or there are no flops.
    AgentError : the memory does not play from its cases alone.

    Examples
    --------
    >>> dearest = case_costs("cases", flops=2).dearest(20)  # doctest: +SKIP
    """
    agent = f"memory:cases=[{folder}],policy={policy}"
    return memory_costs(agent, as_game(game, 2), flops=flops, seed=seed, savings=savings,
                        progress=progress)  # fmt: skip


def improve(
    folder: Path | str,
    output: Path | str,
    *,
    game: Game | str = "limit",
    by: ImprovedBy = "steps",
    rounds: int = 3,
    flops: int = 4,
    step: float = 0.2,
    iterations: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    trained: Path | str | None = None,
    resume: bool = False,
    report: RoundReport | None = None,
    progress: Progress | None = None,
) -> Improvement:
    """Revise the cases of a memory to make it less exploitable, and store it with its revisions.

    By steps, each round finds a best response and moves every case that has a better action against it a
    little towards that action. By regret, counterfactual regret minimisation plays the memory against itself
    on random boards, with one information set per case. By best response, the memory trains against a player
    that answers it best, on a graphics card. "memory:cases=OUTPUT,policy=revised" plays what comes out.

    Parameters
    ----------
    folder : a stored case base of a limit player; by regret, one that retrieves one case at a time.
    output : where to store the revised one; it must not exist yet.
    game : a heads-up limit `Game`, or the name of one.
    by : how cases are revised.
    rounds : by steps, number of best responses, each with a step.
    flops : by steps, fresh random flops in each round.
    step : by steps, size of the first step, above 0 and at most 1; later steps are smaller.
    iterations : by regret (2,000 by default) and by best response, number of iterations in total.
    minutes : by best response, stop after this many minutes.
    seed : random seed of flops or boards.
    trained : by best response, take in what a card on another machine has trained; see `export_memory_start`.
    resume : by regret and by best response, continue from the file OUTPUT.checkpoint of a stopped run.
    report : by steps, called after each round with its number, from 0, and its `MemoryCosts`.
    progress : by regret, called with the number of iterations done so far and the total; by best response,
        with thousandths of the work.

    Returns
    -------
    Improvement : the memory, its revisions, and by steps its exploitability before each, on fresh flops.

    Raises
    ------
    OutputExists : the output folder already exists.
    GameError : the game is not heads-up limit, or a number is out of range.
    StrategyError : the checkpoint or `trained` is missing, damaged, or of another memory, game or seed.
    AgentError : by regret or best response, the memory retrieves several cases together.
    HoldMemError : by best response, there is no graphics card, or no CuPy.

    Examples
    --------
    >>> found = improve("cases", "improved", rounds=3, flops=4)  # doctest: +SKIP
    >>> found = improve("cases", "improved", by="regret", iterations=4000)  # doctest: +SKIP
    """
    path, rules = Path(output), as_game(game, 2)
    expect_new(path)  # now rather than after hours of work
    base = read_cases(Path(folder))
    about: dict[str, Any] = {"by": by, "seed": seed}
    checkpoint = path.with_name(f"{path.name}.checkpoint")
    if by == "regret":
        iterations = iterations or 2000
        about |= {"iterations": iterations}
        found = improve_by_regret(
            base,
            rules,
            iterations=iterations,
            seed=seed,
            resume=resume,
            progress=progress,
            checkpoint=checkpoint,
        )
    elif by == "best-response":
        found, updates = improve_by_best_response(
            base, rules, iterations=iterations, minutes=minutes, seed=seed, resume=resume, progress=progress,
            checkpoint=checkpoint, trained=None if trained is None else Path(trained),
        )  # fmt: skip
        about |= {"iterations": updates}
    else:
        about |= {"rounds": rounds, "flops": flops, "step": step}
        found = improve_memory(base, rules, rounds=rounds, flops=flops, step=step, seed=seed, report=report)
    found.base.save(path)
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

    Raises
    ------
    NotationError : the folder is not that of an evolution, or that of another one.
    AgentError : an agent failed, or its weights cannot be set.

    Examples
    --------
    >>> task = EvolutionTask(hands=1000, generations=3, trees=1)
    >>> found = evolve(task, "weights", minutes=10)  # doctest: +SKIP
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
