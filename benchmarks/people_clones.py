"""Clones at tables of the population for `benchmarks.people`, compared with the people themselves.

Results are kept per person in WORK, by the number of hands dealt, so that a run goes on where it was stopped
and `--part` adds to earlier parts.
"""

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from holdmem import Streams, read_hands
from holdmem.agent import hand_ids, play
from holdmem.history import Hands
from holdmem.history.replay import by_game
from holdmem.history.stats import StatFilter, StatLine, count_statistics
from holdmem.people.memory import PersonMemory
from holdmem.players.clone import CloneSeat

STATISTICS = ("vpip", "pfr", "three_bet", "afq", "wtsd")
LEAST = 10
"""Opportunities of the person from which a statistic is compared."""
BATCH = 8192
"""Hands played at once."""
KINDS = ("clone", "population", "itself before")


def clones(study: Any, args: Namespace) -> dict[str, Any]:
    """Compare the statistics of clones, and of the population in their seats, with people's later hands.

    People are taken in random order (seed 0), so that every part is a random sample of them.
    """
    from benchmarks.people import part_of  # noqa: PLC0415

    file = study.folder / f"clones-{args.hands}.json"
    lines = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    people = np.random.default_rng(0).permutation(study.people(2000))
    left = [who for who in part_of(people, args.part).tolist() if str(who) not in lines]
    hands = read_hands(args.source).collect() if left else None
    for who in left:
        lines[str(who)] = _of_person(study, hands, who, args.hands)
        _write(file, lines)
    return {"people": len(lines), "hands": args.hands, **summary(list(lines.values()))}


def _write(file: Path, lines: dict[str, Any]) -> None:
    part = file.with_suffix(".part")
    part.write_text(json.dumps(lines), encoding="utf-8")
    part.replace(file)


def _of_person(study: Any, hands: Hands, who: int, count: int) -> list[Any]:
    name = study.observed.players[who]
    every = hands.with_player(name)
    every, late = every[np.isin(every.seats, (5, 6))], study.dealt["cut"][who]
    past, own = every[every.rows["time"] < late], every[every.rows["time"] >= late]
    real = _line([own], name)
    lines = {"itself before": _line([past], name)}
    for kind, person in (("clone", study.person(who)[0]), ("population", study.population)):
        lines[kind] = _line(dealt_again(own, name, person, study.population, who, count), "clone")
    return [
        (kind, statistic, *_compared(real, line, statistic))
        for kind, line in lines.items()
        for statistic in STATISTICS
    ]


def dealt_again(
    own: Hands, name: str, person: PersonMemory, others: PersonMemory, seed: int, count: int
) -> Iterator[Hands]:
    """Deal new cards to the seats, games and stacks of a person's hands, and let the clone play.

    Yields at least `count` hands, every one of the person's equally often.
    """
    rng, number = Streams.of(seed), 0
    place = own.players.index(name)
    repeats = -(-count // len(own))
    names = ("clone", *(f"other {k}" for k in range(1, 10)))
    for game, places in by_game(own):
        seats = [CloneSeat(person if k == 0 else others, rng.spawn("seat", k)) for k in range(game.seats)]
        every = np.repeat(places, repeats)
        for start in range(0, len(every), BATCH):
            rows = every[start : start + BATCH]
            where = hand_ids(len(rows), first_hand=number)
            number += len(rows)
            stacks = own.rows["stack"][rows][:, : game.seats]
            seat = (own.rows["player"][rows][:, : game.seats] == place).argmax(axis=1)
            decks, lineup = rng.decks(where, game.deck_cards), _lineup(seat, game.seats)
            done = play(game, seats, decks, lineup=lineup, where=where, stacks=stacks)
            yield Hands.of(done, names[: game.seats])


def _lineup(seat: np.ndarray, seats: int) -> np.ndarray:
    """Return who sits where: agent 0, the clone, in its seat of each hand, the others behind it."""
    return (np.arange(seats) - seat[:, None]) % seats


def _line(blocks: Iterable[Hands], name: str) -> StatLine:
    return next(iter(count_statistics(blocks, ("player",), StatFilter(player=(name,)))))


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


def summary(people: list[list[Any]]) -> dict[str, Any]:
    """Return the share of statistics within their intervals, in all and by statistic, from a list per person.

    The 95% interval of the whole share takes people as the sample.
    """
    found: dict[str, Any] = {}
    for kind in KINDS:
        each = [[line for line in one if line[0] == kind and line[4] is not None] for one in people]
        mine = [line for one in each for line in one]
        by = {name: float(np.mean([line[4] for line in mine if line[1] == name])) for name in STATISTICS}
        sums = np.array([(len(one), sum(line[4] for line in one)) for one in each])
        found[kind] = {"pairs": len(mine), **_share_of(*sums.T), **by}
        found[kind]["mean difference"] = {
            name: float(np.mean([line[3] - line[2] for line in mine if line[1] == name]))
            for name in STATISTICS
        }
    return found


def _share_of(pairs: np.ndarray, within: np.ndarray) -> dict[str, float]:
    """Return the share of pairs within and its interval over people."""
    share, n = within.sum() / pairs.sum(), len(pairs)
    spread = np.sqrt(n / max(n - 1, 1) * ((within - share * pairs) ** 2).sum()) / pairs.sum()
    return {"within": float(share), "error": float(1.96 * spread)}
