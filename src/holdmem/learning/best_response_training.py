"""Train strategies and memories against best responses on a graphics card, here or on another machine.

`cfr.device.training` does the training and describes it. This module writes what it starts from and turns
what it found into a strategy of buckets or into revised cases.
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import TabularStrategy
from holdmem.arena.exact_device import graphics_card
from holdmem.cbr.case_base import CaseBase
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.card_abstraction import card_buckets
from holdmem.cfr.device.responder import Export
from holdmem.cfr.device.trainer import STORED, Trainer
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.strategy import Strategy, StrategyInfo, offsets, strategy_of
from holdmem.cfr.strategy_tables import StrategyTables
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.core.array_file import Arrays, like, read_arrays
from holdmem.core.atomic import atomic_file
from holdmem.core.errors import GameError, HoldMemError, StrategyError
from holdmem.core.random import Streams
from holdmem.core.types import Floats
from holdmem.engine import Game
from holdmem.engine.state import STREETS
from holdmem.learning.training_start import training_start

Report = Callable[[int, float], None]
"""Called with the number of updates so far, and the share of the work that is done."""

FLOPS = 16
"""Flops of an update, with one turn each: as many as keep a large card busy."""
BETWEEN_CHECKPOINTS = 600.0
"""Seconds between two checkpoints, which have some two gigabytes."""


def strategy_start(game: Game, buckets: tuple[int, int, int, int]) -> ExactResponse:
    """Return a strategy of buckets without preferences, to be trained."""
    tree, found = betting_tree(game), card_buckets(buckets)
    nothing = np.zeros(offsets(tree, found.sizes)[-1], np.float32)
    about = StrategyInfo(0, 0, "linear", (1.0, 1.0), "")
    return _response(StrategyTables(strategy_of(tree, found, nothing, about), tree), game)


def memory_start(base: CaseBase, game: Game) -> ExactResponse:
    """Return a memory as it plays now, to be trained."""
    seat = base.player("probabilistic").sit(game, 1, Streams.of(0, "player", 0))
    return _response(seat.tabulate(betting_tree(game)), game)


def _response(strategy: TabularStrategy, game: Game) -> ExactResponse:
    return ExactResponse(betting_tree(game), strategy)


def write_start(response: ExactResponse, name: str, path: Path, seed: int = 0) -> None:
    """Write the file from which `cfr.device.training` trains."""
    arrays = training_start(response, name, _measured_flops(response, seed))
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def _measured_flops(response: ExactResponse, seed: int) -> list[int]:
    """Return random flops by their weights, on which `training.py --measure` responds."""
    weights = np.array([flop.weight for flop in response.game.deals(1)], float)
    drawn = np.random.default_rng(seed).choice(len(weights), 400, p=weights / weights.sum())
    return [int(flop) for flop in drawn]


def train(
    response: ExactResponse,
    name: str,
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Report | None = None,
) -> tuple[list[Floats], int]:
    """Train on the local GPU for up to `iterations` or `minutes`; return the averages and number of updates.

    The checkpoint is written at intervals and when training ends, also by Ctrl-C.
    """
    if iterations is None and minutes is None:
        raise GameError("expected a number of iterations or minutes")
    card = _card()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "start.npz"
        write_start(response, name, path, seed)
        trainer = Trainer(Export(path), card, seed)
    if resume and checkpoint:
        _resume(trainer, checkpoint)
    try:
        _run(trainer, iterations, minutes, checkpoint, report)
    finally:
        if checkpoint:
            trainer.keep(checkpoint)
    return [np.asarray(found, np.float64) for found in trainer.averages()], trainer.updates


def _card() -> Any:
    try:
        return graphics_card("training")
    except HoldMemError as error:
        raise HoldMemError(f"{error}; or train on another machine with --export and --trained") from None


def _run(
    trainer: Trainer,
    iterations: int | None,
    minutes: float | None,
    checkpoint: Path | None,
    report: Report | None,
) -> None:
    begun = kept = time.monotonic()
    seconds = np.inf if minutes is None else 60 * minutes
    while trainer.updates != iterations and time.monotonic() - begun < seconds:
        trainer.train(FLOPS)
        now = time.monotonic()
        if report:
            report(trainer.updates, max((now - begun) / seconds, trainer.updates / (iterations or np.inf)))
        if checkpoint and now - kept > BETWEEN_CHECKPOINTS:
            trainer.keep(checkpoint)
            kept = now


def _resume(trainer: Trainer, path: Path) -> None:
    try:
        trainer.resume(path)
    except FileNotFoundError:
        raise StrategyError(f"{path}: no such checkpoint; omit --resume to start over") from None
    except ValueError as error:
        raise StrategyError(f"{path}: {error}; omit --resume to start over") from None


def trained_cells(
    path: Path, response: ExactResponse, name: str, listed: bool = False
) -> tuple[list[Floats], int]:
    """Read what a card has trained: probabilities [cell, action] by street, and the number of updates.

    StrategyError if the file is damaged or belongs to another start.
    """
    start = training_start(response, name, [], listed)
    try:
        arrays, about = read_arrays(path)
        if about.get("run") != _run_of(start):
            raise ValueError("that of another strategy or memory, or of another version of HoldMem")
        found = [arrays.get(f"street{street}") for street in range(STREETS)]
        updates = about.get("updates")
        if not isinstance(updates, int) or updates < 0:
            raise ValueError(f"{updates!r:.20} updates")
        return [_probabilities(one, start, street) for street, one in enumerate(found)], updates
    except FileNotFoundError:
        raise StrategyError(f"{path}: no such file") from None
    except ValueError as error:
        raise StrategyError(f"{path}: expected what training from this start wrote, got {error}") from None


def _run_of(start: Arrays) -> str:
    return str(json.loads(str(start["meta"]))["run"])


def _probabilities(found: NDArray[np.uint16] | None, start: Arrays, street: int) -> Floats:
    """Return the probabilities of a street's cells, after checking that they are such."""
    initial = start.get(f"train/street{street}/initial")
    cells = len(start[f"train/street{street}/kind"]) * int(start["train/classes"][street])
    cells = cells if initial is None else len(initial)
    parts = like(np.zeros((cells, 3), np.uint16), found, f"probabilities of street {street}").astype(
        np.float64
    )
    total = parts.sum(axis=1, keepdims=True)
    if (np.abs(total - STORED) > 3).any():  # each is rounded by itself
        raise ValueError(f"probabilities of street {street} that do not add up to one")
    shares: Floats = parts / total
    return shares


def trained_strategy(
    game: Game, buckets: tuple[int, int, int, int], cells: list[Floats], about: StrategyInfo
) -> Strategy:
    """Return a strategy of buckets from its trained cells."""
    tree, found = betting_tree(game), card_buckets(buckets)
    places, sums = offsets(tree, found.sizes), np.zeros(offsets(tree, found.sizes)[-1], np.float32)
    for street, triples in enumerate(cells):
        nodes = decisions_of(tree, street).tolist()
        tables = triples.reshape(len(nodes), found.sizes[street], 3)
        for node, table in zip(nodes, tables, strict=True):
            legal = [column for column, child in enumerate(action_columns(tree, node)) if child >= 0]
            sums[places[node] : places[node + 1]] = table[:, legal].T.ravel()
    return strategy_of(tree, found, sums, about)
