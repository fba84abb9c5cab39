"""Imaginary observations: the mean of what a hand is worth to a member is what the member itself earns."""

from copy import copy
from dataclasses import dataclass

import numpy as np
import pytest

from holdmem import find_game, make_agent
from holdmem.agent import CALL, FOLD, FinishedHands, Policy, Views, play
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import PARTS
from holdmem.history import Hands, replay
from holdmem.players.imitators.composite import MemberSeats
from holdmem.players.imitators.imaginary import choices_at, imagined_results, own_decisions

LIMIT, NOLIMIT = find_game("limit"), find_game("nolimit")
BOARD = (0, 17, 22, 38, 47)


class ByHolding(SamplingSeat):
    """Folds, calls or raises by the number of its holding; calls before the river."""

    def __init__(self, folds: int, raises: int, first: int, rng: Streams) -> None:
        super().__init__(rng)
        self.folds, self.raises, self.first = folds, raises, first

    def policy(self, views: Views) -> Policy:
        held = HOLDING_OF[views.hole[:, 0], views.hole[:, 1]].astype(np.int64)
        mark = (held * 7 + self.first) % 10
        late = views.street == 3
        fold = late & (views.to_call > 0) & (mark < self.folds)
        bold = late & (views.max_raise_to > 0) & (mark >= 10 - self.raises)
        weights = np.stack([fold, ~fold & ~bold, bold], axis=1).astype(np.float64)
        codes = np.zeros((len(views), 3), dtype=np.int64)
        codes[:] = FOLD, CALL, 0
        codes[:, 2] = np.where(views.max_raise_to > 0, views.min_raise_to, 1)
        return Policy(weights, codes)


@dataclass(frozen=True)
class Holding:
    """Agent of `ByHolding`; of ten holdings `folds` fold to a bet and `raises` bet or raise."""

    folds: int
    raises: int
    first: int = 0

    def sit(self, game, tables, rng):
        return ByHolding(self.folds, self.raises, self.first, rng)


class BetsThenFolds(SamplingSeat):
    """Calls to the river, bets there, and folds to a raise: its cards are never seen."""

    def policy(self, views: Views) -> Policy:
        late, owed = views.street == 3, views.to_call > 0
        weights = np.stack([late & owed, ~late, late & ~owed], axis=1).astype(np.float64)
        codes = np.zeros((len(views), 3), dtype=np.int64)
        codes[:] = FOLD, CALL, 0
        codes[:, 2] = np.maximum(views.min_raise_to, 1)
        return Policy(weights, codes)


def enumerated(agents, opponent, chances, deals, seat):
    """Mean worth of all deals to each member if `chances` choose who plays, and what each really earns.

    Our own cards are never looked at, so hands with the same actions have the same worth.
    """
    members = MemberSeats(agents, LIMIT, len(deals), Streams.of(1))
    worth, earned = np.zeros(len(agents)), np.zeros(len(agents))
    lineup = np.tile([0, 1] if seat == 0 else [1, 0], (len(deals), 1))
    for member, chance in enumerate(chances):
        hands = play(LIMIT, [members.seats[member], opponent], deals, lineup=lineup)
        earned[member] = hands.by_player(2)[:, 0].mean() / PARTS
        _, first, count = np.unique(hands.history["to"], axis=0, return_index=True, return_counts=True)
        said = imagined_results(part_of(hands.seen_by(0), first), members, np.tile(chances, (len(first), 1)))
        worth += chance * (count / len(deals)) @ said
    return worth, earned


def part_of(hands, which):
    batch = copy(hands.batch)
    for field in ("decks", "stacks", "hands", "history"):
        setattr(batch, field, getattr(batch, field)[which])
    return FinishedHands(batch, hands.lineup[which], hands.hand_ids[which], hands.tables[which], hands.player)


def deals_of(holdings, other_of, seat):
    """One deck for each of our holdings, on one board."""
    decks = np.zeros((len(holdings), LIMIT.deck_cards), dtype=np.int8)
    for row, held in enumerate(holdings.tolist()):
        decks[row, 2 * seat : 2 * seat + 2] = HOLDINGS[held]
        decks[row, 2 - 2 * seat : 4 - 2 * seat] = other_of(set(HOLDINGS[held].tolist()))
    decks[:, 4:9] = BOARD
    return decks


def other_than(mine):
    """Return a holding of cards that are not ours."""
    return next(pair for pair in ((5, 40), (6, 41), (7, 42)) if not mine & set(pair))


def without(cards):
    return np.flatnonzero(~np.isin(HOLDINGS, list(cards)).any(axis=1))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["always-raise", "always-call"])
def test_showdowns_are_worth_what_each_member_earns_whoever_plays(opponent, seat):
    """All holdings against one of the other player; nobody folds, so every hand is shown."""
    other = (5, 40)
    deals = deals_of(without({*BOARD, *other}), lambda mine: other, seat)
    against = make_agent(opponent).sit(LIMIT, len(deals), Streams.of(2))
    agents = (Holding(0, 0), Holding(0, 4), Holding(0, 7, 3))
    worth, earned = enumerated(agents, against, (0.0, 0.3, 0.7), deals, seat)
    assert worth == pytest.approx(earned, abs=1e-9)
    assert len(set(earned.round(3))) == 3


def test_folds_are_worth_what_each_member_loses_and_hidden_cards_do_not_matter():
    """The other player bets the river and folds to a raise; members fold or raise with other holdings."""
    deals = deals_of(without(BOARD), other_than, 1)
    against = BetsThenFolds(Streams.of(2))
    agents = (Holding(5, 5), Holding(2, 8), Holding(8, 2, 5))
    worth, earned = enumerated(agents, against, (0.5, 0.2, 0.3), deals, 1)
    assert worth == pytest.approx(earned, abs=1e-9)
    assert len(set(earned.round(3))) == 3


def test_a_member_is_credited_for_folds_that_the_one_who_plays_never_makes():
    deals = deals_of(without(BOARD), other_than, 1)
    agents = (Holding(0, 10), Holding(10, 0))
    worth, earned = enumerated(agents, BetsThenFolds(Streams.of(2)), (1.0, 0.0), deals, 1)
    assert worth == pytest.approx(earned, abs=1e-9)


def finished(text, game, count=40):
    rng = Streams.of(9)
    seats = [make_agent(text).sit(game, count, rng.spawn("a")), make_agent("random").sit(game, count, rng)]
    return play(game, seats, rng.decks(hand_ids(count), game.deck_cards))


@pytest.mark.parametrize("game", [LIMIT, NOLIMIT])
def test_decisions_of_finished_hands_are_those_that_were_seen(game):
    hands = finished("always-call", game)
    seen = hands.seen_by(0)
    found = own_decisions(seen, np.zeros(len(hands), dtype=np.int64))
    assert (found.views.seat == 0).all()
    assert (found.views.hole == -1).all()
    assert ((found.views.board >= 0).sum(axis=1) == np.array([0, 3, 4, 5])[found.views.street]).all()
    alone = replay(Hands.of(hands, ["us", "them"]))
    wanted = next(iter(alone))
    ours = wanted.player == 0
    for field in ("pot", "to_call", "min_raise_to", "max_raise_to", "paid", "street", "actions", "board"):
        assert np.array_equal(found.views.rows[field], wanted.views.rows[field][ours])
    assert np.array_equal(found.codes, wanted.actions[ours])


@pytest.mark.parametrize("game", [LIMIT, NOLIMIT])
def test_classes_of_holdings_change_nothing(game, monkeypatch):
    """Imitators are asked once per class of holdings; asking for each of the 1,326 gives the same."""
    hands = finished("always-call", game, 6).seen_by(0)
    agents = (make_agent("imitator"), make_agent("imitator:policy=probabilistic"))
    members = MemberSeats(agents, game, 6, Streams.of(1))
    decisions = own_decisions(hands, np.zeros(len(hands), dtype=np.int64))
    quick = choices_at(members, decisions)
    monkeypatch.setattr("holdmem.players.imitators.imaginary._sees_classes", lambda *args: False)
    slow = choices_at(members, decisions)
    for one, other in zip(quick, slow, strict=True):
        assert np.array_equal(one, other)


def test_a_seat_credits_all_members_and_restores_its_state():
    def seated():
        return make_agent("dynamic:utility=imaginary,members=[always-call;always-raise;simplebot]").sit(
            LIMIT, 4, Streams.of(5)
        )

    seat, other = seated(), make_agent("random").sit(LIMIT, 4, Streams.of(6))
    for hand in range(30):
        ids = hand_ids(4)
        ids["hand"] = hand
        play(LIMIT, [seat, other], Streams.of(7).decks(ids, LIMIT.deck_cards), where=ids)
    assert (seat.bandit.tried == 30).all()
    assert sum(seat.counts().values()) == 120
    assert seat.probabilities.sum(axis=1) == pytest.approx(1.0)
    again = seated()
    again.restore(seat.state())
    assert np.array_equal(again.current, seat.current)
    assert np.array_equal(again.probabilities, seat.probabilities)


def test_members_without_policies_are_refused():
    with pytest.raises(AgentError, match="imaginary observations need members"):
        make_agent("dynamic:utility=imaginary,members=[always-call;alistairbot]").sit(LIMIT, 1, Streams.of(1))
