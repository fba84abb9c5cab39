"""Train learners at the table over many hands, and record their winnings by blocks of hands.

A learner plays the same cards in every order of the players (two orders heads-up, six with three players),
and keeps what it has learned from one order to the next. A learner must observe each hand before it plays the
next, so hands cannot be batched. Instead, many courses, and many matches of each with different cards, are
played in parallel as the tables of one batch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.agent import Seat, make_agent, play
from holdmem.agent.seat_state import prefixed, restore_all, state_of, unprefixed
from holdmem.arena.design import content_hash
from holdmem.arena.units import make_hand_ids
from holdmem.core.array_file import like, read_arrays, write_arrays
from holdmem.core.errors import AgentError, GameError, KnowledgeError
from holdmem.core.random import Streams
from holdmem.core.statistics import FEWEST_MATCHES, Estimate, estimate
from holdmem.core.types import Floats, Ints, Progress
from holdmem.engine import PARTS, Game, find_game
from holdmem.players.learners.learner import LearnerSeat
from holdmem.players.learners.value_table import ValueTable, read_knowledge

BLOCK = 100
"""Number of hands whose results are summed in one block."""
STACK = 100
"""Stack in big blinds at the start of every hand; the thesis does not specify it."""


def learning_game(seats: int = 2, limit: bool = False) -> Game:
    """Game of the learners' experiments: no-limit with 100 big blinds reset every hand, or limit."""
    game = find_game("limit" if limit else "nolimit", seats)
    if limit:
        return game
    return replace(game, name=f"nolimit.{seats}p.100bb", stacks=(STACK * game.big_blind,) * seats)


@dataclass(frozen=True)
class TrainingRun:
    """A learner against opponents: `hands` in each order of the players, `matches` with different cards."""

    game: Game
    learner: str
    opponents: tuple[str, ...]
    hands: int = 100_000
    matches: int = 1
    seed: int = 0
    swapped: bool = True
    """Play the same cards in all orders of the players rather than in one."""
    first: int = 0
    """Number of the first match; each match number has its own cards."""

    def __post_init__(self) -> None:
        if len(self.opponents) != self.game.seats - 1:
            raise GameError(
                f"{self.game.name}: expected {self.game.seats - 1} opponents, got {len(self.opponents)}"
            )
        for name in ("hands", "matches"):
            if getattr(self, name) < 1:
                raise GameError(f"{name} must be at least 1, got {getattr(self, name)}")

    @property
    def players(self) -> tuple[str, ...]:
        """The learner, then its opponents."""
        return (self.learner, *self.opponents)

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """Player in each seat, for one order after the other; the learner starts on the button."""
        seats = self.game.seats
        orders = list(permutations(range(seats))) if self.swapped else [tuple(range(seats))]
        return [tuple(reversed(order)) for order in orders]

    @property
    def hands_per_match(self) -> int:
        """Number of hands per match, in all orders together."""
        return self.hands * len(self.orders)


@dataclass(eq=False)
class TrainingReport:
    """Result of a course: winnings by match, block and player, and the final knowledge."""

    course: TrainingRun
    blocks: Ints
    """Parts of a chip won in each block of hands, shape (matches, blocks, players)."""
    hands: int
    """Hands played in each match."""
    knowledge: list[ValueTable] = field(default_factory=list)
    """Knowledge from each match, if the course's player is a learner."""
    block: int = BLOCK
    """Hands per block."""

    def _bb(self, blocks: Ints) -> Floats:
        return blocks / (PARTS * self.course.game.big_blind)

    @property
    def bankrolls(self) -> Floats:
        """Big blinds won up to the end of each block, shape (matches, blocks, players)."""
        return self._bb(self.blocks.cumsum(axis=1))

    def moving_average(self, player: int = 0, window: int = 1000) -> Floats:
        """Big blinds per hand over the last `window` hands, at each block from then on, (matches, points)."""
        won = self._bb(self.blocks[:, :, player])
        width = min(max(window // self.block, 1), won.shape[1])
        sums = np.cumsum(np.pad(won, ((0, 0), (1, 0))), axis=1)
        return np.asarray((sums[:, width:] - sums[:, :-width]) / (width * self.block))

    def winnings(self, first: float = 0.0, last: float = 1.0, player: int = 0) -> Estimate:
        """Big blinds per hand between two fractions of the course, as 0.9 and 1; interval over matches."""
        count = self.blocks.shape[1]
        begin = int(first * count)
        end = max(int(last * count), begin + 1)
        won = self.blocks[:, begin:end, player].sum(axis=1).tolist()
        hands = min(end * self.block, self.hands) - begin * self.block
        unit = 1 / (PARTS * self.course.game.big_blind * max(hands, 1))
        return estimate(len(won), sum(won), sum(one * one for one in won), unit, "bb/h", FEWEST_MATCHES)

    def coarser(self, most: int) -> "TrainingReport":
        """Merge blocks until at most `most` of them are left."""
        times = -(-self.blocks.shape[1] // most)
        missing = -self.blocks.shape[1] % times
        padded = np.pad(self.blocks, ((0, 0), (0, missing), (0, 0)))
        matches, blocks, players = padded.shape
        together = padded.reshape(matches, blocks // times, times, players).sum(axis=2)
        return replace(self, blocks=together, block=times * self.block)


def joined(reports: Sequence[TrainingReport]) -> TrainingReport:
    """Merge reports of different matches of one course."""
    blocks = np.concatenate([one.blocks for one in reports])
    known = [knowledge for one in reports for knowledge in one.knowledge]
    return replace(reports[0], blocks=blocks, knowledge=known)


class TrainingBatch:
    """Courses of one game, played in parallel with all their matches as the tables of one batch."""

    def __init__(self, courses: Sequence[TrainingRun]) -> None:
        first = courses[0]
        alike = {(one.game, one.hands, one.swapped, one.seed) for one in courses}
        if len(alike) > 1:
            raise GameError(
                "courses played side by side must have the same game, length, seat order and seed"
            )
        self.courses = tuple(courses)
        self.game, self.orders, self.hands = first.game, first.orders, first.hands
        self.matches = np.concatenate([one.first + np.arange(one.matches) for one in courses])
        self.course_of = np.repeat(np.arange(len(courses)), [one.matches for one in courses])
        self._seat_everybody(first.seed)
        self.cards = Streams.of(first.seed, "cards")
        self.done = 0
        """Number of hands already played at each table."""
        blocks = -(-self.total // BLOCK)
        self.blocks = np.zeros((len(self.matches), blocks, self.game.seats), np.int64)

    @property
    def total(self) -> int:
        """Number of hands per table."""
        return self.hands * len(self.orders)

    def _seat_everybody(self, seed: int) -> None:
        """Seat each distinct player of the courses once, for all tables; the lineup depends on the course."""
        self.names: list[str] = []
        self.seats: list[Seat] = []
        numbers: dict[tuple[str, int], int] = {}
        who = np.empty((len(self.courses), self.game.seats), np.int64)
        for row, course in enumerate(self.courses):
            for place, name in enumerate(course.players):
                copies = course.players[:place].count(name)
                if (name, copies) not in numbers:
                    numbers[name, copies] = len(self.seats)
                    rng = Streams.of(seed, "player", name, copies)
                    self.seats.append(make_agent(name).sit(self.game, len(self.matches), rng))
                    self.names.append(name)
                who[row, place] = numbers[name, copies]
        self.who = who[self.course_of]

    def play(self, hands: int) -> None:
        """Play the next hands at every table."""
        tables = np.arange(len(self.matches))
        for now in range(self.done, min(self.done + hands, self.total)):
            order, hand = divmod(now, self.hands)
            where = make_hand_ids(self.matches, order, hand)
            decks = self.cards.decks(make_hand_ids(self.matches, 0, hand), self.game.deck_cards)
            seated = np.array(self.orders[order])
            lineup = self.who[:, seated]
            ended = play(self.game, self.seats, decks, lineup=lineup, where=where, names=self.names)
            self.blocks[tables[:, None], now // BLOCK, seated] += ended.parts
            self.done = now + 1

    def reports(self) -> list[TrainingReport]:
        """Return the report of each course so far."""
        return [self._report(number) for number in range(len(self.courses))]

    def _report(self, number: int) -> TrainingReport:
        tables = np.flatnonzero(self.course_of == number)
        blocks = self.blocks[tables, : -(-self.done // BLOCK)]
        learns = isinstance(self.seats[self.who[tables[0], 0]], LearnerSeat)
        known = [self.knowledge(int(table)) for table in tables] if learns else []
        return TrainingReport(self.courses[number], blocks, self.done, known)

    def _learner(self, table: int) -> LearnerSeat:
        seat = self.seats[self.who[table, 0]]
        if not isinstance(seat, LearnerSeat):
            name = self.courses[self.course_of[table]].learner
            raise AgentError(f"{name}: not a learner, so it has no knowledge to save")
        return seat

    def knowledge(self, table: int = 0) -> ValueTable:
        """Return what the learner at a table knows so far."""
        course = self.courses[self.course_of[table]]
        return self._learner(table).knowledge(
            table, {**notes_of(course), "match": int(self.matches[table]), "done": self.done}
        )

    def keep(self, path: Path) -> None:
        """Write a checkpoint; AgentError if the memory of a learning player cannot be saved."""
        arrays = {"blocks": self.blocks, **prefixed("seats", state_of(self.seats, self.names))}
        write_arrays(path, arrays, {"done": self.done, "courses": self._told()})

    def resume(self, path: Path) -> None:
        """Resume exactly from a checkpoint of the same courses; KnowledgeError for any other file.

        All players must be newly seated.
        """
        try:
            arrays, said = read_arrays(path)
            self._expect_same(said.get("courses"))
            done, blocks = said.get("done"), like(self.blocks, arrays.get("blocks"), "blocks")
            if type(done) is not int or not 0 <= done <= self.total:
                raise ValueError(f"one after {done!r:.40} hands")
            restore_all(self.seats, self.names, unprefixed(arrays, "seats"))
        except FileNotFoundError:
            raise KnowledgeError(f"{path}: no such checkpoint") from None
        except ValueError as error:
            raise KnowledgeError(
                f"{path}: expected a checkpoint to resume, got {error}; omit --resume to start over"
            ) from None
        self.done, self.blocks = done, blocks

    def _told(self) -> list[dict[str, Any]]:
        """What must match for a run to be resumed: the courses, and hashes of their players."""
        return [
            {
                **notes_of(course),
                "matches": course.matches,
                "first": course.first,
                "contents": [content_hash(make_agent(name)) for name in course.players],
            }
            for course in self.courses
        ]

    def _expect_same(self, said: Any) -> None:
        mine = self._told()
        if not isinstance(said, list) or len(said) != len(mine):
            raise ValueError("one of other courses")
        for course, theirs in zip(mine, said, strict=True):
            for name, expected in course.items():
                found = theirs.get(name) if isinstance(theirs, dict) else None
                if found != expected:
                    raise ValueError(f"one with {name} {found!r} instead of {expected!r}")


def notes_of(course: TrainingRun) -> dict[str, Any]:
    """Return where knowledge comes from, for the file that stores it."""
    return {
        "agent": course.learner,
        "against": list(course.opponents),
        "game": course.game.name,
        "seats": course.game.seats,
        "stacks": list(course.game.stacks),
        "hands": course.hands,
        "swapped": course.swapped,
        "seed": course.seed,
    }


def checkpoint_of(path: Path) -> Path:
    """Return the path of a training checkpoint, next to its knowledge file."""
    return path.with_name(f"{path.name}.checkpoint")


def resumed(course: TrainingRun, path: Path) -> TrainingBatch:
    """Resume a course from the checkpoint next to a knowledge file.

    The result equals that of an uninterrupted run: opponents that learn keep their memory.
    """
    room, checkpoint = TrainingBatch([course]), checkpoint_of(path)
    if not checkpoint.exists():
        done = read_knowledge(path).notes.get("done")
        if done == room.total:
            raise KnowledgeError(f"{path}: nothing to resume: all {done:,} hands have been played")
        raise KnowledgeError(
            f"{path}: cannot be resumed because {checkpoint} does not exist; omit --resume to start over"
        )
    room.resume(checkpoint)
    return room


def train(
    courses: Sequence[TrainingRun], progress: Progress | None = None, step: int = 500
) -> list[TrainingReport]:
    """Play courses in parallel to the end."""
    room = TrainingBatch(courses)
    for _ in train_steps(room, progress, step):
        pass
    return room.reports()


def train_steps(room: TrainingBatch, progress: Progress | None = None, step: int = 500) -> Iterator[int]:
    """Play `step` hands at a time until all are played; yield the number of hands done per table."""
    tables = len(room.matches)
    if progress:
        progress(0, room.total * tables)
    while room.done < room.total:
        room.play(step)
        if progress:
            progress(room.done * tables, room.total * tables)
        yield room.done
