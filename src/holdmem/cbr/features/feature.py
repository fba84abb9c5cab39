"""Features: numbers computed from views, and `Features`, which says how each is compared.

    @feature
    def price(views):
        return views.to_call / (views.pot + views.to_call)

    FLOP = Features(hand_type=Equal(), price=Linear(reach=1.0)).with_weights(price=2)

A feature is a column with one number per view: integers for categories, floats for amounts. It is named after
its function. The features at the end of this module are always available.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cards.classes import CLASS_OF, CLASSES
from holdmem.cbr.features.betting import codes_of, letters_of, readable
from holdmem.cbr.features.hand_types import (
    HAND_TYPES,
    TEXTURES,
    hand_type_name,
    hand_types,
    texture_name,
    textures,
)
from holdmem.cbr.similarity import Similarity
from holdmem.core.errors import NotationError, nearest

Column = NDArray[Any]
ValuePredicate = Callable[[Column], NDArray[np.bool_]]


@dataclass(frozen=True)
class Feature:
    """A named column of views, and how its values are described in words.

    With `parts`, values are rounded to multiples of 1/parts and stored as integer multiples of it. `possible`
    says which values can occur; a case base with any other value is rejected.
    """

    name: str
    column: Callable[[Views], Column]
    words: Callable[[float], str]
    parts: int = 0
    possible: ValuePredicate | None = None

    def valid(self, values: Column) -> NDArray[np.bool_]:
        """Return for each value whether it can occur."""
        finite = np.isfinite(values)
        return finite if self.possible is None else finite & self.possible(values)

    def of(self, views: Views) -> Column:
        """Compute the feature, one number per view."""
        values = np.asarray(self.column(views))
        if values.shape != (len(views),) or values.dtype.kind not in "iufb":
            raise NotationError(
                f"feature {self.name}: expected one number for each of {len(views)} views,"
                f" got {values.dtype} of shape {values.shape}"
            )
        if self.parts:
            return np.rint(values * self.parts) / self.parts  # type: ignore[no-any-return]
        return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)

    def __reduce__(self) -> Any:
        # The module attribute is the feature, not the bare function, so pickle where to find the feature.
        return _feature_of, (self.column.__module__, self.name)


def _feature_of(module: str, name: str) -> Feature:
    """Return the feature of this name in a module, or the registered one if that module has none."""
    own = [
        one for one in vars(import_module(module)).values() if isinstance(one, Feature) and one.name == name
    ]
    return own[0] if own else find_feature(name)


FEATURES: dict[str, Feature] = {}
"""All features by name."""


def _plain(value: float) -> str:
    return f"{value:g}"


def between(least: float, most: float = np.inf) -> ValuePredicate:
    """Return a predicate that accepts values from `least` to `most`, inclusive."""
    return lambda values: (values >= least) & (values <= most)


def feature(
    column: Callable[[Views], Column],
    words: Callable[[float], str] = _plain,
    parts: int = 0,
    possible: ValuePredicate | None = None,
) -> Feature:
    """Register a function of views as a feature under its own name.

    A name may be registered again, for example in another file: `Features` declared earlier keep the feature
    they had.
    """
    made = Feature(column.__name__, column, words, parts, possible)
    FEATURES[made.name] = made
    return made


def described_by(
    words: Callable[[float], str], possible: ValuePredicate | None = None
) -> Callable[[Callable[[Views], Column]], Feature]:
    """Return a decorator for a feature with words for its values: `@described_by(CLASSES.__getitem__)`.

    `possible` says which values can occur.
    """
    return lambda column: feature(column, words, possible=possible)


def bounded(least: float, most: float = np.inf) -> Callable[[Callable[[Views], Column]], Feature]:
    """Return a decorator that registers a feature with values from `least` to `most`."""
    return lambda column: feature(column, possible=between(least, most))


def rounded(
    parts: int, least: float = -np.inf, most: float = np.inf
) -> Callable[[Callable[[Views], Column]], Feature]:
    """Return a decorator for a feature whose values are rounded to multiples of 1/parts: `@rounded(1000)`.

    With fewer distinct values retrieval is faster, and two machines get bit-identical cases.
    """
    return lambda column: feature(column, parts=parts, possible=between(least, most))


def find_feature(name: str) -> Feature:
    """Return the feature with this name."""
    if name not in FEATURES:
        raise NotationError(f"unknown feature {name!r}; {nearest(name, list(FEATURES))}")
    return FEATURES[name]


@dataclass(frozen=True, init=False)
class Features:
    """The features that make up a case, how each is compared, and its weight in the global similarity.

    Global similarity is the weighted mean of the local similarities (Rubin 2007, equation 3.6). All weights
    are 1 unless set by `with_weights`.
    """

    similarities: tuple[tuple[str, Similarity], ...]
    weights: tuple[float, ...]
    computed: tuple[Feature, ...] = field(compare=False, repr=False)

    def __init__(self, **similarities: Similarity) -> None:
        object.__setattr__(self, "computed", tuple(find_feature(name) for name in similarities))
        if not similarities:
            raise NotationError("expected at least one feature, got none")
        object.__setattr__(self, "similarities", tuple(similarities.items()))
        object.__setattr__(self, "weights", (1.0,) * len(similarities))

    def with_weights(self, **weights: float) -> "Features":
        """Return the same features with these weights changed."""
        for name, weight in weights.items():
            if name not in self.names:
                raise NotationError(f"unknown feature {name!r}; known: {', '.join(self.names)}")
            if not 0 <= weight < float("inf"):
                raise NotationError(f"expected a weight of 0 or more, got {name}={weight}")
        changed = Features(**dict(self.similarities))
        kept = dict(zip(self.names, self.weights, strict=True)) | weights
        if not sum(kept.values()):
            raise NotationError("at least one weight must be above zero")
        object.__setattr__(changed, "weights", tuple(float(weight) for weight in kept.values()))
        object.__setattr__(changed, "computed", self.computed)
        return changed

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(name for name, _ in self.similarities)

    def of(self, views: Views) -> dict[str, Column]:
        """Compute the columns of these features for the views."""
        return {feature.name: feature.of(views) for feature in self.computed}

    def words(self, values: Mapping[str, float]) -> dict[str, str]:
        """Describe the feature values of one case in words."""
        return {feature.name: feature.words(values[feature.name]) or "none" for feature in self.computed}


# Built-in features


@described_by(lambda value: CLASSES[int(value)], between(0, len(CLASSES) - 1))
def hand_class(views: Views) -> Column:
    """One of the 169 preflop classes of the hole cards."""
    hole = views.hole
    return CLASS_OF[hole[:, 0], hole[:, 1]].astype(np.int64)


@described_by(hand_type_name, lambda values: np.isin(values, HAND_TYPES))
def hand_type(views: Views) -> Column:
    """What the hole cards make with the board (listed in docs/sartre.md); after the flop."""
    return hand_types(views.hole, views.board)


@described_by(texture_name, lambda values: np.isin(values, TEXTURES))
def board_texture(views: Views) -> Column:
    """Which flushes, straights and pairs the board offers (listed in docs/sartre.md); after the flop."""
    return textures(views.board)


@described_by(letters_of, readable)
def betting(views: Views) -> Column:
    """The betting so far as a number that encodes letters such as `crrc-cr`."""
    return codes_of(views)
