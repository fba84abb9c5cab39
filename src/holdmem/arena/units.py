"""Split a match into work units, and play a unit.

If no agent learns, every sample (a deck in all orders, or a round of the button) is independent, and a unit
is a range of samples, played in wide batches. If any agent learns, a unit is a range of matches, played hand
after hand with all its matches as one batch. The units depend on the design alone, and all sums are of
integers in units of 1/PARTS chip, so a ledger is identical for any batch size and any number of workers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.arena.design import CARRIED, Design
from holdmem.arena.patience import limited
from holdmem.arena.tally import Tally
from holdmem.errors import AgentError, HoldMemError
from holdmem.table import Agent, Finished, Seat, WatchingSeat, play
from holdmem.table.blame import said
from holdmem.table.streams import SPOT, Spots

Ints = NDArray[np.int64]

BATCH = 4096
"""Hands played at once. Any other number gives the same results, but more slowly."""

FEW_SAMPLES, MANY_HANDS, MANY_MATCHES = 250, 50_000, 256
"""Minimum samples per unit, maximum hands per unit, and maximum matches per unit if hands are sequential."""


@dataclass(frozen=True)
class Plan:
    """A design ready to be played: its hash, and whether its hands must be played one after another."""

    design: Design
    hash: str
    in_turn: bool

    @property
    def total(self) -> int:
        """Number of samples, or of matches if hands are played one after another."""
        return self.design.matches * (1 if self.in_turn else self.design.samples_per_match)

    @property
    def hands(self) -> int:
        """Total number of hands; fewer are played if a match ends early."""
        return self.design.matches * self.design.hands_per_match

    def split(self, batch: int = BATCH) -> list["WorkUnit"]:
        """Split the work into about twenty units or more if there is enough to do, none of them very long.

        Matches played hand after hand are split into about eight units or more.
        """
        if self.in_turn:
            size = min(max(self.total // 8, 1), MANY_MATCHES)
        else:
            most = max(MANY_HANDS // len(self.design.lineups), FEW_SAMPLES)
            size = min(max(self.total // 20, FEW_SAMPLES), most)
        starts = range(0, self.total, size)
        return [WorkUnit(self, start, min(start + size, self.total), batch) for start in starts]


def plan(design: Design) -> Plan:
    """Seat the agents briefly to check that they accept the game and whether any of them learns."""
    agents = design.make_agents()
    learns = any(isinstance(seat, WatchingSeat) for seat in seat_players(design, agents, tables=1))
    return Plan(design, design.hash_with(agents), design.kind in CARRIED or learns)


@dataclass(frozen=True)
class WorkUnit:
    """Samples, or matches if hands are played one after another, from `start` up to but excluding `stop`."""

    plan: Plan
    start: int
    stop: int
    batch: int = field(default=BATCH, compare=False)

    @property
    def hands(self) -> int:
        """Total number of hands; fewer are played if a match ends early."""
        return (self.stop - self.start) * self.plan.hands // self.plan.total


def play_unit(unit: WorkUnit) -> dict[str, Any]:
    """Return the result of a unit as plain numbers or, if an agent fails, only an error message."""
    try:
        tally, players = Tally(unit.plan.design), list[Seat]()
        for hands, samples in play_hands(unit, players):
            tally.add(hands, samples)
        tally.ask(players)
    except HoldMemError as error:
        return {"error": f"{error}"}
    return tally.result()


def play_hands(unit: WorkUnit, players: list[Seat] | None = None) -> Iterator[tuple[Finished, Ints | None]]:
    """Play a unit and yield its hands batch by batch, with each hand's sample if samples are independent.

    `players` is filled with the seats that play, so that the caller can query them at the end.
    """
    agents = _agents_as_planned(unit.plan)
    players = [] if players is None else players
    if unit.plan.design.kind in CARRIED:
        from holdmem.arena.carried import play_carried  # noqa: PLC0415

        yield from ((hands, None) for hands in play_carried(unit, agents, players))
    elif unit.plan.in_turn:
        yield from ((hands, None) for hands in _play_in_turn(unit, agents, players))
    else:
        yield from _play_at_once(unit, agents, players)


def _agents_as_planned(plan: Plan) -> tuple[Agent, ...]:
    """Build the agents and check that they and HoldMem's source are the same as when this was planned."""
    agents = plan.design.make_agents()
    found = plan.design.hash_with(agents)
    if found != plan.hash:
        names = " against ".join(plan.design.agents)
        raise AgentError(
            f"{names}: expected the design {plan.hash}, got {found}: HoldMem or a file named by an agent has"
            " changed since the run began or differs on this worker"
        )
    return agents


def seat_players(design: Design, agents: Sequence[Agent], tables: int) -> list[Seat]:
    """Seat all agents of a design with empty memories."""
    return [_seat(design, agents[player], tables, player) for player in range(len(agents))]


def _seat(design: Design, agent: Agent, tables: int, player: int) -> Seat:
    rng = design.streams("player", player)
    try:
        seat = agent.sit(design.game, tables, rng)
    except HoldMemError as error:
        raise AgentError(f"{design.agents[player]}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"{design.agents[player]}: {said(error)} when it sat down to {design.game.name}"
        ) from error
    return limited(seat, design.time_limit) if design.time_limit else seat


def make_spots(match: Any, table: Any, hand: Any) -> Spots:
    """Make spots from columns."""
    match, table, hand = np.broadcast_arrays(match, table, hand)
    spots = np.zeros(match.size, dtype=SPOT)
    spots["match"], spots["table"], spots["hand"] = match.ravel(), table.ravel(), hand.ravel()
    return spots


def _play_at_once(
    unit: WorkUnit, agents: Sequence[Agent], players: list[Seat]
) -> Iterator[tuple[Finished, Ints]]:
    """Play samples of agents that do not learn, as many at once as the batch holds."""
    design = unit.plan.design
    lineups = np.array(design.lineups)
    orders = len(lineups)
    width = max(unit.batch // orders, 1)
    players += seat_players(design, agents, width * orders)
    cards = design.streams("cards")
    for start in range(unit.start, unit.stop, width):
        samples = np.arange(start, min(start + width, unit.stop))
        match, within = np.divmod(samples, design.samples_per_match)
        order = np.arange(orders)
        if design.kind == "duplicate":  # one deck for all orders
            where = make_spots(match[:, None], order, within[:, None])
            decks = cards.decks(make_spots(match, 0, within), design.game.deck_cards).repeat(orders, axis=0)
        else:  # a new deck for each order
            where = make_spots(match[:, None], 0, within[:, None] * orders + order)
            decks = cards.decks(where, design.game.deck_cards)
        lineup = np.tile(lineups, (len(samples), 1))
        hands = play(design.game, players, decks, lineup=lineup, where=where, names=design.agents)
        yield hands, samples.repeat(orders)


def tracks(design: Design) -> list[list[tuple[int, int, int]]]:
    """Return the hands played at each table of one match: (order, table of the spot, hand), in playing order.

    A duplicate match has one table per order if memories are wiped between orders, otherwise one table that
    plays all orders one after another. A ring game has one table whose order advances with every hand. The
    spots are those used for agents that do not learn, so an agent that watches and ignores it plays the same
    hands.
    """
    orders = range(len(design.lineups))
    if design.kind == "ring":
        return [[(hand % len(orders), 0, hand) for hand in range(design.hands_per_match)]]
    parts = [[(order, order, hand) for hand in range(design.hands)] for order in orders]
    return parts if design.memory == "wiped" else [[step for part in parts for step in part]]


def _play_in_turn(unit: WorkUnit, agents: Sequence[Agent], players: list[Seat]) -> Iterator[Finished]:
    """Play matches of agents that learn: every table plays its next hand, all tables at once."""
    design = unit.plan.design
    lineups = np.array(design.lineups)
    steps = np.array(tracks(design))
    matches = np.arange(unit.start, unit.stop).repeat(len(steps))
    players += seat_players(design, agents, len(matches))
    cards = design.streams("cards")
    for now in range(steps.shape[1]):
        order, table, hand = np.tile(steps[:, now], (unit.stop - unit.start, 1)).T
        decks = cards.decks(make_spots(matches, 0, hand), design.game.deck_cards)
        where = make_spots(matches, table, hand)
        yield play(design.game, players, decks, lineup=lineups[order], where=where, names=design.agents)
