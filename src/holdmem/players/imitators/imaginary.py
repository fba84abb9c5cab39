"""Imaginary observations: what every member would have earned in a hand that one of them played.

A player's own cards are as likely to be any holding as the one it got, and its member policies are known. So
one heads-up hand says something about every holding and every member (Bowling, Johanson, Burch and Szafron
2008). With R_j(h) the probability that member j takes all of our actions with holding h, α_k the probability
that member k was chosen for the hand, and M = Σ_k α_k Σ_h R_k(h), the hand is worth to member j

    Σ_h R_j(h) · u(h) / M  +  Σ_d Σ_h R_j(h before d) · fold_j(h, d) · (−paid_d) / M_d

The first term is for the end of the hand, unless that is our own fold: u(h) is what the showdown would have
brought with h, or what the other player's fold brought. The second is over our decisions d: with M_d from the
actions before d alone, a member that folds there is credited with what it would have lost. Holdings with a
card that is visible, on the board or at the showdown, do not count.

Each term has the mean that the member itself has, because the sums in numerator and denominator are over the
same hidden cards. That is exact where the cards of the two players are dealt independently. In hold'em it is
exact at showdowns; where the other player's cards stay hidden, its holdings are taken to be equally likely
with all of ours, which neglects the two cards that we would have kept from it. Every action that a member may
take has to be possible for the members in α; the rest of its play would not be seen.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdmem.agent import FOLD, FinishedHands, Policy, Views
from holdmem.agent.views import VIEW
from holdmem.cards.classes import CLASS_OF_HOLDING, HOLDING_OF, HOLDINGS
from holdmem.cards.evaluator import evaluate_board
from holdmem.cbr.features.hand_types import hand_types
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.core.errors import AgentError
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine import Batch
from holdmem.engine.state import BOARD_CARDS
from holdmem.players.imitators.composite import MemberSeats

if TYPE_CHECKING:
    from holdmem.cbr.solutions import Solutions

AT_ONCE = 64
"""Hands whose policies are held in memory together."""
PUBLIC = frozenset({"betting", "sized_betting", "stack_to_pot"})
"""Features of cases that do not depend on the own cards."""
CLASSED = (PUBLIC | {"hand_class"}, PUBLIC | {"hand_type", "board_texture"})
"""Features that are the same for all holdings of a class (before the flop) or a type (after it)."""


class OwnDecisions(NamedTuple):
    """The decisions of one seat in finished hands, hand after hand, without its hole cards."""

    views: Views
    codes: Ints
    hand: Ints


def own_decisions(hands: FinishedHands, seat: Ints) -> OwnDecisions:
    """Replay hands and collect the decisions of `seat[i]` in hand i."""
    decks = np.tile(np.arange(hands.game.deck_cards), (len(hands), 1))
    batch, counts, codes = Batch(hands.game, decks, hands.batch.stacks), hands.actions, hands.history["to"]
    parts = [(np.zeros(0, VIEW), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    for step in range(int(counts.max(initial=0))):
        going = np.flatnonzero(counts > step)
        mine = going[batch.hands["to_act"][going] == seat[going]]
        rows = Views.of(batch, mine, hands.hand_ids, hands.tables).rows.copy()
        seen = np.arange(5) < np.array(BOARD_CARDS)[rows["street"]][:, None]
        rows["board"] = np.where(seen, hands.board[mine], -1)
        rows["hole"] = -1
        parts.append((rows, codes[mine, step].astype(np.int64), mine))
        batch.act(going, codes[going, step].astype(np.int64))
    rows, taken, hand = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(hand, kind="stable")
    views = Views(hands.game, rows[order], batch.history, hand[order], hands.tables[hand[order]])
    return OwnDecisions(views, taken[order], hand[order])


class MemberChoices(NamedTuple):
    """Members' policies at some decisions, [decision, member, holding]; 0 for holdings not possible there."""

    took: Floats
    """probability of the action taken"""
    folds: Floats
    """probability of a fold"""
    free: Flags
    """[decision, holding] whether the holding has no card of the board"""


def choices_at(members: MemberSeats, decisions: OwnDecisions) -> MemberChoices:
    """Ask every member for its choice with every holding at every decision, once per group of equal ones."""
    count, shape = len(decisions.codes), (len(decisions.codes), len(members), len(HOLDINGS))
    board = decisions.views.board
    free = ~(HOLDINGS[None, :, :, None] == board[:, None, None, :]).any(axis=(2, 3))
    found = MemberChoices(np.zeros(shape), np.zeros(shape), free)
    if not count:
        return found
    groups = [_groups(members, decisions.views, d, free[d]) for d in range(count)]
    asked = np.repeat(np.arange(count), [len(first) for first, _ in groups])
    holdings = np.concatenate([np.flatnonzero(free[d])[first] for d, (first, _) in enumerate(groups)])
    views = decisions.views[asked].with_hole(HOLDINGS[holdings].astype(np.int8))
    begins = np.searchsorted(asked, np.arange(count))
    for member, policy in enumerate(_policies(members, views)):
        took = policy.probability_of(decisions.codes[asked])
        folds = policy.probability_of(np.full(len(asked), FOLD))
        for d, (_, group) in enumerate(groups):
            found.took[d, member, free[d]] = took[begins[d] + group]
            found.folds[d, member, free[d]] = folds[begins[d] + group]
    return found


def _policies(members: MemberSeats, views: Views) -> Iterator[Policy]:
    """Yield each member's policy; members with the same cases look them up once."""
    recalled: dict[int, Solutions] = {}
    for member, seat in enumerate(members.seats):
        if not isinstance(seat, CaseBasedSeat):
            yield members.policy(member, views)
            continue
        if id(seat.base) not in recalled:
            recalled[id(seat.base)] = seat.recall(views)
        yield seat.reuse(views, recalled[id(seat.base)])


def _groups(members: MemberSeats, views: Views, d: int, free: Flags) -> tuple[Ints, Ints]:
    """Return the first of each group of free holdings that no member tells apart, and each one's group."""
    street, held = int(views.street[d]), HOLDINGS[free]
    if not all(_sees_classes(members, member, street) for member in range(len(members))):
        return np.arange(len(held)), np.arange(len(held))
    boards = np.tile(views.board[d], (len(held), 1))
    kinds = hand_types(held.astype(np.int8), boards) if street else CLASS_OF_HOLDING[free]
    _, first, group = np.unique(kinds, return_index=True, return_inverse=True)
    return first.astype(np.int64), group.reshape(-1).astype(np.int64)


def _sees_classes(members: MemberSeats, member: int, street: int) -> bool:
    seat = members.seats[member]
    if not isinstance(seat, CaseBasedSeat):
        return False
    return set(seat.base.representation.streets[street].names) <= CLASSED[street > 0]


def imagined_results(hands: FinishedHands, members: MemberSeats, probabilities: Floats) -> Floats:
    """Return what each hand was worth to each member, in chips, (hands, members).

    `probabilities` [hand, member] is the probability with which a member had been chosen for a hand. Hands
    whose showdown hides the other player's cards are worth nan.
    """
    if hands.player is None or hands.game.seats != 2:
        raise AgentError(f"{hands.game.name}: imaginary observations need one player's view of two seats")
    seat = (hands.lineup == hands.player).argmax(axis=1)
    parts = [
        _imagined(_part(hands, which), seat[which], members, probabilities[which]) for which in _cut(hands)
    ]
    return np.concatenate([np.zeros((0, len(members))), *parts])


def _cut(hands: FinishedHands) -> Iterator[Ints]:
    for begin in range(0, len(hands), AT_ONCE):
        yield np.arange(begin, min(begin + AT_ONCE, len(hands)))


def _part(hands: FinishedHands, which: Ints) -> FinishedHands:
    batch = Batch.__new__(Batch)
    batch.game = hands.game
    for field in ("decks", "stacks", "hands", "history"):
        setattr(batch, field, getattr(hands.batch, field)[which])
    return FinishedHands(batch, hands.lineup[which], hands.hand_ids[which], hands.tables[which], hands.player)


def _imagined(hands: FinishedHands, seat: Ints, members: MemberSeats, probabilities: Floats) -> Floats:
    decisions = own_decisions(hands, seat)
    choices = choices_at(members, decisions)
    dead = np.array(hands.game.dead or (0, 0))
    paid = decisions.views.paid[np.arange(len(decisions.codes)), seat[decisions.hand]]
    lost = paid + dead[seat[decisions.hand]]
    first = np.searchsorted(decisions.hand, np.arange(len(hands) + 1))
    worth = np.zeros((len(hands), len(members)))
    for i in range(len(hands)):
        reach, folded = np.ones((len(members), len(HOLDINGS))), False
        for d in range(first[i], first[i + 1]):
            reach *= choices.free[d]
            mass = probabilities[i] @ reach.sum(axis=1)
            worth[i] -= lost[d] * (reach * choices.folds[d]).sum(axis=1) / mass
            reach *= choices.took[d]
            folded = bool(decisions.codes[d] == FOLD)
        if not folded:
            result = _end(hands, i, int(seat[i]), dead)
            reach *= ~np.isnan(result)
            mass = probabilities[i] @ reach.sum(axis=1)
            worth[i] += reach @ np.nan_to_num(result) / mass if mass > 0 else np.nan
    return worth


def _end(hands: FinishedHands, i: int, seat: int, dead: Ints) -> Floats:
    """Return the chips that the end of a hand brings with every holding; nan where it is not possible."""
    result = np.full(len(HOLDINGS), np.nan)
    board = hands.board[i]
    free = ~np.isin(HOLDINGS, board[board >= 0]).any(axis=1)
    if not hands.showdown[i]:
        result[free] = hands.net[i, seat]
        return result
    other = hands.hole[i, 1 - seat]
    if (other < 0).any():
        return result
    free &= ~np.isin(HOLDINGS, other).any(axis=1)
    strength = evaluate_board(board, HOLDINGS[free]).astype(np.int64)
    theirs = int(evaluate_board(board, HOLDINGS[[HOLDING_OF[other[0], other[1]]]])[0])
    called = int(hands.batch.hands["paid"][i, :2].min())
    won, lost = called + int(dead[1 - seat]), called + int(dead[seat])
    result[free] = np.select([strength > theirs, strength < theirs], [won, -lost], (won - lost) / 2)
    return result
