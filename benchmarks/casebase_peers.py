"""CASPER's cases found by other people's libraries, as their users would write it.

cbrkit is asked exactly what ours is: similarities by its own functions (the groups of players by one of
ours), weighted, at 0.97 and above, at most a hundred. scikit-learn has no similarities but distances. One
minus ours is a distance in the strict sense, so its ball tree takes it, compiled, and finds the hundred
nearest, of which those above the threshold remain: the same cases, but for ties. "Other distance" is the
quickest that its tree can do by itself, a weighted sum of differences. That is no longer the same question:
decay becomes a straight line and groups of players become their number.
"""
# ruff: noqa: PLC0415 (a peer that is not installed must not keep the others from running)

from collections.abc import Callable

import numba
import numpy as np

from benchmarks.measure import Chunk
from holdmem.cbr.cases import Cases
from holdmem.cbr.similarity import Decay, Linear

TREE_QUERIES, CBRKIT_QUERIES = 5, 2
LEAST, MOST = 0.97, 100

Values = dict[str, np.ndarray]


def points(cases: Cases, values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Cases and the first targets as rows of numbers."""
    locals_ = cases.features.similarities
    rows = np.column_stack([local.columns(cases.values[name])[:, 0] for name, local in locals_])
    wanted = np.column_stack([local.columns(values[name])[:TREE_QUERIES, 0] for name, local in locals_])
    return rows.astype(float), wanted.astype(float)


def distance(cases: Cases) -> Callable[[np.ndarray, np.ndarray], float]:
    """One minus the similarity of two rows, compiled."""
    kinds = np.array([1 if isinstance(local, Linear) else 2 if isinstance(local, Decay) else 0
                      for _, local in cases.features.similarities])  # fmt: skip
    rates = np.array([local.rate for _, local in cases.features.similarities])
    weights = np.array(cases.features.weights) / sum(cases.features.weights)

    @numba.njit
    def apart(one: np.ndarray, other: np.ndarray) -> float:
        total = 0.0
        for place in range(len(one)):
            far = abs(one[place] - other[place])
            if kinds[place] == 1:
                total += weights[place] * min(far * rates[place], 1.0)
            elif kinds[place] == 2:
                total += weights[place] * (1.0 - np.exp(-far * rates[place]))
            elif far != 0:
                total += weights[place]
        return total

    return apart  # type: ignore[no-any-return]


def ball_tree(cases: Cases, values: Values) -> Chunk:
    """The hundred nearest by our distance, of which those at the threshold are used."""
    from sklearn.neighbors import BallTree

    rows, wanted = points(cases, values)
    tree = BallTree(rows, leaf_size=40, metric=distance(cases))

    def chunk() -> int:
        apart, places = tree.query(wanted, k=MOST)
        [found[far <= 1 - LEAST] for far, found in zip(apart, places, strict=True)]
        return len(wanted)

    return chunk


def manhattan(cases: Cases, values: Values) -> Chunk:
    """The hundred nearest by a weighted sum of differences: not the same question."""
    from sklearn.neighbors import BallTree

    rows, wanted = points(cases, values)
    scale = np.array([
        weight * (local.rate or 1.0)
        for (_, local), weight in zip(cases.features.similarities, cases.features.weights, strict=True)
    ])  # fmt: skip
    tree = BallTree(rows * scale, leaf_size=40, metric="manhattan")

    def chunk() -> int:
        return len(tree.query(wanted * scale, k=MOST, return_distance=False))

    return chunk


def cbrkit(cases: Cases, values: Values) -> Chunk:
    """Cases as records in a dictionary, one retrieval a query."""
    import cbrkit

    def of(local: object) -> Callable[[float, float], float]:
        if isinstance(local, Linear):
            return cbrkit.sim.numbers.linear(max=local.reach)
        if isinstance(local, Decay):
            return cbrkit.sim.numbers.exponential(alpha=local.rate)
        return lambda one, other: float(one == other)

    features = cases.features
    retriever = cbrkit.retrieval.build(
        cbrkit.sim.attribute_value(
            attributes={name: of(local) for name, local in features.similarities},
            aggregator=cbrkit.sim.aggregator(
                pooling="mean", pooling_weights=dict(zip(features.names, features.weights, strict=True))
            ),
        ),
        limit=MOST,
        min_similarity=LEAST,
    )
    stored = dict(enumerate(records(cases, cases.values, len(cases))))
    wanted = records(cases, values, CBRKIT_QUERIES)

    def chunk() -> int:
        for query in wanted:
            cbrkit.retrieval.apply(stored, query, retriever)
        return len(wanted)

    return chunk


def records(cases: Cases, values: Values, count: int) -> list[dict[str, float]]:
    """The first so many, each by the names of its features."""
    names = cases.features.names
    columns = [
        local.columns(np.asarray(values[name])[:count])[:, 0].tolist()
        for name, local in cases.features.similarities
    ]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
