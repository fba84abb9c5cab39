"""Clones at tables of the population for `benchmarks.people`, compared with the people themselves."""

from argparse import Namespace
from typing import Any

import numpy as np

from holdmem import Streams, hand_ids, play, read_hands
from holdmem.history import Hands, join
from holdmem.history.replay import by_game
from holdmem.history.stats import StatFilter, StatLine, count_statistics
from holdmem.people.memory import PersonMemory
from holdmem.players.clone import CloneSeat

STATISTICS = ("vpip", "pfr", "three_bet", "afq", "wtsd")
HANDS = 4000
"""Hands dealt to each clone, in the seats, games and stacks of the person's own held-out hands."""
LEAST = 10
"""Opportunities of the person from which a statistic is compared."""


def clones(study: Any, args: Namespace) -> dict[str, Any]:
    """Compare the statistics of clones, and of the population in their seats, with people's later hands."""
    from benchmarks.people import part_of  # noqa: PLC0415

    hands = read_hands(args.source).collect()
    names, lines = study.observed.players, []
    for who in part_of(study.people(2000), args.part).tolist():
        every = hands.with_player(names[who])
        every, late = every[np.isin(every.seats, (5, 6))], study.dealt["cut"][who]
        past, own = every[every.rows["time"] < late], every[every.rows["time"] >= late]
        real, before = _line(own, names[who]), _line(past, names[who])
        lines += [("itself before", name, *_compared(real, before, name)) for name in STATISTICS]
        for kind, person in (("clone", study.person(who)[0]), ("population", study.population)):
            found = _line(dealt_again(own, names[who], person, study.population, who), "clone")
            lines += [(kind, name, *_compared(real, found, name)) for name in STATISTICS]
    return summary(lines)


def dealt_again(own: Hands, name: str, person: PersonMemory, others: PersonMemory, seed: int) -> Hands:
    """Deal new cards to the seats, games and stacks of a person's hands, and let the clone play."""
    rng, blocks, number = Streams.of(seed), [], 0
    place = own.players.index(name)
    repeats = -(-HANDS // len(own))
    for game, places in by_game(own):
        rows = np.repeat(places, repeats)
        stacks = own.rows["stack"][rows][:, : game.seats]
        seat = (own.rows["player"][rows][:, : game.seats] == place).argmax(axis=1)
        lineup = 1 + (np.arange(game.seats) - seat[:, None]) % game.seats
        lineup = np.where(lineup == 1, 0, lineup - 1)
        where = hand_ids(len(rows), first_hand=number)
        number += len(rows)
        seats = [CloneSeat(person if k == 0 else others, rng.spawn("seat", k)) for k in range(game.seats)]
        done = play(game, seats, rng.decks(where, game.deck_cards), lineup=lineup, where=where, stacks=stacks)
        blocks.append(Hands.of(done, ("clone", *(f"other {k}" for k in range(1, game.seats)))))
    return join(blocks)


def _line(hands: Hands, name: str) -> StatLine:
    return next(iter(count_statistics([hands], ("player",), StatFilter(player=(name,)))))


def _compared(real: StatLine, found: StatLine, name: str) -> tuple[float, float, bool | None]:
    """Return both values, and whether the difference is within its 95% interval."""
    one, other = real.share(name), found.share(name)
    if one.opportunities < LEAST or other.opportunities < LEAST:
        return 0.0, 0.0, None
    p, q = float(one.value or 0), float(other.value or 0)
    # Agresti and Caffo (2000): two more successes and failures in all keep the interval right near 0 and 1.
    n, m = one.opportunities + 2, other.opportunities + 2
    p_, q_ = (p * (n - 2) + 1) / n, (q * (m - 2) + 1) / m
    error = 1.96 * np.sqrt(p_ * (1 - p_) / n + q_ * (1 - q_) / m)
    return p, q, bool(abs(p_ - q_) <= error)


def summary(lines: list[Any]) -> dict[str, Any]:
    """Return the share of statistics within their intervals, in all and by statistic."""
    found: dict[str, Any] = {}
    for kind in ("clone", "population", "itself before"):
        mine = [line for line in lines if line[0] == kind and line[4] is not None]
        by = {name: float(np.mean([line[4] for line in mine if line[1] == name])) for name in STATISTICS}
        found[kind] = {"pairs": len(mine), "within": float(np.mean([line[4] for line in mine])), **by}
        found[kind]["mean difference"] = {
            name: float(np.mean([line[3] - line[2] for line in mine if line[1] == name]))
            for name in STATISTICS
        }
    return found
