"""Styles of play for `benchmarks.people`: clusters of people, learned as if each were one person."""

from argparse import Namespace
from typing import Any

import numpy as np

from holdmem.people.imitate import remember_person
from holdmem.people.kernels.situations import FEATURES, RAISES
from holdmem.people.memory import write_person
from holdmem.people.observe import Observed
from holdmem.people.resemble import depth_habit

LEAST_HANDS = 300
LEAST_PEOPLE = 20
LEAST_SEATS = 4
"""Players dealt in from which hands count: heads-up everybody is loose."""
MOST_SHARE = 0.12
"""Largest share of a style's decisions that one person has."""
COLUMNS = ("VPIP", "PFR", "raise share", "3-bet", "AFq", "short stack")
ODDS, BETS, DEPTH = (FEATURES.index(name) for name in ("odds", "bets", "own_depth"))
SHORT = 7
"""Class of stacks below which a stack is short: 45 big blinds."""


def style_of(observed: Observed, people: np.ndarray) -> np.ndarray:
    """Return the statistics of people (people, columns)."""
    owner, before = observed.owner, observed.board < 0
    raised, paid = observed.action >= RAISES, (observed.action == 1) & (observed.features[:, ODDS] > 0)
    hands = np.zeros((len(observed), 2), dtype=bool)
    np.logical_or.at(hands[:, 0], owner[before & (raised | paid)], True)
    np.logical_or.at(hands[:, 1], owner[before & raised], True)
    facing = before & (observed.features[:, BETS] == 1)
    short = observed.features[observed.first[:-1], DEPTH] < SHORT
    rows = []
    for who in people.tolist():
        mine, acts = observed.player == who, observed.player[owner] == who
        vpip, pfr = hands[mine].mean(axis=0)
        after = acts & ~before
        bold, calls, folds = (after & one for one in (raised, paid, observed.action == 0))
        total = max(bold.sum() + calls.sum() + folds.sum(), 1)
        threes = raised[acts & facing]
        rows.append((vpip, pfr, pfr / max(vpip, 0.01), threes.mean() if len(threes) else 0.0,
                     bold.sum() / total, short[mine].mean()))  # fmt: skip
    return np.array(rows)


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


def name_of(style: np.ndarray) -> str:
    """Name a style by its statistics."""
    vpip, _, share, _, bold, short = style
    if short > 0.5:
        return f"{'tight' if vpip < 0.19 else 'aggressive'} short-stacker"
    if share < 0.55:
        return "calling station" if vpip > 0.28 else "passive"
    if vpip > 0.24:
        return "maniac" if vpip > 0.4 else "loose-aggressive"
    if bold < 0.47:
        return "tight-passive"
    return "nit" if vpip < 0.175 else "tight-aggressive"


def styles(study: Any, args: Namespace) -> dict[str, Any]:
    """Find styles on half of each person's early hands, and learn each from all early hands of its people."""
    observed = study.observed.keep(study.early)
    observed = observed.keep(observed.seats >= LEAST_SEATS)
    counts = np.bincount(observed.player)
    people = np.flatnonzero(counts >= LEAST_HANDS)
    order = np.lexsort((observed.time, observed.player))
    rank = np.empty(len(order), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)])
    rank[order] = np.arange(len(order)) - starts[observed.player[order]]
    half = observed.keep((rank < counts[observed.player] / 2) & np.isin(observed.player, people))
    values = style_of(half, people)
    label = clusters(values, int(args.part.split("/")[0]))
    found = {}
    for one in range(label.max() + 1):
        members = people[label == one]
        hands = _capped(observed, members)
        style = values[label == one].mean(axis=0)
        name = name_of(style)
        decisions = np.bincount(hands.player[hands.owner], minlength=1)
        about = {
            "source": study.population.about["source"], "population": study.population.about["source"],
            "people": len(members), "hands": len(hands), "decisions": len(hands.action),
            "shown": int((hands.hole[:, 0] >= 0).sum()),
            "largest share": float(decisions.max() / decisions.sum()),
            "style": dict(zip(COLUMNS, style.round(4).tolist(), strict=True)), "depths": depth_habit(hands),
        }  # fmt: skip
        while name in found:
            name += " 2"
        style_file = study.folder / f"{name.replace(' ', '-')}.people"
        write_person(style_file, remember_person(study.population, hands, name, about))
        found[name] = {
            key: about[key] for key in ("people", "hands", "decisions", "shown", "largest share", "style")
        }
    np.savez(study.folder / "styles.npz", people=people, label=label, names=np.array(list(found)))
    return found


def _capped(observed: Observed, members: np.ndarray) -> Observed:
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
