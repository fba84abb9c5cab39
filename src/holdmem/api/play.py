"""Play agents against each other, or against a best response."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import get_args

from holdmem.agent import Agent, given_name, make_agent
from holdmem.agent.registry import exists_elsewhere
from holdmem.arena import Design, Ledger, MatchResult, Tournament, round_robin, run
from holdmem.arena.design import DesignSeed
from holdmem.arena.exact import drawn_flops, exact_exploitability, exact_response
from holdmem.arena.exact_device import write_export
from holdmem.arena.exact_result import ExactExploitability
from holdmem.arena.exploit import ExploitabilityBound, local_best_response, read_raises
from holdmem.arena.local_best_response import ResponseOptions
from holdmem.arena.tournament import UnbiasedMethod
from holdmem.cfr.device import responder
from holdmem.core.choices import Device, MatchKind, MemoryMode, OnError, VarianceMethod
from holdmem.core.errors import AgentError, GameError, NotationError
from holdmem.core.types import Progress
from holdmem.engine import STREET_NAMES, Game, as_game


def match(
    game: Game | str,
    *agents: Agent | str,
    hands: int = 3000,
    matches: int = 1,
    kind: MatchKind = "duplicate",
    memory: MemoryMode = "wiped",
    seed: DesignSeed = 0,
    luck: Sequence[VarianceMethod] = (),
    level_hands: int = 50,
    time_limit: float = 0.0,
    on_error: OnError = "stop",
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play agents against each other and estimate what each wins per hand.

    Parameters
    ----------
    game : a `Game`, or the name of a built-in game or a `.game` file, adapted to the number of agents.
    agents : one agent per seat, as values or names.
    hands : hands per match; in duplicate play, per seating order.
    matches : number of matches, each with new cards; agents forget everything between them.
    kind : "duplicate" replays the same cards in every seating order, "ring" moves the button with new cards,
        "bankroll" also carries stacks over, "freeze-out" goes on until one player has all chips.
    memory : whether agents that learn forget between the orders of a duplicate match: "wiped" or "kept".
    seed : random seed, or "secret" for one that is drawn now and reported with the result.
    luck : also estimate with variance reduction: "adjusted", "aivat", "divat", "divat-showdown".
    level_hands : hands after which the blinds of a freeze-out double.
    time_limit : seconds that an agent may take per batch of decisions; 0 for no limit.
    on_error : "stop" ends the match when an agent fails or breaks the rules; with "fold" it checks or folds
        there, and `mended()` of the result counts these decisions.
    ledger : where to look up and store results, so that nothing is played twice.
    workers : number of worker processes.
    on : address of a Dask scheduler to run on instead (tcp://host:port).
    progress : called with the number of hands played so far and the total.

    Returns
    -------
    MatchResult : `estimates()` gives means with 95% intervals, `styles()` how each agent played.

    Raises
    ------
    GameError : the game does not exist or does not fit the number of agents.
    AgentError : an agent does not exist, cannot play this game, or broke the rules.
    NotationError : a choice such as `kind` is unknown.

    Examples
    --------
    >>> result = match("limit", "random", "always-call", hands=500, seed=1)
    >>> result.hands
    1000
    """
    expect_opponents(agents)
    design = Design(
        as_game(game, len(agents)),
        names_of(agents, alone=workers == 1 and on is None),
        hands=hands,
        matches=matches,
        kind=kind,
        memory=memory,
        seed=seed,
        luck=tuple(luck),
        level_hands=level_hands,
        time_limit=time_limit,
        on_error=on_error,
    )
    return run(design, ledger=ledger, workers=workers, on=on, progress=progress)


def tournament(
    game: Game | str,
    *agents: Agent | str,
    seats: int | None = None,
    hands: int = 3000,
    matches: int = 1,
    kind: MatchKind = "duplicate",
    memory: MemoryMode = "wiped",
    seed: DesignSeed = 0,
    luck: UnbiasedMethod | None = None,
    time_limit: float = 0.0,
    on_error: OnError = "stop",
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play a match for every combination of as many agents as the game has seats.

    Parameters
    ----------
    game : a `Game`, or the name of a built-in game or path of a `.game` file.
    agents : at least as many agents as the game has seats, as values or names.
    seats : seats per table, for a game given by name.
    hands, matches, kind, memory, seed, time_limit, on_error, ledger, workers, on, progress : as for `match`.
    luck : rank by results without luck, "adjusted" or "aivat", which have the mean of the winnings.

    Returns
    -------
    Tournament : the cross table (`cell`), rankings (`bankroll`, `runoff`) and failures. A match that fails
        does not stop the others.

    Raises
    ------
    GameError : the game does not exist, there are too few agents, or luck cannot be removed without bias.
    UnknownAgent : an agent does not exist.

    Examples
    --------
    >>> found = tournament("limit", "random", "always-call", "always-raise", hands=200)
    >>> len(found.results), found.frame().height
    (3, 6)
    """
    chosen = as_game(game, seats)
    names = names_of(agents, alone=workers == 1 and on is None)
    if len(agents) < chosen.seats:
        raise GameError(f"{chosen.name}: expected at least {chosen.seats} agents, got {len(agents)}")
    if luck is not None and luck not in get_args(UnbiasedMethod):
        raise GameError(f"tournaments rank by unbiased results: expected adjusted or aivat, got {luck}")
    design = partial(
        Design,
        chosen,
        hands=hands,
        matches=matches,
        kind=kind,
        memory=memory,
        seed=seed,
        luck=() if luck is None else (luck,),
        time_limit=time_limit,
        on_error=on_error,
    )
    return round_robin(
        design, chosen, names, luck=luck, ledger=ledger, workers=workers, on=on, progress=progress
    )


def exploit(
    agent: Agent | str,
    game: Game | str = "limit",
    *,
    hands: int = 10_000,
    seed: int = 0,
    raises: str | Sequence[float] = "min,0.5,1,all-in",
    first_street: str = "preflop",
    exact: bool = False,
    flops: int | None = None,
    double: bool = False,
    device: Device = "cpu",
    finished: Path | None = None,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> ExploitabilityBound | ExactExploitability:
    """Measure how much can be won from an agent: a lower bound, or exactly in heads-up limit.

    The bound is what a local best response wins, which knows the agent's policy, hence its exact range, and
    looks one decision ahead. With `exact`, a best response looks ahead to the end of the hand; the agent's
    strategy must be tabular (see `TabularSeat`).

    Parameters
    ----------
    agent : an agent that gives its action probabilities and does not learn, as a value or name.
    game : a heads-up game, as a value, a name or the path of a `.game` file.
    hands : total number of hands, split equally between the seats and rounded up to a multiple of 16.
    seed : random seed.
    raises : no-limit raises to consider: "min,0.5,1,all-in", or fractions of the pot.
    first_street : the exploiter only checks and calls before this street.
    exact : compute the exact exploitability in place of a bound; only `seed` and what follows apply.
    flops : number of random flops for an estimate; by default all 1,755, which takes hours.
    double : compute with 64 instead of 32 bits.
    device : "cuda" computes flops on a graphics card and keeps them in a file, not in the ledger.
    finished : file of flops that a graphics card has computed; what it lacks needs `device="cuda"`.
    ledger : where to look up and store the results of flops.
    workers : number of worker processes.
    on : address of a Dask scheduler to run on instead (tcp://host:port).
    progress : called with the number of hands, or flops, done so far and the total.

    Returns
    -------
    ExploitabilityBound : the bound with its 95% interval, overall and by seat.
    ExactExploitability : with `exact`, overall, by seat and by the street on which exploiting begins.

    Raises
    ------
    AgentError : the agent does not exist, learns, or does not give its probabilities.
    GameError : the game is not heads-up.
    NotationError : `raises` or `first_street` cannot be read.

    Examples
    --------
    >>> found = exploit("always-call", hands=320, seed=1)
    >>> found.hands, found.bound.mean > 0
    (320, True)
    """
    if exact:
        (name,) = names_of([agent], alone=workers == 1 and on is None)
        return exact_exploitability(
            name, as_game(game), flops=flops, seed=seed, double=double, device=device, finished=finished,
            ledger=ledger, workers=workers, on=on, progress=progress,
        )  # fmt: skip
    if first_street not in STREET_NAMES:
        raise NotationError(f"expected a first street of {', '.join(STREET_NAMES)}, got {first_street!r}")
    sizes = read_raises(raises) if isinstance(raises, str) else tuple(float(share) for share in raises)
    options = ResponseOptions(sizes, STREET_NAMES.index(first_street))
    return local_best_response(
        agent, as_game(game), hands=hands, seed=seed, options=options, workers=workers, progress=progress
    )


def export_strategy(
    agent: str, game: Game | str, path: Path, *, flops: int | None = None, seed: int = 0
) -> Path:
    """Write a strategy to a file from which a graphics card computes exact best responses.

    Return the program that does so; it needs numpy and CuPy, and the kernels next to it.
    """
    response = exact_response(agent, as_game(game), False)
    write_export(response, agent, path, list(drawn_flops(flops, seed)))
    return Path(str(responder.__file__))


def expect_opponents(agents: Sequence[Agent | str]) -> None:
    """Raise GameError unless there are at least two agents."""
    if len(agents) < 2:
        found = f"only {given_name(agents[0])}" if agents else "none"
        raise GameError(f"expected at least two agents, got {found}")


def names_of(agents: Sequence[Agent | str], *, alone: bool) -> tuple[str, ...]:
    """Return the texts that name the agents, after checking that each can be built where it will play."""
    names = tuple(given_name(agent) for agent in agents)
    for name in names:
        make_agent(name)  # report a misspelt name now, not after the other matches
        if not alone and not exists_elsewhere(name):
            raise AgentError(
                f"{name}: exists only in this process; use workers=1, or save it to a file first"
            )
    return names
