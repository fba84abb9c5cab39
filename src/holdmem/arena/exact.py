"""Exact exploitability of tabular strategies in heads-up limit, flop by flop.

A flop is a work unit. Its result depends on the agent and the flop alone, is stored in the ledger under a
hash of agent, game and source, and is added up in the order of flops, so that a run can be stopped at any
time and gives the same digits with any number of workers. With a sample of flops the sum over flops becomes
an estimate. The responder's maxima before the flop are then taken over the sampled flops, which biases the
estimate upwards, since it knows which flops will come: a little with a hundred flops, a lot with three. A
second estimate chooses them on all flops but the one that is valued, and is biased downwards.
"""

import base64
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy.special import stdtrit

from holdmem.agent import TabularSeat, WatchingSeat, make_agent
from holdmem.agent.blame import describe_exception
from holdmem.arena.design import SOURCES, content_hash
from holdmem.arena.ledger import Ledger
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.exact_response import (
    ExactResponse,
    FlopValues,
    Response,
    respond_before_flop,
    respond_to_flop,
)
from holdmem.cfr.public_game import HOLDEM, PublicDeal
from holdmem.core.display import html_table, short
from holdmem.core.errors import AgentError, GameError, HoldMemError
from holdmem.core.parallel import WorkerDied, run_units
from holdmem.core.random import Streams, hand_ids
from holdmem.core.statistics import CONFIDENCE, Estimate
from holdmem.core.types import Floats, Progress
from holdmem.engine import Game

WAYS = ("self-play", "river", "turn", "flop", "preflop")
"""Street from which on the responder takes maxima; before it plays the agent's own strategy."""


@dataclass(frozen=True)
class ExactExploitability:
    """What an exact best response wins from an agent, in thousandths of a big blind per hand."""

    agent: str
    game: Game
    flops: int
    """Number of flops computed (all are 1,755 up to exchange of suits) or drawn"""
    seed: int | None
    """Random seed of the sample of flops; None if all were computed"""
    exploitability: Estimate
    """Mean over both seats; with a sample, the interval is over flops and leaves out the upward bias"""
    held_out: Estimate | None
    """With a sample: the same if the play before the flop is chosen on the other flops for each flop, which
    in expectation is a lower bound on exploitability"""
    by_seat: tuple[float, float]
    """What a best response in seat 0 and in seat 1 wins"""
    from_street: dict[str, tuple[float, float]]
    """The same, by seat, if it plays the agent's own strategy before this street; "self-play" for always"""

    def __repr__(self) -> str:
        sample = "" if self.seed is None else f"; {self.flops:,} sampled flops"
        return (
            f"ExactExploitability({short(self.agent)} loses {self.exploitability} to a best response{sample})"
        )

    def _repr_html_(self) -> str:
        rows = [(name, f"{(one + two) / 2:,.2f}") for name, (one, two) in self.from_street.items()]
        return html_table(("best response from", "mbb/h"), rows, repr(self))

    def as_json(self) -> dict[str, Any]:
        """Return the output of `holdmem exploit --exact --json`, described in docs/exploit.md."""
        return {
            "agent": self.agent,
            "game": self.game.name,
            "is": "the exact exploitability" if self.seed is None else "an estimate from sampled flops",
            "flops": self.flops,
            "seed": self.seed,
            "exploitability": self.exploitability.as_json(),
            "held_out": self.held_out.as_json() if self.held_out else None,
            "by_seat": list(self.by_seat),
            "from_street": {name: list(pair) for name, pair in self.from_street.items()},
        }


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
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> ExactExploitability:
    """Compute the exact exploitability of an agent, or estimate it from `flops` random flops."""
    if flops is not None and flops < 2:
        raise GameError(f"expected at least 2 flops, got {flops}")
    response = exact_response(agent, game, double)
    drawn = Counter(range(len(all_flops()))) if flops is None else sample_flops(flops, seed)
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
    return _summary(agent, game, response, drawn, found, None if flops is None else seed)


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
    text = repr(("exact", content_hash(make_agent(agent)), game, double, SOURCES))
    return blake2b(text.encode(), digest_size=12).hexdigest()


@cache
def all_flops() -> tuple[PublicDeal, ...]:
    """Return the 1,755 flops up to exchange of suits."""
    return tuple(HOLDEM.deals(1))


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


def compute_unit(unit: ExactUnit) -> dict[str, Any]:
    """Respond on one flop and return the result as plain values or, if the agent fails, an error message."""
    try:
        if exact_hash(unit.agent, unit.game, unit.double) != unit.hash:
            return {"error": f"{unit.agent}: it, or HoldMem, differs on this worker or has changed meanwhile"}
        found = respond_to_flop(exact_response(unit.agent, unit.game, unit.double), all_flops()[unit.flop])
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


def _summary(
    agent: str,
    game: Game,
    response: ExactResponse,
    drawn: Counter[int],
    found: dict[int, FlopValues],
    seed: int | None,
) -> ExactExploitability:
    """Add up the flops, in their order, and respond before the flop."""
    count, whole = drawn.total(), sum(flop.weight for flop in all_flops())
    scaled = {  # each flop as if all flops were like it, or, if all were computed, as it is
        flop: values if seed is None else values.times(whole / (count * all_flops()[flop].weight))
        for flop, values in found.items()
    }
    total = FlopValues(*(np.zeros_like(part) for part in next(iter(found.values()))))
    for flop, values in scaled.items():
        total = total.plus(values.times(1 if seed is None else drawn[flop]))
    answer = respond_before_flop(response, total)
    rates = answer.by_way * (1000 / game.big_blind)
    return ExactExploitability(
        agent,
        game,
        count,
        seed,
        _estimate(response, answer, drawn, scaled, seed, game),
        None if seed is None else _held_out(response, total, drawn, scaled, game),
        (float(rates[0, -1]), float(rates[1, -1])),
        {name: (float(one), float(two)) for name, (one, two) in zip(WAYS, rates.T.tolist(), strict=True)},
    )


def _estimate(
    response: ExactResponse,
    answer: Response,
    drawn: Counter[int],
    scaled: dict[int, FlopValues],
    seed: int | None,
    game: Game,
) -> Estimate:
    """Return the mean over seats; the interval is over flops, with the best response's own preflop play."""
    mean = float(answer.by_way[:, -1].mean()) * 1000 / game.big_blind
    if seed is None:
        return Estimate(mean, None, None, None, "mbb/h", len(scaled))
    combos = np.bincount(response.game.classes)[:, None]
    weights: list[Floats] = [plays * combos for plays in answer.plays]
    samples = [
        sum(float((weights[seat] * values.best[seat]).sum()) for seat in (0, 1))
        for flop, values in scaled.items()
        for _ in range(drawn[flop])
    ]
    count = len(samples)
    error = (
        float(np.std(samples, ddof=1)) * math.sqrt(count) / 2 / response.game.pairs * 1000 / game.big_blind
    )
    reach = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * error
    return Estimate(mean, error, mean - reach, mean + reach, "mbb/h", count)


def _held_out(
    response: ExactResponse, total: FlopValues, drawn: Counter[int], scaled: dict[int, FlopValues], game: Game
) -> Estimate:
    """Value each flop with the play before the flop that is best for all others."""
    count, samples = drawn.total(), []
    combos = np.bincount(response.game.classes)[:, None]
    for flop, values in scaled.items():
        others = total.plus(values.times(-1)).times(count / (count - 1))
        answer = respond_before_flop(response, others)
        won = [(answer.plays[seat] * combos * values.best[seat]).sum() * count for seat in (0, 1)]
        mean = float(np.mean(won) / response.game.pairs + answer.folds.mean())
        samples += [mean * 1000 / game.big_blind] * drawn[flop]
    error = float(np.std(samples, ddof=1)) / math.sqrt(count)
    reach = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * error
    mean = float(np.mean(samples))
    return Estimate(mean, error, mean - reach, mean + reach, "mbb/h", count)
