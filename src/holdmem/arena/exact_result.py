"""The exploitability of a tabular strategy as a result: sums over flops, estimates from a sample of them.

With a sample the responder's maxima before the flop are taken over the sampled flops, which biases the
estimate upwards, since it knows which flops will come: a little with a hundred flops, a lot with three. A
second estimate chooses them on all flops but the one that is valued, and is biased downwards.
"""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit

from holdmem.cfr.exact_response import ExactResponse, FlopValues, Response, respond_before_flop
from holdmem.cfr.public_game import HOLDEM, PublicDeal
from holdmem.core.display import html_table, short
from holdmem.core.statistics import CONFIDENCE, Estimate
from holdmem.engine import Game

if TYPE_CHECKING:
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
