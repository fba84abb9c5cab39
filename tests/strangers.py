"""Agents for tests, to be named by this file: some that learn, some with bad manners, one for each law."""

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from holdmem import (
    CALL,
    FOLD,
    Actions,
    Agent,
    AgentError,
    Explanation,
    Finished,
    Game,
    Policy,
    Streams,
    Views,
    bot,
    legal_policy,
)
from holdmem.agents.drawn import DrawnSeat
from holdmem.agents.random import RandomSeat
from holdmem.rules.batch import Batch
from holdmem.table import State
from holdmem.table.memories import taken


def called(name: str) -> str:
    """How an agent of this file is written on the command line."""
    return f"{__file__}:{name}"


@bot
def cautious(view, patience=4):
    """Gives up when the price is high, raises now and then."""
    if view.to_call * patience > view.pot:
        return FOLD
    if view.max_raise_to and view.random() < 0.2:
        return view.min_raise_to
    return CALL


@bot
def by_the_cards(view):
    """Raises with high cards; no chance in it."""
    return view.min_raise_to if max(view.hole) >= 40 else CALL


@bot
def reads(view, notes=Path()):
    """Has a file for a setting."""
    return CALL


@dataclass(frozen=True)
class Of:
    """An agent made of files and of other agents."""

    cases: Path | None = None
    members: tuple[Agent, ...] = ()
    weight: float = 1.0

    def sit(self, game: Game, tables: int, rng: Streams) -> RandomSeat:
        return RandomSeat(rng)


class ObliviousSeat(RandomSeat):
    """Watches, and forgets at once."""

    def watch(self, hands: Finished) -> None:
        pass


@dataclass(frozen=True)
class Oblivious:
    """Plays like `random`, but hand after hand."""

    def sit(self, game: Game, tables: int, rng: Streams) -> ObliviousSeat:
        return ObliviousSeat(rng)


class CounterSeat:
    """Raises at tables where somebody else raised in more than `share` of the hands so far."""

    def __init__(self, tables: int, share: float) -> None:
        self.hands = np.zeros(tables, dtype=np.int64)
        self.wild = np.zeros(tables, dtype=np.int64)
        self.share = share

    def act(self, views: Views) -> Actions:
        angry = self.wild[views.table] > self.share * self.hands[views.table]
        return Actions(np.where(angry, views.min_raise_to, CALL))

    def watch(self, hands: Finished) -> None:
        told = hands.history
        by_others = np.take_along_axis(hands.lineup, np.maximum(told["seat"], 0), axis=1) != hands.player
        happened = np.arange(told.shape[1]) < hands.actions[:, None]
        self.hands[hands.tables] += 1
        self.wild[hands.tables] += (by_others & happened & (told["to"] > 0)).any(axis=1)

    def state(self) -> State:
        return {"hands": self.hands, "wild": self.wild}

    def restore(self, state: State) -> None:
        self.hands, self.wild = taken(state, "hands", self.hands), taken(state, "wild", self.wild)


@dataclass(frozen=True)
class Counter:
    """Remembers how often the others raised."""

    share: float = 0.5

    def sit(self, game: Game, tables: int, rng: Streams) -> CounterSeat:
        return CounterSeat(tables, self.share)


class PatientSeat(CounterSeat):
    """Calls in its first `share` hands at a table, raises ever after."""

    def act(self, views: Views) -> Actions:
        return Actions(np.where(self.hands[views.table] >= self.share, views.min_raise_to, CALL))


@dataclass(frozen=True)
class Patient:
    """Wakes up after a while."""

    hands: int = 10

    def sit(self, game: Game, tables: int, rng: Streams) -> PatientSeat:
        return PatientSeat(tables, self.hands)


class WeighedSeat(DrawnSeat):
    """Folds, calls and raises as the first three of its weights say."""

    def __init__(self, rng: Streams, weights: list[int]) -> None:
        super().__init__(rng)
        self.weights = weights

    def policy(self, views: Views) -> Policy:
        return legal_policy(views, np.array(self.weights[:3]) + 0.01)


@dataclass(frozen=True)
class Weighed:
    """Has weights that can evolve."""

    weights: str = "1;1;1"

    def sit(self, game: Game, tables: int, rng: Streams) -> WeighedSeat:
        return WeighedSeat(rng, [int(weight) for weight in self.weights.split(";")])


class Acting:
    """A seat made of a function."""

    def __init__(self, act: Any) -> None:
        self.act = act


def calls(views: Views) -> Actions:
    return Actions(np.full(len(views), CALL))


@dataclass(frozen=True)
class Stranger:
    """Something with a seat; the agents below differ in what it does."""

    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        return Acting(lambda views: self.answer(views, rng))

    def answer(self, views: Views, rng: Streams) -> Any:
        return calls(views)


class RaisesTooMuch(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return Actions(np.full(len(views), 10**9))


class FoldsForFree(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return Actions(np.full(len(views), FOLD))


class Raises(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return 1 / 0


class Exits(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return sys.exit(3)


class Loops(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        for _ in count():
            with suppress(Exception):
                time.sleep(0.001)


class WrongShape(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return Actions(np.zeros(len(views) + 1, dtype=int))


class WrongType(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return [CALL] * len(views)


class Fractions(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        return Actions(np.zeros(len(views)))


class KillsItsProcess(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        os._exit(9)


class RaisesInSit(Stranger):
    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        raise RuntimeError("the chair is broken")


class Declines(Stranger):
    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        raise AgentError("plays no poker")


class WatchesBadly(Stranger):
    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        seat = Acting(calls)
        seat.watch = lambda hands: {}["what"]
        return seat


class WatchesForEver(Stranger):
    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        seat = Acting(calls)
        seat.watch = lambda hands: self.answer_never()
        return seat

    def answer_never(self) -> None:
        while True:
            time.sleep(0.001)


@bot
def fraction(view):
    """Answers with half a chip."""
    return 0.5


@bot
def loops(view):
    """Never answers on the flop."""
    while view.street == 1:
        pass
    return CALL


@bot
def divides_by_zero(view):
    """Fails on the turn."""
    return CALL // (2 - view.street)


# One for each law of check_agent.


class Unequal(Stranger):
    """No value: copies of it differ."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class Unpicklable(Stranger):
    def __reduce__(self) -> Any:
        raise TypeError("not for export")


class Whimsical(Stranger):
    """Draws from a source that no seed rules."""

    def answer(self, views: Views, rng: Streams) -> Any:
        coin = np.frombuffer(os.urandom(len(views)), dtype=np.uint8) % 2
        return Actions(np.where(coin, views.min_raise_to, CALL))


def batch_behind() -> Batch:
    """What a cheat would look for: the hands as the table holds them, some frames up the stack."""
    frame = sys._getframe()
    while not isinstance(frame.f_locals.get("batch"), Batch):
        frame = frame.f_back
    return frame.f_locals["batch"]


class Cheats(Stranger):
    """Finds the batch that is being played and looks at the last card of the board."""

    street = 0

    def answer(self, views: Views, rng: Streams) -> Any:
        batch = batch_behind()
        river = batch.hands["board"][views._hands, 4] % 2 == 0
        return Actions(np.where(river & (views.street == self.street), views.min_raise_to, CALL))


class CheatsOnTheTurn(Cheats):
    street = 2


class LooksAtOtherHands(Cheats):
    """Looks at the others' hole cards, on the river only."""

    def answer(self, views: Views, rng: Streams) -> Any:
        batch = batch_behind()
        other = batch.hands["hole"][views._hands, (views.seat + 1) % views.game.seats, 0] % 2 == 0
        return Actions(np.where(other & (views.street == 3), views.min_raise_to, CALL))


class MindsTheBatch(Stranger):
    """Does what most of the batch should do."""

    def answer(self, views: Views, rng: Streams) -> Any:
        return Actions(np.where(views.hole[:, 0].mean() > 25, views.min_raise_to, np.full(len(views), CALL)))


class Remembers(Stranger):
    """Static, it says, but it counts the decisions."""

    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        asked = count()
        return Acting(
            lambda views: Actions(views.min_raise_to if next(asked) % 7 > 3 else calls(views).codes)
        )


class MixesTables(Stranger):
    """Learns, but keeps one memory for all its tables."""

    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        return MixedSeat()


class MixedSeat:
    def __init__(self) -> None:
        self.seen = 0

    def act(self, views: Views) -> Actions:
        return Actions(views.min_raise_to if self.seen % 5 > 2 else calls(views).codes)

    def watch(self, hands: Finished) -> None:
        self.seen += len(hands)


class WithPolicy(Stranger):
    """A seat with a policy that the agents below spoil."""

    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        return self.Seat(rng)

    class Seat:
        weights = (1.0, 1.0, 1.0)

        def __init__(self, rng: Streams) -> None:
            self.rng = rng

        def policy(self, views: Views) -> Policy:
            return legal_policy(views, self.weights)

        def act(self, views: Views) -> Actions:
            return self.policy(views).draw(views.uniforms(self.rng))


class ActsOtherwise(WithPolicy):
    class Seat(WithPolicy.Seat):
        def act(self, views: Views) -> Actions:
            return legal_policy(views, (1.0, 1.0, 3.0)).draw(views.uniforms(self.rng))


class DoesTheImpossible(WithPolicy):
    class Seat(WithPolicy.Seat):
        def policy(self, views: Views) -> Policy:
            return legal_policy(views, (0.0, 1.0, 0.0))

        def act(self, views: Views) -> Actions:
            return Actions(views.min_raise_to)


class SumsToTwo(WithPolicy):
    class Seat(WithPolicy.Seat):
        def policy(self, views: Views) -> Policy:
            found = legal_policy(views, self.weights)
            return Policy(found.probabilities * 2, found.codes)


class IllegalPolicy(WithPolicy):
    class Seat(WithPolicy.Seat):
        def policy(self, views: Views) -> Policy:
            return Policy(np.full((len(views), 2), 0.5), np.tile([CALL, 10**9], (len(views), 1)))

        def act(self, views: Views) -> Actions:
            return calls(views)


class AnotherAnswerTwice(WithPolicy):
    class Seat(WithPolicy.Seat):
        asked = 0

        def policy(self, views: Views) -> Policy:
            self.asked += 1
            return legal_policy(views, (1.0, self.asked, 1.0))


class ChangedByAsking(WithPolicy):
    class Seat(WithPolicy.Seat):
        asked = 0

        def policy(self, views: Views) -> Policy:
            self.asked += 1
            return legal_policy(views, self.weights)

        def act(self, views: Views) -> Actions:
            number = views.uniforms(self.rng.spawn(self.asked))
            return legal_policy(views, self.weights).draw(number)


class ExplainsNothing(WithPolicy):
    class Seat(WithPolicy.Seat):
        def explain(self, view: Any) -> Any:
            return "because"


class Explains(WithPolicy):
    """Nothing is wrong with this one."""

    class Seat(WithPolicy.Seat):
        def explain(self, view: Any) -> Any:
            return Explanation("because")
