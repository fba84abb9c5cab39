"""Work units of a review: some hands of a player, valued decision by decision.

How hands are cut into units depends on the hands alone, and the result of a unit on the unit alone, so that
any number of workers gives the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from holdmem.core.errors import AgentError
from holdmem.core.random import HAND_ID, Streams
from holdmem.core.types import Floats, Ints
from holdmem.ev.candidates import WIDTH, Candidates, candidates_at
from holdmem.ev.estimate import Precision, cost_of, differences, loss_of, value_actions
from holdmem.ev.moments import Moments
from holdmem.ev.players import NamedPlayer
from holdmem.ev.review.situations import classes_of_views
from holdmem.ev.rollouts import RolloutModels
from holdmem.ev.spots import Spots
from holdmem.history import Decisions, Hands, replay

HANDS = 250
"""Hands of a unit."""
PER_HAND = 256
"""Decisions of a hand that can be numbered."""
KINDS = ("fold", "check or call", "bet or raise")


@dataclass(frozen=True, eq=False)
class ReviewUnit:
    """Hands to review, and how."""

    number: int
    first: int
    """Place of the first hand in the review."""
    hands: Hands
    player: str
    reference: NamedPlayer
    others: NamedPlayer
    precision: Precision
    seed: int
    only: frozenset[tuple[int, int]] | None = None
    """Decisions to value, by place of the hand in the review and number of actions before; all by default."""
    purpose: str = "review by value"
    """Purpose of the random numbers: samples for another purpose are independent."""


Columns = dict[str, Any]
"""One entry per decision and column; see `_columns`."""


def cut(hands: Hands, size: int = HANDS) -> Iterator[tuple[int, Hands]]:
    """Cut hands into units; yield the place of the first hand and the hands of each."""
    for begin in range(0, len(hands), size):
        yield begin, hands[begin : begin + size].packed()


def review_unit(unit: ReviewUnit) -> Columns:
    """Value every decision of the player in a unit whose hole cards are known."""
    who = unit.hands.players.index(unit.player)
    parts = []
    for decisions in replay(unit.hands):
        rows = np.flatnonzero((decisions.player == who) & decisions.known)
        if unit.only is not None:
            hands, actions = unit.first + decisions.hand[rows], decisions.views.actions[rows]
            keys = zip(hands.tolist(), actions.tolist(), strict=True)
            rows = rows[np.array([key in unit.only for key in keys], dtype=np.bool_)]
        if len(rows):
            parts.append(_valued(unit, decisions, rows))
    return joined(parts)


def joined(parts: list[Columns]) -> Columns:
    """Return the columns of several units as one."""
    if not parts:
        return {}
    found: Columns = {}
    for name in parts[0]:
        columns = [part[name] for part in parts]
        found[name] = (
            [each for column in columns for each in column]
            if isinstance(columns[0], list)
            else np.concatenate(columns)
        )
    return found


def _valued(unit: ReviewUnit, decisions: Decisions, rows: Ints) -> Columns:
    views, taken = decisions.views[rows], decisions.actions[rows]
    game, rng = views.game, Streams.of(unit.seed, unit.purpose)
    hand = unit.first + decisions.hand[rows]
    spots = Spots.of(views, hand * PER_HAND + np.minimum(views.actions, PER_HAND - 1))
    try:
        reference = unit.reference.model(game, rng.spawn("reference"))
        others = unit.others.model(game, rng.spawn("others"))
    except AgentError as error:
        raise AgentError(f"{game.name}: {error}") from None
    candidates = candidates_at(views, reference.policy(views), taken, _numbers(spots, rng))
    sums = value_actions(spots, candidates, RolloutModels(reference, others), others, unit.precision, rng)
    found = _columns(spots, candidates, sums, unit.precision)
    found |= classes_of_views(views)
    return found | {"hand": hand, "action": views.actions.astype(np.int64)}


def _numbers(spots: Spots, rng: Streams) -> Floats:
    """Return a uniform number per decision, which draws one of the reference's rarer raises."""
    ids = np.zeros(len(spots), dtype=HAND_ID)
    ids["match"] = spots.number
    return rng.spawn("sizes").uniforms(ids, np.zeros(len(spots), dtype=np.int64))[:, 0]


def _columns(spots: Spots, candidates: Candidates, sums: Moments, precision: Precision) -> Columns:
    """Return the results by decision, in big blinds."""
    unit = spots.game.big_blind
    cost, cost_error = cost_of(sums, candidates)
    loss, loss_error, best = loss_of(sums, candidates)
    _, errors = differences(sums, candidates)
    means = sums.whole.means[:, 0]
    gain = means - (means * candidates.reference).sum(axis=1, keepdims=True)
    departs = candidates.reference - (candidates.chosen[:, None] == np.arange(WIDTH))
    kinds = np.minimum(np.arange(WIDTH), 2)
    by_kind = np.stack([(departs * gain)[:, kinds == k].sum(axis=1) for k in range(3)], axis=1)
    often = -np.stack([departs[:, kinds == k].sum(axis=1) for k in range(3)], axis=1)
    places = np.arange(len(spots))
    return {
        "cost": cost / unit,
        "cost_error": cost_error / unit,
        "loss": loss / unit,
        "loss_error": loss_error / unit,
        "by_kind": by_kind / unit,
        "often": often,
        "pot_bb": spots.views.pot / unit,
        "kind": np.minimum(candidates.chosen, 2),
        "taken": candidates.codes[places, candidates.chosen],
        "best": candidates.codes[places, best],
        "is_best": best == candidates.chosen,
        "samples": sums.count.sum(axis=1).astype(np.int64),
        "effective": sums.effective,
        "precise": (errors <= precision.bound(spots)[:, None]).all(axis=1),
        "codes": candidates.codes,
        "values": means / unit,
        "errors": sums.whole.errors / unit,
    }
