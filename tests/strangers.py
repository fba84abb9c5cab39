"""Agents for tests, to be named by this file: some that learn, some with bad manners, one for each law."""

import gc
import inspect
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from holdmem import (
    CALL,
    FOLD,
    Actions,
    Agent,
    Explanation,
    Game,
    Policy,
    Streams,
    Views,
    bot,
    legal_policy,
)
from holdmem.agent import FinishedHands, SeatState
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.seat_state import checked_array
from holdmem.cards import evaluate
from holdmem.core.errors import AgentError
from holdmem.engine.batch import Batch
from holdmem.players.rule_based.random import RandomSeat


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

    def watch(self, hands: FinishedHands) -> None:
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

    def watch(self, hands: FinishedHands) -> None:
        told = hands.history
        by_others = np.take_along_axis(hands.lineup, np.maximum(told["seat"], 0), axis=1) != hands.player
        happened = np.arange(told.shape[1]) < hands.actions[:, None]
        self.hands[hands.tables] += 1
        self.wild[hands.tables] += (by_others & happened & (told["to"] > 0)).any(axis=1)

    def state(self) -> SeatState:
        return {"hands": self.hands, "wild": self.wild}

    def restore(self, state: SeatState) -> None:
        self.hands, self.wild = (
            checked_array(state, "hands", self.hands),
            checked_array(state, "wild", self.wild),
        )


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


class WeighedSeat(SamplingSeat):
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


def arrays_behind(*things: Any) -> list[Any]:
    """Every array that can be reached from these by attributes, items and bases."""
    found: list[Any] = []
    seen: set[int] = set()
    left = list(things)
    while left:
        thing = left.pop()
        if id(thing) in seen or isinstance(thing, type | str | bytes | int | float | None):
            continue
        seen.add(id(thing))
        if isinstance(thing, np.ndarray | np.record):
            found.append(thing)
            left.append(thing.base)
        elif isinstance(thing, memoryview):
            left.append(thing.obj)
        elif isinstance(thing, list | tuple):
            left += thing
        elif type(thing).__module__.startswith("holdmem"):
            for name in {*vars(type(thing)), *getattr(thing, "__dict__", {})} - {"__dict__", "__slots__"}:
                with suppress(Exception):
                    left.append(getattr(thing, name))
    return [*seen_once(found)]


def seen_once(arrays: list[Any]) -> list[Any]:
    """The same arrays, each once; the walk above keeps them alive, so their ids are their own."""
    return list({id(array): array for array in arrays}.values())


def spoil(*things: Any) -> int:
    """Write into every array behind these that lets itself be written to, and count them."""
    spoiled = 0
    for array in arrays_behind(*things):
        with suppress(ValueError, AttributeError):
            array.setflags(write=True)
        with suppress(ValueError, TypeError):
            np.asarray(array).view(np.uint8)[...] = 0
            spoiled += 1
    return spoiled


class VandalSeat(RandomSeat):
    """Decides like `random`, then spoils whatever it was given."""

    def act(self, views: Views) -> Actions:
        actions = super().act(views)
        spoil(views, views[0], views.played, views.lists)
        return actions


class WatchingVandalSeat(VandalSeat):
    def watch(self, hands: FinishedHands) -> None:
        spoil(hands)


@dataclass(frozen=True)
class Vandal:
    """Plays like `random`, and would like to change what others see and what is counted."""

    watches: bool = False

    def sit(self, game: Game, tables: int, rng: Streams) -> VandalSeat:
        return WatchingVandalSeat(rng) if self.watches else VandalSeat(rng)


class WritesIntoViews(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        views.rows["pot"] = 0
        return calls(views)


class WritesIntoHistory(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        views.played[0]["to"] = 0
        return calls(views)


class ForcesItsWay(Stranger):
    """Makes the views writable first."""

    def answer(self, views: Views, rng: Streams) -> Any:
        views.rows.setflags(write=True)
        views.rows["pot"] = 0
        return calls(views)


class WritesWhatItWatches(Stranger):
    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        return WritingSeat()


class WritingSeat:
    def act(self, views: Views) -> Actions:
        return calls(views)

    def watch(self, hands: FinishedHands) -> None:
        hands.history["to"] = 0


class Inspects(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        inspect.stack(0)
        return calls(views)


class InspectsWhenItSits(Stranger):
    def sit(self, game: Game, tables: int, rng: Streams) -> Any:
        inspect.currentframe()
        return Acting(calls)


class ReadsATraceback(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        try:
            raise ValueError
        except ValueError as error:
            self.caller(error.__traceback__)
        return calls(views)

    def caller(self, trace: Any) -> Any:
        return trace.tb_frame.f_back


class AsksForObjects(Stranger):
    def answer(self, views: Views, rng: Streams) -> Any:
        gc.get_objects(0)
        return calls(views)


class AsksForReferrers(Stranger):
    """Asks before the flop alone: the search takes long in a process with many objects."""

    def answer(self, views: Views, rng: Streams) -> Any:
        if not views.street.any():
            gc.get_referrers(views.rows)
        return calls(views)


@bot
def hides_in_a_string(view):
    """Runs code that no file has."""
    exec(compile("import sys; sys._getframe()", "<nothing to see>", "exec"))
    return CALL


class Logs(Stranger):
    """Uses a library that looks at frames."""

    def answer(self, views: Views, rng: Streams) -> Any:
        logging.getLogger("strangers").warning("%d decisions", len(views))
        return calls(views)


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

    def watch(self, hands: FinishedHands) -> None:
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
            return Explanation(reasons=("because",))


class GuessingSeat:
    """Tries small seeds until one deals the cards that it holds, then plays with all cards open."""

    def __init__(self, game: Game, guesses: int) -> None:
        self.game, self.guesses = game, guesses
        self.cards: Streams | None = None

    def act(self, views: Views) -> Actions:
        if self.cards is None and len(views) >= 5:  # fewer would fit a seed by chance
            self.cards = next(filter(partial(self.fits, views), self.tries()), None)
            self.guesses = 0
        if self.cards is None:
            return calls(views)
        decks = self.decks(self.cards, views)
        board = decks[:, 4:]
        mine, other = (evaluate(np.hstack([decks[:, 2 * s : 2 * s + 2], board])) for s in (0, 1))
        ahead = np.where(views.seat == 0, mine > other, other > mine)
        given_up = np.where(views.to_call > 0, FOLD, CALL)
        return Actions(np.where(ahead, np.where(views.max_raise_to > 0, views.min_raise_to, CALL), given_up))

    def tries(self) -> Iterator[Streams]:
        return (Streams.of(seed, "cards") for seed in range(self.guesses))

    def decks(self, cards: Streams, views: Views) -> Any:
        where = views.hand_id.copy()
        where["table"] = 0  # both orders of a duplicate match have the same cards
        return cards.decks(where, self.game.deck_cards)

    def fits(self, views: Views, cards: Streams) -> bool:
        some = views[:5]
        held = self.decks(cards, some).reshape(len(some), -1)
        places = 2 * some.seat.astype(np.int64)[:, None] + np.arange(2)
        return bool((np.take_along_axis(held, places, axis=1) == some.hole).all())


@dataclass(frozen=True)
class SeedGuesser:
    """Calls, unless the seed is among its guesses."""

    guesses: int = 2000

    def sit(self, game: Game, tables: int, rng: Streams) -> GuessingSeat:
        return GuessingSeat(game, self.guesses)
