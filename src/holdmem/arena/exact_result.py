"""The exploitability of a tabular strategy as a result: sums over flops, estimates from a sample of them.

With a sample the responder's maxima before the flop are taken over the sampled flops, which biases the
estimate upwards, since it knows which flops will come: a little with a hundred flops, a lot with three. A
second estimate chooses them on all flops but the one that is valued, and is biased downwards.
"""

import math
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit

from holdmem.arena.result import estimates_frame
from holdmem.cfr.exact_response import ExactResponse, FlopValues, Response, respond_before_flop
from holdmem.cfr.public_game import HOLDEM, PublicDeal
from holdmem.core.display import html_table, short
from holdmem.core.errors import GameError
from holdmem.core.statistics import CONFIDENCE, Estimate
from holdmem.engine import Game

if TYPE_CHECKING:
    import polars as pl

    from holdmem.core.types import Floats

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
    by_flop: dict[str, tuple[float, ...]]
    """With a sample: the mean of both seats as each drawn flop has it, in the order of the flops' numbers"""

    def estimate(self, street: str) -> Estimate:
        """Return the exploitability from a street on, averaged over both seats, with its interval."""
        mean = sum(self.from_street[street]) / 2
        return over_flops(mean, np.array(self.by_flop[street])) if self.by_flop else exactly(mean, self.flops)

    def minus(self, other: "ExactExploitability", street: str) -> Estimate:
        """Return how much more exploitable this agent is than another, paired by flop."""
        if (self.flops, self.seed) != (other.flops, other.seed):
            raise GameError(f"expected the same flops, got {self} and {other}")
        mean = (sum(self.from_street[street]) - sum(other.from_street[street])) / 2
        if not self.by_flop:
            return exactly(mean, self.flops)
        return over_flops(mean, np.subtract(self.by_flop[street], other.by_flop[street]))

    def __repr__(self) -> str:
        sample = "" if self.seed is None else f"; {self.flops:,} sampled flops"
        return (
            f"ExactExploitability({short(self.agent)} loses {self.exploitability} to a best response{sample})"
        )

    def _repr_html_(self) -> str:
        rows = [(name, f"{(one + two) / 2:,.2f}") for name, (one, two) in self.from_street.items()]
        return html_table(("best response from", "mbb/h"), rows, repr(self))

    def frame(self) -> "pl.DataFrame":
        """Return what is won by exploiting from each street on, as a polars data frame."""
        return estimates_frame(
            {"agent": self.agent, "from": street} | asdict(self.estimate(street))
            for street in self.from_street
        )

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
            "by_flop": {name: list(samples) for name, samples in self.by_flop.items()},
        }


@cache
def all_flops() -> tuple[PublicDeal, ...]:
    """Return the 1,755 flops up to exchange of suits."""
    return tuple(HOLDEM.deals(1))


def summary(
    agent: str,
    game: Game,
    response: ExactResponse,
    drawn: Counter[int],
    found: dict[int, FlopValues],
    seed: int | None,
    self_play: bool = True,
) -> ExactExploitability:
    """Add up the flops, in their order, and respond before the flop.

    Without `self_play` the flops do not say what the strategy wins from itself, and the result leaves it out.
    """
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
    won = {name: (float(one), float(two)) for name, (one, two) in zip(WAYS, rates.T.tolist(), strict=True)}
    samples = {} if seed is None else _samples(response, answer, total, drawn, scaled, game)
    if not self_play:
        won.pop("self-play")
        samples.pop("self-play", None)
    mean = sum(won["preflop"]) / 2
    return ExactExploitability(
        agent,
        game,
        count,
        seed,
        over_flops(mean, np.array(samples["preflop"])) if samples else exactly(mean, count),
        None if seed is None else _held_out(response, total, drawn, scaled, game),
        won["preflop"],
        won,
        samples,
    )


def exactly(mean: float, flops: int) -> Estimate:
    """Return a mean over all flops, which has no interval."""
    return Estimate(mean, None, None, None, "mbb/h", flops)


def over_flops(mean: float, samples: "Floats") -> Estimate:
    """Return a mean with an interval by Student's t over flops."""
    error = float(np.std(samples, ddof=1)) / math.sqrt(len(samples))
    reach = float(stdtrit(len(samples) - 1, (1 + CONFIDENCE) / 2)) * error
    return Estimate(mean, error, mean - reach, mean + reach, "mbb/h", len(samples))


def _samples(
    response: ExactResponse,
    answer: Response,
    total: FlopValues,
    drawn: Counter[int],
    scaled: dict[int, FlopValues],
    game: Game,
) -> dict[str, tuple[float, ...]]:
    """Return the values that each flop stands for; before the flop the best response plays as on all."""
    pairs, count = response.game.pairs, drawn.total()
    folded = np.append((answer.by_way[:, :-1] - total.by_way / pairs).mean(axis=0), answer.folds.mean())
    combos = np.bincount(response.game.classes)[:, None]
    rows = []
    for flop, values in scaled.items():
        best = np.mean([(answer.plays[seat] * combos * values.best[seat]).sum() for seat in (0, 1)])
        row = folded + np.append(values.by_way.mean(axis=0), best) * (count / pairs)
        rows += [row * (1000 / game.big_blind)] * drawn[flop]
    return {name: tuple(column) for name, column in zip(WAYS, np.transpose(rows).tolist(), strict=True)}


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
    return over_flops(float(np.mean(samples)), np.array(samples))
