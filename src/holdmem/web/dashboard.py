"""A player's hands at a glance: winnings with their band, statistics, results by position, and a list."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from holdmem.cards.notation import names
from holdmem.core.errors import NotationError
from holdmem.core.statistics import Estimate, Share
from holdmem.core.types import Floats, Ints, JsonObject
from holdmem.engine import PARTS, STREET_NAMES
from holdmem.history import Hands
from holdmem.history.describe import amount
from holdmem.history.hands import UNKNOWN
from holdmem.history.stats import POSITIONS, STATISTICS, SeatHands, StatFilter, StatLine, count_hands
from holdmem.history.stats.table import PlayerStatistics
from holdmem.web.bankroll import curve

Order = Literal["played", "won", "lost", "pot"]
LONGEST_PAGE = 200
"""Hands of the list in one answer."""
BY_POSITION = ("vpip", "pfr", "three_bet")


@dataclass(frozen=True, eq=False)
class Dashboard:
    """The hands of one player, in the order in which they were played."""

    player: str
    hands: Hands

    def __post_init__(self) -> None:
        if not len(self.rows):
            raise NotationError(f"{self.player!r} plays no hand of this file")

    @cached_property
    def seats(self) -> SeatHands:
        """All seats of the hands in which the player sits."""
        return count_hands(self.hands.with_player(self.player))

    @cached_property
    def rows(self) -> Ints:
        """Rows of `seats` that are the player's, in the order of time and, within it, of the file."""
        mine = np.flatnonzero(StatFilter(player=(self.player,)).keeps(self.seats))
        times = self.seats.hands.rows["time"][self.seats.hand[mine]]
        return mine[np.argsort(times, kind="stable")]

    @cached_property
    def big_blinds(self) -> Floats:
        """Result of each of the rows in big blinds; not a number where it is unknown."""
        found: Floats = np.where(
            self.seats.known[self.rows], self.seats.net[self.rows] / (PARTS * self._blinds), np.nan
        )
        return found

    @property
    def _blinds(self) -> Ints:
        blinds = np.array([terms.game.big_blind for terms in self.seats.hands.terms], dtype=np.int64)
        found: Ints = blinds[self.seats.hands.rows["terms"][self.seats.hand[self.rows]]]
        return found

    def as_json(self) -> JsonObject:
        """Return everything but the list of hands."""
        whole = _lines(self.seats, (), self.player)[0]
        return {
            "player": self.player,
            "hands": whole.hands,
            "unknown": whole.count("unscored"),
            "rate": _rate(whole.bb_per_100()),
            "adjusted": _rate(whole.all_in_adjusted()),
            "all_ins": whole.count("all_ins"),
            "all_ins_adjusted": whole.count("adjusted"),
            "curve": self._curve(),
            "statistics": [
                {"name": name, "title": one.title, "odds": one.as_odds, **_share(whole.share(name))}
                for name, one in STATISTICS.items()
            ],
            "positions": [_position(line) for line in _lines(self.seats, ("position",), self.player)],
        }

    def _curve(self) -> JsonObject:
        known = self.seats.known[self.rows]
        scored = self.rows[known]
        blinds = self._blinds[known]
        won = (self.seats.net[scored] / blinds).tolist()
        adjusted = (self.seats.adjusted[scored] / blinds).tolist()
        return {"hands": len(scored), "won": curve(won), "adjusted": curve(adjusted)["bankroll"]}

    def page(self, order: Order, start: int, count: int) -> JsonObject:
        """Return a part of the list of hands, in one of several orders."""
        places = self._ordered(order)
        some = places[start : start + min(count, LONGEST_PAGE)]
        return {"total": len(places), "start": start, "hands": [self._listed(int(place)) for place in some]}

    def _ordered(self, order: Order) -> Ints:
        """Return the indices of `rows` sorted by this order."""
        if order == "played":
            return np.arange(len(self.rows))[::-1]
        worth = np.abs(self.big_blinds) if order == "pot" else self.big_blinds
        worth = np.nan_to_num(worth, nan=0.0)
        return np.argsort(worth if order == "lost" else -worth, kind="stable")

    def _listed(self, place: int) -> JsonObject:
        row = self.rows[place]
        hand, seat = int(self.seats.hand[row]), int(self.seats.seat[row])
        record = self.seats.hands.rows[hand]
        hole, board = record["hole"][seat].tolist(), record["board"].tolist()
        terms = self.seats.hands.terms[record["terms"]]
        known, net = bool(self.seats.known[row]), int(self.seats.net[row])
        return {
            "place": self.place_in_file(place),
            "number": str(record["number"]) if record["number"] != UNKNOWN else None,
            "time": int(record["time"]) if record["time"] != UNKNOWN else None,
            "position": POSITIONS[self.seats.position[row]],
            "cards": None if UNKNOWN in hole else names(hole),
            "board": names(card for card in board if card != UNKNOWN),
            "street": (*STREET_NAMES, "showdown")[self.seats.reached[row]],
            "bb": round(float(self.big_blinds[place]), 2) if known else None,
            "money": amount(terms, Fraction(net, PARTS), signed=True).replace("-", "−") if known else None,
        }

    @cached_property
    def _with_player(self) -> Ints:
        """Index in the file of each hand in which the player sits."""
        who = [place for place, name in enumerate(self.hands.players) if name == self.player]
        return np.flatnonzero(np.isin(self.hands.rows["player"], who).any(axis=1))

    def place_in_file(self, place: int) -> int:
        """Return the number, from 1, of a hand in the file."""
        return int(self._with_player[self.seats.hand[self.rows[place]]]) + 1


def _lines(seats: SeatHands, by: tuple[str, ...], player: str) -> list[StatLine]:
    found = PlayerStatistics(by, StatFilter(player=(player,)))
    found.add_counted(seats)
    return found.lines()


def _rate(found: Estimate | None) -> JsonObject | None:
    return None if found is None else {"mean": found.mean, "low": found.low, "high": found.high}


def _share(found: Share) -> JsonObject:
    return {"value": found.value, "low": found.low, "high": found.high, "of": found.opportunities}


def _position(line: StatLine) -> JsonObject:
    return {
        "position": line.key["position"],
        "hands": line.hands,
        "rate": _rate(line.bb_per_100()),
        "statistics": {name: _share(line.share(name)) for name in BY_POSITION},
    }
