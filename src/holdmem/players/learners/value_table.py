"""`ValueTable`: what a learner has learned, as a value and as a file.

The file is a `HeaderedFile`. Its body has the compressed numbers: the values of each state, how often it was
visited, and how often something was learned there.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import KnowledgeError
from holdmem.core.headers import HeaderedFile, unzip

FORMAT = HeaderedFile("knowledge", 1, KnowledgeError)
SETTINGS = ("bucketing", "buckets", "inner", "metric", "low", "high", "typing", "raises")
"""Settings that determine the number of states and actions."""
MOST_STATES, MOST_ACTIONS, MOST = 2**24, 64, 2**53
"""Upper limits, far above any learner's numbers."""


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The table of one learner: (states, actions) values, (states,) visits and lessons."""

    learner: str
    settings: Mapping[str, Any]
    """Bucketing, typing and raises, by the names of the agent's parameters."""
    hands: int
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    lessons: NDArray[np.int64]
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: game, opponents, seed."""

    @property
    def states_seen(self) -> int:
        """Number of states visited at least once."""
        return int(np.count_nonzero(self.visits))

    @property
    def states_learned(self) -> int:
        """Number of states about which something was learned."""
        return int(np.count_nonzero(self.lessons))

    def write(self, path: Path) -> None:
        """Write the file atomically: `path` never holds part of it."""
        header = {
            "learner": self.learner,
            "settings": dict(self.settings),
            "hands": self.hands,
            "states": len(self.values),
            "actions": self.values.shape[1],
            "notes": dict(self.notes),
        }
        FORMAT.write(path, header, _pack(self))


def read_knowledge(path: Path) -> ValueTable:
    """Read a file of knowledge; raise KnowledgeError if it is damaged or not such a file."""
    return FORMAT.load(path, _knowledge)


def _knowledge(header: Mapping[str, Any], body: memoryview) -> ValueTable:
    """Build the knowledge from header and body, validating every number."""
    states, actions, hands = (header[name] for name in ("states", "actions", "hands"))
    if any(type(number) is not int for number in (states, actions, hands)):
        raise ValueError(
            f"expected whole numbers, got {states!r:.20} states, {actions!r:.20} actions, {hands!r:.20} hands"
        )
    if not 1 <= states <= MOST_STATES or not 1 <= actions <= MOST_ACTIONS or not 0 <= hands <= MOST:
        raise ValueError(f"{states:,} states, {actions:,} actions and {hands:,} hands are out of range")
    values, visits, lessons = _unpack(body, states, actions)
    if not np.isfinite(values).all():
        raise ValueError("values are not finite")
    for counts in (visits, lessons):
        if counts.min() < 0 or counts.max() > MOST:
            raise ValueError(f"counts from {counts.min():,} to {counts.max():,} are out of range")
    if not isinstance(header["learner"], str):
        raise ValueError(f"expected the name of a learner, got {header['learner']!r:.40}")
    settings, notes = _settings(header["settings"]), dict(header["notes"])
    return ValueTable(header["learner"], settings, hands, values, visits, lessons, notes)


def _settings(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in a header after checking their types."""
    settings = {name: said[name] for name in SETTINGS} | {"raises": tuple(said["raises"])}
    words, whole = ("bucketing", "metric", "typing"), ("buckets", "inner")
    fine = all(type(settings[name]) is str for name in words)
    fine &= all(type(settings[name]) is int for name in whole)
    fine &= all(type(number) in (int, float) for number in settings["raises"])
    fine &= all(settings[name] is None or type(settings[name]) in (int, float) for name in ("low", "high"))
    if not fine:
        raise ValueError(f"settings of the wrong type: {settings!r:.200}")
    return settings


def _pack(knowledge: ValueTable) -> bytes:
    columns = (
        knowledge.values.astype("<f8"),
        knowledge.visits.astype("<i8"),
        knowledge.lessons.astype("<i8"),
    )
    return zlib.compress(b"".join(column.tobytes() for column in columns), 6)


def _unpack(
    body: memoryview, states: int, actions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    raw = unzip(body, 8 * states * (actions + 2))
    values = np.frombuffer(raw, "<f8", states * actions).reshape(states, actions).astype(np.float64)
    visits, lessons = np.frombuffer(raw, "<i8", offset=8 * states * actions).reshape(2, states)
    return values, visits.astype(np.int64), lessons.astype(np.int64)
