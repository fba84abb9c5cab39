"""Commands that are run once, with output discarded, so that every kernel is compiled: see `warmup_all`.

Only the kernels matter, so sizes are as small as possible. Together, the commands cover every command, agent,
kind of game and format of hands, with many tables at once and with one (agents handle few hands differently
from many).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

STATE = "MATCHSTATE:0:1:rc/:AhKd|/7s8s2d"
POPULATION = "--population 4 --selected 2 --pairs 1 --mutated 1"
NO_LIMIT_STATE = "MATCHSTATE:0:0:r300:AhKd|"


@dataclass(frozen=True)
class WarmupTask:
    """Commands that are run one after another in their own folder."""

    title: str
    kernels: int
    """Approximate number of kernels compiled if none is compiled yet; used only for the progress bar."""
    commands: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """Agents that play a few hands of each game they support."""
    also: Callable[[], None] | None = None
    """Called at the end, for what no command does."""


def respond_on_short_deck() -> None:
    """Compile the exact best response on a deck of eight cards; the full deck takes half a minute a flop."""
    import numpy as np

    from holdmem.cfr.betting_tree import betting_tree
    from holdmem.cfr.exact_gradient import strategy_gradient
    from holdmem.cfr.exact_response import ExactResponse, respond_to_flop
    from holdmem.cfr.public_game import PublicGame
    from holdmem.cfr.short_deck import UniformTables
    from holdmem.engine import find_game

    tree, game = betting_tree(find_game("limit")), PublicGame(4, 2, (0, 1, 1, 1))
    for precision in (np.float32, np.float64):
        response = ExactResponse(tree, UniformTables(tree, game), game, precision)
        flop = next(game.deals(1))
        strategy_gradient(response, [(flop, 1.0)], respond_to_flop(response, flop))


def lines(text: str) -> tuple[str, ...]:
    """Return the lines that are not empty, stripped."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


ENGINE = WarmupTask(
    "the engine",
    50,
    lines("""
        match random always-call --hands 40 --no-ledger
        match random always-call --hands 40 --no-ledger --game nolimit
        match random megabot --hands 2 --no-ledger --game nolimit
        match random always-call --hands 5 --no-ledger --kind bankroll --matches 2 --stack 1000
        match random always-call --hands 5 --no-ledger --kind freeze-out --matches 2 --game nolimit
    """),
)
FAMILIES = (
    WarmupTask("learners", 80, agents=("action-learner", "outcome-learner")),
    WarmupTask("players with models", 125, agents=("alistairbot", "mctsbot", "poki", "simbot")),
    WarmupTask("casper", 70, agents=("casper", "casper:retain=seen")),
    WarmupTask("imitators", 85, agents=("dynamic", "ensemble", "imitator", "imitator:expert=eqm-nl")),
    WarmupTask(
        "equilibria and plicas",
        75,
        ("reproduce plicas --scale smoke --no-ledger -o reproduced",),
        agents=(
            "eqm", "eqm-2", "eqm-aggressive", "eqm-passive", "eqm-nl", "eqm-nl-aggressive", "eqm-nl-passive",
            "eqm-nl-depths", "plicas", "resolve:iterations=2",
        ),
    ),
)  # fmt: skip
SOLVING = WarmupTask(
    "solving and exploiting",
    125,
    lines(f"""
        solve --game kuhn --iterations 10
        solve --game leduc --iterations 10
        solve --game limit --buckets 169/2/2/2 --iterations 2 -o one
        solve --game limit --buckets 2/2/2/2 --recall perfect --iterations 2 --exploit 4 -o two
        solve --game nolimit --buckets 2/2/2/2 --iterations 2 -o three
        solve --spot Kc8s2d5h9c --stack 300 --iterations 2
        solve --spot Kc8s2d5h --iterations 2
        match eqm:strategy=one eqm:strategy=two --hands 40 --no-ledger
        exploit always-call --hands 10
        exploit eqm --hands 4
        exploit sartre-2 --hands 4
        exploit eqm-nl --game nolimit --hands 4
        exploit always-call --exact --flops 2 --no-ledger
        explain eqm --state {STATE}
    """),
    also=respond_on_short_deck,
)
HISTORIES = WarmupTask(
    "histories and memories",
    85,
    lines(f"""
        record sartre-2 random --hands 200 -o limit
        record imitator random --game nolimit --hands 100 -o nolimit
        convert limit -o limit.log
        convert limit -o limit.phhs
        convert limit -o limit.txt
        convert nolimit -o nolimit.log
        convert nolimit -o nolimit.phhs
        convert nolimit -o nolimit.txt
        stats limit nolimit
        stats limit.log
        stats limit.phhs
        stats limit.txt
        stats nolimit.log
        stats nolimit.phhs
        stats nolimit.txt
        hands limit --show 1
        learn limit --player sartre-2 --as sartre-1 -o cases-1
        learn limit --player sartre-2 --as sartre-2 -o cases-2
        learn limit --player sartre-2 --as imitator-limit -o cases-3
        learn nolimit --player imitator --as imitator-nolimit -o cases-4
        imitate nolimit --player imitator -o clone.people
        resemble nolimit --player imitator
        cases cases-1
        cases cases-2 cases-2
        cases cases-2 cases-2 -o merged --forget 2
        match memory:cases=cases-2,retain=seen random --hands 4 --no-ledger
        explain sartre-1 --state {STATE}
        explain sartre-2 --state {STATE}
        explain imitator --state {STATE}
        explain imitator:expert=eqm-nl --game nolimit --state {NO_LIMIT_STATE}
        review limit --player random --against sartre-2
        review nolimit --player random --against imitator
        review limit --player random --samples 4 --again 1 --html limit.html
        review nolimit --player random --samples 4 --again 0
        explain nolimit --hand 1 --player random --samples 4
    """),
)
RING = WarmupTask(
    "games of nine",
    60,
    lines(f"""
        record poki random random random random random random random random --game casper --hands 18 -o ring
        stats ring
        convert ring -o ring.phhs
        stats ring.phhs
        learn ring --player poki --as casper --held-out 0 -o cases
        cases cases
        explain casper --state {STATE}
        evolve -o new --hands 8 --seats 4 --trees 1 --generations 2 {POPULATION}
        match random always-call random --hands 2 --no-ledger --luck adjusted --kind ring --game nolimit
    """),
)
NUMBERS = WarmupTask(
    "luck and strength",
    75,
    lines("""
        match random always-call --hands 20 --no-ledger --luck adjusted --luck divat --luck divat-showdown
        match random always-call --hands 20 --no-ledger --luck adjusted --luck divat --game nolimit
        match simplebot random --hands 4 --no-ledger --luck aivat
        match simplebot random --hands 4 --no-ledger --luck aivat --game nolimit
        record simplebot random --hands 4 -o lucky
        luck lucky --known simplebot=simplebot
        equity AhKd random --samples 100
        equity AhKd QsQc
        equity AA,KK random
        equity AhKd random --board Kc7s2d
        equity AA random QQ --board Kc7s2d
        equity AhKd random --board Kc7s2d5h9c
        strength AhKd --board Kc7s2d5h9c --opponents 2
        tables check flop --sample 3
        tables check flop-two --sample 3
        playable 15 50
        reproduce learners --scale smoke --only table5-1 --no-ledger -o reproduced
    """),
)


def step_through_environments() -> None:
    """Take a step in the Gymnasium and PettingZoo environments, if both libraries are installed."""
    from importlib.util import find_spec

    if not find_spec("gymnasium") or not find_spec("pettingzoo"):
        return
    from holdmem.rl import TableAEC, TableEnv, TableVectorEnv

    for game in ("limit", "nolimit"):
        many = TableVectorEnv(2, game=game, opponents="random")
        many.reset(seed=0)
        many.step([1, 1])
        single, several = TableEnv(game=game, opponents="random"), TableAEC(game)
        single.reset(seed=0)
        single.step(1)
        several.reset(seed=0)
        several.observe(several.agent_selection)
        several.step(1)


TABLES = WarmupTask(
    "sitting down and training",
    20,
    lines(f"""
        train action-learner --against random --hands 20 --save knowledge
        train outcome-learner --against random --hands 20 --game limit
        knowledge knowledge
        play --terminal --auto random --hands 2 --seed 1
        play --check --no-browser
        play eqm-nl --game nolimit --check --no-browser
        serve --seats sartre-2,random --hands 2
        serve --seats imitator,random --hands 2 --game nolimit
        styles simplebot --hands 10 --matches 2
        check always-call
        tournament random always-call --hands 20 --no-ledger
        explain poki --state {STATE}
        explain plicas --state {STATE}
    """),
    also=step_through_environments,
)


def warmup_tasks() -> list[WarmupTask]:
    """Return all rehearsals: the engine first, which all others need, then the longest first."""
    known = [agent for family in FAMILIES for agent in family.agents]
    others = WarmupTask("other players", 45, agents=tuple(name for name in our_agents() if name not in known))
    rest = (*FAMILIES, SOLVING, HISTORIES, RING, NUMBERS, others, TABLES)
    return [ENGINE, *sorted(rest, key=lambda one: -one.kernels)]


def our_agents() -> list[str]:
    """Return the agents that come with HoldMem; kernels of other agents are not compiled here."""
    from holdmem.agent import registered

    return [name for name, entry in registered().items() if entry.build.__module__.startswith("holdmem.")]


def matches_of(agent: str) -> Iterator[str]:
    """Yield matches of a few hands of each game that an agent plays: at many tables, and at one."""
    for game in ("limit", "nolimit"):
        if sits(agent, game, 2):
            yield f"match {agent} random --game {game} --hands 40 --no-ledger"
            yield f"match {agent} megabot --game {game} --hands 2 --no-ledger"
        if sits(agent, game, 3):
            yield f"match {agent} random random --game {game} --hands 8 --no-ledger"
            yield f"match {agent} megabot random --game {game} --hands 1 --no-ledger"


def sits(agent: str, game: str, seats: int) -> bool:
    """Return whether an agent plays this game."""
    from holdmem.agent import make_agent
    from holdmem.core.errors import AgentError
    from holdmem.core.random import Streams
    from holdmem.engine import find_game

    try:
        make_agent(agent).sit(find_game(game, seats), 1, Streams(0))
    except AgentError:
        return False
    return True
