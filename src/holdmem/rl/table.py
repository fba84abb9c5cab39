"""Table on which both environments are built: consecutive hands of one game, advanced by outside choices."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.single_hand import SingleHand
from holdmem.core.errors import GameError, IllegalAction
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import PARTS, Game, find_game
from holdmem.rl.choices import Choices
from holdmem.rl.observation import Observation

IllegalChoice = Literal["mend", "refuse"]
ObservationDict = dict[str, NDArray[np.float32] | NDArray[np.int8]]


class EnvironmentTable:
    """Table whose button moves with every hand and whose stacks are reset before each.

    `illegal` decides what happens to a choice that the mask forbids: "mend" turns a free fold into a check
    and an illegal raise into a call, "refuse" raises an error.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        raises: Sequence[float] | None = None,
        illegal: IllegalChoice = "mend",
    ) -> None:
        game = find_game(game) if isinstance(game, str) else game
        self.game: Game = game if seats in (None, game.seats) else game.with_seats(seats)
        if illegal not in ("mend", "refuse"):
            raise GameError(f"expected illegal to be 'mend' or 'refuse', got {illegal!r}")
        self.illegal = illegal
        self.choices: Choices = Choices(self.game, raises)
        self.observation: Observation = Observation(self.game)
        self.rng: Streams = Streams.of(0)
        self.number: int = -1
        self._hand: SingleHand | None = None
        self._known: tuple[SingleHand | None, int] = None, 0

    def begin(self, rng: Streams) -> None:
        """Set the random streams; the next hand is hand 0."""
        self.rng, self.number, self._hand = rng.spawn("cards"), -1, None

    @property
    def hand(self) -> SingleHand:
        """Current hand, or the last one if it is over."""
        if self._hand is None:
            raise IllegalAction("call reset() first")
        return self._hand

    def deal(self, seat_of_first: int | None = None) -> None:
        """Deal the next hand; player 0 gets this seat, or by default the seat before its previous one."""
        self.number += 1
        seats = self.game.seats
        first = -self.number if seat_of_first is None else seat_of_first
        lineup = [(seat - first) % seats for seat in range(seats)]
        deck = self.rng.decks(hand_ids(1, first_hand=self.number), self.game.deck_cards)[0]
        if self._hand is None:
            self._hand = SingleHand(self.game, deck, lineup, self.number)
        else:
            self._hand = self._hand.next(deck, lineup, self.number)

    def choose(self, choice: int) -> None:
        """Play this choice for the player to act."""
        if self.hand.over:
            raise IllegalAction("the hand is over; call reset()")
        codes, mask = self._legal()
        self.check(choice, mask)
        self.hand.act(int(codes[choice]))

    def check(self, choice: int, mask: NDArray[np.int8]) -> None:
        """Raise IllegalAction for a choice that does not exist or, under "refuse", that this mask forbids."""
        if not 0 <= choice < len(mask):
            raise IllegalAction(f"expected an action from 0 to {len(mask) - 1}, got {choice}")
        if self.illegal == "refuse" and not mask[choice]:
            legal = ", ".join(f"{place} ({self.choices.names[place]})" for place in np.flatnonzero(mask))
            raise IllegalAction(f"expected one of {legal}, got {choice} ({self.choices.names[choice]})")

    def see(self, player: int) -> ObservationDict:
        """Return a player's observation and action mask."""
        row = self.observation.of(self.hand, player)
        return {"observation": row, "action_mask": self.mask(player)}

    def mask(self, player: int) -> NDArray[np.int8]:
        """Return 1 for each legal choice of a player; all zero if it is not to act."""
        if self.hand.to_act != player:
            return np.zeros(len(self.choices), dtype=np.int8)
        return self._legal()[1].copy()

    def _legal(self) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Return the action of each choice and the legal mask, cached until the next action."""
        now = self.hand, self.hand.acted
        if self._known != now:
            self._known, self._choices = now, self.choices.of(self.hand)
        return self._choices

    def result(self, player: int) -> float:
        """Return what a player won in the finished hand, in small bets (limit) or big blinds (no-limit)."""
        net = int(self.hand.batch.hands["net"][0, self.hand.seat_of(player)])
        return net / PARTS / self.game.unit[0]

    def words(self) -> str:
        """Return the hand as text, as the player to act sees it, or its result."""
        if not self.hand.over:
            return str(self.hand.views()[0])
        won = (f"player {player} {self.result(player):+.3f}" for player in range(self.game.seats))
        return f"hand {self.number} is over, {self.game.unit[1].removesuffix('/h')}: {', '.join(won)}"
