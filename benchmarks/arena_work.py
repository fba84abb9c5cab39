"""How fast the arena plays on one core, with statistics and ledger: hands a second."""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdmem import Game, Ledger, find_game, match

BARS = {
    "random_against_always_call": 500_000,
    "six_seats_no_limit": 100_000,
    "bots_heads_up": 30_000,
}
"""Hands a second that are expected."""

MOST_OVERHEAD = 0.10
"""What a thousand short matches may cost beyond one long one."""

BOTS = """
from holdmem import CALL, FOLD, bot


@bot
def cautious(view, patience=4):
    if view.to_call * patience > view.pot:
        return FOLD
    if view.max_raise_to and view.random() < 0.2:
        return view.min_raise_to
    return CALL
"""


def hands_a_second(
    game: Game, *agents: str, runs: int = 3, clock: Callable[[], float] = time.perf_counter, **choices: Any
) -> float:
    """The best of several runs, each with other cards and a new ledger, after one that compiles.

    On a machine that others use, `time.process_time` as the clock counts only what this process was given.
    """
    match(game, *agents, hands=200)
    return max(_once(game, agents, clock, seed=seed, **choices) for seed in range(runs))


def _once(game: Game, agents: tuple[str, ...], clock: Callable[[], float], **choices: Any) -> float:
    with TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / "results.sqlite")
        start = clock()
        hands = match(game, *agents, ledger=ledger, **choices).hands
        return hands / (clock() - start)


def random_against_always_call(hands: int = 1_000_000, **how: Any) -> float:
    """Heads-up limit, `hands` in each direction."""
    return hands_a_second(find_game("limit"), "random", "always-call", hands=hands, **how)


def six_seats_no_limit(hands: int = 40_000, **how: Any) -> float:
    """Three random and three calling players, `hands` in each of six rotations."""
    return hands_a_second(find_game("nolimit", 6), *["random", "always-call"] * 3, hands=hands, **how)


def bots_heads_up(hands: int = 50_000, **how: Any) -> float:
    """Two players made by @bot, heads-up limit."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bots.py"
        file.write_text(BOTS)
        pair = (f"{file}:cautious", f"{file}:cautious:patience=3")
        return hands_a_second(find_game("limit"), *pair, hands=hands, **how)


def overhead_of_short_matches(matches: int = 1000, hands: int = 1000, runs: int = 3, **how: Any) -> float:
    """How much longer a thousand matches take than one with as many hands, as a share.

    The two take turns, so that whatever else the machine does meets both.
    """
    game, agents = find_game("limit"), ("random", "always-call")
    match(game, *agents, hands=200)
    clock = how.get("clock", time.perf_counter)
    short, long = 0.0, 0.0
    for seed in range(runs):
        short = max(short, _once(game, agents, clock, seed=seed, hands=hands, matches=matches))
        long = max(long, _once(game, agents, clock, seed=seed, hands=hands * matches))
    return long / short - 1


if __name__ == "__main__":
    for clock in (time.perf_counter, time.process_time):
        print(clock.__name__)
        for work in (random_against_always_call, six_seats_no_limit, bots_heads_up):
            print(f"  {work.__name__}: {work(clock=clock):,.0f} hands/s, expected {BARS[work.__name__]:,}")
        print(f"  overhead_of_short_matches: {overhead_of_short_matches(clock=clock):.1%}, at most 10%")
