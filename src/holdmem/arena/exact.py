"""Exact exploitability of tabular strategies in heads-up limit, flop by flop.

A flop is a work unit. Its result depends on the agent and the flop alone, is stored in the ledger under a
hash of agent, game and source, and is added up in the order of flops, so that a run can be stopped at any
time and gives the same digits with any number of workers. With a sample of flops the sum over flops becomes
an estimate (`exact_result`).

On a graphics card (`device="cuda"`) the flops are computed by `cfr.device.responder` from the exported
strategy, here or on another machine, from which a file of finished flops comes back (`finished`).
"""

import base64
from collections import Counter
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.agent import TabularSeat, WatchingSeat, make_agent
from holdmem.agent.blame import describe_exception
from holdmem.agent.tabular import ConstantTables
from holdmem.arena.dependencies import PLAY
from holdmem.arena.design import content_hash
from holdmem.arena.exact_device import exploitability_on_device
from holdmem.arena.exact_result import ExactExploitability, all_flops, summary
from holdmem.arena.ledger import Ledger
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.card_blind_response import CardBlindResponse, respond_without_cards
from holdmem.cfr.exact_response import ExactResponse, FlopValues, respond_to_flop
from holdmem.cfr.public_game import HOLDEM
from holdmem.core.choices import Device
from holdmem.core.errors import AgentError, GameError, HoldMemError
from holdmem.core.parallel import WorkerDied, run_units
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import Progress
from holdmem.engine import Game


@dataclass(frozen=True)
class ExactUnit:
    """Work unit: one flop against one agent."""

    agent: str
    game: Game
    double: bool
    hash: str
    flop: int


def exact_exploitability(
    agent: str,
    game: Game,
    *,
    flops: int | None = None,
    seed: int = 0,
    double: bool = False,
    device: Device = "cpu",
    finished: Path | None = None,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> ExactExploitability:
    """Compute the exact exploitability of an agent, or estimate it from `flops` random flops."""
    if flops is not None and flops < 2:
        raise GameError(f"expected at least 2 flops, got {flops}")
    if double and (device != "cpu" or finished is not None):
        raise GameError("64-bit numbers are for processors: leave out double, or device and finished")
    response = exact_response(agent, game, double)
    drawn = drawn_flops(flops, seed)
    if device != "cpu" or finished is not None:
        return exploitability_on_device(agent, game, response, drawn, seed if flops else None, device,
                                        finished, progress)  # fmt: skip
    name = exact_hash(agent, game, double)
    known = _known(name, ledger, response)
    missing = [flop for flop in drawn if flop not in known]  # in the order of drawing
    units = [ExactUnit(agent, game, double, name, flop) for flop in missing]
    tell = progress or (lambda done, of: None)
    tell(len(drawn) - len(missing), len(drawn))
    for unit, result in run_units(compute_unit, units, min(workers, max(len(units), 1)), on):
        known[unit.flop] = _kept(unit, result, ledger)
        tell(sum(flop in known for flop in drawn), len(drawn))
    found = {flop: _values(known[flop]) for flop in sorted(drawn)}
    return summary(agent, game, response, drawn, found, None if flops is None else seed)


def _known(name: str, ledger: Ledger | None, response: ExactResponse) -> dict[int, dict[str, Any]]:
    """Return the stored results of flops, by the flop's number."""
    shape = (2, int(response.game.classes.max()) + 1, len(response.preflop.leaves))

    def check(result: dict[str, Any]) -> None:
        values = _values(result)
        if values.best.shape != shape or values.by_way.shape != (2, response.game.streets):
            raise ValueError(f"expected values of shape {shape}, got {values.best.shape}")

    return {start: result for start, _, result in ledger.kept(name, check)} if ledger else {}


def _kept(unit: ExactUnit, result: dict[str, Any] | WorkerDied, ledger: Ledger | None) -> dict[str, Any]:
    if isinstance(result, WorkerDied):
        raise AgentError(f"{unit.agent}: {result}")
    if "error" in result:
        raise AgentError(result["error"])
    if ledger:
        ledger.keep(unit.hash, unit.flop, unit.flop + 1, result)
    return result


def exact_hash(agent: str, game: Game, double: bool) -> str:
    """Return the hash under which results of flops are stored."""
    text = repr(("exact", content_hash(make_agent(agent)), game, double, PLAY))
    return blake2b(text.encode(), digest_size=12).hexdigest()


def drawn_flops(flops: int | None, seed: int) -> Counter[int]:
    """Return how often each flop counts: all of them once, or as many random ones."""
    return Counter(range(len(all_flops()))) if flops is None else sample_flops(flops, seed)


def sample_flops(count: int, seed: int) -> Counter[int]:
    """Draw random flops; return how often each was drawn, by its number."""
    cards = Streams.of(seed, "flops").decks(hand_ids(count), 3).astype(np.int64)
    images = np.sort(HOLDEM.permutations[:, cards], axis=2)  # [permutation, flop, card]
    numbers = {flop.cards: number for number, flop in enumerate(all_flops())}
    return Counter(
        next(numbers[key] for key in map(tuple, images[:, place].tolist()) if key in numbers)
        for place in range(count)
    )


@cache
def exact_response(agent: str, game: Game, double: bool) -> ExactResponse:
    """Return the best response to an agent, prepared once per process; AgentError if it is not tabular."""
    if game.seats != 2 or not game.limit:
        raise GameError(f"{game.name}: exact best responses need heads-up limit")
    tree = betting_tree(game)
    try:
        seat = make_agent(agent).sit(game, 1, Streams.of(0, "player", 0))
    except HoldMemError as error:
        raise AgentError(f"{agent}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{agent}: {describe_exception(error)} when it sat down to {game.name}") from error
    if isinstance(seat, WatchingSeat):
        raise AgentError(f"{agent}: only a static agent can be exploited; this one learns (it has watch)")
    if not isinstance(seat, TabularSeat):
        raise AgentError(
            f"{agent}: its policy is not a table by betting and class of cards (it has no tabulate);"
            " leave out --exact for the local best response"
        )
    return ExactResponse(tree, seat.tabulate(tree), HOLDEM, np.float64 if double else np.float32)


@cache
def card_blind_response(agent: str, game: Game, double: bool) -> CardBlindResponse:
    """Return the best response to an agent that ignores its cards, prepared once per process."""
    return CardBlindResponse(exact_response(agent, game, double))


def _respond(unit: ExactUnit) -> FlopValues:
    known, flop = (unit.agent, unit.game, unit.double), all_flops()[unit.flop]
    if isinstance(exact_response(*known).strategy, ConstantTables):
        return respond_without_cards(card_blind_response(*known), flop)
    return respond_to_flop(exact_response(*known), flop)


def compute_unit(unit: ExactUnit) -> dict[str, Any]:
    """Respond on one flop and return the result as plain values or, if the agent fails, an error message."""
    try:
        if exact_hash(unit.agent, unit.game, unit.double) != unit.hash:
            return {"error": f"{unit.agent}: it, or HoldMem, differs on this worker or has changed meanwhile"}
        found = _respond(unit)
    except HoldMemError as error:
        return {"error": f"{error}"}
    text = base64.b64encode(found.best.astype("<f8").tobytes()).decode()
    return {"shape": list(found.best.shape), "best": text, "by_way": found.by_way.tolist()}


def _values(result: dict[str, Any]) -> FlopValues:
    """Read the values of a flop; ValueError or TypeError if they are not as stored."""
    try:
        flat = np.frombuffer(base64.b64decode(result["best"], validate=True), "<f8")
        best, by_way = flat.reshape(result["shape"]), np.array(result["by_way"], np.float64)
    except KeyError as error:
        raise ValueError(f"no {error} in a stored result") from None
    if not np.isfinite(best).all() or not np.isfinite(by_way).all():
        raise ValueError("values are not finite")
    return FlopValues(best, by_way)
