"""How many of twenty planted habits a review finds, and how many clean players it accuses.

    python -m benchmarks.leaks all                        everything, habit by habit; a second call goes on
    python -m benchmarks.leaks doses --hands 200000       what each habit costs, and the dose for 3 bb/100
    python -m benchmarks.leaks find --hands 20000         reviews of players with a habit
    python -m benchmarks.leaks clean --players 60         reviews of players without one

Every run appends one line of JSON per habit or player to `--output`, so that long runs can be made in parts
(`--only 0-4`). The reviewed player is the style `tight-aggressive` with or without a habit, and that style is
the reference. Even habits and players sit with the population, odd ones with calling stations and loose
aggressive players. The review learns a single model of the others from the hands.

`all` measures the dose and the cost of a habit by `--costs` hands, reviews a player with it and one without
any, and takes the next habit; then it reviews the other clean players. Its cards are those of `UNSEEN`, on
which nothing was tuned. What is in `--output` is not played again. `summary` prints what was found so far.

A habit counts as found if it is among the first three leaks: at least half of the decisions of a class
reported there are situations in which the habit applies.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import holdmem as hm
from benchmarks.leak_habits import BASE, HABITS, Seen, WithHabit
from holdmem.agent import hand_ids, play
from holdmem.core.statistics import share
from holdmem.engine.state import PARTS
from holdmem.ev.review import LeakReport
from holdmem.history import Hands, replay

GAME = hm.find_game("nolimit")
SEATS, BLIND = 6, 100
TABLES = (
    ("population",) * 5,
    ("calling-station", "loose-aggressive", "calling-station", "passive", "calling-station"),
)
"""Opponents of even and of odd habits and players."""
SEED = 26_000
UNSEEN = 31_415_000
"""Seed of `all`."""
WANTED = 3.0
"""Cost of a habit in bb per 100 hands that its dose aims at."""
MOST = 50_000
"""Hands played at once."""


def game_of(stacks: int) -> hm.Game:
    """Return six seats of no-limit."""
    blinds = (BLIND // 2, BLIND, *(0,) * (SEATS - 2))
    return replace(GAME, name="six", blinds=blinds, stacks=(stacks,) * SEATS, first=())


def play_hands(
    habit: int, dose: float, others: tuple[str, ...], hands: int, seed: int, first: int = 0
) -> Any:
    """Play hands with the player in every seat in turn; cards depend on seed and number alone."""
    stacks = HABITS[habit].stacks if habit >= 0 else 10_000
    game, rng = game_of(stacks), hm.Streams.of(seed, "leaks")
    agents = [WithHabit(habit, dose), *(hm.make_agent(f"clone:style={style}") for style in others)]
    seats = [agent.sit(game, hands, rng.spawn("player", number)) for number, agent in enumerate(agents)]
    ids = hand_ids(hands, first_hand=first)
    lineup = (np.arange(SEATS)[None] + np.arange(first, first + hands)[:, None]) % SEATS
    return play(game, seats, rng.decks(ids, game.deck_cards), lineup=lineup, where=ids)


def result(habit: int, dose: float, others: tuple[str, ...], hands: int, seed: int) -> np.ndarray:
    """Return the player's result in every hand, in big blinds."""
    parts = []
    for first in range(0, hands, MOST):
        played = play_hands(habit, dose, others, min(MOST, hands - first), seed, first)
        parts.append(played.by_player(SEATS)[:, 0] / (PARTS * BLIND))
    return np.concatenate(parts)


def cost_of_habit(habit: int, dose: float, hands: int, seed: int) -> tuple[float, float]:
    """Return what a habit costs in bb/100 on the same cards, and the half-width of its 95% interval."""
    others = TABLES[habit % 2]
    usual = result(habit, 0.0, others, hands, seed)
    change = usual - result(habit, dose, others, hands, seed)
    return 100 * float(change.mean()), 196 * float(change.std() / np.sqrt(hands))


def doses(hands: int, only: range) -> Iterator[dict[str, Any]]:
    """Measure the full habits, and again with the dose that should cost `WANTED`."""
    for habit in only:
        full, error = cost_of_habit(habit, 1.0, hands, SEED)
        dose = round(min(1.0, WANTED / full), 3) if full > 0 else 1.0
        yield {"habit": HABITS[habit].name, "full": full, "full_reach": error, "dose": dose}


def dose_and_cost(habit: int, hands: int, seed: int) -> dict[str, Any]:
    """Measure a full habit, choose its dose, and measure what that costs, all on the same cards."""
    others = TABLES[habit % 2]
    usual = result(habit, 0.0, others, hands, seed)
    full, full_reach = _cost(usual - result(habit, 1.0, others, hands, seed))
    dose = round(min(1.0, WANTED / full), 3) if full > 0 else 1.0
    cost, reach = _cost(usual - result(habit, dose, others, hands, seed)) if dose < 1 else (full, full_reach)
    return {"full": full, "full_reach": full_reach, "dose": dose, "cost": cost, "reach": reach, "of": hands}


def _cost(change: np.ndarray) -> tuple[float, float]:
    return 100 * float(change.mean()), 196 * float(change.std() / np.sqrt(len(change)))


def all_of(asked: argparse.Namespace, told: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what is missing of the whole experiment, habit by habit."""
    habits = {line["habit"]: line for line in told if "place" in line}
    players = {line["player"] for line in told if "player" in line}
    for number in range(max(len(HABITS), asked.players)):
        if number < len(HABITS) and HABITS[number].name not in habits:
            measured = dose_and_cost(number, asked.costs, UNSEEN + number)
            seed = UNSEEN + 100 + number
            yield find_one(number, measured["dose"], asked.hands, seed, asked.samples) | measured
        if number < asked.players and number not in players:
            yield clean_one(number, asked.hands, UNSEEN + 1000 + number, asked.samples)


def summary(told: list[dict[str, Any]]) -> None:
    """Print every habit, and how many were found and how many clean players were accused."""
    habits = [line for line in told if "place" in line]
    for line in habits:
        cost = f"{line['cost']:+.1f} ± {line['reach']:.1f} bb/100" if "cost" in line else "not measured"
        first = f"{line['leaks'][0][0]}: {line['leaks'][0][1]}" if line["leaks"] else "no leak"
        print(
            f"{line['habit']}: dose {line['dose']}, {cost}, met {line['met']:,},"
            f" place {line['place']}; {first}"
        )
    clean = [line for line in told if "player" in line]
    for name, some, good in (
        ("habits found among the first three", habits, [line for line in habits if line["place"]]),
        ("clean players with a leak", clean, [line for line in clean if line["leaks"]]),
    ):
        if some:
            found = share(len(good), len(some))
            print(
                f"{name}: {len(good)} of {len(some)}, {found.value:.0%} ({found.low:.0%} to {found.high:.0%})"
            )


def review_of(habit: int, dose: float, hands: int, seed: int, samples: int, others: tuple[str, ...]) -> Any:
    """Play hands and review them; return the review and its CPU seconds."""
    finished = play_hands(habit, dose, others, hands, seed)
    recorded = Hands.of(finished, ["me", *(f"{style} {k}" for k, style in enumerate(others))])
    begin = process_time()
    found = hm.find_leaks(recorded, "me", reference=BASE, samples=samples, again=0, seed=seed)
    return found, process_time() - begin


def applies(found: LeakReport, habit: int) -> np.ndarray:
    """Return at which decisions of a review the habit applies."""
    decisions = next(iter(replay(found.hands)))
    mine = np.flatnonzero(decisions.player == found.hands.players.index("me"))
    fires = HABITS[habit].trigger(Seen(decisions.views[mine]))
    where = {
        (int(hand), int(action)): bool(is_so)
        for hand, action, is_so in zip(
            decisions.hand[mine], decisions.views.actions[mine], fires, strict=True
        )
    }
    keys = zip(found.columns["hand"].tolist(), found.columns["action"].tolist(), strict=True)
    return np.array([where[key] for key in keys])


def find_one(habit: int, dose: float, hands: int, seed: int, samples: int) -> dict[str, Any]:
    """Review a player with a habit; `place` is that of the leak by which it is found, or 0."""
    found, seconds = review_of(habit, dose, hands, seed, samples, TABLES[habit % 2])
    fires, place = applies(found, habit), 0
    for rank, leak in enumerate(found.leaks[:3], 1):
        mask = np.array(found.columns[leak.family]) == leak.name
        if not place and fires[mask].mean() >= 0.5:
            place = rank
    return {
        "habit": HABITS[habit].name, "dose": dose, "met": int(fires.sum()), "place": place,
        "seconds": seconds,
        "leaks": [(one.name, one.habit, one.cost.mean, one.p) for one in found.leaks],
    }  # fmt: skip


def clean_one(player: int, hands: int, seed: int, samples: int) -> dict[str, Any]:
    """Review a player without a habit."""
    found, seconds = review_of(-1, 0.0, hands, seed, samples, TABLES[player % 2])
    leaks = [(one.name, one.habit, one.cost.mean, one.p) for one in found.leaks]
    return {"player": player, "leaks": leaks, "cost": found.cost.as_json(), "seconds": seconds}


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("all", "summary", "doses", "find", "clean"))
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--costs", type=int, default=1_000_000, help="hands by which `all` measures costs")
    parser.add_argument("--only", default="", help="numbers of habits or players, such as 0-4")
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--output", type=Path, default=Path("build/leaks.jsonl"))
    asked = parser.parse_args()
    count = asked.players if asked.what == "clean" else len(HABITS)
    first, last = map(int, asked.only.split("-")) if asked.only else (0, count - 1)
    only = range(first, last + 1)
    told = (
        [json.loads(line) for line in asked.output.read_text(encoding="utf-8").splitlines()]
        if asked.output.exists()
        else []
    )
    chosen = {line["habit"]: line["dose"] for line in told if "full" in line}
    if asked.what == "summary":
        summary(told)
        return
    runs = {
        "all": lambda: all_of(asked, told),
        "doses": lambda: doses(asked.hands, only),
        "find": lambda: (
            find_one(k, chosen.get(HABITS[k].name, 1.0), asked.hands, SEED + 100 + k, asked.samples)
            for k in only
        ),
        "clean": lambda: (clean_one(k, asked.hands, SEED + 1000 + k, asked.samples) for k in only),
    }
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    for line in runs[asked.what]():
        with asked.output.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        print(json.dumps(line, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
