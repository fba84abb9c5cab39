"""Environment in which experiments run: a scale, a ledger that stores every result, and workers."""

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

from holdmem.arena import Design, Ledger, MatchResult, Tournament, default_ledger, run_all
from holdmem.arena.design import DeckPurpose
from holdmem.arena.tournament import round_robin
from holdmem.core.atomic import write_atomically
from holdmem.core.choices import Scale
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.parallel import Unit, WorkerDied, run_units
from holdmem.core.types import Progress
from holdmem.engine import Game
from holdmem.learning.decks import DeckRange
from holdmem.papers.dependencies import (
    PURPOSE,
    Code,
    code_of_function,
    content_of,
    data_digests,
    parts_of,
    shipped_data,
)

SCALES: tuple[Scale, ...] = get_args(Scale)
"""A few hands, as a functional test; about two minutes per publication; published sizes and larger ones."""

ProgressDisplay = Callable[[str], AbstractContextManager[Progress]]
T = TypeVar("T")


def _silently(title: str) -> AbstractContextManager[Progress]:
    return nullcontext(lambda done, of: None)


@dataclass
class ExperimentRunner:
    """Plays what an experiment requests, stores the results, and records the hash of each."""

    scale: Scale = "quick"
    ledger: Ledger | None = None
    workers: int = 1
    on: str | None = None
    seed: int = 0
    shown: ProgressDisplay = _silently
    purpose: DeckPurpose = PURPOSE
    used: dict[str, str] = field(default_factory=dict)
    """Hash and description of everything played or computed."""
    data: dict[str, str] = field(default_factory=dict)
    """Digests of the shipped files that were read, by name."""
    decks: set[DeckRange] = field(default_factory=set)
    """The decks that were dealt."""

    def at(self, smoke: T, quick: T, full: T) -> T:
        """Return the value for this scale."""
        return {"smoke": smoke, "quick": quick, "full": full}[self.scale]

    @property
    def recordings(self) -> DeckPurpose:
        """Purpose of the decks on which experiments record hands to learn from."""
        return "play" if self.purpose == "play" else "record"

    def recording(self, design: Design) -> Design:
        """Return a design whose hands are learned from, on decks of their own, and note them."""
        design = replace(design, purpose=self.recordings)
        self.decks.add(DeckRange.of(design))
        self.note_files(design.agents)
        return design

    def match(self, game: Game, *agents: str, **choices: Any) -> MatchResult:
        """Play one match; `choices` are fields of `Design`."""
        (found,) = self.matches([Design(game, agents, **{"seed": self.seed, **choices})])
        return found

    def matches(self, designs: Sequence[Design], title: str = "") -> list[MatchResult]:
        """Play several designs with all their work units pooled; results are in the order given."""
        title = title or " against ".join(designs[0].agents)
        designs = [replace(design, purpose=self.purpose) for design in designs]
        self.decks.update(map(DeckRange.of, designs))
        with self.shown(title) as progress:
            found = run_all(designs, ledger=self.ledger, workers=self.workers, on=self.on, progress=progress)
        played = []
        for one in found:
            if isinstance(one, AgentError):
                raise one
            self.note_files(one.design.agents)
            self._note(one.hash, f"{one.design.game.name}: {' against '.join(one.design.agents)}")
            played.append(one)
        return played

    def tournament(self, game: Game, agents: Sequence[str], **choices: Any) -> Tournament:
        """Play a round-robin tournament."""
        with self.shown(f"{len(agents)} agents") as progress:
            design = partial(Design, game, **{"seed": self.seed, "purpose": self.purpose, **choices})
            found = round_robin(
                design, game, tuple(agents), ledger=self.ledger, workers=self.workers, on=self.on,
                progress=progress,
            )  # fmt: skip
        self.decks.update(DeckRange.of(one.design) for one in found.results.values())
        self.note_files(agents)
        self._note(found.hash, f"{game.name}: {', '.join(agents)}")
        return found

    def note_files(self, read: Iterable[str | Path]) -> None:
        """Note the shipped files that are read, given as such or by agents."""
        self.data |= data_digests(read)

    def work(
        self,
        function: Callable[[Unit], Any],
        units: Sequence[Unit],
        title: str,
        reads: Callable[[Unit], Iterable[str | Path]] = lambda unit: shipped_data(),
    ) -> list[Any]:
        """Return the results of a pure function for each unit, in order, as JSON represents them.

        Units are frozen values. Each result is stored under a hash of the unit and of what its result depends
        on, so that an interrupted run resumes: the function with the code that it uses, and the agents (by
        name) and files that it `reads`, by default all shipped memories, strategies and people.
        """
        code = code_of_function(function)
        names = [unit_hash(function, code, unit, reads(unit)) for unit in units]
        self.decks.update(decks for unit in units for decks in decks_of_unit(unit))
        self.note_files(one for unit in units for one in reads(unit))
        for name, unit in zip(names, units, strict=True):
            self._note(name, f"{title}: {unit!r}"[:200])
        found = {name: kept for name in names if (kept := self._kept(name)) is not None}
        waiting = dict(zip(names, units, strict=True))
        todo = {name: unit for name, unit in waiting.items() if name not in found}
        with self.shown(title) as progress:
            for name, result in self._computed(function, todo):
                found[name] = self._keep(name, result)
                progress(len(found), len(waiting))
        return [found[name] for name in names]

    def _computed(self, function: Callable[[Unit], Any], todo: dict[str, Unit]) -> Iterator[tuple[str, Any]]:
        tasks = [RunnerTask(name, function, unit) for name, unit in todo.items()]
        for task, result in run_units(_do, tasks, min(self.workers, max(len(tasks), 1)), self.on):
            if isinstance(result, WorkerDied):
                raise result
            yield task.name, result

    def _note(self, name: str, description: str) -> None:
        self.used[name] = without_temporary_folders(description)

    def place(self, name: str) -> Path | None:
        """Return a folder for work that keeps its own state; `name` must determine everything it depends on.

        The folder lies next to the ledger; without a ledger nothing is stored.
        """
        return self._folder / name if self.ledger is not None else None

    @property
    def _folder(self) -> Path:
        return (self.ledger.path if self.ledger else default_ledger()).parent / "computed"

    def _kept(self, name: str) -> Any:
        file = self._folder / f"{name}.json"
        if self.ledger is None or not file.is_file():
            return None
        try:
            return json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise NotationError(f"{file}: expected a kept result in JSON, got: {error}; remove it") from None

    def _keep(self, name: str, result: Any) -> Any:
        text = json.dumps(result)
        if self.ledger is not None:
            write_atomically(self._folder / f"{name}.json", text)
        return json.loads(text)


def without_temporary_folders(text: str) -> str:
    """Shorten paths in temporary folders to what lies inside the folder, whose own name is random."""
    return re.sub(re.escape(tempfile.gettempdir()) + r"/[^/\s]+/", "", text)


@dataclass(frozen=True)
class RunnerTask:
    """A unit of work, as it is sent to a worker process."""

    name: str
    function: Callable[[Any], Any]
    unit: Any


def _do(task: RunnerTask) -> Any:
    return task.function(task.unit)


def decks_of_unit(unit: Any) -> list[DeckRange]:
    """Return the decks that a unit of work may deal: those of its seed, also in the units that it holds."""
    if isinstance(unit, tuple | list):
        return [decks for one in unit for decks in decks_of_unit(one)]
    if not is_dataclass(unit):
        return []
    inner = [decks for one in fields(unit) for decks in decks_of_unit(getattr(unit, one.name))]
    seed, hands = getattr(unit, "seed", None), getattr(unit, "hands", None)
    if seed is None or hands is None:
        return inner
    matches = getattr(unit, "first", 0) + getattr(unit, "matches", 1) + getattr(unit, "match", 0)
    game = getattr(unit, "game", "")
    name = game.name if isinstance(game, Game) else str(game)
    return [*inner, DeckRange(getattr(unit, "purpose", "play"), seed, name, matches, hands)]


def unit_hash(function: Callable[..., Any], code: Code, unit: Any, reads: Iterable[str | Path]) -> str:
    """Return the hash under which the result of a unit of work is stored."""
    what = [f"{function.__module__}.{function.__qualname__}", repr(unit), parts_of(code), content_of(reads)]
    return hashlib.blake2b(json.dumps(what, sort_keys=True).encode(), digest_size=12).hexdigest()
