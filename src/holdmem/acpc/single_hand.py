"""One hand at a time, with betting in the protocol's notation: `f`, `c`, `r` (limit) or `r300` (no-limit).

The protocol's raises are totals over the whole hand; HoldMem's are totals on the street. A slash ends a
street; a hand that ends all-in before the river has slashes for the streets without betting too.
"""

import re
from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands, Views
from holdmem.agent.kernels.views import look
from holdmem.agent.views import VIEW
from holdmem.core.errors import GameError
from holdmem.core.hidden import sealed
from holdmem.core.random import HandIds
from holdmem.engine import Batch, Game
from holdmem.engine.kernels.batch import act_or_stop, deal_all, legal_all
from holdmem.engine.state import BOARD_CARDS, CALL, FOLD, STREETS

UNKNOWN = -1
_RAISE = re.compile(r"r(\d{0,15})")
_TABLE = np.zeros(1, dtype=np.int64)
"""Index of the hand in its batch of one."""
_SEEN_TABLE = sealed(_TABLE)
"""Read-only copy of the index, for views."""


class ACPCHand:
    """A hand in progress, which can be dealt again any number of times; reusing its arrays keeps steps cheap.

    It is not a `SingleHand`, because a client's cards become known line by line (-1 until then, which a
    `Batch` refuses) and the dealer's speed rests on keeping the same arrays from hand to hand.

    `seat` is to act (-1 once the hand is over), `street` is the street, `betting` the protocol's betting so
    far.
    """

    def __init__(self, game: Game) -> None:
        if game.antes or game.dead:
            raise GameError(f"{game.name}: the ACPC protocol supports neither antes nor dead chips")
        self.game = game
        self._batch = Batch(game, [range(game.deck_cards)])
        self.hands: NDArray[np.record] = self._batch.hands
        self.history: NDArray[np.record] = self._batch.history
        self._deck = np.zeros((1, game.deck_cards), dtype=np.int8)
        self._action = np.zeros(1, dtype=np.int64)
        self._to_act, self._street = self.hands["to_act"], self.hands["street"]
        self._paid, self._bet, self._stack = (self.hands[name][0] for name in ("paid", "bet", "stack"))
        self.seat: int = UNKNOWN
        self.street: int = 0
        self.betting: str = ""

    def deal(self, deck: Sequence[int] | NDArray[np.int8]) -> None:
        """Deal a new hand from this deck. Cards may be -1 until a showdown needs them (see `set_cards`)."""
        self._deck[0] = deck
        deal_all(self.game.rules, self._batch.stacks, self._deck, self.hands)
        self.seat, self.street = self._to_act.item(), 0
        self.betting = "" if self.seat >= 0 else "/" * (STREETS - 1)

    def set_cards(self, hole: Sequence[tuple[int, int] | None], board: Sequence[int]) -> None:
        """Fill in cards that have become known."""
        for seat, cards in enumerate(hole):
            if cards is not None:
                self.hands["hole"][0, seat] = cards
        self.hands["board"][0, : len(board)] = board

    def act(self, code: int) -> bool:
        """Apply FOLD, CALL or the street total of a raise for the seat to act; False if that is illegal."""
        seat, street = self.seat, self.street
        self._action[0] = code
        if act_or_stop(self.game.rules_row, self.hands, self.history, _TABLE, self._action) >= 0:
            return False
        if code == CALL:
            text = "c"
        elif code == FOLD:
            text = "f"
        else:
            text = "r" if self.game.limit else f"r{self._paid[seat]}"
        self.seat, self.street = self._to_act.item(), self._street.item()
        if self.street > street:
            text += "/"
        elif self.seat < 0 and self.shown:
            text += "/" * (STREETS - 1 - street)
        self.betting += text
        return True

    def code_of(self, text: str) -> int | None:
        """Convert the protocol's text to an action of the seat to act, legal or not; None if it is none."""
        if text == "c":
            return CALL
        if text == "f":
            return FOLD
        found = _RAISE.fullmatch(text)
        if not found:
            return None
        if self.game.raise_sizes:  # limit raises have a fixed size, so ignore any total
            full = self.hands["highest"].item() + self.game.raise_sizes[self.street]
            return int(min(full, self._bet[self.seat] + self._stack[self.seat]))
        if not found[1]:
            return None
        total = int(found[1]) - int(self._paid[self.seat] - self._bet[self.seat])
        return max(total, CALL + 1)  # a raise to zero or less must not become a call

    def text_of(self, code: int) -> str:
        """Convert an action of the seat to act to the protocol's text."""
        if code in (FOLD, CALL):
            return "f" if code == FOLD else "c"
        if self.game.limit:
            return "r"
        return f"r{code + int(self._paid[self.seat] - self._bet[self.seat])}"

    def raises(self) -> tuple[int, int]:
        """Return the minimum and maximum street total that the seat to act may raise to; zeros if none."""
        owed, least, most = np.zeros((3, 1), dtype=np.int64)
        legal_all(self.game.rules, self.hands, _TABLE, owed, least, most)
        return least.item(), most.item()

    @property
    def shown(self) -> bool:
        """Whether the hand has ended in a showdown."""
        return bool(self.hands["shown"].item())

    @property
    def live(self) -> list[bool]:
        """Whether each seat has not folded."""
        mask = self.hands["live"].item()
        return [bool(mask >> seat & 1) for seat in range(self.game.seats)]

    @property
    def net(self) -> list[int]:
        """Result by seat, in units of 1/PARTS chip."""
        result: list[int] = self.hands["net"][0, : self.game.seats].tolist()
        return result

    @property
    def hole(self) -> list[list[int]]:
        """Hole cards by seat."""
        cards: list[list[int]] = self.hands["hole"][0, : self.game.seats].tolist()
        return cards

    @property
    def board(self) -> list[int]:
        """The board cards dealt so far."""
        cards: list[int] = self.hands["board"][0, : self.dealt].tolist()
        return cards

    @property
    def dealt(self) -> int:
        """Number of board cards dealt so far."""
        return 5 if self.shown else BOARD_CARDS[self.street]

    def view(self, hand_ids: HandIds) -> Views:
        """Return what the seat to act may see."""
        rows = np.empty(1, dtype=VIEW)
        look(self.game.rules_row, self.hands, _TABLE, hand_ids, rows)
        return Views(self.game, rows, self.history, _SEEN_TABLE, _SEEN_TABLE)

    def complaint(self, code: int) -> str:
        """Explain why an action is illegal."""
        return self._batch.complaint(0, code).removeprefix("table 0, ")

    def finished(self, lineup: Sequence[int], hand_ids: HandIds, player: int | None = None) -> FinishedHands:
        """Return a copy of the finished hand; pass `player` if the cards are those that this player saw."""
        batch = copy(self._batch)
        batch.hands, batch.history = self.hands.copy(), self.history.copy()
        batch.stacks = batch.stacks.copy()
        batch.hands["board"][0, self.dealt :] = UNKNOWN
        hole = batch.hands["hole"][:, : self.game.seats].reshape(1, -1)
        batch.decks = np.concatenate([hole, batch.hands["board"]], axis=1)
        return FinishedHands(
            batch, np.array([lineup], dtype=np.int64), hand_ids.copy(), _TABLE.copy(), player
        )
