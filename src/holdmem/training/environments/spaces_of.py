"""A table's observations and choices as Gymnasium's spaces."""

import numpy as np
from gymnasium import spaces

from holdmem.training.environments.dealing import Table


def observation_space(table: Table) -> spaces.Dict:
    """The row of numbers, and 1 for each choice that is legal."""
    high = table.observation.high
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(high), high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (len(table.choices),), dtype=np.int8),
        }
    )


def action_space(table: Table) -> spaces.Discrete:
    """The number of a choice."""
    return spaces.Discrete(len(table.choices))
