"""Value all actions of one decision, under a model of the opponents and under others for comparison."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holdmem.agent import View
from holdmem.core.random import Streams
from holdmem.core.types import Floats
from holdmem.ev.candidates import Candidates, candidates_at
from holdmem.ev.estimate import THOROUGH, Precision, cost_of, loss_of, value_actions
from holdmem.ev.exact import can_enumerate, enumerated
from holdmem.ev.players import NamedPlayer
from holdmem.ev.ranges import ranges_at
from holdmem.ev.result import ActionValue, DecisionValue, words_of
from holdmem.ev.rollouts import RolloutModels
from holdmem.ev.spots import Spots
from holdmem.history.hands import Terms


@dataclass(frozen=True)
class Assumptions:
    """Who plays how.

    Attributes
    ----------
    reference : plays on for the player who decides, and is what it is compared with.
    others : the model of everybody else: their ranges, and how they play on.
    also : other models of everybody else, which show how much depends on the first.
    """

    reference: NamedPlayer
    others: NamedPlayer
    also: tuple[NamedPlayer, ...] = ()

    @property
    def words(self) -> str:
        """The assumptions in one line."""
        also = f"; compared with {' and '.join(one.words for one in self.also)}" if self.also else ""
        return (
            f"Assumed: the others play like {self.others.words}, and after the action you go on like"
            f" {self.reference.words}{also}."
        )


@dataclass(frozen=True, eq=False)
class _Valued:
    values: Floats
    errors: Floats
    loss: tuple[float, float]
    cost: tuple[float, float]
    best: int
    samples: int
    effective: float


def value_decision(
    view: View, taken: int | None, assumptions: Assumptions, precision: Precision = THOROUGH, seed: int = 0,
    terms: Terms | None = None,
) -> DecisionValue:  # fmt: skip
    """Return what every action at a view is worth; `terms` are the stakes of a recorded hand."""
    rng = Streams.of(seed, "value")
    spots = Spots.of(view.alone, np.zeros(1, dtype=np.int64))
    reference = assumptions.reference.model(view.game, rng.spawn("reference"))
    did = None if taken is None else np.array([taken])
    candidates = candidates_at(spots.views, reference.policy(spots.views), did)
    found = []
    for other in (assumptions.others, *assumptions.also):
        models = RolloutModels(reference, other.model(view.game, rng.spawn("others")))
        found.append(_valued(spots, candidates, models, precision, rng))
    return _result(view, candidates, found, assumptions, terms)


def _valued(
    spots: Spots, candidates: Candidates, models: RolloutModels, precision: Precision, rng: Streams
) -> _Valued:
    if can_enumerate(spots):
        exact = _enumerated(spots, candidates, models)
        if exact is not None:
            return exact
    sums = value_actions(spots, candidates, models, models.others, precision, rng)
    whole = sums.whole
    loss, error, best = loss_of(sums, candidates)
    cost, cost_error = cost_of(sums, candidates)
    return _Valued(
        whole.means[0, 0],
        whole.errors[0],
        (float(loss[0]), float(error[0])),
        (float(cost[0]), float(cost_error[0])),
        int(best[0]),
        int(sums.count.sum()),
        float(sums.effective[0]),
    )


def _enumerated(spots: Spots, candidates: Candidates, models: RolloutModels) -> _Valued | None:
    columns = np.flatnonzero(candidates.present[0] & (np.arange(candidates.codes.shape[1]) > 0))
    found = enumerated(spots, ranges_at(spots, models.others), candidates.codes[0, columns], models)
    if found is None:
        return None
    values = np.zeros(candidates.codes.shape[1])
    values[columns] = found
    best = int(np.where(candidates.present[0], values, -np.inf).argmax())
    taken = values[candidates.chosen[0]] if candidates.chosen[0] >= 0 else values[best]
    cost = float(values @ candidates.reference[0] - taken)
    return _Valued(
        values, np.zeros(len(values)), (float(values[best] - taken), 0.0), (cost, 0.0), best, 0, 0.0
    )


def _result(
    view: View,
    candidates: Candidates,
    found: Sequence[_Valued],
    assumptions: Assumptions,
    terms: Terms | None,
) -> DecisionValue:
    main, also = found[0], found[1:]
    columns = np.flatnonzero(candidates.present[0])
    columns = columns[np.argsort(candidates.codes[0, columns], kind="stable")]
    actions = tuple(
        ActionValue(
            code=int(candidates.codes[0, column]),
            words=words_of(view, int(candidates.codes[0, column])),
            value=float(main.values[column]),
            error=float(main.errors[column]),
            probability=float(candidates.reference[0, column]),
            spread=_spread([float(one.values[column]) for one in also]),
        )
        for column in columns
    )
    chosen = int(candidates.chosen[0])
    how = "Exact, by enumeration." if not main.samples else (
        f"{main.samples:,} samples of the hidden cards (effective number {main.effective:,.0f})."
    )  # fmt: skip
    chips = " Values are in chips, not in prize money." if terms is not None and not terms.currency else ""
    return DecisionValue(
        view=view,
        actions=actions,
        taken=None if chosen < 0 else int(np.flatnonzero(columns == chosen)[0]),
        best=int(np.flatnonzero(columns == main.best)[0]),
        loss=main.loss[0] if chosen >= 0 else 0.0,
        loss_error=main.loss[1] if chosen >= 0 else 0.0,
        loss_spread=_spread([one.loss[0] for one in also]) if chosen >= 0 else None,
        cost=main.cost[0] if chosen >= 0 else 0.0,
        cost_error=main.cost[1] if chosen >= 0 else 0.0,
        samples=main.samples,
        effective=main.effective,
        assumptions=f"{assumptions.words} {how}{chips}",
        unit=view.game.big_blind,
        terms=terms if terms is not None and terms.currency else None,
    )


def _spread(values: list[float]) -> tuple[float, float] | None:
    return (min(values), max(values)) if values else None
