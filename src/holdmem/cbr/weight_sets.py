"""Feature weights of a representation: by name, at random, as numbers, or from a file.

A file is JSON that people can edit:

    {"format": "holdmem weights", "version": 1,
     "preflop": {"players": 5, "position": 10, ...}, "flop": {...}, "turn": {...}, "river": {...}}
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.cbr.features.feature import Features
from holdmem.cbr.representation import Representation
from holdmem.core.atomic import write_atomically
from holdmem.core.errors import NotationError, nearest
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import STREET_NAMES

FORMAT = "holdmem weights"
VERSION = 1
HEAVIEST = 100
"""Largest random weight; random weights are integers from 0 (Rubin 2007, §4.1)."""
MOST = 2**53
"""Largest whole number that is read as a weight."""
RANDOM = re.compile(r"random-(\d+)")
NUMBERS = re.compile(r"\s*[\d.]+(\s*[;\s]\s*[\d.]+)+\s*")

StreetWeights = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class WeightSet:
    """A weight for each feature of each street, in the order of the representation."""

    streets: tuple[StreetWeights, ...]

    @classmethod
    def of(cls, features: Sequence[Features], vector: Sequence[float]) -> "WeightSet":
        """Build a weight set from one number per feature, over all streets."""
        names = [street.names for street in features]
        if len(vector) != sum(map(len, names)):
            expected = " + ".join(str(len(street)) for street in names)
            raise NotationError(f"expected {sum(map(len, names))} weights ({expected}), got {len(vector)}")
        numbers = iter(vector)
        streets = tuple(tuple((name, float(next(numbers))) for name in street) for street in names)
        return checked(cls(streets), "weights")

    @property
    def vector(self) -> tuple[float, ...]:
        """All weights in order: the hypothesis of Rubin (2007), figure 4.2."""
        return tuple(weight for street in self.streets for _, weight in street)

    def __str__(self) -> str:
        return ";".join(f"{weight:g}" for weight in self.vector)

    def apply_to(self, representation: Representation) -> Representation:
        """Return the representation with these weights."""
        pairs = zip(representation.streets, self.streets, strict=True)
        streets = tuple(features.with_weights(**dict(weights)) for features, weights in pairs)
        return replace(representation, streets=streets)


def checked(weights: WeightSet, where: str) -> WeightSet:
    """Return the weights unchanged if all are finite and at least 0, with one above 0 on every street.

    Raise NotationError otherwise.
    """
    for name, street in zip(STREET_NAMES, weights.streets, strict=True):
        for feature, weight in street:
            if not 0 <= weight < float("inf"):
                raise NotationError(
                    f"{where}: {name}: expected a weight of 0 or more, got {feature} {weight}"
                )
        if not any(weight for _, weight in street):
            raise NotationError(f"{where}: {name}: at least one weight must be above zero")
    return weights


def random_weights(features: Sequence[Features], seed: int, number: int = 0) -> WeightSet:
    """Draw integer weights uniformly from 0 to 100; `number` selects one of the sets of a random seed."""
    size = sum(len(street.names) for street in features)
    drawn = Streams.of(seed, "weights").uniforms(hand_ids(1), np.array([number]), size)[0]
    return WeightSet.of(features, np.floor(drawn * (HEAVIEST + 1)).tolist())


def find_weights(text: str | Path, features: Sequence[Features], named: Mapping[str, WeightSet]) -> WeightSet:
    """Return the weights described by a text: a name, random-SEED, numbers with semicolons, or a file."""
    said = str(text)
    if said in named:
        return named[said]
    if seed := RANDOM.fullmatch(said):
        return random_weights(features, int(seed[1]))
    if NUMBERS.fullmatch(said):
        return WeightSet.of(features, [float(number) for number in re.split(r"[;\s]+", said.strip())])
    if not Path(said).exists():
        known = nearest(said, list(named))
        raise NotationError(f"expected weights (a name, random-SEED or a file), got {said!r}; {known}")
    return read_weights(Path(said), features)


def is_file(text: str, named: Mapping[str, WeightSet]) -> bool:
    """Return whether a text that describes weights must be a file."""
    return text not in named and not RANDOM.fullmatch(text) and not NUMBERS.fullmatch(text)


def write_weights(path: Path | str, weights: WeightSet, about: Mapping[str, Any] | None = None) -> None:
    """Store weights in a file atomically; `about` records where they come from."""
    said: dict[str, Any] = {"format": FORMAT, "version": VERSION, **(about or {})}
    for name, street in zip(STREET_NAMES, weights.streets, strict=True):
        said[name] = dict(street)
    write_atomically(Path(path), json.dumps(said, indent=2, ensure_ascii=False) + "\n")


def read_weights(path: Path | str, features: Sequence[Features]) -> WeightSet:
    """Read weights from a file, which must name every feature of these streets and no other."""
    path = Path(path)
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise NotationError(f"{path}: cannot read weights as JSON: {error}") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise NotationError(f"{path}: expected format {FORMAT!r}, got {str(said)[:80]}")
    if said.get("version") != VERSION:
        raise NotationError(f"{path}: expected version {VERSION}, got {said.get('version')}")
    streets = tuple(
        _street(said.get(name), street, f"{path}: {name}")
        for name, street in zip(STREET_NAMES, features, strict=True)
    )
    return checked(WeightSet(streets), str(path))


def _street(said: Any, features: Features, where: str) -> StreetWeights:
    if not isinstance(said, dict):
        raise NotationError(f"{where}: expected a weight for each feature, got {str(said)[:60]}")
    for name in features.names:
        if name not in said:
            raise NotationError(f"{where}: the weight for {name} is missing")
    for name, weight in said.items():
        if name not in features.names:
            raise NotationError(f"{where}: unknown feature {name!r}; {nearest(name, list(features.names))}")
        beyond = isinstance(weight, int) and abs(weight) > MOST  # floats have no such numbers
        if isinstance(weight, bool) or not isinstance(weight, int | float) or beyond:
            raise NotationError(f"{where}: expected a number for {name}, got {weight!r:.60}")
    return tuple((name, float(said[name])) for name in features.names)
