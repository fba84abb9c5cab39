"""Environment in which experiments run: a scale, a ledger that stores every result, and workers."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_args

from holdmem.api.play import tournament
from holdmem.arena import Design, Ledger, MatchResult, Tournament, default_ledger, run_all
from holdmem.arena.design import SOURCES
from holdmem.core.atomic import write_atomically
from holdmem.core.choices import Scale
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.parallel import Unit, WorkerDied, run_units
from holdmem.core.types import Progress
from holdmem.engine import Game

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
    used: dict[str, str] = field(default_factory=dict)
    """Hash and description of everything played or computed."""

    def at(self, smoke: T, quick: T, full: T) -> T:
        """Return the value for this scale."""
        return {"smoke": smoke, "quick": quick, "full": full}[self.scale]

    def match(self, game: Game, *agents: str, **choices: Any) -> MatchResult:
        """Play one match; `choices` are fields of `Design`."""
        (found,) = self.matches([Design(game, agents, **{"seed": self.seed, **choices})])
        return found

    def matches(self, designs: Sequence[Design], title: str = "") -> list[MatchResult]:
        """Play several designs with all their work units pooled; results are in the order given."""
        title = title or " against ".join(designs[0].agents)
        with self.shown(title) as progress:
            found = run_all(designs, ledger=self.ledger, workers=self.workers, on=self.on, progress=progress)
        played = []
        for one in found:
            if isinstance(one, AgentError):
                raise one
            self.used[one.hash] = f"{one.design.game.name}: {' against '.join(one.design.agents)}"
            played.append(one)
        return played

    def tournament(self, game: Game, agents: Sequence[str], **choices: Any) -> Tournament:
        """Play a round-robin tournament."""
        with self.shown(f"{len(agents)} agents") as progress:
            found = tournament(
                game, *agents, ledger=self.ledger, workers=self.workers, on=self.on, progress=progress,
                **{"seed": self.seed, **choices},
            )  # fmt: skip
        self.used[found.hash] = f"{game.name}: {', '.join(agents)}"
        return found

    def work(self, function: Callable[[Unit], Any], units: Sequence[Unit], title: str) -> list[Any]:
        """Return the results of a pure function for each unit, in order, as JSON represents them.

        Units are frozen values. Each result is stored under a hash of function, unit and HoldMem's source, so
        that an interrupted run resumes.
        """
        names = [_hash_of(function, unit) for unit in units]
        self.used |= {name: f"{title}: {unit!r}"[:200] for name, unit in zip(names, units, strict=True)}
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


@dataclass(frozen=True)
class RunnerTask:
    """A unit of work, as it is sent to a worker process."""

    name: str
    function: Callable[[Any], Any]
    unit: Any


def _do(task: RunnerTask) -> Any:
    return task.function(task.unit)


def _hash_of(function: Callable[..., Any], unit: Any) -> str:
    text = f"{function.__module__}.{function.__qualname__}\0{unit!r}\0{SOURCES}"
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
