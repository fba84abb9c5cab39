"""Summarise a learner's knowledge: action probabilities by bucket, street, type or position."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import NotationError
from holdmem.core.types import Floats
from holdmem.engine import STREET_NAMES
from holdmem.opponents.player_types import kinds
from holdmem.players.learners.kernels.learner import CALL_AT_FIRST, RAISE_AT_FIRST
from holdmem.players.learners.kernels.outcome_learner import probabilities_of
from holdmem.players.learners.states import States
from holdmem.players.learners.value_table import ValueTable
from holdmem.strength.bucketings import Bucketing

DIMENSIONS = ("bucket", "street", "type", "action", "position")
ACTIONS = ("fold", "call", "raise")


def states_of(knowledge: ValueTable) -> States:
    """Return the state space that indexes the rows of the table."""
    given = knowledge.settings
    names = ("bucketing", "buckets", "inner", "metric", "low", "high")
    return States(Bucketing(*(given[name] for name in names)), given["typing"])


def triples(knowledge: ValueTable) -> Floats:
    """Probabilities of fold, call and raise (all sizes), shape (states, 3); NaN where nothing was learned."""
    out = np.full((len(knowledge.values), 3), np.nan)
    for state in np.flatnonzero(knowledge.lessons).tolist():
        values = knowledge.values[state]
        if knowledge.learner == "outcome-learner":
            probabilities_of(values[0], values[1], out[state])
        elif values.sum() > 0:
            out[state] = np.array([values[0], values[1], values[2:].sum()]) / values.sum()
        else:
            out[state] = 0.0, CALL_AT_FIRST, RAISE_AT_FIRST
    return out


@dataclass(frozen=True, eq=False)
class ValueSummary:
    """Knowledge aggregated over one or two dimensions of the states."""

    names: tuple[str, ...]
    visits: NDArray[np.int64]
    lessons: NDArray[np.int64]
    triples: Floats
    """Means over learned states, weighted by visits, shape (..., 3); NaN if there are none."""


def aggregate(knowledge: ValueTable, *dimensions: str) -> ValueSummary:
    """Sum visits and lessons, and average the action probabilities, by these dimensions of the states."""
    for name in dimensions:
        if name not in DIMENSIONS:
            raise NotationError(f"expected {', '.join(DIMENSIONS)}, got {name!r}")
    shape = states_of(knowledge).shape
    away = tuple(place for place, name in enumerate(DIMENSIONS) if name not in dimensions)
    visits, lessons = (column.reshape(shape) for column in (knowledge.visits, knowledge.lessons))
    probabilities = triples(knowledge).reshape(*shape, 3)
    weights = np.where(np.isnan(probabilities[..., 0]), 0, visits)
    total = weights.sum(axis=away)
    with np.errstate(invalid="ignore"):
        means = (np.nan_to_num(probabilities) * weights[..., None]).sum(axis=away) / total[..., None]
    return ValueSummary(dimensions, visits.sum(axis=away), lessons.sum(axis=away), means)


def labels(knowledge: ValueTable, dimension: str) -> list[str]:
    """Return the values of a dimension as text."""
    if dimension == "bucket":
        return [str(bucket) for bucket in range(states_of(knowledge).bucketing.buckets)]
    if dimension == "type":
        some = kinds(knowledge.settings["typing"])
        return [some.name(number) for number in range(some.types)]
    return {
        "street": ["first act", *(f"after {street}" for street in STREET_NAMES)],
        "action": ["no bet before", "bet before"],
        "position": ["early", "middle", "late"],
    }[dimension]


def as_json(knowledge: ValueTable) -> dict[str, Any]:
    """Return the output of `holdmem knowledge --json`."""
    found = aggregate(knowledge, "bucket")
    return {
        "learner": knowledge.learner,
        "settings": dict(knowledge.settings),
        "notes": dict(knowledge.notes),
        "hands": knowledge.hands,
        "states": len(knowledge.values),
        "states_seen": knowledge.states_seen,
        "states_learned": knowledge.states_learned,
        "visits": int(knowledge.visits.sum()),
        "lessons": int(knowledge.lessons.sum()),
        "buckets": [
            {
                "bucket": bucket,
                "visits": int(found.visits[bucket]),
                "lessons": int(found.lessons[bucket]),
                "triple": None if np.isnan(found.triples[bucket, 0]) else found.triples[bucket].tolist(),
            }
            for bucket in range(len(found.visits))
        ],
    }
