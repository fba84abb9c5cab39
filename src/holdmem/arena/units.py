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

from holdmem.agent import Agent, FinishedHands, Seat, WatchingSeat, play
from holdmem.agent.blame import describe_exception
from holdmem.arena.aivat import Aivat
from holdmem.arena.design import CARRIED, Design
from holdmem.arena.on_error import FoldingSeat
from holdmem.arena.tally import AIVAT, Tally
from holdmem.arena.time_limit import with_time_limit
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.core.random import HAND_ID, HandIds
from holdmem.core.types import Ints

BATCH = 4096
"""Hands played at once. Any other number gives the same results, but more slowly."""

FEW_SAMPLES, MANY_HANDS, MANY_MATCHES = 250, 50_000, 256
"""Minimum samples per unit, maximum hands per unit, and maximum matches per unit if hands are sequential."""


@dataclass(frozen=True)
class MatchPlan:
    """A design ready to be played: its hash, and whether its hands must be played one after another."""

    design: Design
    hash: str
    sequential: bool

    @property
    def total(self) -> int:
        """Number of samples, or of matches if hands are played one after another."""
        return self.design.matches * (1 if self.sequential else self.design.samples_per_match)

    @property
    def hands(self) -> int:
        """Total number of hands; fewer are played if a match ends early."""
        return self.design.matches * self.design.hands_per_match

    def split(self, batch: int = BATCH) -> list["WorkUnit"]:
        """Split the work into about twenty units or more if there is enough to do, none of them very long.

        Matches played hand after hand are split into about eight units or more.
        """
        if self.sequential:
            size = min(max(self.total // 8, 1), MANY_MATCHES)
        else:
            most = max(MANY_HANDS // len(self.design.lineups), FEW_SAMPLES)
            size = min(max(self.total // 20, FEW_SAMPLES), most)
        starts = range(0, self.total, size)
        return [WorkUnit(self, start, min(start + size, self.total), batch) for start in starts]


def plan(design: Design) -> MatchPlan:
    """Seat the agents briefly to check that they accept the game and whether any of them learns."""
    agents = design.make_agents()
    _aivat(design)
    learns = any(isinstance(seat, WatchingSeat) for seat in seat_players(design, agents, tables=1))
    return MatchPlan(design, design.hash_with(agents), design.kind in CARRIED or learns)


def _aivat(design: Design) -> Aivat | None:
    """Return the variance reduction by known policies if asked for; AgentError if no policy is known."""
    return Aivat.of(design, design.make_agents()) if AIVAT in design.luck else None


@dataclass(frozen=True)
class WorkUnit:
    """Samples, or matches if hands are played one after another, from `start` up to but excluding `stop`."""

    plan: MatchPlan
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
        tally, players = Tally(unit.plan.design, _aivat(unit.plan.design)), list[Seat]()
        for hands, samples in play_hands(unit, players):
            tally.add(hands, samples)
        tally.ask(players)
    except HoldMemError as error:
        return {"error": f"{error}"}
    return tally.result()


def play_hands(
    unit: WorkUnit, players: list[Seat] | None = None
) -> Iterator[tuple[FinishedHands, Ints | None]]:
    """Play a unit and yield its hands batch by batch, with each hand's sample if samples are independent.

    `players` is filled with the seats that play, so that the caller can query them at the end.
    """
    agents = _agents_as_planned(unit.plan)
    players = [] if players is None else players
    if unit.plan.design.kind in CARRIED:
        from holdmem.arena.bankroll import play_bankroll  # noqa: PLC0415

        yield from ((hands, None) for hands in play_bankroll(unit, agents, players))
    elif unit.plan.sequential:
        yield from ((hands, None) for hands in _play_in_turn(unit, agents, players))
    else:
        yield from _play_at_once(unit, agents, players)


def _agents_as_planned(plan: MatchPlan) -> tuple[Agent, ...]:
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
    rng = design.rng("player", player)
    try:
        seat = agent.sit(design.game, tables, rng)
    except HoldMemError as error:
        raise AgentError(f"{design.agents[player]}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"{design.agents[player]}: {describe_exception(error)} when it sat down to {design.game.name}"
        ) from error
    seat = FoldingSeat(seat, design.agents[player]) if design.on_error == "fold" else seat
    return with_time_limit(seat, design.time_limit) if design.time_limit else seat


def make_hand_ids(match: Any, table: Any, hand: Any) -> HandIds:
    """Make hand ids from the numbers of match, table and hand, which are broadcast."""
    match, table, hand = np.broadcast_arrays(match, table, hand)
    hand_ids = np.zeros(match.size, dtype=HAND_ID)
    hand_ids["match"], hand_ids["table"], hand_ids["hand"] = match.ravel(), table.ravel(), hand.ravel()
    return hand_ids


def _play_at_once(
    unit: WorkUnit, agents: Sequence[Agent], players: list[Seat]
) -> Iterator[tuple[FinishedHands, Ints]]:
    """Play samples of agents that do not learn, as many at once as the batch holds."""
    design = unit.plan.design
    lineups = np.array(design.lineups)
    orders = len(lineups)
    width = max(unit.batch // orders, 1)
    players += seat_players(design, agents, width * orders)
    cards = design.rng("cards")
    for start in range(unit.start, unit.stop, width):
        samples = np.arange(start, min(start + width, unit.stop))
        match, within = np.divmod(samples, design.samples_per_match)
        order = np.arange(orders)
        if design.kind == "duplicate":  # one deck for all orders
            where = make_hand_ids(match[:, None], order, within[:, None])
            decks = cards.decks(make_hand_ids(match, 0, within), design.game.deck_cards).repeat(
                orders, axis=0
            )
        else:  # a new deck for each order
            where = make_hand_ids(match[:, None], 0, within[:, None] * orders + order)
            decks = cards.decks(where, design.game.deck_cards)
        lineup = np.tile(lineups, (len(samples), 1))
        hands = play(design.game, players, decks, lineup=lineup, where=where, names=design.agents)
        yield hands, samples.repeat(orders)


def tracks(design: Design) -> list[list[tuple[int, int, int]]]:
    """Return the hands played at each table of one match: (order, table, hand), in playing order.

    A duplicate match has one table per order if memories are wiped between orders, otherwise one table that
    plays all orders one after another. A ring game has one table whose order advances with every hand. The
    last two numbers are those of the hand ids of agents that do not learn, so that an agent that watches and
    ignores it plays the same hands.
    """
    orders = range(len(design.lineups))
    if design.kind == "ring":
        return [[(hand % len(orders), 0, hand) for hand in range(design.hands_per_match)]]
    parts = [[(order, order, hand) for hand in range(design.hands)] for order in orders]
    return parts if design.memory == "wiped" else [[step for part in parts for step in part]]


def _play_in_turn(unit: WorkUnit, agents: Sequence[Agent], players: list[Seat]) -> Iterator[FinishedHands]:
    """Play matches of agents that learn: every table plays its next hand, all tables at once."""
    design = unit.plan.design
    lineups = np.array(design.lineups)
    steps = np.array(tracks(design))
    matches = np.arange(unit.start, unit.stop).repeat(len(steps))
    players += seat_players(design, agents, len(matches))
    cards = design.rng("cards")
    for now in range(steps.shape[1]):
        order, table, hand = np.tile(steps[:, now], (unit.stop - unit.start, 1)).T
        decks = cards.decks(make_hand_ids(matches, 0, hand), design.game.deck_cards)
        where = make_hand_ids(matches, table, hand)
        yield play(design.game, players, decks, lineup=lineups[order], where=where, names=design.agents)
