"""Remembered hands as one line each."""

from collections.abc import Sequence

from holdmem.agent import ExampleHand
from holdmem.agent.words.cards import card_words
from holdmem.agent.words.english import joined, result, unit_name
from holdmem.cbr.case_base import Cases
from holdmem.cbr.remembered import RememberedHand
from holdmem.engine import PARTS, Game
from holdmem.engine.state import BOARD_CARDS
from holdmem.history import RecordedHand
from holdmem.history.hands import UNKNOWN
from holdmem.history.steps import HandReplay, replay_hand

MOST = 3
"""Number of remembered hands that an explanation shows."""
WHERE = ("before the flop", "on the flop", "on the turn", "on the river")
PAST = {"folds": "folded", "checks": "checked", "calls": "called", "bets": "bet", "raises": "raised"}


def example_hands(cases: Cases, places: Sequence[int], game: Game) -> list[ExampleHand]:
    """Return up to three hands that the cases used were made of, from the most similar cases first."""
    found: list[ExampleHand] = []
    for place in places:
        for example in cases.examples(place):
            found.append(_example(example))
            if len(found) == MOST:
                return found
    return found


def _example(example: RememberedHand) -> ExampleHand:
    hand: RecordedHand = example.hands[0]
    return ExampleHand(
        remembered_words(hand, example.seat, example.decision), hand, example.seat, example.decision
    )


def remembered_words(hand: RecordedHand, seat: int, decision: int) -> str:
    """Say what the expert held, what it did at its decision and what the hand earned."""
    told = replay_hand(hand)
    step, game = told.steps[decision], hand.terms.game
    board = card_words(hand.board[: BOARD_CARDS[step.street]])
    cards = f"{card_words(hand.hole[seat])}{' on ' + board if board else ''}"
    sized = step.action > 0 and not game.limit
    amount = f" {'to ' * (step.verb == 'raises')}{step.total:,}" if sized else ""
    text = f"{cards}: {PAST[step.verb]}{amount} {WHERE[step.street]}"
    if told.net is None:
        return f"{text}."
    earned = result(told.net[seat] / PARTS / game.unit[0], unit_name(game))
    return f"{text} and {earned}{_against(hand, told, seat)}."


def _against(hand: RecordedHand, told: HandReplay, seat: int) -> str:
    """Say what the others showed down."""
    others = [
        card_words(cards)
        for place, cards in enumerate(hand.hole)
        if place != seat and told.live[place] and UNKNOWN not in cards
    ]
    return f" against {joined(others)}" if told.shown and others else ""
