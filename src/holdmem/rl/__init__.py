"""Reinforcement-learning environments for external learning libraries; they require the extra `rl`.

    TableEnv        one learner against HoldMem agents, as a Gymnasium environment
    TableVectorEnv  the same at many tables at once, as a Gymnasium vector environment
    TableAEC        every seat played from outside, in turn, as a PettingZoo environment

docs/environments.md describes observations, actions and rewards.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from holdmem.core.extras import require
from holdmem.rl.choices import ALL_IN, Choices
from holdmem.rl.observation import Observation

if TYPE_CHECKING:
    from holdmem.rl.gymnasium_env import TableEnv
    from holdmem.rl.pettingzoo_env import TableAEC
    from holdmem.rl.vector_env import TableVectorEnv

__all__ = ["ALL_IN", "Choices", "Observation", "TableAEC", "TableEnv", "TableVectorEnv"]

_HOMES = {
    "TableAEC": ("pettingzoo_env", "gymnasium", "pettingzoo"),
    "TableEnv": ("gymnasium_env", "gymnasium"),
    "TableVectorEnv": ("vector_env", "gymnasium"),
}
"""Module of each environment, and the libraries that it needs."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, *libraries = _HOMES[name]
    require("rl", name, *libraries)
    return getattr(import_module(f"{__name__}.{home}"), name)
