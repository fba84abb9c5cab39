"""Styles of play for `benchmarks.people`: clusters of people, learned as if each were one person."""

from argparse import Namespace
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t

from holdmem import read_hands
from holdmem.engine.state import PARTS
from holdmem.history import Hands
from holdmem.history.stats.count import count_hands
from holdmem.history.stats.kernels.count import ADJUSTED, ALL_INS, COUNTERS
from holdmem.people.imitate import remember_person
from holdmem.people.kernels.situations import FEATURES, RAISES
from holdmem.people.memory import write_person
from holdmem.people.observe import Observations
from holdmem.people.resemble import depth_habit

HANDS = COUNTERS.index("hands")
LEAST_HANDS = 300
LEAST_PEOPLE = 20
LEAST_SEATS = 4
"""Players dealt in from which hands count: heads-up everybody is loose."""
MOST_SHARE = 0.12
"""Largest share of a style's decisions that one person has."""
COLUMNS = ("VPIP", "PFR", "raise share", "3-bet", "AFq", "short stack")
ODDS, BETS, DEPTH = (FEATURES.index(name) for name in ("odds", "bets", "own_depth"))
NIT = 0.16
"""VPIP below which people are nits."""
SHORT = 7
"""Class of stacks below which a stack is short: 45 big blinds."""


def style_of(observed: Observations, people: np.ndarray) -> np.ndarray:
    """Return the statistics of people (people, columns)."""
    owner, before = observed.owner, observed.board < 0
    raised, paid = observed.action >= RAISES, (observed.action == 1) & (observed.features[:, ODDS] > 0)
    hands = np.zeros((len(observed), 2), dtype=bool)
    np.logical_or.at(hands[:, 0], owner[before & (raised | paid)], True)
    np.logical_or.at(hands[:, 1], owner[before & raised], True)
    facing = before & (observed.features[:, BETS] == 1)
    short = observed.features[observed.first[:-1], DEPTH] < SHORT
    actor, most = observed.player[owner], len(observed.players)

    def count(players: np.ndarray, which: np.ndarray) -> np.ndarray:
        return np.bincount(players[which], minlength=most)[people]

    dealt = count(observed.player, np.ones(len(observed), dtype=bool))
    vpip, pfr, shallow = (count(observed.player, one) / dealt for one in (*hands.T, short))
    bold = count(actor, ~before & raised)
    total = count(actor, ~before & (raised | paid | (observed.action == 0)))
    threes = count(actor, facing & raised) / np.maximum(count(actor, facing), 1)
    columns = (vpip, pfr, pfr / np.maximum(vpip, 0.01), threes, bold / np.maximum(total, 1), shallow)
    return np.column_stack(columns)


def clusters(values: np.ndarray, count: int, seed: int = 3) -> np.ndarray:
    """Return the cluster of each row by k-means on standardised values, the best of 50 starts with room."""
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)
    rng, best, found = np.random.default_rng(seed), np.inf, np.zeros(len(values), dtype=int)
    for _ in range(50):
        centres = scaled[rng.choice(len(scaled), count, replace=False)]
        for _ in range(60):
            label = ((scaled[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
            centres = np.array(
                [scaled[label == k].mean(axis=0) if (label == k).any() else centres[k] for k in range(count)]
            )
        spread = ((scaled - centres[label]) ** 2).sum()
        if spread < best and np.bincount(label, minlength=count).min() >= LEAST_PEOPLE:
            best, found = spread, label
    return found


def name_of(style: np.ndarray, loose: float) -> str:
    """Name a style by its statistics; who raises and has a VPIP above `loose` is loose-aggressive."""
    vpip, _, share, _, bold, short = style
    if short > 0.5:
        return f"{'tight' if vpip < 0.19 else 'aggressive'} short-stacker"
    if share < 0.55:
        return "calling station" if vpip > 0.28 else "passive"
    if vpip > loose:
        return "maniac" if vpip > 0.4 else "loose-aggressive"
    if vpip < NIT:
        return "nit"
    return "tight-passive" if bold < 0.47 else "tight-aggressive"


@dataclass(frozen=True)
class Found:
    """Styles found on half of everybody's early hands.

    Attributes
    ----------
    people, label : the people and their clusters.
    values : the statistics of the people in that half, by `COLUMNS`.
    until : time of each person's last hand in that half.
    loose : see `name_of`.
    """

    people: np.ndarray
    label: np.ndarray
    values: np.ndarray
    until: np.ndarray
    loose: float

    def names(self) -> list[str]:
        """Return the clusters' names, by their mean statistics."""
        found: list[str] = []
        for one in range(self.label.max() + 1):
            name = name_of(self.values[self.label == one].mean(axis=0), self.loose)
            while name in found:
                name += " 2"
            found.append(name)
        return found


def find_styles(study: Any) -> Found:
    """Find styles on the first half of each person's early hands at tables of four to nine."""
    observed = study.observed.keep(study.early & (study.observed.seats >= LEAST_SEATS))
    counts = np.bincount(observed.player, minlength=len(observed.players))
    people = np.flatnonzero(counts >= LEAST_HANDS)
    order = np.lexsort((observed.time, observed.player))
    rank = np.empty(len(order), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)])
    rank[order] = np.arange(len(order)) - starts[observed.player[order]]
    half = observed.keep((rank < counts[observed.player] / 2) & np.isin(observed.player, people))
    values = style_of(half, people)
    until = np.zeros(len(observed.players), dtype=np.int64)
    np.maximum.at(until, half.player, half.time)
    stakes = study.stakes
    return Found(people, clusters(values, stakes.styles), values, until[people], stakes.loose)


def styles(study: Any, args: Namespace) -> dict[str, Any]:
    """Find styles on half of each person's early hands, and learn each from all early hands of its people."""
    observed = study.observed.keep(study.early & (study.observed.seats >= LEAST_SEATS))
    chosen, found, stakes = find_styles(study), {}, study.stakes
    names = chosen.names()
    for one, name in enumerate(names):
        members = chosen.people[chosen.label == one]
        hands = _capped(observed, members)
        style = chosen.values[chosen.label == one].mean(axis=0)
        decisions = np.bincount(hands.player[hands.owner], minlength=1)
        about = {
            "source": study.population.about["source"], "population": study.population.about["source"],
            "people": len(members), "hands": len(hands), "decisions": len(hands.action),
            "shown": int((hands.hole[:, 0] >= 0).sum()),
            "largest share": float(decisions.max() / decisions.sum()),
            "style": dict(zip(COLUMNS, style.round(4).tolist(), strict=True)), "depths": depth_habit(hands),
        }  # fmt: skip
        style_file = study.folder / f"{stakes.prefix}{name.replace(' ', '-')}.people"
        called = f"{name} at small stakes" if stakes.prefix else name
        person = remember_person(study.population, hands, called, about)
        write_person(style_file, person, stakes.compact)
        found[name] = {
            key: about[key] for key in ("people", "hands", "decisions", "shown", "largest share", "style")
        }
    np.savez(study.folder / "styles.npz", people=chosen.people, label=chosen.label, names=np.array(names))
    return found


def style_wins(study: Any, args: Namespace) -> dict[str, Any]:
    """Measure what the people of each style won in the hands after those that named the style.

    In big blinds per 100 hands at tables of four to nine, as they were won and adjusted for all-ins. Rake is
    deducted only where the source records winnings.
    """
    chosen = find_styles(study)
    sums = np.zeros((len(chosen.people), 5))
    places = {study.observed.players[who]: place for place, who in enumerate(chosen.people)}
    for block in read_hands(args.source):
        _add_winnings(sums, block, places, chosen.until)
    return {
        name: {"people": int((chosen.label == one).sum()), **win_rates(sums[chosen.label == one])}
        for one, name in enumerate(chosen.names())
    }


def _add_winnings(sums: np.ndarray, block: Hands, places: dict[str, int], until: np.ndarray) -> None:
    """Add by person: hands, all-ins, those with all cards known, big blinds won, and the same adjusted."""
    seats, rows = count_hands(block), block.rows
    place = np.array([places.get(name, -1) for name in block.players])
    who = place[rows["player"][seats.hand, seats.seat]]
    kept = (who >= 0) & seats.known & (block.seats[seats.hand] >= LEAST_SEATS)
    kept &= rows["time"][seats.hand] > until[who]
    blinds = np.array([terms.game.big_blind for terms in block.terms])[rows["terms"][seats.hand]] * PARTS
    counts = seats.counts[:, [HANDS, ALL_INS, ADJUSTED]]
    won = np.column_stack([counts, seats.net / blinds, seats.adjusted / blinds])
    np.add.at(sums, who[kept], won[kept])


def win_rates(sums: np.ndarray) -> dict[str, Any]:
    """Return winnings per 100 hands with 95% intervals, from one row per person as `_add_winnings` counts.

    The rate is that of all hands together. Its interval takes people as the sample, since hands of one person
    are alike: the linearised variance of a ratio (Cochran 1977, section 6.4), with Student's t.
    """
    hands, all_ins, seen, *money = sums[sums[:, 0] > 0].T
    found: dict[str, Any] = {
        "hands": int(hands.sum()), "largest share": float(hands.max() / hands.sum()),
        "all-ins": int(all_ins.sum()), "with all cards known": int(seen.sum()),
    }  # fmt: skip
    for name, won in zip(("won", "adjusted"), money, strict=True):
        rate, n = won.sum() / hands.sum(), len(hands)
        spread = np.sqrt(n / (n - 1) * ((won - rate * hands) ** 2).sum()) / hands.sum()
        found[name] = {"bb/100": float(100 * rate), "error": float(100 * t.ppf(0.975, n - 1) * spread)}
    return found


def _capped(observed: Observations, members: np.ndarray) -> Observations:
    """Return the first hands of the members, so that nobody has more than the largest share of decisions."""
    mine = observed.keep(np.isin(observed.player, members))
    lengths = np.diff(mine.first)
    totals = np.bincount(mine.player, lengths)
    cap = totals.max()
    while cap > MOST_SHARE * np.minimum(totals, cap).sum():
        cap *= 0.95
    order = np.lexsort((mine.time, mine.player))
    done = np.cumsum(lengths[order])
    before = np.concatenate([[0], np.cumsum(totals)])[mine.player[order]]
    kept = np.zeros(len(mine), dtype=bool)
    kept[order] = done - before <= cap
    return mine.keep(kept)
