"""Play a generation of hypotheses: work units, and what each hypothesis won.

All hypotheses of a generation sit at one table, with opponents if the scheme has any, and the button moves
with every hand. If no agent learns, hands are independent: they are played in wide batches, and a generation
may be split into units anywhere, since a bankroll is a sum over hands. If an opponent learns, hands are
played in sequence and its memory carries over from one generation to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import pairwise
from multiprocessing import parent_process
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np

from holdmem.agent import Agent, Seat, WatchingSeat, make_agent, play
from holdmem.arena.units import BATCH, make_hand_ids
from holdmem.core.choices import DeckMode
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.core.random import Streams
from holdmem.core.types import Ints
from holdmem.engine import Game
from holdmem.learning.evolve.genetics import Hypothesis, Population

Opponents = tuple[Seat, ...]
"""New cards for every hand, or each deck once per rotation of the seats (lower variance, same mean)."""


@dataclass(frozen=True)
class EvolutionTable:
    """Game and opponents of the hypotheses, and how they play."""

    game: Game
    hypotheses: int
    opponents: tuple[str, ...] = ()
    """One for each seat not taken by a hypothesis."""
    player: str = "casper"
    """Agent that the hypotheses are weights of: any agent with a `weights` parameter."""
    cards: DeckMode = "new"
    tables: int = 1
    """If opponents learn: tables that share the hands of a generation, each with its own memory."""
    seed: int = 0

    @property
    def seating(self) -> Ints:
        """Player in each seat before the button moves; hypotheses have the first numbers, spread evenly."""
        places = [one * self.game.seats // self.hypotheses for one in range(self.hypotheses)]
        rest = [seat for seat in range(self.game.seats) if seat not in places]
        found = np.empty(self.game.seats, dtype=np.int64)
        found[places + rest] = np.arange(self.game.seats)
        return found

    def rng(self, algorithm: str, *what_for: int | str) -> Streams:
        """Return the random streams of one genetic algorithm."""
        return Streams.of(self.seed, "evolve", algorithm, *what_for)


@dataclass(frozen=True)
class Block:
    """Work unit: hands `start` to `stop` (exclusive) of a generation."""

    table: EvolutionTable
    algorithm: str
    generation: int
    population: Population
    start: int
    stop: int
    opponents: Opponents | None = field(default=None, compare=False)
    """Learning opponents with their memory; None before the first generation."""

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.stop - self.start


@dataclass(frozen=True)
class Winnings:
    """Each hypothesis's winnings, in exact parts of a chip, and the sum of their squares over hands."""

    parts: tuple[int, ...]
    squares: tuple[int, ...]
    opponents: Opponents | None = field(default=None, compare=False)
    """Learning opponents in their final state."""

    def __add__(self, other: "Winnings") -> "Winnings":
        parts = tuple(map(sum, zip(self.parts, other.parts, strict=True)))
        squares = tuple(map(sum, zip(self.squares, other.squares, strict=True)))
        return Winnings(parts, squares, other.opponents)


def require_weights(player: str) -> Agent:
    """Return the agent if it has a `weights` parameter; otherwise raise AgentError."""
    agent = make_agent(player)
    if not is_dataclass(agent) or "weights" not in {one.name for one in fields(agent)}:
        raise AgentError(f"{player}: this agent has no parameter 'weights'")
    return agent


def with_hypothesis(player: str, hypothesis: Hypothesis) -> Agent:
    """Return the agent with these weights."""
    agent: Any = require_weights(player)
    found: Agent = replace(agent, weights=";".join(map(str, hypothesis)))
    return found


def play_block(block: Block) -> Winnings | str:
    """Return what the hypotheses won in a block, or an error message if a player fails."""
    try:
        won = BlockPlayers(block).play()
        _expect_travel(won, block.table)
        return won
    except HoldMemError as error:
        return str(error)


def _expect_travel(won: Winnings, table: EvolutionTable) -> None:
    """Check in a worker process that the opponents can be pickled, for a clearer error than on sending."""
    if won.opponents is None or parent_process() is None:
        return
    try:
        ForkingPickler.dumps(won.opponents)
    except Exception as error:
        names = ", ".join(dict.fromkeys(table.opponents))
        raise AgentError(f"{names}: their memories cannot be sent to other processes: {error!r}") from error


def anyone_learns(table: EvolutionTable) -> bool:
    """Return whether anybody learns, so that hands must be played in sequence."""
    everybody = [require_weights(table.player), *map(make_agent, dict.fromkeys(table.opponents))]
    seats = [agent.sit(table.game, 1, Streams(0)) for agent in everybody]
    return any(isinstance(seat, WatchingSeat) for seat in seats)


def new_opponents(table: EvolutionTable, algorithm: str, width: int) -> Opponents:
    """Seat the opponents of an algorithm, without any memory."""
    return tuple(
        make_agent(text).sit(table.game, width, table.rng(algorithm, "opponent", number))
        for number, text in enumerate(table.opponents)
    )


class BlockPlayers:
    """The seated players of a block."""

    def __init__(self, block: Block) -> None:
        self.block = block
        table = block.table
        self.table: EvolutionTable = table
        self.sequential: bool = anyone_learns(table)
        self.tables: int = table.tables if self.sequential else 1
        width = self.tables if self.sequential else BATCH
        self.hypotheses: list[Seat] = [
            with_hypothesis(table.player, one).sit(table.game, width, self._streams("hypothesis", number))
            for number, one in enumerate(block.population)
        ]
        self.opponents: Opponents = block.opponents or new_opponents(table, block.algorithm, width)
        names = [f"hypothesis {number + 1}" for number in range(len(self.hypotheses))]
        self.names: list[str] = [*names, *table.opponents]

    def _streams(self, *what_for: int | str) -> Streams:
        return self.table.rng(self.block.algorithm, *what_for)

    def play(self) -> Winnings:
        """Play all hands of the block."""
        parts, squares = np.zeros((2, len(self.hypotheses)), dtype=np.int64).tolist()
        width = self.tables if self.sequential else BATCH
        for first in range(self.block.start, self.block.stop, width):
            numbers = np.arange(first, min(first + width, self.block.stop))
            won = self._play(numbers)[:, : len(self.hypotheses)]
            parts = [sum(pair) for pair in zip(parts, won.sum(axis=0).tolist(), strict=True)]
            squares = [sum(pair) for pair in zip(squares, (won**2).sum(axis=0).tolist(), strict=True)]
        return Winnings(tuple(parts), tuple(squares), self.opponents if self.sequential else None)

    def _play(self, numbers: Ints) -> Ints:
        """Play the hands with these numbers; return each player's winnings, (hands, players)."""
        seats = self.table.game.seats
        step, at = np.divmod(numbers, self.tables)
        turn, deck = step % seats, numbers
        if self.table.cards == "rotated":
            deck = step // seats * self.tables + at
        generation = self.block.generation
        decks = self._streams("cards").decks(make_hand_ids(generation, 0, deck), self.table.game.deck_cards)
        where = make_hand_ids(generation, at, step)
        # The button moves left: the player in the big blind posts the small blind next.
        lineup = self.table.seating[(np.arange(seats) + turn[:, None]) % seats]
        players = [*self.hypotheses, *self.opponents]
        tables = at if self.sequential else None
        found = play(
            self.table.game, players, decks, lineup=lineup, where=where, tables=tables, names=self.names
        )
        return found.by_player(len(players))


def blocks(
    table: EvolutionTable,
    populations: Sequence[tuple[str, int, Population, Opponents | None]],
    hands: int,
    workers: int,
) -> list[Block]:
    """Split one generation of several algorithms into enough units to keep all workers busy to the end.

    The split does not affect the result, so it may depend on the number of workers.
    """
    pieces = 1
    if not anyone_learns(table):
        while len(populations) * pieces % workers or len(populations) * pieces < 2 * workers:
            pieces += 1
    ends = np.linspace(0, hands, min(pieces, hands) + 1).astype(int).tolist()
    return [
        Block(table, algorithm, generation, population, start, stop, opponents)
        for algorithm, generation, population, opponents in populations
        for start, stop in pairwise(ends)
    ]


def added(found: dict[str, Any], algorithm: str, won: Winnings) -> None:
    """Add a block's winnings to those of its generation."""
    found[algorithm] = found[algorithm] + won if algorithm in found else won
