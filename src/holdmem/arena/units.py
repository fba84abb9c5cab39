"""A match cut into work units, and how a unit is played.

Where nobody learns, every sample (a deck in all orders, or a round of the button) stands alone, and a unit is
a range of samples, played in wide batches. Where somebody learns, a unit is a range of matches, played hand
after hand with all its matches as one batch. What a unit is depends on the design alone, and all sums are of
whole parts of a chip, so a ledger is the same whatever the batch size and the number of workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.arena.design import Design
from holdmem.arena.patience import limited
from holdmem.arena.style import COUNTS, count_style
from holdmem.errors import HoldMemError
from holdmem.table import Finished, Seat, Streams, make_agent, play
from holdmem.table.streams import SPOT, Spots

Ints = NDArray[np.int64]

BATCH = 4096
"""Hands played at once. Any other number gives the same results, slower."""

MONEY = "money"


@dataclass(frozen=True)
class WorkUnit:
    """Samples, or matches where hands depend on each other, from `start` to before `stop`."""

    design: Design
    start: int
    stop: int
    batch: int = field(default=BATCH, compare=False)


def samples_per_match(design: Design) -> int:
    """Decks of a duplicate match, rounds of the button of a ring game."""
    return design.hands_per_match // len(design.lineups)


def split(design: Design, batch: int = BATCH) -> list[WorkUnit]:
    """The units of a design: at least some twenty where there is enough to do, none of them very long."""
    if design.sequential:
        total, size = design.matches, min(max(design.matches // 8, 1), 64)
    else:
        total = design.matches * samples_per_match(design)
        size = min(max(total // 20, 250), 25_000)
    return [WorkUnit(design, start, min(start + size, total), batch) for start in range(0, total, size)]


def play_unit(unit: WorkUnit) -> dict[str, Any]:
    """The result of a unit as plain numbers; if an agent fails, only a line that says how."""
    tally = Tally(unit.design)
    try:
        for hands, samples in _play(unit):
            tally.add(hands, samples)
    except HoldMemError as error:
        return {"error": f"{error}"}
    return tally.result()


def _play(unit: WorkUnit) -> "Iterator[tuple[Finished, Ints | None]]":
    """The hands of a unit, batch by batch, with the sample that each belongs to where samples stand alone."""
    if unit.design.kind in ("bankroll", "freeze-out"):
        from holdmem.arena.carried import play_carried  # noqa: PLC0415

        yield from ((hands, None) for hands in play_carried(unit))
    elif unit.design.sequential:
        yield from ((hands, None) for hands in _play_in_turn(unit))
    else:
        yield from _play_at_once(unit)


def seat_players(design: Design, tables: int) -> list[Seat]:
    """All agents of a design, sitting down with empty memories."""
    agents = [make_agent(text) for text in design.agents]
    streams = [Streams.of(design.seed, "player", player) for player in range(len(agents))]
    seats = [agent.sit(design.game, tables, rng) for agent, rng in zip(agents, streams, strict=True)]
    return [limited(seat, design.time_limit) for seat in seats] if design.time_limit else seats


def make_spots(match: Any, table: Any, hand: Any) -> Spots:
    """Spots from columns."""
    match, table, hand = np.broadcast_arrays(match, table, hand)
    spots = np.zeros(match.size, dtype=SPOT)
    spots["match"], spots["table"], spots["hand"] = match.ravel(), table.ravel(), hand.ravel()
    return spots


def _play_at_once(unit: WorkUnit) -> Iterator[tuple[Finished, Ints]]:
    """Samples of agents that do not learn, as many at once as the batch holds."""
    design = unit.design
    lineups = np.array(design.lineups)
    orders = len(lineups)
    width = max(unit.batch // orders, 1)
    players = seat_players(design, width * orders)
    cards = Streams.of(design.seed, "cards")
    for start in range(unit.start, unit.stop, width):
        samples = np.arange(start, min(start + width, unit.stop))
        match, within = np.divmod(samples, samples_per_match(design))
        order = np.arange(orders)
        if design.kind == "duplicate":  # one deck in all orders
            where = make_spots(match[:, None], order, within[:, None])
            decks = cards.decks(make_spots(match, 0, within), design.game.deck_cards).repeat(orders, axis=0)
        else:  # a new deck for each order
            where = make_spots(match[:, None], 0, within[:, None] * orders + order)
            decks = cards.decks(where, design.game.deck_cards)
        lineup = np.tile(lineups, (len(samples), 1))
        hands = play(design.game, players, decks, lineup=lineup, where=where, names=design.agents)
        yield hands, samples.repeat(orders)


def tracks(design: Design) -> list[list[tuple[int, int]]]:
    """What is played at the tables of one match, one track a table: (order of the players, hand) in turn.

    A duplicate match has a table for each order if memories are wiped between them, otherwise all orders one
    after the other at one table. A ring game has one table at which the order moves on with every hand.
    """
    orders = range(len(design.lineups))
    if design.kind == "ring":
        return [[(hand % len(orders), hand) for hand in range(design.hands_per_match)]]
    parts = [[(order, hand) for hand in range(design.hands)] for order in orders]
    return parts if design.memory == "wiped" else [[step for part in parts for step in part]]


def _play_in_turn(unit: WorkUnit) -> Iterator[Finished]:
    """Matches of agents that learn: every table plays its next hand, all tables at once."""
    design = unit.design
    lineups = np.array(design.lineups)
    steps = np.array(tracks(design))
    matches = np.arange(unit.start, unit.stop).repeat(len(steps))
    players = seat_players(design, len(matches))
    cards = Streams.of(design.seed, "cards")
    for now in range(steps.shape[1]):
        order, hand = np.tile(steps[:, now], (unit.stop - unit.start, 1)).T
        decks = cards.decks(make_spots(matches, 0, hand), design.game.deck_cards)
        where = make_spots(matches, order, hand)
        yield play(design.game, players, decks, lineup=lineups[order], where=where, names=design.agents)


class Tally:
    """Sums over the hands of a unit, all of them whole numbers."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.players = len(design.agents)
        self.columns = (MONEY, *design.luck)
        self.matches: dict[int, dict[str, Any]] = {}
        self.moments = {name: [[0, 0] for _ in range(self.players)] for name in self.columns}
        self.samples = 0
        self.style = np.zeros((self.players, len(COUNTS)), dtype=np.int64)

    def add(self, hands: Finished, samples: Ints | None) -> None:
        """Count a batch of hands."""
        count_style(hands.batch.hands, hands.history, hands.lineup, hands.game.rules, self.style)
        for name in self.columns:
            results = hands.by_player(self.players, self._parts(hands, name))
            self._add_to_matches(name, hands.spots["match"], results)
            if samples is not None:
                self._add_to_moments(name, results, samples)
        for match, count in zip(*np.unique(hands.spots["match"], return_counts=True), strict=True):
            self.matches[int(match)]["hands"] += int(count)
        if samples is not None:
            self.samples += int(samples[-1] - samples[0]) + 1

    def _parts(self, hands: Finished, name: str) -> Ints:
        if name == MONEY:
            return hands.parts
        from holdmem.luck import adjusted_parts  # noqa: PLC0415

        return adjusted_parts(hands, name)

    def _add_to_matches(self, name: str, match: NDArray[Any], results: Ints) -> None:
        for number in np.unique(match):
            empty = {"hands": 0, "net": {column: [0] * self.players for column in self.columns}}
            entry = self.matches.setdefault(int(number), empty)
            gained = results[match == number].sum(axis=0).tolist()
            entry["net"][name] = [a + b for a, b in zip(entry["net"][name], gained, strict=True)]

    def _add_to_moments(self, name: str, results: Ints, samples: Ints) -> None:
        per_sample = results.reshape(int(samples[-1] - samples[0]) + 1, -1, self.players).sum(axis=1)
        for player, moments in enumerate(self.moments[name]):
            values = per_sample[:, player].tolist()
            moments[0] += sum(values)
            moments[1] += sum(map(mul, values, values))  # Python's ints: squares of big pots outgrow 64 bits

    def result(self) -> dict[str, Any]:
        """Plain numbers, ready for the ledger."""
        return {
            "matches": {str(number): entry for number, entry in sorted(self.matches.items())},
            "samples": self.samples,
            "moments": self.moments if self.samples else {},
            "style": self.style.tolist(),
        }
