"""`check_agent`: test any agent, built in or your own, for the properties that the arena relies on."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

from holdmem.agent import (
    Agent,
    make_agent,
)
from holdmem.agent.blame import describe_exception
from holdmem.arena.agent_laws import LAWS, is_a_value
from holdmem.arena.design import SECRET, DesignSeed
from holdmem.arena.time_limit import TimeLimitExceeded, time_limit
from holdmem.core.display import html_table, short
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.core.random import Streams, secret_seed
from holdmem.engine import Game, as_game, find_game


@dataclass(frozen=True)
class ConformanceCheck:
    """The outcome of one check: `problem` is empty if the agent passed."""

    name: str
    problem: str = ""


@dataclass(frozen=True)
class ConformanceReport:
    """The result of `check_agent`."""

    checked: tuple[ConformanceCheck, ...]
    declined: tuple[tuple[str, str], ...]
    """Games that the agent declined to play, with its reasons."""
    seed: int = 0
    """Random seed that repeats the checks."""

    def __repr__(self) -> str:
        passed = len(self.checked) - len(self.problems)
        first = f"; {short(self.problems[0].name, 80)}" if self.problems else ""
        return f"ConformanceReport({passed} of {len(self.checked)} checks passed{first})"

    def _repr_html_(self) -> str:
        rows = [(one.name, "no" if one.problem else "yes", one.problem) for one in self.checked]
        return html_table(("check", "passed", "problem"), rows, f"seed {self.seed}")

    @property
    def problems(self) -> list[ConformanceCheck]:
        """The checks that the agent failed."""
        return [manner for manner in self.checked if manner.problem]


def usual_games() -> list[Game]:
    """Return limit and no-limit games with two to ten seats and with deep and short stacks."""
    short = find_game("nolimit", 4)
    return [
        find_game("limit"),
        find_game("nolimit"),
        find_game("holdem.limit.3p"),
        find_game("nolimit", 6),
        find_game("casper", 10),
        replace(short, name="short stacks", stacks=(70, 350, 1200, 2500)),
    ]


def check_agent(
    agent: Agent | str,
    games: Sequence[Game | str] | None = None,
    seed: DesignSeed = SECRET,
    seconds: float = 0.0,
) -> ConformanceReport:
    """Check that an agent keeps the contract that matches rely on.

    Parameters
    ----------
    agent : an agent, or the text that names one.
    games : games to check it in, as values or names; by default limit and no-limit with two to ten seats.
    seed : seed of cards and random numbers; by default a secret one, so that no agent can know them.
    seconds : time limit for each check; 0 for no limit.

    Returns
    -------
    ConformanceReport : every check with the problem found, if any. A bad agent raises nothing.

    Raises
    ------
    UnknownAgent : no agent has this name.
    GameError : no game has one of these names.

    Examples
    --------
    >>> report = check_agent("always-call", ["limit"], seed=1)
    >>> report.problems
    []
    """
    agent = make_agent(agent) if isinstance(agent, str) else agent
    seed = secret_seed() if seed == SECRET else seed
    games = usual_games() if games is None else [as_game(game) for game in games]
    found = [_tried("can be pickled, compared and hashed", partial(is_a_value, agent), seconds)]
    declined = []
    seated = False
    for game in games:
        reason = _declines(agent, game, seconds)
        if reason is not None:
            declined.append((_title(game), reason))
            continue
        seated = True
        for name, law in LAWS.items():
            found.append(_tried(f"{name} ({_title(game)})", partial(law, agent, game, seed), seconds))
    if not seated:
        reasons = "; ".join(f"{title}: {reason}" for title, reason in declined)
        found.append(ConformanceCheck("sits in at least one game", f"it declined all: {reasons}"))
    return ConformanceReport(tuple(found), tuple(declined), seed)


def _title(game: Game) -> str:
    return f"{game.name}, {game.seats} seats"


def _declines(agent: Agent, game: Game, seconds: float) -> str | None:
    """Return the agent's reason for not sitting down. Errors other than AgentError are left to the checks."""
    try:
        with _in_time(seconds):
            agent.sit(game, 1, Streams(0))
    except AgentError as error:
        return str(error)
    except (Exception, SystemExit, TimeLimitExceeded):
        return None
    return None


def _tried(name: str, law: Callable[[], str], seconds: float) -> ConformanceCheck:
    try:
        with _in_time(seconds):
            return ConformanceCheck(name, law())
    except HoldMemError as error:
        return ConformanceCheck(name, str(error))
    except TimeLimitExceeded as error:
        return ConformanceCheck(name, str(error))
    except (Exception, SystemExit) as error:
        return ConformanceCheck(name, describe_exception(error))


def _in_time(seconds: float) -> AbstractContextManager[None]:
    return time_limit(seconds) if seconds else nullcontext()


__all__ = ["ConformanceCheck", "ConformanceReport", "check_agent", "usual_games"]
