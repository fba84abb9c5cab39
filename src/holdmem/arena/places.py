"""Rankings with intervals: who has which place, by which mean, and from whom it cannot be told apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holdmem.arena.statistics import Estimate

Overall = Callable[[int, Sequence[int] | None], Estimate | None]
"""An agent's mean over its matches, all of them or those among some agents."""
Means = dict[int, Estimate | None]


@dataclass(frozen=True)
class Place:
    """One place of a ranking."""

    agent: int
    mean: Estimate | None
    """What it is ranked by; None for an agent all of whose matches failed."""
    level_with: tuple[int, ...] = ()
    """Agents from whom it cannot be told apart."""


def level(one: Estimate | None, other: Estimate | None) -> bool:
    """Whether two means cannot be told apart: their 95% intervals overlap, or one has no interval.

    Matches of a tournament share their cards, and some are between the two: the error of the difference is
    not known, but never more than the sum of both errors.
    """
    if one is None or other is None:
        return False
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return True
    return one.low <= other.high and other.low <= one.high


def by_bankroll(order: Sequence[int], overall: Overall) -> list[Place]:
    """Places by the mean over all matches; `order` has the best first."""
    means = {agent: overall(agent, None) for agent in order}
    pairs = {frozenset(pair) for agent in order for pair in _level_pairs(agent, means)}
    return _places(order, means, pairs)


def by_runoff(order: Sequence[int], seats: int, overall: Overall) -> list[Place]:
    """Places by run-off; `order` has the best first.

    An agent that was dropped has its mean in that round, and is compared with those who were left. The last
    ones left have their mean in the last round; of several (at tables of three or more) the order is by the
    mean over all matches, which they have then.
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
    """The agent with each other from whom it cannot be told apart."""
    others = [other for other in means if other != agent]
    return {frozenset((agent, other)) for other in others if level(means[agent], means[other])}


def _places(order: Sequence[int], means: Means, pairs: set[frozenset[int]]) -> list[Place]:
    return [
        Place(agent, means[agent], tuple(other for other in order if frozenset((agent, other)) in pairs))
        for agent in order
    ]
