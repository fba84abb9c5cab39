"""Protection of what agents must not read or change: stream keys and the engine's own arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def hide(kind: type, *slots: str) -> tuple[Any, ...]:
    """Remove slots from a class and return their descriptors, the only remaining access to them.

    This keeps honest code from depending on what is hidden. It is not a security boundary: code in the same
    process can always find a way (docs/agents.md).
    """
    found = tuple(kind.__dict__[name] for name in slots)
    for name in slots:
        delattr(kind, name)
    return found


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only copy in memory that numpy cannot make writable again."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it. No other code may hold a reference to it."""
    array.setflags(write=False)  # faster than `flags`
    return array
