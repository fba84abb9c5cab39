"""Gymnasium spaces of a table's observations and actions."""

import numpy as np
from gymnasium import spaces

from holdmem.rl.table import EnvironmentTable


def observation_space(table: EnvironmentTable) -> spaces.Dict:
    """Return the space of the observation row and the action mask."""
    high = table.observation.high
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(high), high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (len(table.choices),), dtype=np.int8),
        }
    )


def action_space(table: EnvironmentTable) -> spaces.Discrete:
    """Return the space of choice numbers."""
    return spaces.Discrete(len(table.choices))
