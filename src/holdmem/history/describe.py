"""Describe a recorded hand in plain English."""

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from holdmem.cards.evaluator import category
from holdmem.cards.notation import name as card_name
from holdmem.engine import PARTS, UNLIMITED, Game
from holdmem.engine.describe import third_person
from holdmem.engine.steps import HandStep
from holdmem.history.hands import UNKNOWN, RecordedHand, Terms
from holdmem.history.steps import HandReplay, replay_hand

STREETS = ("before the flop", "flop", "turn", "river")


def amount(terms: Terms, chips: Fraction | int, signed: bool = False) -> str:
    """Format an amount as money if a chip is money, else as chips: `$0.25`, `+1,200`, `-12.5`."""
    worth = Fraction(chips) * terms.chip
    sign = "-" if worth < 0 else "+" if signed and worth > 0 else ""
    money = bool(terms.currency) or terms.chip != 1
    number = f"{float(abs(worth)):,.2f}" if money else f"{float(abs(worth)):,.10g}"
    return f"{sign}{terms.currency}{number}"


def cards(some: Sequence[int]) -> str:
    """Format cards separated by spaces, with `??` for unknown cards."""
    return " ".join("??" if card == UNKNOWN else card_name(card) for card in some)


def stakes(terms: Terms) -> str:
    """Describe the stakes: `no-limit $0.10/$0.25`, `limit 10/20`, with the ante if there is one."""
    game = terms.game
    if game.raise_sizes is not None:
        text = f"limit {amount(terms, game.raise_sizes[0])}/{amount(terms, game.raise_sizes[-1])}"
    else:
        blinds = sorted({blind for blind in game.blinds if blind})
        text = f"no-limit {'/'.join(amount(terms, blind) for blind in blinds)}"
    return f"{text}, ante {amount(terms, max(game.antes))}" if any(game.antes) else text


def describe_hand(hand: RecordedHand) -> list[str]:
    """Return the whole hand as lines, one per seat and one per street."""
    replay = replay_hand(hand)
    return [_title(hand), "", *_seats(hand, replay), "", *_streets(hand, replay), "", *_result(hand, replay)]


def _title(hand: RecordedHand) -> str:
    parts = [f"Hand {hand.number}" if hand.number != UNKNOWN else "A hand"]
    if hand.table:
        parts.append(f"table {hand.table}")
    if hand.time != UNKNOWN:
        parts.append(f"{datetime.fromtimestamp(hand.time, UTC):%Y-%m-%d %H:%M:%S}")
    return ", ".join([*parts, stakes(hand.terms), f"{hand.terms.game.seats} players"])


def _seats(hand: RecordedHand, replay: HandReplay) -> list[str]:
    """List each seat's name, stack, hole cards, button and posts."""
    rows = []
    for seat, name in enumerate(hand.names):
        posts = [f"ante {amount(hand.terms, replay.antes[seat])}"] if replay.antes[seat] else []
        if hand.terms.game.dead and hand.terms.game.dead[seat]:
            posts.append(f"dead {amount(hand.terms, hand.terms.game.dead[seat])}")
        if replay.blinds[seat]:
            posts.append(f"blind {amount(hand.terms, replay.blinds[seat])}")
        button = "button" if seat == hand.terms.game.seats - 1 else ""
        stack = hand.stacks[seat]
        chips = "unlimited" if stack == UNLIMITED else amount(hand.terms, stack)
        rows.append((name, chips, cards(hand.hole[seat]), button, ", ".join(posts)))
    wide = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        f"  {row[0]:<{wide[0]}}  {row[1]:>{wide[1]}}  {row[2]}  {row[3]:<{wide[3]}}  {row[4]}".rstrip()
        for row in rows
    ]


def _streets(hand: RecordedHand, replay: HandReplay) -> list[str]:
    """One line per street: its board, the pot at its start and the actions."""
    lines, pot = [], sum(replay.paid) - sum(step.paid for step in replay.steps)
    for street in range(4):
        steps = [step for step in replay.steps if step.street == street]
        dealt = hand.board[: street + 2] if street else ()
        if street and (len(hand.board) < street + 2 or not (steps or replay.shown)):
            break
        deeds = ", ".join(f"{hand.names[step.seat]} {describe_step(hand.terms, step)}" for step in steps)
        title = f"{STREETS[street]}{' ' + cards(dealt) if street else ''}"
        lines.append(f"{title} (pot {amount(hand.terms, pot)}): {deeds or 'no action'}")
        pot += sum(step.paid for step in steps)
    return [*lines, f"run twice, second board {cards(hand.second)}"] if hand.second else lines


def describe_step(terms: Terms, step: HandStep) -> str:
    """Describe one action: folds, checks, calls 10, bets 20, raises to 40, with "all-in" if it is."""
    return third_person(step.describe(lambda chips: amount(terms, chips)))


def _result(hand: RecordedHand, replay: HandReplay) -> list[str]:
    """List the hands shown, the uncalled bet, each player's result and the rake."""
    lines = [
        f"{hand.names[seat]} shows {cards(hand.hole[seat])}: {category(strength)}"
        for seat, strength in enumerate(replay.strength)
        if strength
    ]
    seat, back = replay.uncalled
    if back:
        lines.append(f"uncalled {amount(hand.terms, back)} returned to {hand.names[seat]}")
    if replay.net is None:
        return [*lines, "the result is unknown"]
    won = [
        f"{name} {amount(hand.terms, Fraction(net, PARTS), signed=True)}"
        for name, net in zip(hand.names, replay.net, strict=True)
    ]
    rake = f"; rake {amount(hand.terms, replay.rake)}" if replay.rake else ""
    return [*lines, f"result: {', '.join(won)}{rake}"]


def as_json(hand: RecordedHand) -> dict[str, Any]:
    """Return the hand as JSON values: cards as text, results in chips, null for unknown values."""
    game: Game = hand.terms.game
    replay = replay_hand(hand)
    return {
        "number": None if hand.number == UNKNOWN else hand.number,
        "table": hand.table,
        "time": None if hand.time == UNKNOWN else hand.time,
        "game": game.name,
        "stakes": stakes(hand.terms),
        "chip": float(hand.terms.chip),
        "currency": hand.terms.currency,
        "players": list(hand.names),
        "stacks": list(hand.stacks),
        "hole": [None if UNKNOWN in two else "".join(map(card_name, two)) for two in hand.hole],
        "board": "".join(map(card_name, hand.board)),
        "second_board": "".join(map(card_name, hand.second)) if hand.second else None,
        "actions": [
            {"street": step.street, "player": hand.names[step.seat], "verb": step.verb, "to": step.total}
            for step in replay.steps
        ],
        "net": None if replay.net is None else [part / PARTS for part in replay.net],
        "rake": replay.rake,
    }
