"""Replay recorded hands as decisions: what a seat saw, what it did, and its result in the hand."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.agent.views import VIEW
from holdmem.core.errors import IllegalAction
from holdmem.core.types import Flags, Ints
from holdmem.engine import Batch, Game
from holdmem.engine.describe import describe_action
from holdmem.engine.kernels.batch import act_all
from holdmem.engine.state import ACTION, HAND, SEATS, UNLIMITED
from holdmem.history.hands import Hands
from holdmem.history.kernels.replay import (
    AFTER_THE_END,
    AGREED,
    DOUBLE_CARD,
    FINE,
    NO_BETTING,
    NO_CARD,
    NO_GAME,
    NO_PLAYER,
    NO_RAKE,
    NO_TIME,
    NOT_LEGAL,
    POSSIBLE,
    SHORT_BOARD,
    TOO_SHORT,
    UNFINISHED,
    look_back,
    play_all,
    settle_all,
)


@dataclass(frozen=True, eq=False)
class ReplayResults:
    """Results of replaying recorded hands; `net`, in parts of a chip, is meaningful where `settled`."""

    problems: NDArray[np.int8]
    at: Ints
    """Number of actions that could be replayed."""
    net: Ints
    settled: Flags
    """Whether the result follows from the betting and the known cards."""
    shown: Ints
    """Seats that reached a showdown, as a bit mask."""
    verdicts: NDArray[np.int8]
    """Verdict on each recorded result; see `kernels.replay`."""

    @property
    def stands(self) -> Flags:
        """Which recorded results are usable: the engine's less rake, or possible if it has none."""
        return (self.verdicts == AGREED) | (self.verdicts == POSSIBLE)  # type: ignore[no-any-return]

    def results(self, hands: Hands) -> tuple[Ints, Flags]:
        """Return results by seat, recorded or else computed, in parts of a chip, and which hands have one.

        A recorded result that the rules contradict is never used.
        """
        net = np.where(self.stands[:, None], hands.rows["net"], self.net)
        return net, self.stands | self.settled


@dataclass(frozen=True, eq=False)
class FinalStates:
    """Final engine states of the hands of one game, with their actions."""

    game: Game
    places: Ints
    """Indices of these hands in the input."""
    hands: NDArray[np.record]
    """`net` is as recorded, else as computed, else 0 where the result is not `known`."""
    history: NDArray[np.record]
    known: Flags


@dataclass(frozen=True, eq=False)
class Decisions:
    """Every decision of the hands of one game, in order, one row of `views` each."""

    views: Views
    actions: Ints
    """Action taken: FOLD, CALL or the total of a raise."""
    hand: Ints
    """Index of the hand."""
    player: Ints
    """Who decided, as an index into `hands.players`."""
    net: Ints
    """This player's result in the whole hand, in parts of a chip; 0 where `settled` is false."""
    settled: Flags
    known: Flags
    """Whether the player's hole cards are known; if not, they are -1 in the view."""
    hands: Hands

    def __len__(self) -> int:
        return len(self.actions)


def replay_results(hands: Hands) -> ReplayResults:
    """Replay all hands: problems, results, showdowns and verdicts on recorded results, one per hand."""
    count = len(hands)
    found = ReplayResults(
        problems=np.full(count, NO_GAME, dtype=np.int8),
        at=np.zeros(count, dtype=np.int64),
        net=np.zeros((count, SEATS), dtype=np.int64),
        settled=np.zeros(count, dtype=np.bool_),
        shown=np.zeros(count, dtype=np.int64),
        verdicts=np.zeros(count, dtype=np.int8),
    )
    rows, betting = np.ascontiguousarray(hands.rows), np.ascontiguousarray(hands.betting)
    for game, places in by_game(hands):
        deck, hand = np.zeros(game.deck_cards, dtype=np.int8), np.zeros(1, dtype=HAND)
        history = np.zeros(max(game.longest, 1), dtype=ACTION)
        settle_all(
            game.rules_row, rows, betting, len(hands.players), places, deck, hand, history, found.problems,
            found.at, found.net, found.settled, found.shown, found.verdicts,
        )  # fmt: skip
    return found


def replay(hands: Hands) -> Iterator[Decisions]:
    """Yield all decisions of all hands, one game at a time; hands must be playable, as readers ensure."""
    net, known = playable_results(hands).results(hands)
    for game, places in by_game(hands):
        yield _decisions(hands, game, places, net, known)


def final_states(hands: Hands) -> Iterator[FinalStates]:
    """Yield all hands in their final state, one game at a time; hands must be playable, as readers ensure."""
    net, known = playable_results(hands).results(hands)
    rows, betting = np.ascontiguousarray(hands.rows), np.ascontiguousarray(hands.betting)
    for game, places in by_game(hands):
        longest = max(int(rows["actions"][places].max()), 1)
        states = np.zeros(len(places), dtype=HAND)
        history = np.zeros((len(places), longest), dtype=ACTION)
        deck = np.zeros(game.deck_cards, dtype=np.int8)
        play_all(game.rules_row, rows, betting, len(hands.players), places, deck, states, history)
        states["net"] = net[places]
        yield FinalStates(game, places, states, history, known[places])


def playable_results(hands: Hands) -> ReplayResults:
    """Return the outcomes of the hands; IllegalAction for the first hand that cannot be replayed."""
    found = replay_results(hands)
    wrong = np.flatnonzero(found.problems != FINE)
    if len(wrong):
        raise IllegalAction(f"{hands.where(int(wrong[0]))}: {problem(hands, found, int(wrong[0]))}")
    return found


def by_game(hands: Hands) -> Iterator[tuple[Game, Ints]]:
    """Yield each game with the indices of its hands."""
    for number, terms in enumerate(hands.terms):
        places = np.flatnonzero(hands.rows["terms"] == number)
        if len(places):
            yield terms.game, places


def _decisions(hands: Hands, game: Game, places: Ints, net: Ints, settled: Flags) -> Decisions:
    rows, betting = np.ascontiguousarray(hands.rows), np.ascontiguousarray(hands.betting)
    counts = rows["actions"][places].astype(np.int64)
    total = int(counts.sum())
    views = np.empty(total, dtype=VIEW)
    codes, hand = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    history = np.empty((len(places), max(int(counts.max()), 1)), dtype=ACTION)
    deck, room = np.zeros(game.deck_cards, dtype=np.int8), np.zeros(1, dtype=HAND)
    look_back(game.rules_row, rows, betting, places, deck, room, history, views, codes, hand)
    where = np.repeat(np.arange(len(places)), counts)
    seat = views["seat"]
    return Decisions(
        views=Views(game, views, history, where, np.zeros(total, dtype=np.int64)),
        actions=codes,
        hand=hand,
        player=rows["player"][hand, seat].astype(np.int64),
        net=net[hand, seat] * settled[hand],
        settled=settled[hand],
        known=np.logical_and(*(views["hole"] >= 0).T),
        hands=hands,
    )


def problem(hands: Hands, found: ReplayResults, place: int) -> str:
    """Describe why this hand cannot be replayed: what was expected and what was found."""
    kind, done = int(found.problems[place]), int(found.at[place])
    if kind in _UNFIT:
        return _unfit(hands, kind, place)
    game = hands.terms[hands.rows["terms"][place]].game
    if kind == NOT_LEGAL:
        return f"action {done + 1}: {_complaint(hands, place, done)}"
    if kind == AFTER_THE_END:
        after = describe_action(int(hands.actions_of(place)[done]))
        return f"the hand is over after {done} actions, but {after} follows"
    if kind == UNFINISHED:
        return f"the betting stops after {done} actions, before the hand is over"
    if kind == DOUBLE_CARD:
        return "a card occurs twice"
    if kind == SHORT_BOARD:
        return "the board has too few cards for the betting"
    if kind == TOO_SHORT:
        dead = f" and more than its dead chips {game.dead}" if game.dead else ""
        return f"expected 1 to {UNLIMITED} chips at every seat{dead}, got {list(hands[place].stacks)}"
    return "fine"


_UNFIT = {
    NO_GAME: ("terms", "the index of a game"),
    NO_CARD: ("", "cards from 0 to 51, -1 for unknown, and a board without gaps"),
    NO_PLAYER: ("player", "the index of a player for every seat"),
    NO_BETTING: ("actions", "actions that exist"),
    NO_TIME: ("time", "-1 or seconds since 1970 up to the year 9999"),
    NO_RAKE: ("rake", "a rake that the table can pay"),
}
"""Problems found before replay: the column at fault and what was expected in it."""


def _unfit(hands: Hands, kind: int, place: int) -> str:
    column, expected = _UNFIT[kind]
    row = hands.rows[place]
    got = [row["hole"].tolist(), row["board"].tolist()] if kind == NO_CARD else row[column].tolist()
    return f"expected {expected}, got {got}"


def _complaint(hands: Hands, place: int, done: int) -> str:
    """Return the engine's message about the illegal action."""
    hand = hands[place]
    game = hand.terms.game
    batch = Batch(game, np.arange(game.deck_cards)[None], np.array([hand.stacks]))
    table = np.array([0])
    for action in hand.betting[:done]:  # unchecked, because people fold where a check is free
        act_all(game.rules_row, batch.hands, batch.history, table, np.array([action]))
    return batch.complaint(0, int(hand.betting[done])).removeprefix("table 0, ")
