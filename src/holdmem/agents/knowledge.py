"""`Knowledge`: what a learner has learned, as a value and as a file.

    holdmem knowledge 1
    {"digest": "...", "hands": 200000, "learner": "action-learner", ...}

A line that says what the file is, a line of JSON, and then the numbers, packed: the values of each state, how
often it was visited, and how often something was learned there.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import KnowledgeError
from holdmem.whole import write_whole

FIRST_LINE = b"holdmem knowledge 1\n"
SETTINGS = ("bucketing", "buckets", "inner", "metric", "low", "high", "typing", "raises")
"""What the numbers of states and actions depend on."""


@dataclass(frozen=True, eq=False)
class Knowledge:
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
        """States that were visited at least once."""
        return int(np.count_nonzero(self.visits))

    @property
    def states_learned(self) -> int:
        """States about which something was learned."""
        return int(np.count_nonzero(self.lessons))

    def write(self, path: Path) -> None:
        """Write beside `path`, then rename: no half of it is ever found there."""
        body = _pack(self)
        header = {
            "learner": self.learner,
            "settings": dict(self.settings),
            "hands": self.hands,
            "states": len(self.values),
            "actions": self.values.shape[1],
            "notes": dict(self.notes),
            "digest": sha256(body).hexdigest(),
        }
        content = FIRST_LINE + json.dumps(header, sort_keys=True).encode() + b"\n" + body
        write_whole(path, content)


def read_knowledge(path: Path) -> Knowledge:
    """The knowledge in a file; KnowledgeError says what is wrong with one that is not whole or not ours."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise KnowledgeError(f"{path}: expected a file of knowledge, got {error.strerror}") from None
    if not content.startswith(FIRST_LINE):
        raise KnowledgeError(f"{path}:1: expected {FIRST_LINE.decode().strip()!r}, got {content[:24]!r}")
    line, _, body = content[len(FIRST_LINE) :].partition(b"\n")
    try:
        header = json.loads(line)
        states, actions, digest = header["states"], header["actions"], header["digest"]
        if sha256(body).hexdigest() != digest:
            raise KnowledgeError(f"{path}: expected contents of digest {digest}, got others: it is damaged")
        values, visits, lessons = _unpack(body, states, actions)
        settings = dict(header["settings"])
        settings["raises"] = tuple(settings["raises"])
        return Knowledge(
            header["learner"], settings, header["hands"], values, visits, lessons, header["notes"]
        )
    except (ValueError, KeyError, TypeError) as error:
        raise KnowledgeError(f"{path}:2: expected a header in JSON, got {line[:60]!r}") from error


def _pack(knowledge: Knowledge) -> bytes:
    columns = (
        knowledge.values.astype("<f8"),
        knowledge.visits.astype("<i8"),
        knowledge.lessons.astype("<i8"),
    )
    return zlib.compress(b"".join(column.tobytes() for column in columns), 6)


def _unpack(
    body: bytes, states: int, actions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    raw = zlib.decompress(body)
    values = np.frombuffer(raw, "<f8", states * actions).reshape(states, actions).astype(np.float64)
    visits, lessons = np.frombuffer(raw, "<i8", offset=8 * states * actions).reshape(2, states)
    return values, visits.astype(np.int64), lessons.astype(np.int64)
