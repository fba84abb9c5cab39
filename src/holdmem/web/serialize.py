"""A hand as one player may see it, as the plain values of a message.

Only this module turns the state of a hand into data that leaves the server. It includes the cards of other
players only when the hand is over.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from holdmem.agent import Views
from holdmem.agent.single_hand import SingleHand
from holdmem.cards import name as card_name
from holdmem.engine import Game
from holdmem.engine.describe import action_verb, third_person
from holdmem.engine.state import BOARD_CARDS, PARTS, STREET_NAMES, UNLIMITED
from holdmem.history.stats.positions import POSITIONS, positions_of
from holdmem.web.actions import posts, pots, returned, won
from holdmem.web.made_hands import made_hand

YOU = "you"
"""Name of the person at their own table."""
EVERYTHING = -1
"""Used in place of a player: a spectator, who sees all cards."""


def table_state(hand: SingleHand, names: Sequence[str], player: int) -> dict[str, Any]:
    """Return the table as this player sees it now."""
    row, over = hand.row, hand.over
    back = returned(hand) if over else None
    return {
        "hand": hand.number,
        "street": STREET_NAMES[int(row["street"])],
        "board": [card_name(card) for card in board_of(hand)],
        "pot": int(row["paid"].sum()) + sum(hand.game.dead),
        "pots": pots(hand),
        "big_blind": hand.game.big_blind,
        "seats": [_seat(hand, names, seat, player) for seat in range(hand.game.seats)],
        "posts": posts(hand),
        "log": log(hand, names),
        "returned": back and {"player": hand.lineup[back[0]], "amount": back[1]},
        "over": over,
        "showdown": bool(over and row["shown"]),
        "turn": _turn(hand.views()) if not over and hand.to_act == player else None,
    }


def board_of(hand: SingleHand) -> list[int]:
    """Return the board cards that have been dealt."""
    row = hand.row
    dealt = 5 if hand.over and row["shown"] else BOARD_CARDS[int(row["street"])]
    return [int(card) for card in row["board"][:dealt]]


def _seat(hand: SingleHand, names: Sequence[str], seat: int, player: int) -> dict[str, Any]:
    row, who = hand.row, hand.lineup[seat]
    visible = player in (EVERYTHING, who) or hand.over
    limited = hand.game.stacks[seat] < UNLIMITED
    return {
        "seat": seat,
        "player": who,
        "name": names[who],
        "you": who == player,
        "button": seat == hand.game.seats - 1,
        "position": POSITIONS[positions_of(hand.game)[seat]],
        "stack": int(row["stack"][seat]) if limited else None,
        "bet": 0 if hand.over else int(row["bet"][seat]),
        "paid": int(row["paid"][seat]),
        "in": bool(int(row["live"]) >> seat & 1),
        "acting": not hand.over and int(row["to_act"]) == seat,
        "all_in": limited and not row["stack"][seat] and bool(int(row["live"]) >> seat & 1),
        "cards": [card_name(card) for card in row["hole"][seat].tolist()] if visible else None,
        **_made(hand, seat, visible),
        "net": int(row["net"][seat]) / PARTS if hand.over else None,
        "won": won(hand)[seat] if hand.over else None,
    }


def _made(hand: SingleHand, seat: int, visible: bool) -> dict[str, Any]:
    """Return the name of the seat's made hand and its cards, where its hole cards are visible."""
    board = board_of(hand)
    if not visible or not board:
        return {"made": None, "five": None}
    made, five = made_hand([*hand.row["hole"][seat].tolist(), *board])
    return {"made": made, "five": [card_name(card) for card in five]}


def _turn(views: Views) -> dict[str, int]:
    """Return what the player to act needs to know, in chips: call, raise limits, highest bet and pot."""
    row = views.rows[0]
    return {
        "to_call": int(row["to_call"]),
        "min_raise_to": int(row["min_raise_to"]),
        "max_raise_to": int(row["max_raise_to"]),
        "highest": int(row["highest"]),
        "pot": int(row["pot"]),
    }


def log(hand: SingleHand, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the actions so far in words and as amounts, each with its street and player."""
    return [
        {
            "street": STREET_NAMES[step.street],
            "player": hand.lineup[step.seat],
            "text": _said(names[hand.lineup[step.seat]], step.describe()),
            "kind": action_verb(step.action, step.paid, step.highest),
            "amount": step.paid,
            "to": step.total,
            "all_in": step.all_in,
        }
        for step in hand.steps
    ]


def _said(name: str, words: str) -> str:
    """Return name and action with the right verb form: "you raise to 20", but "eqm raises to 20"."""
    return f"{name} {words if name == YOU else third_person(words)}"


def game_words(game: Game) -> str:
    """Describe a game: betting, seats, blinds and stack depth."""
    kind = "limit" if game.limit else "no-limit"
    blinds = "/".join(str(blind) for blind in sorted(blind for blind in game.blinds if blind))
    stacks = "" if game.limit else f", {min(game.stacks) // game.big_blind} big blinds deep"
    return f"{kind} hold'em, {game.seats} seats, blinds {blinds}{stacks}"


def finite(value: Any) -> Any:
    """Return a value that JSON can represent; infinities and NaN become strings."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else str(value)
    return value.item() if isinstance(value, np.generic) else value
