"""Type aliases used throughout."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

JsonObject = dict[str, Any]

Progress = Callable[[int, int], None]
"""Called with the amount of work done and the total amount."""
