"""What agents are given without being given a way back to it: keys, and the engine's own memory."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def hide(kind: type, *slots: str) -> tuple[Any, ...]:
    """Take slots off a class and return their descriptors, which alone can still read and write them.

    This keeps honest code from depending on what is hidden. It is no wall: code in the same process can
    always find a way (docs/agents.md).
    """
    found = tuple(kind.__dict__[name] for name in slots)
    for name in slots:
        delattr(kind, name)
    return found


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only copy in memory that numpy will not make writable again."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, which must be nobody else's, read-only from now on."""
    array.setflags(write=False)  # quicker than `flags`
    return array
