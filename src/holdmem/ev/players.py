"""Players by name, as models: a shipped style, the population, the file of a person, or any agent."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdmem.agent import Agent, as_agent, name_of
from holdmem.core.data import DATA
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.ev.models import PlayerModel, model_of
from holdmem.people.memory import PersonMemory, read_person, write_person
from holdmem.players.clone import POPULATION, POPULATIONS, SMALL_STYLES, STYLES

SUFFIX = ".people"
COMPARED = (POPULATION, "tight-aggressive", "calling-station")
"""Models of which two that differ from the one assumed are compared with it."""


@dataclass(frozen=True, eq=False)
class NamedPlayer:
    """A player as a value, and how to speak of it.

    `source` is what another process makes the player from: the path of a file or the bytes of one. Players
    without a source are pickled as they are.
    """

    player: Agent | PersonMemory
    words: str
    source: Path | bytes | None = None

    def model(self, game: Game, rng: Streams) -> PlayerModel:
        """Return the player as a model in a game."""
        return model_of(self.player, game, rng)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.source is None:
            return NamedPlayer, (self.player, self.words)
        return _from_source, (self.source, self.words)


def _from_source(source: Path | bytes, words: str) -> NamedPlayer:
    return NamedPlayer(_person(source), words, source)


@lru_cache(maxsize=16)
def _person(source: Path | bytes) -> PersonMemory:
    if isinstance(source, Path):
        return read_person(source)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "person"
        file.write_bytes(source)
        return read_person(file)


def packed_player(person: PersonMemory, words: str) -> NamedPlayer:
    """Return a person as it is after being stored and read, so that every process has the same one."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "person"
        write_person(file, person)
        return _from_source(file.read_bytes(), words)


def named_player(who: "NamedPlayer | Agent | PersonMemory | Path | str") -> NamedPlayer:
    """Return a player by name or value.

    A name is "population", "small-stakes", one of the shipped styles, the path of a file that `holdmem
    imitate` wrote, or an agent such as "eqm".
    """
    if isinstance(who, NamedPlayer):
        return who
    if isinstance(who, PersonMemory):
        return packed_player(who, who.name)
    if isinstance(who, Path) or (isinstance(who, str) and who.endswith(SUFFIX)):
        return packed_player(read_person(Path(who)), Path(who).stem)
    if isinstance(who, str) and who in (*POPULATIONS, *STYLES, *SMALL_STYLES):
        return NamedPlayer(_person(DATA / f"{who}{SUFFIX}"), _words(who), DATA / f"{who}{SUFFIX}")
    agent = as_agent(who)
    return NamedPlayer(agent, who if isinstance(who, str) else name_of(agent))


def _words(who: str) -> str:
    if who == POPULATION:
        return "the shipped population"
    return "the shipped population at small stakes" if who in POPULATIONS else f"the shipped style {who}"


def usual_player(game: Game) -> str:
    """Return the model that is assumed if nothing is said: the solved game where there is one."""
    return "eqm" if game.limit and game.seats == 2 else POPULATION


def compared_with(others: NamedPlayer) -> tuple[NamedPlayer, ...]:
    """Return two other models of the opponents."""
    rest = [name for name in COMPARED if named_player(name).words != others.words]
    return tuple(named_player(name) for name in rest[:2])
