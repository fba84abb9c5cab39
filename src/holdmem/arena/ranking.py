"""Rankings with intervals: each agent's place, its mean, and the agents not significantly different."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holdmem.core.statistics import Estimate

OverallMean = Callable[[int, Sequence[int] | None], Estimate | None]
"""Function that gives an agent's mean over all its matches, or over those among some agents."""
Means = dict[int, Estimate | None]


@dataclass(frozen=True)
class Standing:
    """One place in a ranking."""

    agent: int
    mean: Estimate | None
    """The mean that it is ranked by; None for an agent whose matches all failed."""
    level_with: tuple[int, ...] = ()
    """Agents that cannot be distinguished from this one."""


def indistinguishable(one: Estimate | None, other: Estimate | None) -> bool:
    """Whether two means cannot be distinguished: their 95% intervals overlap, or one has no interval.

    Matches of a tournament share their cards, and some are between the two agents. The error of the
    difference is therefore unknown, but never exceeds the sum of both errors.
    """
    if one is None or other is None:
        return False
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return True
    return one.low <= other.high and other.low <= one.high


def by_bankroll(order: Sequence[int], overall: OverallMean) -> list[Standing]:
    """Rank by the mean over all matches; `order` has the best first."""
    means = {agent: overall(agent, None) for agent in order}
    pairs = {frozenset(pair) for agent in order for pair in _level_pairs(agent, means)}
    return _places(order, means, pairs)


def by_runoff(order: Sequence[int], seats: int, overall: OverallMean) -> list[Standing]:
    """Rank by run-off; `order` has the best first.

    A dropped agent is listed with its mean in that round and compared with the agents that remained. The last
    remaining agent is listed with its mean in the last round. If several remain (at tables of three or more),
    they are ordered by and listed with their means over all matches.
    """
    fewest, means, pairs = max(seats, 2), Means(), set[frozenset[int]]()
    for left in range(len(order), fewest - 1, -1):
        dropped, there = order[left - 1], {agent: overall(agent, order[:left]) for agent in order[:left]}
        means |= there
        pairs |= _level_pairs(dropped, there)
    winners = order[: fewest - 1]
    if len(winners) > 1:
        whole = {agent: overall(agent, None) for agent in winners}
        means |= whole
        pairs |= {pair for agent in winners for pair in _level_pairs(agent, whole)}
    return _places(order, means, pairs)


def _level_pairs(agent: int, means: Means) -> set[frozenset[int]]:
    """Return the pairs of this agent and each agent that cannot be distinguished from it."""
    others = [other for other in means if other != agent]
    return {frozenset((agent, other)) for other in others if indistinguishable(means[agent], means[other])}


def _places(order: Sequence[int], means: Means, pairs: set[frozenset[int]]) -> list[Standing]:
    return [
        Standing(agent, means[agent], tuple(other for other in order if frozenset((agent, other)) in pairs))
        for agent in order
    ]
