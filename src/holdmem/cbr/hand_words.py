"""Remembered hands as one line each."""

from collections.abc import Sequence

from holdmem.agent import ExampleHand
from holdmem.agent.words.cards import card_words
from holdmem.agent.words.english import joined, result, unit_name
from holdmem.cbr.cases import Cases
from holdmem.cbr.remembered import RememberedHand
from holdmem.engine import PARTS
from holdmem.engine.state import BOARD_CARDS
from holdmem.history import RecordedHand
from holdmem.history.hands import UNKNOWN
from holdmem.history.steps import HandReplay, replay_hand

MOST = 3
"""Number of remembered hands that an explanation shows."""
LOOKED_AT = 10
"""Number of the most similar cases among whose hands they are chosen."""
WHERE = ("before the flop", "on the flop", "on the turn", "on the river")
PAST = {"folds": "folded", "checks": "checked", "calls": "called", "bets": "bet", "raises": "raised"}


def example_hands(cases: Cases, places: Sequence[int]) -> list[ExampleHand]:
    """Return up to three hands that the cases used were made of, from the most similar cases first.

    Where several cases are used, hands in which the expert acted differently come before others.
    """
    found = [_example(example) for place in places[:LOOKED_AT] for example in cases.examples(place)]
    if len(places) > 1:
        kinds = [min(hand.hand.betting[hand.decision], 1) for hand in found]
        earlier = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
        found = [found[place] for place in sorted(range(len(found)), key=earlier.__getitem__)]
    return found[:MOST]


def _example(example: RememberedHand) -> ExampleHand:
    hand: RecordedHand = example.hands[0]
    return ExampleHand(
        remembered_words(hand, example.seat, example.decision), hand, example.seat, example.decision
    )


def remembered_words(hand: RecordedHand, seat: int, decision: int) -> str:
    """Say what the expert held, what it did at its decision and what the hand earned."""
    replay = replay_hand(hand)
    step, game = replay.steps[decision], hand.terms.game
    board = card_words(hand.board[: BOARD_CARDS[step.street]])
    cards = f"{card_words(hand.hole[seat])}{' on ' + board if board else ''}"
    sized = step.action > 0 and not game.limit
    amount = f" {'to ' * (step.verb == 'raises')}{step.total:,}" if sized else ""
    text = f"{cards}: {PAST[step.verb]}{amount} {WHERE[step.street]}"
    if replay.net is None:
        return f"{text}."
    if not replay.net[seat] and replay.shown and game.seats == 2:
        return f"{text} and split the pot{_against(hand, replay, seat, 'with')}."
    earned = result(replay.net[seat] / PARTS / game.unit[0], unit_name(game))
    return f"{text} and {earned}{_against(hand, replay, seat)}."


def _against(hand: RecordedHand, replay: HandReplay, seat: int, link: str = "against") -> str:
    """Say what the others showed down."""
    others = [
        card_words(cards)
        for place, cards in enumerate(hand.hole)
        if place != seat and replay.live[place] and UNKNOWN not in cards
    ]
    return f" {link} {joined(others)}" if replay.shown and others else ""
