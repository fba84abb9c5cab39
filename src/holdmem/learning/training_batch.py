"""Play training runs in parallel, one table per match, with checkpoints to resume from."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.agent import Seat, make_agent, play
from holdmem.agent.seat_state import prefixed, restore_all, state_of, unprefixed
from holdmem.arena.design import Design, content_hash
from holdmem.arena.units import make_hand_ids
from holdmem.core.array_file import like, read_arrays, write_arrays
from holdmem.core.errors import AgentError, GameError, KnowledgeError
from holdmem.core.random import Streams
from holdmem.core.types import Ints, Progress
from holdmem.learning.training_runs import BLOCK, TrainingReport, TrainingRun, notes_of
from holdmem.players.learners.learner import LearnerSeat
from holdmem.players.learners.value_table import ValueTable, read_knowledge

if TYPE_CHECKING:
    from holdmem.engine import Game


class TrainingBatch:
    """Training runs of one game, played in parallel with all their matches as the tables of one batch."""

    def __init__(self, courses: Sequence[TrainingRun]) -> None:
        first = courses[0]
        settings = {(one.game, one.hands, one.swapped, one.seed, one.purpose) for one in courses}
        if len(settings) > 1:
            raise GameError(
                "runs played in one batch must have the same game, length, seat order, seed and purpose"
            )
        self.courses: tuple[TrainingRun, ...] = tuple(courses)
        self.game: Game = first.game
        self.orders: list[tuple[int, ...]] = first.orders
        self.hands: int = first.hands
        self.matches: Ints = np.concatenate([one.first + np.arange(one.matches) for one in courses])
        self.course_of: Ints = np.repeat(np.arange(len(courses)), [one.matches for one in courses])
        drawn = Design(first.game, first.players, seed=first.seed, purpose=first.purpose).rng
        self._seat_everybody(drawn)
        self.cards: Streams = drawn("cards")
        self.done: int = 0
        """Number of hands already played at each table."""
        blocks = -(-self.total // BLOCK)
        self.blocks: Ints = np.zeros((len(self.matches), blocks, self.game.seats), np.int64)

    @property
    def total(self) -> int:
        """Number of hands per table."""
        return self.hands * len(self.orders)

    def _seat_everybody(self, drawn: Callable[..., Streams]) -> None:
        """Seat each distinct player once for all tables; which players sit at a table depends on its run."""
        self.names: list[str] = []
        self.seats: list[Seat] = []
        numbers: dict[tuple[str, int], int] = {}
        who = np.empty((len(self.courses), self.game.seats), np.int64)
        for row, course in enumerate(self.courses):
            for place, name in enumerate(course.players):
                copies = course.players[:place].count(name)
                if (name, copies) not in numbers:
                    numbers[name, copies] = len(self.seats)
                    rng = drawn("player", name, copies)
                    self.seats.append(make_agent(name).sit(self.game, len(self.matches), rng))
                    self.names.append(name)
                who[row, place] = numbers[name, copies]
        self.who: Ints = who[self.course_of]

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
        """Return the report of each run so far."""
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
        write_arrays(path, arrays, {"done": self.done, "courses": self._identity()})

    def resume(self, path: Path) -> None:
        """Resume exactly from a checkpoint of the same runs; KnowledgeError for any other file.

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

    def _identity(self) -> list[dict[str, Any]]:
        """Return what must match for a batch to be resumed: its runs, and hashes of their players."""
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
        mine = self._identity()
        if not isinstance(said, list) or len(said) != len(mine):
            raise ValueError("one of other runs")
        for course, theirs in zip(mine, said, strict=True):
            for name, expected in course.items():
                found = theirs.get(name) if isinstance(theirs, dict) else None
                if found != expected:
                    raise ValueError(f"one with {name} {found!r} instead of {expected!r}")


def checkpoint_of(path: Path) -> Path:
    """Return the path of a training checkpoint, next to its knowledge file."""
    return path.with_name(f"{path.name}.checkpoint")


def resumed(course: TrainingRun, path: Path) -> TrainingBatch:
    """Resume a run from the checkpoint next to a knowledge file.

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
    """Play training runs in parallel to the end."""
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
