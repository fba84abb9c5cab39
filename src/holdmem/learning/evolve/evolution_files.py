"""Folder of an evolution, with everything needed to resume a run that was killed.

evolution.json       the task, and every generation of every algorithm with its winnings
memory/              arrays with what learning opponents remember, for algorithms under way
GA1.json, …          the best hypothesis of each finished algorithm, as a weight set
weights.json         that of the final algorithm: `casper:weights=FOLDER/weights.json` plays it
"""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from holdmem.agent import make_agent
from holdmem.agent.seat_state import restore_all, state_of
from holdmem.arena.dependencies import PLAY, combined, layer_digest
from holdmem.arena.design import content_hash
from holdmem.cbr.weight_sets import WeightSet, write_weights
from holdmem.core.array_file import read_arrays, write_arrays
from holdmem.core.atomic import storage_errors, write_atomically
from holdmem.core.cache_folder import say
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.parallel import WorkerPool
from holdmem.learning.evolve.evolution import Evolution, Generation, GenerationReport, learns
from holdmem.learning.evolve.generations import Opponents, new_opponents
from holdmem.learning.evolve.task import FINAL, EvolutionTask
from holdmem.players.casper import STREETS

FORMAT, VERSION = "holdmem evolution", 1


def source_digest() -> str:
    """Return a digest of the code that an evolution depends on."""
    return combined({"play": PLAY, "learning": layer_digest("learning")})


def state_file(folder: Path) -> Path:
    """Return the path of the file that holds the evolution's state, except what opponents have learned."""
    return folder / "evolution.json"


def contents_of(task: EvolutionTask) -> dict[str, Any]:
    """Return hashes of the agents named in a task: the same names may mean other players later."""
    return {
        "player": content_hash(make_agent(task.player)),
        "opponents": [content_hash(make_agent(text)) for text in task.opponents],
    }


def load_or_start(task: EvolutionTask, folder: Path) -> tuple[Evolution, bool]:
    """Load the evolution of this task from its folder, or start a new one if there is none.

    Also returns whether HoldMem's source is still what it was when the run began.
    """
    path = state_file(folder)
    learns(task)  # seats every agent, so that an error appears now rather than after an hour
    if path.exists():
        return _read(task, path)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotationError(f"{folder} exists and is not the folder of an evolution")
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    evolution = Evolution(task)
    write_state(evolution, folder)
    return evolution, True


def resume(
    evolution: Evolution,
    folder: Path,
    crew: WorkerPool | None = None,
    minutes: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[GenerationReport]:
    """Run an evolution in its folder, to the end or for `minutes`, and save every generation."""
    for algorithm in evolution.played:
        if evolution.is_over(algorithm) and not best_file(folder, algorithm).exists():
            write_best(evolution, folder, algorithm)  # the run was killed before writing it
    for report in evolution.run(crew, minutes, progress):
        write_state(evolution, folder)
        if evolution.is_over(report.algorithm):
            write_best(evolution, folder, report.algorithm)
        yield report


def write_state(evolution: Evolution, folder: Path) -> None:
    """Write the state of the evolution; at any moment the folder holds all that is needed to resume."""
    memories = _keep_memories(evolution, folder / "memory")
    path = state_file(folder)
    source = json.loads(path.read_text(encoding="utf-8"))["source"] if path.exists() else source_digest()
    _write(path, _as_json(evolution, source))
    for old in (folder / "memory").glob("*"):
        if old.name not in memories and old.suffix in (".npz", ".pickle"):
            old.unlink()
    if not memories:
        shutil.rmtree(folder / "memory", ignore_errors=True)


def _as_json(evolution: Evolution, source: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "task": evolution.task.as_json(),
        "contents": contents_of(evolution.task),
        "source": source,
        "seconds": round(evolution.seconds, 3),
        "algorithms": {
            name: [one.as_json() for one in generations] for name, generations in evolution.played.items()
        },
    }


def _write(path: Path, content: dict[str, Any]) -> None:
    write_atomically(path, json.dumps(content) + "\n")


def _memory_name(evolution: Evolution, algorithm: str) -> str:
    """Return a name with the generation, so that a kill never pairs a state with another memory."""
    return f"{algorithm}-{len(evolution.played[algorithm])}.npz"


def _keep_memories(evolution: Evolution, folder: Path) -> set[str]:
    """Write the memories of the algorithms under way; return their file names."""
    names = set()
    for algorithm, opponents in evolution.opponents.items():
        if not evolution.is_over(algorithm):
            folder.mkdir(exist_ok=True)
            name = _memory_name(evolution, algorithm)
            names.add(name)
            if not (folder / name).exists():
                _keep_memory(folder / name, opponents, evolution.task.table.opponents)
    return names


def _keep_memory(path: Path, opponents: Opponents, names: Sequence[str]) -> None:
    try:
        write_arrays(path, state_of(opponents, names), {"opponents": list(names)})
    except AgentError as error:
        say(f"{error}; if this run is stopped, algorithms in progress will start over")


def _read(task: EvolutionTask, path: Path) -> tuple[Evolution, bool]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != FORMAT or found["version"] != VERSION:
            raise ValueError(f"{found['format']} of version {found['version']}")
        _expect_same(path, "task", json.loads(json.dumps(task.as_json())), found["task"])
        _expect_same(path, "contents", contents_of(task), found["contents"])
        evolution = Evolution(task)
        evolution.seconds = float(found["seconds"])
        for name in evolution.played:
            evolution.played[name] = [Generation.from_json(one) for one in found["algorithms"][name]]
    except (
        OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError
    ) as error:  # fmt: skip
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"{path}: cannot be read as the state of an evolution: {error!r}") from None
    if learns(task):
        _read_memories(evolution, path.parent / "memory")
    return evolution, found["source"] == source_digest()


def _read_memories(evolution: Evolution, folder: Path) -> None:
    """Restore the opponents' memories; an algorithm without one starts again.

    The result does not change, since the same generations are played again.
    """
    for algorithm, played in evolution.played.items():
        if played and not evolution.is_over(algorithm):
            file = folder / _memory_name(evolution, algorithm)
            try:
                evolution.opponents[algorithm] = _read_memory(evolution.task, algorithm, file)
            except (ValueError, FileNotFoundError, AgentError) as error:
                reason = "not saved" if isinstance(error, FileNotFoundError) else str(error)
                say(f"{file}: memory of opponents: {reason}; {algorithm} starts over")
                played.clear()


def _read_memory(task: EvolutionTask, algorithm: str, file: Path) -> Opponents:
    state, _ = read_arrays(file)
    opponents = new_opponents(task.table, algorithm, task.tables)
    restore_all(opponents, task.table.opponents, state)
    return opponents


def _expect_same(path: Path, what: str, wanted: dict[str, Any], found: dict[str, Any]) -> None:
    differs = [key for key in wanted if wanted[key] != found.get(key)]
    if differs:
        mine = ", ".join(f"{key} {wanted[key]}" for key in differs)
        theirs = ", ".join(f"{key} {found.get(key)}" for key in differs)
        raise NotationError(
            f"{path}: expected an evolution whose {what} has {mine}, got {theirs};"
            " continue with the same options, or choose another folder"
        )


def weights_file(folder: Path) -> Path:
    """Return the path of the final weights."""
    return folder / "weights.json"


def best_file(folder: Path, algorithm: str) -> Path:
    """Return the path for the best hypothesis of an algorithm."""
    return weights_file(folder) if algorithm == FINAL else folder / f"{algorithm}.json"


def write_best(evolution: Evolution, folder: Path, algorithm: str) -> Path:
    """Write the best hypothesis of a finished algorithm as a weight set."""
    last = evolution.played[algorithm][-1]
    about = {
        "about": f"best of {algorithm}, evolution by {evolution.task.scheme} (holdmem evolve)",
        "seed": evolution.task.seed,
        "hands": sum(one.hands for one in evolution.played[algorithm]),
        "won": last.profits[last.best],
        "won_in_hands": last.hands,
    }
    path = best_file(folder, algorithm)
    write_weights(path, WeightSet.of(STREETS, evolution.best_of(algorithm)), about)
    return path
