"""One line of statistics: a player, a position, or any other group, over all its hands."""

import math
from dataclasses import dataclass, field
from operator import mul
from typing import Any

import numpy as np

from holdmem.core.statistics import Estimate, Share, estimate
from holdmem.core.types import Ints
from holdmem.engine import PARTS, Game
from holdmem.history.stats.definitions import STATISTICS
from holdmem.history.stats.kernels.count import COUNTERS

Stake = tuple[int, int, bool]
"""Chips per unit of results, chips per big blind, and whether the game is limit."""


def stake_of(game: Game) -> Stake:
    """Return what makes stakes the same: the unit of results, the big blind, and limit or no-limit."""
    return game.unit[0], game.big_blind, game.limit


@dataclass(frozen=True)
class StakeResult:
    """Results at one stake, in units of 1/PARTS chip, as whole numbers: any order gives the same sums."""

    hands: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, net: list[int]) -> "StakeResult":
        """Sum the results of these hands."""
        return cls(len(net), sum(net), sum(map(mul, net, net)))

    def __add__(self, other: "StakeResult") -> "StakeResult":
        return StakeResult(self.hands + other.hands, self.total + other.total, self.squares + other.squares)


Money = dict[Stake, StakeResult]


@dataclass(eq=False)
class StatLine:
    """Statistics of one group of hands; `key` has what the hands have in common: player, position, …

    Each statistic of `holdmem.history.stats.STATISTICS` is a `Share`: how often something was done, how often
    it could have been, and a 95% interval.
    """

    key: dict[str, str | int]
    counts: Ints = field(default_factory=lambda: np.zeros(len(COUNTERS), dtype=np.int64))
    money: Money = field(default_factory=dict)
    adjusted: Money = field(default_factory=dict)

    def __repr__(self) -> str:
        group = ", ".join(map(str, self.key.values())) or "all"
        return f"StatLine({group}: {self.hands:,} hands)"

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.count("hands")

    def count(self, name: str) -> int:
        """Return a counter by its name."""
        return int(self.counts[COUNTERS.index(name)])

    def share(self, name: str) -> Share:
        """Return a statistic by its name, such as `vpip` or `cbet_flop`."""
        return STATISTICS[name].compute(self.counts)

    def winnings(self, unit: str | None = None) -> Estimate | None:
        """Return the mean per hand with its interval over single hands, or None without any result.

        In small bets if all hands were limit, else in big blinds, each hand in the units of its own stake.
        `mbb/h` are thousandths of a small bet in limit and of a big blind in no-limit, which are the same
        number of chips.
        """
        small_bets = bool(self.money) and all(limit for _, _, limit in self.money)
        found = _mean(self.money, small_bets)
        return found.scaled(1000, unit) if found is not None and unit == "mbb/h" else found

    def bb_per_100(self) -> Estimate | None:
        """Return the winnings in big blinds per 100 hands, in limit too."""
        return _per_100(self.money)

    def all_in_adjusted(self) -> Estimate | None:
        """Return `bb_per_100` with all-ins shared by equity where all cards are known.

        `count("all_ins")` says how many there were, `count("adjusted")` in how many the cards are known. If
        these differ because losers mucked, the estimate is biased (docs/statistics.md).
        """
        return _per_100(self.adjusted)

    def style(self) -> dict[str, float | int | None]:
        """Return the style as the arena measures it: of all hands, aggression on all streets."""
        hands = self.hands
        aggressive, calls = (
            sum(self.count(f"{what}_{street}") for street in ("preflop", "flop", "turn", "river"))
            for what in ("aggressive", "calls")
        )
        return {
            "hands": hands,
            "vpip": self.count("vpip") / hands,
            "pfr": self.count("pfr") / hands,
            "aggression": _ratio(aggressive, calls),
            "went_to_showdown": _ratio(self.count("showdowns"), self.count("flops")),
            "won_at_showdown": _ratio(self.count("ahead_showdowns"), self.count("scored_showdowns")),
        }

    def as_json(self) -> dict[str, Any]:
        """Return the line as JSON values; the player is called `name`."""
        found, rate, adjusted = self.winnings(), self.bb_per_100(), self.all_in_adjusted()
        return {
            **{"name" if what == "player" else what: value for what, value in self.key.items()},
            "hands": self.hands,
            "style": self.style(),
            "winnings": None if found is None else found.as_json(),
            "unseen": self.count("unseen") / self.hands,
            "unknown_results": self.count("unscored"),
            "statistics": {name: self.share(name).as_json() for name in STATISTICS},
            "bb_per_100": None if rate is None else rate.as_json(),
            "all_in_adjusted": None
            if adjusted is None
            else {**adjusted.as_json(), "all_ins": self.count("all_ins"), "adjusted": self.count("adjusted")},
        }


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _per_100(money: Money) -> Estimate | None:
    found = _mean(money, small_bets=False)
    return None if found is None else found.scaled(100, "bb/100")


def _mean(money: Money, small_bets: bool) -> Estimate | None:
    count = sum(one.hands for one in money.values())
    if not count:
        return None
    # Integers over the least common multiple of the units, so that nothing is rounded.
    chips = {stake: stake[0] if small_bets else stake[1] for stake in money}
    whole = math.lcm(*chips.values())
    total = sum(one.total * (whole // chips[stake]) for stake, one in money.items())
    squares = sum(one.squares * (whole // chips[stake]) ** 2 for stake, one in money.items())
    return estimate(count, total, squares, 1 / (whole * PARTS), "sb/h" if small_bets else "bb/h")
