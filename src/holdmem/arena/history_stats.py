"""Playing style and winnings of the players in recorded hands."""

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from holdmem.arena.kernels.style import COUNTS, SHOWDOWNS, WON, count_style
from holdmem.arena.statistics import Estimate, estimate
from holdmem.arena.style import Style
from holdmem.core.types import Ints
from holdmem.engine import PARTS, Game
from holdmem.history.hands import Hands
from holdmem.history.replay import FinalStates, final_states

Stake = tuple[int, int, bool]
"""Chips per unit of results, chips per big blind, and whether the game is limit."""


@dataclass
class StakeResult:
    """Results of one player at one stake, in units of 1/PARTS chip."""

    hands: int = 0
    total: int = 0
    squares: int = 0

    def add(self, net: list[int]) -> None:
        """Add the results of more hands."""
        self.hands += len(net)
        self.total += sum(net)
        self.squares += sum(one * one for one in net)


@dataclass(frozen=True)
class PlayerRecord:
    """One player over all hands in which they sat."""

    name: str
    style: Style
    unseen: int
    """Hands in which the player's hole cards are unknown."""
    unknown: int
    """Hands whose result is neither recorded nor implied by the cards; the winnings exclude them."""
    money: dict[Stake, StakeResult]

    def winnings(self, unit: str | None = None) -> Estimate | None:
        """Return the mean per hand with its interval over single hands, or None without any result.

        In small bets if all hands were limit, else in big blinds, each hand in the units of its own stake.
        `mbb/h` are thousandths of a small bet in limit and of a big blind in no-limit, which are the same
        number of chips.
        """
        count = sum(one.hands for one in self.money.values())
        if not count:
            return None
        small_bets = all(limit for _, _, limit in self.money)
        # Integers over the least common multiple of the units, so that nothing is rounded.
        chips = {stake: stake[0] if small_bets else stake[1] for stake in self.money}
        whole = math.lcm(*chips.values())
        total = sum(one.total * (whole // chips[stake]) for stake, one in self.money.items())
        squares = sum(one.squares * (whole // chips[stake]) ** 2 for stake, one in self.money.items())
        found = estimate(count, total, squares, 1 / (whole * PARTS), "sb/h" if small_bets else "bb/h")
        return found.scaled(1000, unit) if unit == "mbb/h" else found

    def as_json(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        found = self.winnings()
        return {
            "name": self.name,
            "hands": self.style.hands,
            "style": vars(self.style),
            "winnings": None if found is None else found.as_json(),
            "unseen": self.unseen / self.style.hands,
            "unknown_results": self.unknown,
        }


@dataclass
class PlayerStatistics:
    """Counts over any number of blocks; memory grows with the players, not with the hands."""

    places: dict[str, int] = field(default_factory=dict)
    counts: Ints = field(default_factory=lambda: np.zeros((0, len(COUNTS)), dtype=np.int64))
    """What was done in hands with a known result; `others` counts the remaining hands."""
    others: Ints = field(default_factory=lambda: np.zeros((0, len(COUNTS)), dtype=np.int64))
    unseen: Counter[int] = field(default_factory=Counter)
    unknown: Counter[int] = field(default_factory=Counter)
    money: dict[int, dict[Stake, StakeResult]] = field(default_factory=dict)

    def add(self, hands: Hands) -> None:
        """Add a block of playable hands."""
        who = self._numbered(hands)
        known = hands.known
        for game in final_states(hands):
            lineup = who[hands.rows["player"][game.places][:, : game.game.seats]]
            for counts, which in ((self.counts, game.known), (self.others, ~game.known)):
                if which.any():
                    states, history = game.hands[which], game.history[which]
                    count_style(states, history, lineup[which], game.game.rules, counts)
            self.unseen.update(lineup[~known[game.places][:, : game.game.seats]].tolist())
            self.unknown.update(lineup[~game.known].ravel().tolist())
            self._earn(game, lineup)

    def _numbered(self, hands: Hands) -> Ints:
        """Return this object's number for each player of the block."""
        for name in hands.players:
            self.places.setdefault(name, len(self.places))
        more = np.zeros((len(self.places) - len(self.counts), len(COUNTS)), dtype=np.int64)
        self.counts = np.concatenate([self.counts, more])
        self.others = np.concatenate([self.others, more])
        return np.array([self.places[name] for name in hands.players], dtype=np.int64)

    def _earn(self, ended: FinalStates, lineup: Ints) -> None:
        if not ended.known.any():
            return
        seats = ended.game.seats
        players, net = lineup[ended.known].ravel(), ended.hands["net"][ended.known][:, :seats].ravel()
        order = np.argsort(players, kind="stable")
        found, begin = np.unique(players[order], return_index=True)
        for player, part in zip(found.tolist(), np.split(net[order], begin[1:]), strict=True):
            purse = self.money.setdefault(player, {})
            purse.setdefault(_stake(ended.game), StakeResult()).add(part.tolist())

    def records(self, name: str | None = None) -> list[PlayerRecord]:
        """Return the records of all players, or of one, those with the most hands first."""
        chosen = [one for one in self.places if name in (None, one)]
        found = [self._record(one, self.places[one]) for one in chosen if self._hands(self.places[one])]
        return sorted(found, key=lambda one: (-one.style.hands, one.name))

    def _hands(self, place: int) -> int:
        return int(self.counts[place, 0] + self.others[place, 0])

    def _record(self, name: str, place: int) -> PlayerRecord:
        known = self.counts[place].tolist()
        style = Style.of((self.counts[place] + self.others[place]).tolist())
        won = known[WON] / known[SHOWDOWNS] if known[SHOWDOWNS] else None
        style = replace(style, won_at_showdown=won)
        return PlayerRecord(name, style, self.unseen[place], self.unknown[place], self.money.get(place, {}))


def _stake(game: Game) -> Stake:
    return game.unit[0], game.big_blind, game.limit
