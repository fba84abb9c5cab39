"""Structured dtypes that both kernels and plain Python read by attribute."""

from typing import Any

import numpy as np


def record(fields: list[Any]) -> np.dtype[Any]:
    """Return a structured dtype whose elements expose fields as attributes, compiled or not."""
    return np.dtype((np.record, np.dtype(fields, align=True)))
