"""Play hands again with a seat's policy in view: what it would do with each holding at each decision.

A policy is a function of what the player sees, so a table is rebuilt from a view alone: the same board,
stacks and actions, with arbitrary cards in place of hidden ones. Decisions with the same public state share
an answer.
"""

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import PolicySeat, View, Views
from holdmem.agent.kernels.views import look
from holdmem.agent.views import VIEW
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.public_game import HOLDEM, CardTuple
from holdmem.core.random import hand_ids
from holdmem.core.types import Floats, Ints
from holdmem.engine import CALL, FOLD, Batch, Game
from holdmem.engine.kernels.batch import act_all, legal_all
from holdmem.engine.state import BOARD_CARDS

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_VIEWS = 16_000
"""Views in one query of a policy, or those of a single public state."""
KEPT_BOARDS = 256
"""Boards of which the classes of holdings are kept."""
KEPT_ANSWERS = 4096
"""Answers kept, of 5 kB each."""


class RangeAnswer(NamedTuple):
    """A policy at one public state: `which` row of probabilities and codes each holding left has."""

    holdings: Ints
    which: Ints
    probabilities: Floats
    codes: Ints


class PublicHands(NamedTuple):
    """Hands as the engine keeps them, with arbitrary hole cards."""

    hands: NDArray[np.record]
    history: NDArray[np.record]

    def copied(self, rows: Ints) -> "PublicHands":
        """Return copies of some hands, in this order; a row may occur several times."""
        return PublicHands(self.hands[rows], self.history[rows])


class PolicyOfRange:
    """Queries a seat without memory for its policy with every possible holding.

    A seat that plays some holdings identically gives their classes by `card_classes(board)`; it is asked
    about one holding per class.
    """

    def __init__(self, game: Game, seat: PolicySeat) -> None:
        self.game = game
        self.seat = seat
        self.classes: Callable[[CardTuple], HoldingClasses] = lru_cache(KEPT_BOARDS)(self._classes)

    def _classes(self, board: CardTuple) -> "HoldingClasses":
        free = np.flatnonzero(HOLDEM.free(tuple(card for card in board if card >= 0)))
        known = getattr(self.seat, "card_classes", None)
        if known is None:
            return HoldingClasses(free, free, np.arange(len(free)))
        classes = known(board)[free]
        _, first, which = np.unique(classes, return_index=True, return_inverse=True)
        return HoldingClasses(free, free[first], which)

    def ask(self, public: PublicHands, rows: Ints) -> list[RangeAnswer]:
        """Return the policy at each of these hands, which must wait for an action."""
        seen = np.empty(len(rows), dtype=VIEW)
        look(self.game.rules_row, public.hands, rows, hand_ids(len(public.hands)), seen)
        held = [self.classes(tuple(board)) for board in seen["board"].tolist()]
        before = np.cumsum([0, *(len(one.asked) for one in held)])
        found: list[RangeAnswer] = []
        while len(found) < len(rows):
            start = len(found)
            end = max(start + 1, int(np.searchsorted(before, before[start] + MOST_VIEWS, "right")) - 1)
            found += self._ask(public, rows[start:end], seen[start:end], held[start:end])
        return found

    def _ask(
        self, public: PublicHands, rows: Ints, seen: NDArray[np.record], held: list["HoldingClasses"]
    ) -> list[RangeAnswer]:
        counts = [len(one.asked) for one in held]
        asked = np.repeat(seen, counts)
        asked["hole"] = HOLDINGS[np.concatenate([one.asked for one in held])]
        where = np.repeat(rows, counts)
        views = Views(self.game, asked, public.history, where, np.zeros(len(where), np.int64))
        policy = self.seat.policy(views)
        parts = np.cumsum(counts)[:-1]
        answers = zip(held, np.split(policy.probabilities, parts), np.split(policy.codes, parts), strict=True)
        return [
            RangeAnswer(one.free, one.which, probabilities, codes) for one, probabilities, codes in answers
        ]


class HoldingClasses(NamedTuple):
    """The holdings that a board leaves, one of each class, and the class of each."""

    free: Ints
    asked: Ints
    which: Ints


def rebuild(views: Views) -> tuple[PublicHands, Ints]:
    """Deal the hands of some views again; return them before the first action, and the actions so far."""
    game, board = views.game, views.board
    dead = np.array(game.dead or (0,) * game.seats)
    stacks = views.stack[:, : game.seats] + views.paid[:, : game.seats] + dead
    batch = Batch(game, np.stack([_deck(game, one) for one in board]), stacks)
    return PublicHands(batch.hands, batch.history), views.history["to"].astype(np.int64)


def view_before(view: View, street: int) -> View | None:
    """Return the player's last decision before a street, as it saw it then; None if it had none."""
    alone = view.alone
    public, actions = rebuild(alone)
    row, found = np.zeros(1, np.int64), None
    for step in range(int((alone.history[0]["street"][: alone.actions[0]] < street).sum())):
        if public.hands["to_act"][0] == view.seat:
            seen = np.empty(1, dtype=VIEW)
            look(view.game.rules_row, public.hands, row, hand_ids(1), seen)
            seen["hole"] = alone.hole
            found = Views(view.game, seen, public.history.copy(), row, row)[0]
        act_legally(view.game, public, row, actions[:, step])
    return found


def _deck(game: Game, board: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return a deck with this board; all other cards are the lowest ones that are left."""
    known = board[board >= 0]
    others = np.setdiff1d(np.arange(52, dtype=np.int8), known)
    holes = 2 * game.seats
    return np.concatenate([others[:holes], known, others[holes:]])[: game.deck_cards].astype(np.int8)


def act_legally(game: Game, public: PublicHands, rows: Ints, codes: Ints) -> None:
    """Apply one action per hand; a raise out of bounds becomes the nearest legal action."""
    owed, least, most = np.empty((3, len(rows)), np.int64)
    legal_all(game.rules, public.hands, rows, owed, least, most)
    raising = np.where(most > 0, np.clip(codes, least, np.maximum(most, least)), CALL)
    legal = np.where(codes > 0, raising, np.where((codes == FOLD) & (owed == 0), CALL, codes))
    act_all(game.rules_row, public.hands, public.history, rows, legal)


def action_columns(answer: RangeAnswer, codes: list[int], pot: float, highest: int) -> Floats:
    """Return the probability of each of `codes`, [action, holding], where every raise must go somewhere.

    A raise of another size is split between the nearest two by the pseudo-harmonic mapping (Ganzfried and
    Sandholm 2013) of sizes as fractions of the pot after a call; without any raise it becomes a call.
    """
    out = np.zeros((len(codes), len(answer.codes)))
    for code in np.unique(answer.codes).tolist():
        mass = (answer.probabilities * (answer.codes == code)).sum(axis=1)
        if mass.any():
            for place, share in _shares(code, codes, pot, highest):
                out[place] += share * mass
    found: Floats = out[:, answer.which]
    return found


def _shares(code: int, codes: list[int], pot: float, highest: int) -> list[tuple[int, float]]:
    """Return the places among `codes` that stand for an action, with their shares."""
    if code in codes:
        return [(codes.index(code), 1.0)]
    raises = [one for one in codes if one > 0]
    if code <= 0 or not raises:
        return [(codes.index(CALL), 1.0)]
    low, high = [one for one in raises if one < code], [one for one in raises if one > code]
    if not low or not high:
        return [(codes.index(max(low) if low else min(high)), 1.0)]
    a, x, b = ((one - highest) / pot for one in (max(low), code, min(high)))
    share = (b - x) * (1 + a) / ((b - a) * (1 + x))
    return [(codes.index(max(low)), share), (codes.index(min(high)), 1 - share)]


class RangeFollower:
    """Follows both players' ranges through hands by Bayes' rule, as if both had played one policy."""

    def __init__(self, game: Game, policy: PolicyOfRange) -> None:
        self.game = game
        self.policy = policy
        self.known: OrderedDict[bytes, Floats] = OrderedDict()

    def follow(self, public: PublicHands, actions: Ints, counts: Ints) -> Floats:
        """Play `counts` actions of each hand; return reach[hand, seat, holding].

        An action that the policy never takes tells nothing.
        """
        reach = np.ones((len(counts), 2, len(HOLDINGS)))
        for step in range(int(counts.max(initial=0))):
            rows = np.flatnonzero(counts > step)
            codes = actions[rows, step]
            probabilities = self._probabilities(public, rows, codes)
            seats = public.hands["to_act"][rows]
            for row, seat, probability in zip(rows.tolist(), seats.tolist(), probabilities, strict=True):
                after = reach[row, seat] * probability
                reach[row, seat] = after if after.any() else reach[row, seat]
            act_legally(self.game, public, rows, codes)
        return reach

    def _probabilities(self, public: PublicHands, rows: Ints, codes: Ints) -> list[Floats]:
        """Return the probability of each hand's next action with every holding."""
        keys = self._keys(public, rows, codes)
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        found = {key: self.known[key] for key in first if key in self.known}
        missing = [place for key, place in first.items() if key not in found]
        answers = self.policy.ask(public, rows[missing])
        for place, answer in zip(missing, answers, strict=True):
            found[keys[place]] = self._probability(public.hands[rows[place]], answer, int(codes[place]))
        for key, probability in found.items():
            self.known[key] = probability
            self.known.move_to_end(key)
        while len(self.known) > KEPT_ANSWERS:
            self.known.popitem(last=False)
        return [found[key] for key in keys]

    def _probability(self, hand: np.record, answer: RangeAnswer, code: int) -> Floats:
        """Return the probability of an action with every holding; raises count if their size is near."""
        probability = np.zeros(len(HOLDINGS))
        own = (answer.probabilities * (answer.codes == code)).sum(axis=1)
        if code > 0 and not own.any():
            raises = sorted({*answer.codes[answer.codes > 0].tolist(), code} - {code})
            pot = float(hand["paid"][:2].sum() + abs(int(hand["bet"][0]) - int(hand["bet"][1])))
            columns = action_columns(answer, [FOLD, CALL, *raises], pot, int(hand["highest"]))
            shares = _shares(code, [FOLD, CALL, *raises], pot, int(hand["highest"]))
            probability[answer.holdings] = sum(share * columns[place] for place, share in shares if place > 1)
        else:
            probability[answer.holdings] = own[answer.which]
        return probability

    def _keys(self, public: PublicHands, rows: Ints, codes: Ints) -> list[bytes]:
        """Return what the answer depends on: chips, visible board, actions so far, and the action."""
        hands = public.hands[rows]
        seen = np.arange(5) < np.array(BOARD_CARDS)[hands["street"]][:, None]
        longest = int(hands["actions"].max(initial=0))
        parts = [
            hands["actions"][:, None],
            hands["stack"][:, :2] + hands["paid"][:, :2],
            np.where(seen, hands["board"], -1),
            codes[:, None],
            public.history["to"][rows, :longest],
        ]
        return [key.tobytes() for key in np.concatenate(parts, axis=1).astype(np.int64)]
