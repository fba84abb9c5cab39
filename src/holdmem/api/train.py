"""Train the agents that learn from scratch."""

import time
from pathlib import Path

from holdmem.agent import Agent, make_agent, registered
from holdmem.api.play import names_of
from holdmem.core.cache_folder import say
from holdmem.core.errors import AgentError
from holdmem.core.types import Progress
from holdmem.engine import Game, as_game
from holdmem.learning.training_batch import TrainingBatch, checkpoint_of, resumed, train_steps
from holdmem.learning.training_runs import TrainingReport, TrainingRun, learning_game
from holdmem.players.learners.learner import Learner


def train(
    learner: Agent | str,
    *opponents: Agent | str,
    game: Game | str = "nolimit",
    hands: int = 10_000,
    matches: int = 1,
    swapped: bool = True,
    seed: int = 0,
    save: Path | str | None = None,
    resume: bool = False,
    every: float = 20.0,
    progress: Progress | None = None,
) -> TrainingReport:
    """Train an agent that learns from scratch, and report what it won while it learned.

    Parameters
    ----------
    learner : "action-learner" or "outcome-learner", with parameters if you like, or such an agent.
    opponents : one agent per other seat, as values or names.
    game : a `Game` or the name of one. "nolimit" and "limit" are the games of Marques (n.d.); in no-limit
        every hand starts with 100 big blinds.
    hands : hands per seating order.
    matches : independent runs, each with new cards and starting from scratch.
    swapped : replay the same cards in every seating order; the learner keeps what it has learned.
    seed : random seed.
    save : file for what the first match learned, for "action-learner:knowledge=FILE".
    resume : continue from the checkpoint of `save`, if there is one; the result is that of one long run.
    every : seconds between checkpoints.
    progress : called with the number of hands played so far and the total.

    Returns
    -------
    TrainingReport : `winnings()` with intervals over matches, learning curves, and the knowledge itself.

    Raises
    ------
    AgentError : the first agent is not a learner, or an agent does not exist.
    GameError : the game does not exist or does not fit the number of agents.
    KnowledgeError : there is nothing to resume, or it belongs to another run.

    Examples
    --------
    >>> report = train("outcome-learner", "always-call", hands=50, matches=2, seed=1)
    >>> report.hands, len(report.knowledge)
    (100, 2)
    """
    expect_learner(learner)
    name, *others = names_of((learner, *opponents), alone=True)
    chosen = training_game(game, 1 + len(opponents))
    run = TrainingRun(chosen, name, tuple(others), hands, matches, seed, swapped)
    file = None if save is None else Path(save)
    batch = _begin(run, file if resume else None)
    _play(batch, progress, file, every)
    (report,) = batch.reports()
    return report


def expect_learner(agent: Agent | str) -> None:
    """Raise AgentError with the names of all learners unless the agent is one."""
    if not isinstance(make_agent(agent) if isinstance(agent, str) else agent, Learner):
        learners = [entry.name for entry in registered().values() if issubclass(entry.build, Learner)]
        raise AgentError(f"{agent} cannot be trained; expected {' or '.join(learners)}")


def training_game(game: Game | str, seats: int) -> Game:
    """Return the game to train in; "nolimit" and "limit" are those of the learners' experiments."""
    if game in ("nolimit", "limit"):
        return learning_game(seats, limit=game == "limit")
    return as_game(game, seats)


def _begin(run: TrainingRun, known: Path | None) -> TrainingBatch:
    """Seat the players for the first hand, or where the file `known` left off."""
    if known is None or not (known.exists() or checkpoint_of(known).exists()):
        return TrainingBatch([run])
    return resumed(run, known)


def _play(batch: TrainingBatch, progress: Progress | None, save: Path | None, every: float) -> None:
    written = time.monotonic()
    for done in train_steps(batch, progress):
        if save and done == batch.total:
            batch.knowledge().write(save)
            checkpoint_of(save).unlink(missing_ok=True)
        elif save and time.monotonic() - written >= every:
            _keep(batch, save)
            written = time.monotonic()


def _keep(batch: TrainingBatch, save: Path) -> None:
    """Write what was learned so far, and a checkpoint to resume from."""
    batch.knowledge().write(save)
    try:
        batch.keep(checkpoint_of(save))
    except AgentError as error:
        say(f"{error}; this run cannot be resumed")
