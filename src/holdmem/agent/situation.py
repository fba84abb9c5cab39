"""`Situation`: one decision, described by cards and betting instead of being played."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from holdmem.agent.single_hand import SingleHand
from holdmem.agent.views import View, Views
from holdmem.cards.notation import BOARD_LENGTHS, DECK, cards, distinct, names
from holdmem.core.errors import IllegalAction, NotationError
from holdmem.engine.game import Game
from holdmem.engine.game_file import as_game
from holdmem.engine.state import BOARD_CARDS, CALL, FOLD, STREET_NAMES

_STEPS = re.compile(r"\s*([fc/]|r\d*)")


@dataclass(frozen=True, init=False)
class Situation:
    """One decision: what the player to act holds, the board, and the betting so far.

    Parameters
    ----------
    hole : the hole cards of the player to act, such as "AhKd" or a pair of card numbers.
    board : the board so far: none, three, four or five cards.
    betting : the actions so far, with "/" between streets: "f" folds, "c" checks or calls, "r" raises. In
        no-limit, "r" is followed by the total that the player then has in on this street: "r300c/".
    game : a `Game`, the name of a built-in game, or the path of a `.game` file.

    Raises
    ------
    NotationError : cards or betting cannot be read, or do not fit together.
    IllegalAction : the rules forbid one of the actions.

    Examples
    --------
    >>> spot = Situation(hole="AhKd", board="Kc8s2d", betting="rc/r")
    >>> spot.view.pot, spot.view.to_call, spot.view.seat
    (50, 10, 1)
    """

    hole: str
    board: str
    betting: str
    game: Game

    def __init__(
        self,
        hole: str | Sequence[int],
        board: str | Sequence[int] = "",
        betting: str = "",
        game: Game | str = "limit",
    ) -> None:
        object.__setattr__(self, "hole", names(_read(hole)))
        object.__setattr__(self, "board", names(_read(board)))
        object.__setattr__(self, "betting", betting)
        object.__setattr__(self, "game", as_game(game))
        self.views  # noqa: B018  check everything now

    @cached_property
    def views(self) -> Views:
        """The decision as a batch of one, as agents and case bases take it."""
        hole, board = cards(self.hole), cards(self.board)
        if len(hole) != 2:
            raise NotationError(f"expected two hole cards such as AhKd, got {len(hole)}")
        distinct([*hole, *board])
        hand = _played(self.game, board, hole, self.betting)
        street = int(hand.row["street"])
        if len(board) != BOARD_CARDS[street]:
            raise NotationError(
                f"after the betting {self.betting!r} the hand is on the {STREET_NAMES[street]}:"
                f" expected {BOARD_CARDS[street]} cards on the board, got {len(board)}"
            )
        return hand.views().with_hole(np.array([hole], dtype=np.int8))

    @property
    def view(self) -> View:
        """The decision as plain Python values."""
        found: View = self.views[0]
        return found

    def __str__(self) -> str:
        return str(self.view)

    def _repr_html_(self) -> str:
        return self.view._repr_html_()

    def __repr__(self) -> str:
        fields = f"hole={self.hole!r}, board={self.board!r}, betting={self.betting!r}"
        return f"Situation({fields}, game={self.game.name!r})"


def _read(given: str | Sequence[int]) -> list[int]:
    return cards(given) if isinstance(given, str) else distinct([int(card) for card in given])


def _played(game: Game, board: list[int], hole: list[int], betting: str) -> SingleHand:
    """Deal a hand with this board and play the betting; the cards that nobody sees are arbitrary."""
    if len(board) not in BOARD_LENGTHS:
        raise NotationError(f"expected a board of 0, 3, 4 or 5 cards, got {len(board)}")
    unseen = [card for card in DECK if card not in board and card not in hole]
    deck = [*unseen[: 2 * game.seats], *board, *unseen[2 * game.seats :]][: game.deck_cards]
    hand = SingleHand(game, np.array(deck, dtype=np.int8), range(game.seats), number=0)
    street = 0
    for step in _steps(betting):
        if hand.over:
            raise NotationError(f"the hand is over before the end of the betting {betting!r}")
        now = int(hand.row["street"])
        if (step == "/") != (now > street):
            wanted = f"a '/' before the {STREET_NAMES[now]}" if now > street else "an action"
            raise NotationError(f"expected {wanted} in the betting {betting!r}, got {step!r}")
        street = now
        if step != "/":
            hand.act(_code(step, hand, betting))
    if hand.over:
        raise NotationError(f"nobody is left to act after the betting {betting!r}")
    return hand


def _steps(betting: str) -> list[str]:
    steps = _STEPS.findall(betting)
    if "".join(steps) != "".join(betting.split()):
        raise NotationError(f"expected f, c, r and / (in no-limit r<chips>), got {betting!r}")
    return steps


def _code(step: str, hand: SingleHand, betting: str) -> int:
    """Return the engine's code of a step: FOLD, CALL, or the total of a raise."""
    if step in ("f", "c"):
        return FOLD if step == "f" else CALL
    view = hand.views()[0]
    if step != "r":
        return int(step[1:]) or _no_raise(step, betting)
    if not hand.game.limit:
        raise NotationError(f"expected r<chips> in no-limit, such as r300, got 'r' in {betting!r}")
    if not view.max_raise_to:
        raise IllegalAction(
            f"expected a fold or call, since no more raises are allowed, got 'r' in {betting!r}"
        )
    return int(view.min_raise_to)


def _no_raise(step: str, betting: str) -> int:
    raise NotationError(f"expected a raise to at least one chip, got {step!r} in {betting!r}")
