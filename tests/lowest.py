"""The lowest versions that pyproject.toml allows, as pip's constraints: `python tests/lowest.py > FILE`."""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest(requirement: str) -> str:
    """The requirement with its lower bound as the only version: numba>=0.61 becomes numba==0.61."""
    found = re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement)
    if found is None:
        raise ValueError(f"{PROJECT.name}: expected a requirement such as numba>=0.61, got {requirement!r}")
    return f"{found[1]}=={found[2]}"


TRIED = ("cluster", "plots", "rl", "web")
"""Extras that `make test-lowest` tries. `mcp` needs a newer pydantic than `web`, `cuda` a graphics card."""


def declared(*extras: str) -> list[str]:
    """What HoldMem needs to run with these extras, as pyproject.toml has it."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    requirements: list[str] = project["dependencies"]
    return sum((project["optional-dependencies"][extra] for extra in extras), requirements)


if __name__ == "__main__":
    print("\n".join(map(lowest, declared(*TRIED))))
