"""Coverage of the intervals of values: signed differences of two actions beside exact values.

    python -m benchmarks.values --decisions 1000

Decisions come from several games, and none has a true difference of zero by construction:

river     heads-up rivers of limit and of no-limit with 20 big blinds among clones, enumerated
all-in    calls of all-ins before and on the flop, heads-up, against a range: exact equities
call      heads-up limit against always-call, hero calls on: the exact equity of every street
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.stats import t as student

import holdmem as hm
from holdmem.agent import Views, hand_ids, play
from holdmem.cards import names
from holdmem.core.statistics import share
from holdmem.ev import (
    Moments,
    Precision,
    RolloutModels,
    Spots,
    candidates_at,
    model_of,
    named_player,
    ranges_at,
    value_actions,
)
from holdmem.ev.exact import enumerated
from holdmem.history import Hands, replay

Case = tuple[float, float, float, float]
"""Exact difference, estimated difference, standard error, half-width of the stated 95% interval."""
RNG = hm.Streams.of(2026, "coverage")
PARTS = 20
"""Times that hands are played for rivers at most."""


def decisions_of(game: hm.Game, agents: list[str], hands: int, seed: int) -> tuple[Views, np.ndarray]:
    """Return decisions and actions of hands played by agents."""
    rng = hm.Streams.of(seed)
    seats = [hm.make_agent(name).sit(game, hands, rng) for name in agents]
    played = play(game, seats, rng.decks(hand_ids(hands), game.deck_cards))
    found = next(iter(replay(Hands.of(played, list("abcdefghij")[: game.seats]))))
    return found.views, found.actions


def river_cases(game: hm.Game, agents: list[str], count: int, samples: int, seed: int) -> Iterator[Case]:
    """Compare checks or calls with the reference's likeliest raise on rivers, until there are `count`."""
    done = 0
    for part in range(PARTS):
        for case in _rivers(game, agents, count, samples, seed + 1000 * part):
            if done == count:
                return
            done += 1
            yield case


def _rivers(game: hm.Game, agents: list[str], count: int, samples: int, seed: int) -> Iterator[Case]:
    """Yield the cases of the rivers in some hands; those with too many sequences have no exact value."""
    views, _ = decisions_of(game, agents, 40 * count, seed)
    river = np.flatnonzero((views.street == 3) & (views.max_raise_to > 0))[: count + count // 4]
    spots = Spots.of(views[river])
    model = model_of(named_player("population").player, game, RNG)
    found = candidates_at(spots.views, model.policy(spots.views), np.zeros(len(river), dtype=np.int64))
    table = RolloutModels(model, model)
    sums = value_actions(spots, found, table, model, Precision(first=samples, most=samples), RNG.spawn(seed))
    for i in range(len(spots)):
        alone = np.array([i])
        codes = found.codes[i, [1, 3]]
        exact = enumerated(spots[alone], ranges_at(spots[alone], model), codes, table)
        if exact is not None:
            yield (float(exact[1] - exact[0]), *_difference(sums, i, 1, 3))


def _difference(sums: Moments, i: int, one: int, other: int) -> tuple[float, float, float]:
    whole = sums.whole
    factors = np.zeros((len(whole.weight), 1, whole.first.shape[2]))
    factors[i, 0, [one, other]] = -1, 1
    mean, variance = whole.combined(factors)
    error = float(np.sqrt(variance[i, 0]))
    return float(mean[i, 0]), error, error * float(student.ppf(0.975, sums.effective[i] - 1))


def calling_cases(count: int, samples: int, seed: int) -> Iterator[Case]:
    """Compare raising with checking or calling against always-call, both calling on to the end."""
    game = hm.find_game("limit")
    views, _ = decisions_of(game, ["random", "always-call"], count, seed)
    mine = np.flatnonzero((views.max_raise_to > 0) & (views.seat == 0) & (views.street > 0))[:count]
    spots = Spots.of(views[mine])
    always = model_of(hm.make_agent("always-call"), game, RNG)
    found = candidates_at(spots.views, always.policy(spots.views), np.zeros(len(mine), dtype=np.int64))
    precision = Precision(first=samples, most=samples)
    sums = value_actions(spots, found, RolloutModels(always, always), always, precision, RNG.spawn(seed))
    for i in range(len(spots)):
        view = spots.views[i]
        board = "".join(names(view.board))
        equity = float(hm.equity(names(view.hole), "random", board=board).equity[0])
        more = int(found.codes[i, 3]) - view.highest
        yield (2 * more * equity - more, *_difference(sums, i, 1, 3))


def all_in_cases(count: int, samples: int, seed: int) -> Iterator[Case]:
    """Compare calling an all-in with folding: the exact equity against the caller's range."""
    game = replace(hm.find_game("nolimit"), stacks=(2000, 2000))
    model = model_of(hm.make_agent("always-call"), game, RNG)
    rng = np.random.default_rng(seed)
    for number in range(count):
        cards = rng.choice(52, 5, replace=False)
        hole, board = names(cards[:2].tolist()), names(cards[2:].tolist())
        betting, shown = ("r2000", "") if number % 2 else ("cc/r1900", board)
        spot = hm.Situation(hole=hole, board=shown, betting=betting, game=game)
        spots = Spots.of(spot.views, np.array([number]))
        found = candidates_at(spots.views, model.policy(spots.views), np.zeros(1, dtype=np.int64))
        precision = Precision(first=samples, most=samples)
        sums = value_actions(spots, found, RolloutModels(model, model), model, precision, RNG.spawn(seed))
        equity = float(hm.equity(hole, "random", board=shown).equity[0])
        view = spot.view
        yield (equity * (view.pot + view.to_call) - view.to_call, *_difference(sums, 0, 0, 1))


def main() -> None:
    """Print the share of exact differences inside the stated 95% intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    quarter, few = asked.decisions * 3 // 10, asked.decisions // 10
    limit = hm.find_game("limit")
    short = replace(hm.find_game("nolimit"), stacks=(2000, 2000))
    kinds = {
        "river, limit": river_cases(limit, ["clone"] * 2, quarter, asked.samples, asked.seed),
        "river, no-limit, 20 bb": river_cases(short, ["clone"] * 2, few, asked.samples, asked.seed + 1),
        "against always-call": calling_cases(quarter, asked.samples, asked.seed + 2),
        "all-in": all_in_cases(quarter, asked.samples, asked.seed + 3),
    }
    every: list[Case] = []
    for name, cases in kinds.items():
        told = list(cases)
        every += told
        report(name, told)
    report("all", every)


def report(name: str, cases: list[Case]) -> None:
    """Print the coverage of some cases."""
    exact, mean, error, reach = np.array(cases).T
    inside = np.abs(mean - exact) <= reach
    some = error > 0
    spread = ((mean - exact)[some] / error[some]).std()
    found = share(int(inside.sum()), len(cases))
    print(
        f"{name}: {inside.mean():.1%} of {len(cases)} inside ({found.low:.1%} to {found.high:.1%});"
        f" deviation of z {spread:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
