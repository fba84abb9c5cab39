"""The laws of the agent contract, for `check_agent`: each returns what is wrong, or an empty text."""

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import (
    Agent,
    ExplainingSeat,
    Explanation,
    PolicySeat,
    Views,
    WatchingSeat,
    play,
)
from holdmem.arena.guard import Guard
from holdmem.arena.law_sessions import (
    HANDS,
    Caller,
    actions_of,
    decisions,
    lineup_of,
    names_of,
    play_session,
)
from holdmem.arena.tabular_laws import check_tables, is_tabular
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS, CALL, STREET_NAMES

SEATINGS = 6
FALSE_ALARM = 1e-8
"""Probability at most with which an agent that draws from its policy is said not to."""


def is_a_value(agent: Agent) -> str:
    """Check that an agent can be pickled, compared and hashed."""
    copy = pickle.loads(pickle.dumps(agent))
    if copy != agent or hash(copy) != hash(agent):
        return "expected a pickled copy to be equal and to have the same hash; make it a frozen dataclass"
    return ""


def _is_legal(agent: Agent, game: Game, seed: int) -> str:
    play_session(agent, game, seed, hand_ids(HANDS))
    return ""


def _keeps_to_what_it_is_given(agent: Agent, game: Game, seed: int) -> str:
    """Check that the agent reads nothing but what it is given and does not modify that."""
    guard = Guard(agent)
    with guard.on_duty():
        seat = agent.sit(game, HANDS, Streams.of(seed, "agent"))
    play_session(agent, game, seed, hand_ids(HANDS), guard.wrap(seat))
    return guard.problem


def _is_deterministic(agent: Agent, game: Game, seed: int) -> str:
    one, two = (actions_of(play_session(agent, game, seed, hand_ids(HANDS))) for _ in range(2))
    return "" if one == two else f"two runs with the same seed differ at hand {_first_difference(one, two)}"


def _first_difference(one: list[Any], two: list[Any]) -> int:
    return next(place for place, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)


def _is_blind(agent: Agent, game: Game, seed: int) -> str:
    """Check that, up to each street, decisions do not depend on cards that the agent cannot have seen."""
    hands = hand_ids(HANDS)
    decks = Streams.of(seed, "cards").decks(hands, 52)
    lineup = lineup_of(game, hands)

    def decisions(dealt: NDArray[np.int8], street: int) -> list[Any]:
        seat = agent.sit(game, HANDS, Streams.of(seed, "agent"))
        players = [seat, *[Caller()] * (game.seats - 1)]
        finished = play(game, players, dealt, lineup=lineup, where=hands, names=names_of(game))
        return [[action for action in actions if action[2] <= street] for actions in actions_of(finished)]

    for street, name in enumerate(STREET_NAMES):
        as_dealt, otherwise = (
            decisions(dealt, street) for dealt in (decks, _exchanged(game, decks, lineup, street))
        )
        if as_dealt != otherwise:
            hand = _first_difference(as_dealt, otherwise)
            return f"decides differently when only hidden cards differ, up to the {name} of hand {hand}"
    return ""


def _exchanged(
    game: Game, decks: NDArray[np.int8], lineup: NDArray[np.int64], street: int
) -> NDArray[np.int8]:
    """Return the decks with the others' hole cards and the board after this street permuted.

    Undealt cards take part in the permutation.
    """
    exchanged = decks.copy()
    unseen = range(2 * game.seats + BOARD_CARDS[street], 52)
    for row, mine in zip(exchanged, (lineup == 0).repeat(2, axis=1), strict=True):
        places = [*np.flatnonzero(~mine), *unseen]
        row[places] = row[places[::-1]]
    return exchanged


def _ignores_batch_size(agent: Agent, game: Game, seed: int) -> str:
    """Check that small batches of tables give the same actions as all tables together."""
    hands = hand_ids(HANDS)
    together = actions_of(play_session(agent, game, seed, hands))
    for size in (1, 7):
        parts = [
            play_session(agent, game, seed, hands[start : start + size]) for start in range(0, HANDS, size)
        ]
        apart = [actions for part in parts for actions in actions_of(part)]
        if apart != together:
            return f"batches of {size} and of {HANDS} differ at hand {_first_difference(apart, together)}"
    return ""


def _learns_at_each_table_alone(agent: Agent, game: Game, seed: int) -> str:
    """Check that what a seat learns at one table does not change its actions at another."""
    if not isinstance(agent.sit(game, 1, Streams(0)), WatchingSeat):
        return ""
    tables = 3
    together = _actions_at_tables(agent, game, seed, list(range(tables)))
    apart = [_actions_at_tables(agent, game, seed, [table]) for table in range(tables)]
    for table in range(tables):
        if [hand[table] for hand in together] != [hand[0] for hand in apart[table]]:
            return f"plays differently at table {table} when it sits at {tables} tables at once"
    return ""


def _actions_at_tables(agent: Agent, game: Game, seed: int, tables: list[int]) -> list[list[Any]]:
    """Return the actions of 12 consecutive hands at these tables, with one seat."""
    seat = agent.sit(game, len(tables), Streams.of(seed, "agent"))
    return [
        actions_of(
            play_session(agent, game, seed, np.concatenate([hand_ids(1, 0, t, hand) for t in tables]), seat)
        )
        for hand in range(12)
    ]


def _is_static_if_it_says_so(agent: Agent, game: Game, seed: int) -> str:
    """Check that a seat without `watch` plays the same whatever the order of the hands."""
    seat = agent.sit(game, HANDS, Streams.of(seed, "agent"))
    if isinstance(seat, WatchingSeat):
        return ""
    hands = hand_ids(HANDS)
    order = np.random.default_rng(seed).permutation(HANDS)
    straight = actions_of(play_session(agent, game, seed, hands, seat))
    shuffled = actions_of(play_session(agent, game, seed, hands[order], seat))
    back = [shuffled[place] for place in np.argsort(order)]
    if back != straight:
        where = _first_difference(back, straight)
        return f"has no watch method, yet the order of hands matters (hand {where}): it remembers something"
    return ""


def _policy_fits_act(agent: Agent, game: Game, seed: int) -> str:
    """Check that the policy is valid and legal, that `act` draws from it, and that asking changes nothing.

    Each seat is held to its own policy: learners start with random values of their own at every seating.
    """
    if not isinstance(agent.sit(game, HANDS, Streams(0)), PolicySeat):
        return ""
    surprise, variance = np.zeros(3), np.zeros(3)
    seats = [agent.sit(game, HANDS, Streams.of(seed, "agent", number)) for number in range(SEATINGS)]
    never_asked = agent.sit(game, HANDS, Streams.of(seed, "agent", 0))
    for views in decisions(game, seed):
        policy = seats[0].policy(views)  # type: ignore[attr-defined]
        problem = _bad_policy(views, policy.probabilities, policy.codes)
        if problem:
            return problem
        again = seats[0].policy(views)  # type: ignore[attr-defined]
        if not np.array_equal(policy.probabilities, again.probabilities):
            return "policy gives different answers when called twice"
        _ask_with_other_cards(seats[0], views)
        for number, seat in enumerate(seats):
            stated = seat.policy(views) if number else policy  # type: ignore[attr-defined]
            chosen = seat.act(views).codes
            if not stated.probability_of(chosen).all():
                wrong = int(np.argmin(stated.probability_of(chosen)))
                return f"act chose an action to which policy gives probability 0, at {views[wrong]}"
            kinds = _kinds(stated.codes)
            probabilities = np.stack([(stated.probabilities * kind).sum(axis=1) for kind in kinds])
            surprise += (_kinds(chosen) - probabilities).sum(axis=1)
            variance += (probabilities * (1 - probabilities)).sum(axis=1)
            if not number and not np.array_equal(chosen, never_asked.act(views).codes):
                return "act decides differently after a call of policy"
    strayed = np.abs(surprise) > _largest_by_chance(variance)
    if strayed.any():
        kind = int(np.argmax(strayed))
        sigmas = surprise[kind] / np.sqrt(variance[kind] + 1e-12)
        verb = ("folds", "calls", "raises")[kind]
        return f"act {verb} at another rate than policy states: {sigmas:+.1f} sigma"
    return ""


def _largest_by_chance(variance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bound a sum of surprises with this total variance by Freedman's inequality (Freedman 1975).

    Each surprise is at most 1 in size and has mean zero given what came before. A multiple of the standard
    deviation would not do: two rare actions in a row are many standard deviations and no rare event.
    """
    log = math.log(2 / FALSE_ALARM)
    return np.asarray(log / 3 + np.sqrt(log**2 / 9 + 2 * log * variance))


def _kinds(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return three rows of flags: which actions fold, call and raise."""
    return np.stack([codes < CALL, codes == CALL, codes > CALL])


def _bad_policy(views: Views, probabilities: NDArray[np.float64], codes: NDArray[np.int64]) -> str:
    if probabilities.shape != codes.shape or len(codes) != len(views):
        return f"expected a row for each of {len(views)} views, got {probabilities.shape}, {codes.shape}"
    if not (probabilities >= 0).all() or not np.allclose(probabilities.sum(axis=1), 1):
        return f"expected probabilities that sum to one, got {probabilities[0].tolist()}"
    folds = (codes < 0) & (views.to_call[:, None] == 0)
    low, high = views.min_raise_to[:, None], views.max_raise_to[:, None]
    raises = (codes > 0) & ((codes < low) | (codes > high))
    bad = ((folds | raises) & (probabilities > 0)).any(axis=1)
    return (
        f"gives an illegal action a positive probability, at {views[int(np.argmax(bad))]}"
        if bad.any()
        else ""
    )


def _ask_with_other_cards(seat: Any, views: Views) -> None:
    """Ask for the policy with two other hole cards that are not on the board; it must accept any."""
    free = [[card for card in range(52) if card not in row][:2] for row in views.board.tolist()]
    seat.policy(views.with_hole(np.array(free, dtype=np.int8)))


def tables_fit_policy(agent: Agent, game: Game, seed: int) -> str:
    """Check that a tabular strategy states the seat's policy and does not depend on suits."""
    seat = agent.sit(game, HANDS, Streams.of(seed, "agent"))
    if not is_tabular(seat, game) or isinstance(seat, WatchingSeat):
        return ""
    return check_tables(seat, game, decisions(game, seed), seed % 2**32)  # type: ignore[arg-type]


def _explains(agent: Agent, game: Game, seed: int) -> str:
    seat = agent.sit(game, HANDS, Streams.of(seed, "agent"))
    if not isinstance(seat, ExplainingSeat):
        return ""
    for views in decisions(game, seed):
        answer = seat.explain(views[0])
        if not isinstance(answer, Explanation):
            return f"expected an Explanation, got {answer!r:.80}"
    return ""


LAWS: dict[str, Callable[[Agent, Game, int], str]] = {
    "acts legally": _is_legal,
    "repeats under a seed": _is_deterministic,
    "is blind to hidden cards": _is_blind,
    "keeps to what it is given": _keeps_to_what_it_is_given,
    "is indifferent to batch size": _ignores_batch_size,
    "learns at each table alone": _learns_at_each_table_alone,
    "is static if it says so": _is_static_if_it_says_so,
    "draws its actions from its policy": _policy_fits_act,
    "states its policy in tables": tables_fit_policy,
    "explains itself": _explains,
}
