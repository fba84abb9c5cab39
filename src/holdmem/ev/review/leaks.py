"""Find the situation classes whose cost is more than chance, with false-discovery control.

The cost of a decision is the reference's expected value less that of the action taken. A class is tested by
the sums of its costs by hand: hands are independent, decisions of one hand are not. The p-values of all
classes that were met often enough are compared by Benjamini and Hochberg (1995). Classes of different
families overlap; of those that are found, the clearest comes first, and another only counts if what is left
of it outside those already listed is clear by itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from holdmem.core.statistics import NORMAL, Estimate
from holdmem.core.types import Flags, Floats, Ints
from holdmem.ev.review.situations import FAMILIES
from holdmem.ev.review.units import KINDS, Columns

LEVEL = 0.05
"""Share of false discoveries that is accepted."""
FEWEST = 40
"""Hands with a decision of the class from which it is tested."""
TYPICAL = 3


@dataclass(frozen=True, eq=False)
class Leak:
    """A situation class in which a player departs from the reference.

    Attributes
    ----------
    name : the situation in words.
    family : the family of classes.
    decisions, hands : how often it was met.
    cost : cost in big blinds per 100 hands of the review, with its interval; negative where the player does
        better than the reference.
    p : two-sided p-value of a cost of zero.
    habit : what is done too often or too rarely, in words.
    kind, more : that action, as an index into `KINDS`, and whether the player takes it more often.
    often, reference : share of that action, and the share that the reference gives to it.
    examples : places of typical decisions.
    """

    name: str
    family: str
    decisions: int
    hands: int
    cost: Estimate
    p: float
    habit: str
    kind: int
    more: bool
    often: float
    reference: float
    examples: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            "situation": self.name,
            "family": self.family,
            "decisions": self.decisions,
            "hands": self.hands,
            "cost": self.cost.as_json(),
            "p": self.p,
            "habit": self.habit,
            "share": self.often,
            "reference_share": self.reference,
        }


@dataclass(frozen=True, eq=False)
class LeakTest:
    """What was found: leaks, strengths, differences of style, and classes that are open."""

    leaks: tuple[Leak, ...]
    strengths: tuple[Leak, ...]
    style: tuple[Leak, ...]
    open: tuple[Leak, ...]
    tested: int


def per_100(values: Floats, hand: Ints, hands: int) -> Estimate:
    """Return the sum of values of decisions per 100 hands, with an interval over hands."""
    by_hand = np.bincount(hand, weights=values, minlength=hands)
    mean = float(by_hand.mean())
    met = len(np.unique(hand[values != 0])) if len(values) else 0
    error = float(by_hand.std(ddof=1) / np.sqrt(hands)) if hands > 1 else np.inf
    reach = float(stdtrit(max(met - 1, 1), 0.975)) * error
    return Estimate(100 * mean, 100 * error, 100 * (mean - reach), 100 * (mean + reach), "bb/100", met)


def _p_value(found: Estimate) -> float:
    if not found.standard_error:
        return 1.0
    return float(2 * stdtr(max(found.samples - 1, 1), -abs(found.mean) / found.standard_error))


def benjamini_hochberg(p: Floats, level: float = LEVEL) -> Flags:
    """Return which hypotheses are rejected with this false-discovery rate (Benjamini and Hochberg 1995)."""
    order = np.argsort(p, kind="stable")
    below = p[order] <= level * np.arange(1, len(p) + 1) / max(len(p), 1)
    found = np.zeros(len(p), dtype=np.bool_)
    if below.any():
        found[order[: int(np.flatnonzero(below)[-1]) + 1]] = True
    return found


def find_leaks(columns: Columns, hands: int) -> LeakTest:
    """Test all classes of all families."""
    masks = _masks(columns)
    found = [_leak(columns, family, name, mask, hands) for (family, name), mask in masks.items()]
    rejected = benjamini_hochberg(np.array([one.p for one in found]))
    clear = [(one, mask) for one, mask, is_so in zip(found, masks.values(), rejected, strict=True) if is_so]
    kept = _apart(columns, clear, hands)
    leaks = sorted((one for one in kept if one.cost.mean > 0), key=lambda one: -one.cost.mean)
    better = sorted((one for one in kept if one.cost.mean < 0), key=lambda one: one.cost.mean)
    rest = [one for one, is_so in zip(found, rejected, strict=True) if not is_so]
    style = _style(columns, rest, masks, hands)
    undecided = sorted((one for one in rest if one.cost.mean > 0), key=lambda one: one.p)
    return LeakTest(tuple(leaks), tuple(better), tuple(style), tuple(undecided[:3]), len(found))


def _masks(columns: Columns) -> dict[tuple[str, str], Flags]:
    found = {}
    for family in FAMILIES:
        names, index = np.unique(np.array(columns[family]), return_inverse=True)
        for place, name in enumerate(names.tolist()):
            mask = index == place
            if len(np.unique(columns["hand"][mask])) >= FEWEST:
                found[family, str(name)] = mask
    return found


def _leak(columns: Columns, family: str, name: str, mask: Flags, hands: int) -> Leak:
    cost = per_100(columns["cost"][mask], columns["hand"][mask], hands)
    by_kind, often = columns["by_kind"][mask], columns["often"][mask]
    sums = by_kind.sum(axis=0)
    kind = int(sums.argmax() if cost.mean > 0 else sums.argmin())
    share = float((columns["kind"][mask] == kind).mean())
    departs = float(often[:, kind].mean())
    return Leak(
        name=name,
        family=family,
        decisions=int(mask.sum()),
        hands=len(np.unique(columns["hand"][mask])),
        cost=cost,
        p=_p_value(cost),
        habit=f"{KINDS[kind]} {_way(cost.mean > 0, departs > 0)}",
        kind=kind,
        more=departs > 0,
        often=share,
        reference=share - departs,
        examples=_typical(columns, mask, kind, departs > 0),
    )


def _way(costs: bool, more: bool) -> str:
    if costs:
        return "too often" if more else "too rarely"
    return "more often" if more else "less often"


def _typical(columns: Columns, mask: Flags, kind: int, too_often: bool) -> tuple[int, ...]:
    """Return decisions of the class in which the habit shows, nearest to the mean of those that cost."""
    shows = (columns["kind"] == kind) if too_often else (columns["kind"] != kind)
    places = np.flatnonzero(mask & shows & (columns["cost"] > NORMAL * columns["cost_error"]))
    if not len(places):
        places = np.flatnonzero(mask & shows & (columns["cost"] > 0))
    away = np.abs(columns["cost"][places] - columns["cost"][places].mean()) if len(places) else places
    return tuple(places[np.argsort(away, kind="stable")[:TYPICAL]].tolist())


def _apart(columns: Columns, clear: list[tuple[Leak, Flags]], hands: int) -> list[Leak]:
    """Return the classes that are clear by themselves, the clearest first."""
    left = sorted(clear, key=lambda one: (one[0].p, one[0].name))
    covered = np.zeros(len(columns["cost"]), dtype=np.bool_)
    kept = []
    for one, mask in left:
        rest = mask & ~covered
        found = per_100(columns["cost"][rest], columns["hand"][rest], hands)
        if (
            found.significant
            and np.sign(found.mean) == np.sign(one.cost.mean)
            and 2 * rest.sum() >= mask.sum()
        ):
            kept.append(one)
            covered |= mask
    return kept


def _style(columns: Columns, rest: list[Leak], masks: dict[tuple[str, str], Flags], hands: int) -> list[Leak]:
    """Return classes whose frequencies differ from the reference's, but whose cost is not clear."""
    found = []
    for one in rest:
        if one.family != FAMILIES[0]:
            continue
        mask = masks[one.family, one.name]
        tests = [per_100(columns["often"][mask][:, k], columns["hand"][mask], hands) for k in range(3)]
        found.append((min(1.0, 3 * min(_p_value(test) for test in tests)), one))  # Bonferroni over three
    rejected = benjamini_hochberg(np.array([p for p, _ in found], dtype=np.float64))
    chosen = [(p, one) for (p, one), is_so in zip(found, rejected, strict=True) if is_so]
    return [one for _, one in sorted(chosen, key=lambda each: each[0])]
