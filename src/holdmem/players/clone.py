"""An agent that plays like a person whose hands were observed, written by `holdmem imitate`."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from holdmem.agent import Policy, View, Views, legal_policy, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.core.data import DATA
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.people.choose import weights_at
from holdmem.people.memory import PersonMemory, read_person
from holdmem.people.words import reasons_for

POPULATION = DATA / "population.people"
"""The shipped population."""


class CloneSeat(SamplingSeat):
    """Decides by what the person did in such situations with such holdings."""

    def __init__(self, person: PersonMemory, rng: Streams) -> None:
        super().__init__(rng)
        self.person = person

    def policy(self, views: Views) -> Policy:
        """Return the person's probabilities, moved to legal actions."""
        weights, totals = weights_at(self.person, views)
        return legal_policy(views, weights, totals)

    def reasons(self, view: View) -> list[str]:
        """Say what the person did in such situations, and what that is known from."""
        return reasons_for(self.person, view)


@register("clone", style="plays like a person whose hands it has seen, two to ten seats", source="")
@dataclass(frozen=True)
class Clone:
    """Plays from the memory of a person; by default of the shipped population.

    `person` is a file written by `holdmem imitate`.
    """

    person: Path = POPULATION

    def sit(self, game: Game, tables: int, rng: Streams) -> CloneSeat:
        """Return a seat at any table."""
        return CloneSeat(_read(self.person, self.person.stat().st_mtime_ns), rng)


@lru_cache(maxsize=32)
def _read(path: Path, changed: int) -> PersonMemory:
    return read_person(path)
