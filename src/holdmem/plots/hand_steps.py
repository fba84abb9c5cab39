"""A recorded hand in a report, action by action: each opens to the table as it was, without a script."""

from collections.abc import Sequence
from html import escape

from holdmem.cards.notation import name as card_name
from holdmem.engine import PARTS
from holdmem.engine.describe import third_person
from holdmem.engine.state import BOARD_CARDS, STREET_NAMES
from holdmem.engine.steps import HandStep
from holdmem.history import RecordedHand
from holdmem.history.hands import UNKNOWN
from holdmem.history.steps import HandReplay, replay_hand

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def cards(numbers: Sequence[int]) -> str:
    """Return cards as HTML, red suits in red."""
    found = []
    for number in numbers:
        text = card_name(number)
        red = " red" if text[1] in "dh" else ""
        found.append(f"<span class='card{red}'>{text[0]}{SUITS[text[1]]}</span>")
    return "".join(found)


def replayable(hand: RecordedHand, group: str, decision: int) -> str:
    """Return a hand's actions as HTML, each of which folds out to show the table; only one is open at a time.

    `decision` is the index of the action that is open at first. `group` is unique to the hand on its page.
    """
    replay = replay_hand(hand)
    table = _Table(hand, replay)
    parts = []
    for place, step in enumerate(replay.steps):
        table.begin(step.street)
        said = third_person(step.describe(table.amount))
        line = f"{STREET_NAMES[step.street]}: {hand.names[step.seat]} {said}"
        is_open = " open" if place == decision else ""
        parts.append(
            f"<details class='step' name='{group}'{is_open}><summary>{escape(line)}</summary>"
            f"{table.html(step.seat)}</details>"
        )
        table.act(step)
    return f"<div class='steps'>{''.join(parts)}{_result(hand, replay, table)}</div>"


class _Table:
    """Chips and board in the course of a hand."""

    def __init__(self, hand: RecordedHand, replay: HandReplay) -> None:
        self.hand, self.unit = hand, hand.terms.game.big_blind
        dead = hand.terms.game.dead or (0,) * len(hand.stacks)
        paid = [sum(posts) for posts in zip(replay.antes, replay.blinds, dead, strict=True)]
        self.stacks = [stack - chips for stack, chips in zip(hand.stacks, paid, strict=True)]
        self.bets, self.pot, self.street = list(replay.blinds), sum(paid), 0
        self.folded = [False] * len(paid)

    def amount(self, chips: float) -> str:
        """Return chips in big blinds."""
        return f"{chips / self.unit:.4g} bb"

    def begin(self, street: int) -> None:
        """Begin a street, unless it has begun."""
        if street != self.street:
            self.street, self.bets = street, [0] * len(self.bets)

    def act(self, step: HandStep) -> None:
        """Carry out an action."""
        self.stacks[step.seat] -= step.paid
        self.bets[step.seat] += step.paid
        self.pot += step.paid
        self.folded[step.seat] = step.action < 0

    def html(self, acting: int) -> str:
        """Return the table before an action."""
        board = cards(self.hand.board[: BOARD_CARDS[self.street]])
        seats = "".join(self._seat(seat, acting) for seat in range(len(self.stacks)) if not self.folded[seat])
        return f"<p>{board} Pot {self.amount(self.pot)}</p><ul>{seats}</ul>"

    def _seat(self, seat: int, acting: int) -> str:
        hole, name = self.hand.hole[seat], escape(self.hand.names[seat])
        shown = "" if UNKNOWN in hole else cards(hole)
        bet = f", bet {self.amount(self.bets[seat])}" if self.bets[seat] else ""
        who = f"<b>{name}</b>" if seat == acting else name
        stack = "" if self.hand.terms.game.limit else f" {self.amount(self.stacks[seat])}"
        return f"<li>{who} {shown}{stack}{bet}</li>"


def _result(hand: RecordedHand, replay: HandReplay, table: _Table) -> str:
    """Return who won what, where that is known."""
    if replay.net is None:
        return "<p>The result is not known.</p>"
    won = [
        f"{escape(name)} {'+' if net > 0 else '−'}{table.amount(abs(net) / PARTS)}"
        for name, net in zip(hand.names, replay.net, strict=True)
        if net
    ]
    return f"<p>{cards(hand.board)} Result: {', '.join(won)}.</p>"
