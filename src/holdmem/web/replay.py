"""A recorded hand as states of the table, one before the first action and one after each."""

from collections.abc import Sequence
from typing import Any

from holdmem.agent.single_hand import SingleHand
from holdmem.cards import card as read_card
from holdmem.core.types import JsonObject
from holdmem.engine.state import PARTS
from holdmem.history import RecordedHand
from holdmem.history.describe import amount, stakes
from holdmem.history.hands import UNKNOWN, Terms
from holdmem.history.steps import HandReplay, collected, known_deck, replay_hand
from holdmem.strength.equity import hand_equities
from holdmem.web.serialize import EVERYTHING, table_state


def replayed(hand: RecordedHand, hero: int | None, number: int = 0) -> JsonObject:
    """Return the hand as a message: what was played, and its states.

    `hero` is the seat at the bottom of the table, if any. Each state has the equities of the players left,
    where all their cards are known, and the pot odds of the player to act.
    """
    replay, game = replay_hand(hand), hand.terms.game
    playing = SingleHand(game, known_deck(hand), range(game.seats), 0, hand.stacks)
    equities: dict[tuple[int, int], list[float]] = {}
    states = [_state(playing, hand, hero, number, equities)]
    for action in hand.betting:
        playing.act(int(action))
        states.append(_state(playing, hand, hero, number, equities))
    _settle(states[-1], replay)
    return {"type": "replay", "stakes": stakes(hand.terms), "game": game.name, "limit": game.limit,
            "chip": _chip(hand.terms), "players": list(hand.names), "states": states}  # fmt: skip


def _chip(terms: Terms) -> str | None:
    """Return what a chip is worth, or None where chips are not money."""
    return amount(terms, 1) if terms.currency or terms.chip != 1 else None


def _state(
    playing: SingleHand,
    hand: RecordedHand,
    hero: int | None,
    number: int,
    equities: dict[tuple[int, int], list[float]],
) -> JsonObject:
    state = table_state(playing, list(hand.names), EVERYTHING)
    dealt = len(state["board"])
    state |= {"hand": number, "board": state["board"][: len(hand.board)], "turn": None, "odds": None}
    for seat, found in enumerate(state["seats"]):
        found["you"] = seat == hero
        if UNKNOWN in hand.hole[seat]:
            found |= {"cards": None, "made": None, "five": None}
        elif dealt > len(hand.board):
            found |= {"made": None, "five": None}
        found["equity"] = None
    if not playing.over:
        row = playing.views().rows[0]
        price, pot = int(row["to_call"]), int(row["pot"])
        state["odds"] = {"to_call": price, "pot": pot, "share": price / (pot + price) if price else 0.0}
        _add_equities(state, playing, equities)
    return state


def _add_equities(state: JsonObject, playing: SingleHand, known: dict[tuple[int, int], list[float]]) -> None:
    """Set the equities of the players left, unless some of their cards are unknown."""
    left = [seat for seat in state["seats"] if seat["in"]]
    if len(left) < 2 or any(seat["cards"] is None for seat in left):
        return
    key = int(playing.row["live"]), len(state["board"])
    if key not in known:
        hands = [[read_card(card) for card in seat["cards"]] for seat in left]
        board = [read_card(card) for card in state["board"]]
        dead = [read_card(card) for seat in state["seats"] if not seat["in"] for card in seat["cards"] or ()]
        known[key] = hand_equities([hands], [board] if board else None, dead).equity[0].tolist()
    for seat, equity in zip(left, known[key], strict=True):
        seat["equity"] = round(equity, 6)


def _settle(state: JsonObject, replay: HandReplay) -> None:
    """Set the results as recorded: they differ from the rules by rake, or where cards are unknown."""
    won = collected(replay)
    for seat, found in enumerate(state["seats"]):
        found["net"] = None if replay.net is None else replay.net[seat] / PARTS
        found["won"] = None if won is None else won[seat] / PARTS
    if any(seat["in"] and seat["cards"] is None for seat in state["seats"]):
        for found in state["seats"]:
            found["five"] = None if replay.net is None or found["cards"] is None else found["five"]


def in_step(hand: RecordedHand, you: str, reasons: JsonObject) -> Sequence[Any]:
    """Return the explanation of each action of a hand: an agent's reasons or advice to the person."""
    decisions, advice = iter(reasons.get("decisions", ())), iter(reasons.get("advice", ()))
    replay = replay_hand(hand)
    return [next(advice if hand.names[step.seat] == you else decisions, None) for step in replay.steps]
