"""Measure how well a case base imitates its expert on held-out hands.

Agreement is the share of decisions in which the majority action of the retrieved cases is the expert's
action. Log-loss is the mean of -ln p, where p is the probability that the retrieved cases give to the
expert's action. Counts over n decisions are smoothed to (count + 1/2) / (n + actions / 2), so that an action
never seen is unlikely rather than impossible. Both are also measured for the same counts shrunk towards a
coarser neighbour (`cbr/shrink.py`), which is what `policy=shrunk` plays, and for a baseline that knows only
how often the expert took each action on each street.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.cbr.builder import Experience, Origin, cases_of
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.maintain import from_frame, to_frame
from holdmem.cbr.reuse import majority
from holdmem.cbr.shrink import SHRINKAGE, Shrinkage
from holdmem.cbr.solutions import Solutions
from holdmem.core.types import Flags, Floats
from holdmem.engine import STREET_NAMES

BATCH = 20_000


@dataclass(frozen=True, eq=False)
class HeldOutDecisions:
    """Held-out decisions of one street, one case each, with flags for illegal actions."""

    cases: Cases
    origin: Origin
    free: Flags
    """A check is free, so a fold is not considered."""
    capped: Flags
    """No raise is legal."""

    def __len__(self) -> int:
        return len(self.cases)

    def __getitem__(self, which: Any) -> "HeldOutDecisions":
        return HeldOutDecisions(self.cases[which], self.origin[which], self.free[which], self.capped[which])


def held_out_by_street(base: CaseBase, experience: Experience) -> list[HeldOutDecisions]:
    """Split these decisions by street."""
    found = []
    for street in range(4):
        here = experience.on(street)
        rows, origin = here.rows, here.origin
        assert origin is not None  # the numbers decide which hands are held out
        cases = cases_of(base.representation, experience, street)
        free, capped = experience.views.to_call[rows] == 0, experience.views.max_raise_to[rows] == 0
        found.append(HeldOutDecisions(cases, origin, free, capped))
    return found


def joined(parts: Sequence[HeldOutDecisions], kinds: Sequence[str]) -> HeldOutDecisions:
    """Concatenate several sets of held-out decisions."""
    import polars as pl  # noqa: PLC0415

    features = parts[0].cases.features
    cases = from_frame(
        pl.concat([to_frame(part.cases, kinds) for part in parts if len(part)]), features, kinds
    )
    origin = Origin(
        np.concatenate([part.origin.hand for part in parts]),
        np.concatenate([part.origin.decision for part in parts]),
    )
    columns = ([getattr(part, name) for part in parts] for name in ("free", "capped"))
    return HeldOutDecisions(cases, origin, *(np.concatenate(column) for column in columns))


@dataclass(frozen=True)
class Imitation:
    """How well one street is imitated.

    `agreement` and `log_loss` are those of the retrieved cases as published, `shrunk_agreement` and
    `shrunk_log_loss` those of `policy=shrunk`.
    """

    street: str
    decisions: int
    agreement: float
    log_loss: float
    shrunk_agreement: float
    shrunk_log_loss: float
    baseline_agreement: float
    baseline_log_loss: float
    exact: float
    """Share of decisions for which a case matched in every feature."""
    similarity: float
    """Mean similarity of the best case."""

    def as_json(self) -> dict[str, Any]:
        """Return the values as JSON, rounded to four decimals."""
        return {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def measure(
    base: CaseBase, held: Sequence[HeldOutDecisions], shrinkage: Shrinkage = SHRINKAGE
) -> list[Imitation]:
    """Measure each street that has held-out decisions, then all streets together."""
    streets = [
        (name, _scores(base, cases, one, shrinkage))
        for name, cases, one in zip(STREET_NAMES, base.streets, held, strict=True)
        if len(one)
    ]
    found = [_imitation(name, scores) for name, scores in streets]
    if streets:
        found.append(_imitation("all", np.concatenate([scores for _, scores in streets])))
    return found


def _imitation(street: str, scores: Floats) -> Imitation:
    return Imitation(street, len(scores), *(float(mean) for mean in scores.mean(axis=0)))


def _scores(base: CaseBase, cases: Cases, held: HeldOutDecisions, shrinkage: Shrinkage) -> Floats:
    """Return one row per decision: agreement and loss thrice (see `Imitation`), exact match, similarity."""
    did = held.cases.solutions.counts.argmax(axis=1)
    recalled, similar = _recall(base, cases, held)
    total = cases.solutions.counts.sum(axis=0)
    usual = np.broadcast_to(total, recalled.counts.shape)
    ordinary = Solutions(usual, usual, usual * 0)
    shrunk = shrinkage.probabilities(recalled, shrinkage.towards(cases, held.cases.values))
    columns = [
        *_judge(recalled, base, held, did),
        *_judge_probabilities(shrunk, held, did),
        *_judge(ordinary, base, held, did),
    ]
    return np.column_stack([*columns, similar == 1.0, similar])


def _recall(base: CaseBase, cases: Cases, held: HeldOutDecisions) -> tuple[Solutions, Floats]:
    parts, similar = [], []
    for start in range(0, len(held), BATCH):
        values = {name: column[start : start + BATCH] for name, column in held.cases.values.items()}
        found = cases.where(values, base.representation.retrieval)
        parts.append(cases.solutions.over(found.places))
        similar.append(found.similarities[:, 0])
    return Solutions.joined(parts), np.concatenate(similar)


def _judge(
    solutions: Solutions, base: CaseBase, held: HeldOutDecisions, did: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Agreement and loss per decision, after turning illegal folds and raises into calls."""
    found = (solutions.seen > 0)[:, None]
    default = np.array(base.representation.default)
    chosen = _legal(np.where(found, majority(solutions), default), held).argmax(axis=1)
    probabilities = (solutions.counts + 0.5) / (solutions.seen[:, None] + solutions.counts.shape[1] / 2)
    return (chosen == did).astype(np.float64), _loss(probabilities, held, did)


def _judge_probabilities(
    probabilities: Floats, held: HeldOutDecisions, did: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Agreement of the most probable legal action, and loss."""
    order = [1, *range(2, probabilities.shape[1]), 0]  # ties as in `majority`
    chosen = np.array(order)[_legal(probabilities, held)[:, order].argmax(axis=1)]
    return (chosen == did).astype(np.float64), _loss(probabilities, held, did)


def _loss(probabilities: Floats, held: HeldOutDecisions, did: NDArray[np.int64]) -> Floats:
    found: Floats = -np.log(np.maximum(_legal(probabilities, held)[np.arange(len(did)), did], 1e-12))
    return found


def plain_loss(base: CaseBase, cases: Cases, held: HeldOutDecisions) -> Floats:
    """Return the log-loss of each held-out decision under the frequencies as played, without smoothing."""
    if not len(held):
        return np.zeros(0)
    recalled, _ = _recall(base, cases, held)
    default = np.array(base.representation.default)
    played = np.where((recalled.seen > 0)[:, None], recalled.probabilities, default)
    return _loss(played, held, held.cases.solutions.counts.argmax(axis=1))


def _legal(probabilities: Floats, held: HeldOutDecisions) -> Floats:
    legal = probabilities.copy()
    legal[held.free, 1] += legal[held.free, 0]
    legal[held.free, 0] = 0
    legal[held.capped, 1] += legal[held.capped, 2:].sum(axis=1)
    legal[held.capped, 2:] = 0
    return legal
