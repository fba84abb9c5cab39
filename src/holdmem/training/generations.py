"""How a generation of hypotheses plays for its money: work units, and what each hypothesis won.

All hypotheses of a generation sit at one table, with opponents where the scheme has some, and the button
moves on with every hand. Where nobody learns the hands are independent: they are played in wide batches, and
a generation may be cut into units anywhere, since a bankroll is a sum over hands. Where an opponent learns,
hands are played in turn and its memory goes from one generation to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import pairwise
from multiprocessing import parent_process
from multiprocessing.reduction import ForkingPickler
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.arena.units import BATCH, make_spots
from holdmem.errors import AgentError, HoldMemError
from holdmem.rules import Game
from holdmem.table import Agent, Seat, Streams, WatchingSeat, make_agent, play
from holdmem.training.genetics import Hypothesis, Population

Ints = NDArray[np.int64]
Opponents = tuple[Seat, ...]
Cards = Literal["new", "rotated"]
"""New cards for every hand, or each deck once in every rotation of the seats (less luck, same mean)."""


@dataclass(frozen=True)
class Table:
    """Who plays beside the hypotheses, and at what."""

    game: Game
    hypotheses: int
    opponents: tuple[str, ...] = ()
    """One for each seat that no hypothesis has."""
    player: str = "casper"
    """Whom the hypotheses are weights of: any agent with a parameter `weights`."""
    cards: Cards = "new"
    tables: int = 1
    """Where opponents learn: tables that share the hands of a generation, each with a memory of its own."""
    seed: int = 0

    @property
    def seating(self) -> Ints:
        """Which player sits where before the button has moved: hypotheses first, spread out evenly."""
        places = [one * self.game.seats // self.hypotheses for one in range(self.hypotheses)]
        rest = [seat for seat in range(self.game.seats) if seat not in places]
        found = np.empty(self.game.seats, dtype=np.int64)
        found[places + rest] = np.arange(self.game.seats)
        return found

    def streams(self, algorithm: str, *what_for: int | str) -> Streams:
        """Random numbers of one of the genetic algorithms."""
        return Streams.of(self.seed, "evolve", algorithm, *what_for)


@dataclass(frozen=True)
class Block:
    """Hands from `start` to before `stop` of a generation, as a work unit."""

    table: Table
    algorithm: str
    generation: int
    population: Population
    start: int
    stop: int
    opponents: Opponents | None = field(default=None, compare=False)
    """The opponents with what they remember, where they learn; None before the first generation."""

    @property
    def hands(self) -> int:
        """How many."""
        return self.stop - self.start


@dataclass(frozen=True)
class Winnings:
    """What each hypothesis won, in exact parts of a chip, and the sum of the squares over hands."""

    parts: tuple[int, ...]
    squares: tuple[int, ...]
    opponents: Opponents | None = field(default=None, compare=False)
    """Those that learn, as they are at the end."""

    def __add__(self, other: "Winnings") -> "Winnings":
        parts = tuple(map(sum, zip(self.parts, other.parts, strict=True)))
        squares = tuple(map(sum, zip(self.squares, other.squares, strict=True)))
        return Winnings(parts, squares, other.opponents)


def has_weights(player: str) -> Agent:
    """The player, if it can be given weights."""
    agent = make_agent(player)
    if not is_dataclass(agent) or "weights" not in {one.name for one in fields(agent)}:
        raise AgentError(f"{player}: expected an agent with a parameter weights, got one without")
    return agent


def weighed(player: str, hypothesis: Hypothesis) -> Agent:
    """The player with these weights."""
    agent: Any = has_weights(player)
    found: Agent = replace(agent, weights=";".join(map(str, hypothesis)))
    return found


def play_block(block: Block) -> Winnings | str:
    """What the hypotheses won in a block; if a player fails, a line that says how."""
    try:
        won = Sitting(block).play()
        _expect_travel(won, block.table)
        return won
    except HoldMemError as error:
        return str(error)


def _expect_travel(won: Winnings, table: Table) -> None:
    """In a worker process: better said here than by the process when it sends the result."""
    if won.opponents is None or parent_process() is None:
        return
    try:
        ForkingPickler.dumps(won.opponents)
    except Exception as error:
        names = ", ".join(dict.fromkeys(table.opponents))
        raise AgentError(
            f"{names}: expected memories that can go to other processes, got {error!r}"
        ) from error


def learners(table: Table) -> bool:
    """Whether anybody learns, so that hands have to be played in turn."""
    everybody = [has_weights(table.player), *map(make_agent, dict.fromkeys(table.opponents))]
    seats = [agent.sit(table.game, 1, Streams(0)) for agent in everybody]
    return any(isinstance(seat, WatchingSeat) for seat in seats)


def new_opponents(table: Table, algorithm: str, width: int) -> Opponents:
    """The opponents of an algorithm, who know nothing yet."""
    return tuple(
        make_agent(text).sit(table.game, width, table.streams(algorithm, "opponent", number))
        for number, text in enumerate(table.opponents)
    )


class Sitting:
    """The players of a block at their tables."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.table = table = block.table
        self.in_turn = learners(table)
        self.tables = table.tables if self.in_turn else 1
        width = self.tables if self.in_turn else BATCH
        self.hypotheses = [
            weighed(table.player, one).sit(table.game, width, self._streams("hypothesis", number))
            for number, one in enumerate(block.population)
        ]
        self.opponents = block.opponents or new_opponents(table, block.algorithm, width)
        names = [f"hypothesis {number + 1}" for number in range(len(self.hypotheses))]
        self.names = [*names, *table.opponents]

    def _streams(self, *what_for: int | str) -> Streams:
        return self.table.streams(self.block.algorithm, *what_for)

    def play(self) -> Winnings:
        """All hands of the block."""
        parts, squares = np.zeros((2, len(self.hypotheses)), dtype=np.int64).tolist()
        width = self.tables if self.in_turn else BATCH
        for first in range(self.block.start, self.block.stop, width):
            numbers = np.arange(first, min(first + width, self.block.stop))
            won = self._play(numbers)[:, : len(self.hypotheses)]
            parts = [sum(pair) for pair in zip(parts, won.sum(axis=0).tolist(), strict=True)]
            squares = [sum(pair) for pair in zip(squares, (won**2).sum(axis=0).tolist(), strict=True)]
        return Winnings(tuple(parts), tuple(squares), self.opponents if self.in_turn else None)

    def _play(self, numbers: Ints) -> Ints:
        """Play the hands of these numbers; what each player won, (hands, players)."""
        seats = self.table.game.seats
        step, at = np.divmod(numbers, self.tables)
        turn, deck = step % seats, numbers
        if self.table.cards == "rotated":
            deck = step // seats * self.tables + at
        generation = self.block.generation
        decks = self._streams("cards").decks(make_spots(generation, 0, deck), self.table.game.deck_cards)
        where = make_spots(generation, at, step)
        # The button goes to the left: who had the big blind has the small one next.
        lineup = self.table.seating[(np.arange(seats) + turn[:, None]) % seats]
        players = [*self.hypotheses, *self.opponents]
        tables = at if self.in_turn else None
        found = play(
            self.table.game, players, decks, lineup=lineup, where=where, tables=tables, names=self.names
        )
        return found.by_player(len(players))


def blocks(
    table: Table,
    populations: Sequence[tuple[str, int, Population, Opponents | None]],
    hands: int,
    workers: int,
) -> list[Block]:
    """The units of one generation of several algorithms, as many as keep the workers busy to the end.

    How a generation is cut changes nothing in its result, so it may depend on the number of workers.
    """
    pieces = 1
    if not learners(table):
        while len(populations) * pieces % workers or len(populations) * pieces < 2 * workers:
            pieces += 1
    ends = np.linspace(0, hands, min(pieces, hands) + 1).astype(int).tolist()
    return [
        Block(table, algorithm, generation, population, start, stop, opponents)
        for algorithm, generation, population, opponents in populations
        for start, stop in pairwise(ends)
    ]


def added(found: dict[str, Any], algorithm: str, won: Winnings) -> None:
    """Add what was won in a block to what is known of its generation."""
    found[algorithm] = found[algorithm] + won if algorithm in found else won
