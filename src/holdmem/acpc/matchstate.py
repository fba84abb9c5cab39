"""Read and write the dealer's lines, `MATCHSTATE:position:hand:betting:cards`.

`position` is the seat that the line is for. `cards` are the hole cards by seat, separated by `|` (empty where
hidden), then the cards of each later street after a slash.
"""

import re
from enum import Enum
from typing import NamedTuple

from holdmem.acpc.single_hand import UNKNOWN, ACPCHand
from holdmem.agent import FinishedHands, Views
from holdmem.cards.notation import DECK, name
from holdmem.core.errors import HoldMemError, IllegalAction, NotationError
from holdmem.core.random import HandIds, hand_ids
from holdmem.engine import Game
from holdmem.history.formats.acpc_text import STREETS, cards_text

VERSION = "VERSION:2.0.0"
_STEPS = re.compile(r"[fc/]|r\d*")
_LONGEST_SHOWN = 80
_NO_LINE = "\n"
"""A prefix that no line has."""

_CARDS = {name(card): card for card in DECK}


class VisibleCards(NamedTuple):
    """The cards in a line: hole cards by seat, None where they are hidden, and the board."""

    hole: tuple[tuple[int, int] | None, ...]
    board: tuple[int, ...]

    def joined(self, other: "VisibleCards") -> "VisibleCards | None":
        """Combine the cards of two lines of one hand; None if they contradict each other."""
        board = max(self.board, other.board, key=len)
        hole = tuple(one or two for one, two in zip(self.hole, other.hole, strict=True))
        found = VisibleCards(hole, board)
        return found if found.has(self) and found.has(other) else None

    def has(self, part: "VisibleCards") -> bool:
        """Whether these cards include all cards of `part`, in the same places."""
        same = all(one in (None, two) for one, two in zip(part.hole, self.hole, strict=True))
        return same and self.board[: len(part.board)] == part.board


class MatchState(NamedTuple):
    """The fields of one line from a dealer."""

    position: int
    hand: int
    betting: str
    cards: str


def parse_line(line: str, game: Game) -> MatchState:
    """Split a line into its fields. Betting and cards are parsed later."""
    word, *fields = line.strip().split(":")
    if word != "MATCHSTATE" or len(fields) != 4:
        raise NotationError("expected MATCHSTATE:position:hand:betting:cards")
    position, hand, betting, cards = fields
    if not _is_number(position) or int(position) >= game.seats:
        raise NotationError(f"expected a position from 0 to {game.seats - 1}, got {position!r}")
    if not _is_number(hand) or int(hand) >= 2**32:
        raise NotationError(f"expected the number of a hand, got {hand!r}")
    return MatchState(int(position), int(hand), betting, cards)


def _is_number(text: str) -> bool:
    return len(text) <= 10 and text.isascii() and text.isdecimal()


def _short(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")


def parse_cards(text: str, seats: int) -> VisibleCards:
    """Parse the cards field of a line or of a log."""
    shares, *streets = text.split("/")
    hands = shares.split("|")
    if len(hands) != seats or len(streets) > len(STREETS):
        raise NotationError(
            f"expected the hole cards of {seats} seats with | between them, then up to three streets after"
            f" slashes, got {_short(text)}"
        )
    if any(len(cards) not in (0, 4) for cards in hands):
        raise NotationError(f"expected two hole cards or none for each seat, got {_short(text)}")
    if any(len(cards) != 2 * (end - start) for cards, (start, end) in zip(streets, STREETS, strict=False)):
        raise NotationError(f"expected three cards on the flop, one on each later street, got {_short(text)}")
    letters = "".join(hands) + "".join(streets)
    pairs = [letters[place : place + 2] for place in range(0, len(letters), 2)]
    found = [_CARDS.get(pair, UNKNOWN) for pair in pairs]
    if UNKNOWN in found or len(set(found)) < len(found):
        raise NotationError(f"expected cards such as As or Td, each once, got {_short(text)}")
    each = iter(found)
    hole = tuple((next(each), next(each)) if cards else None for cards in hands)
    return VisibleCards(hole, tuple(each))


class LineEvent(Enum):
    """What a line means for the seat that receives it."""

    NOTHING = 0
    TO_ACT = 1
    ENDED = 2


class MatchStateTracker:
    """Tracks what one seat learns from the dealer's lines, hand after hand.

    A line that continues the previous one costs only its new part; any other line is parsed from the start.
    """

    def __init__(self, game: Game, match: int = 0) -> None:
        self.game = game
        self.hand: ACPCHand = ACPCHand(game)
        self.position: int = UNKNOWN
        self.cards: str = ""
        """The cards field of the last line."""
        self.hand_id: HandIds = hand_ids(1, match=match)
        self._known = _NO_LINE
        self._unchecked: VisibleCards | None = None
        self._dealt: dict[int, tuple[int, VisibleCards]] = {}
        """For each unfinished hand: this seat's position and all cards reported so far."""
        self._ended: set[int] = set()

    @property
    def number(self) -> int:
        """Number of the current hand."""
        return int(self.hand_id["hand"][0])

    @property
    def lineup(self) -> list[int]:
        """Player in each seat: 0 is the follower, 1 the player to its left, and so on."""
        return [(seat - self.position) % self.game.seats for seat in range(self.game.seats)]

    def hear(self, line: str) -> LineEvent:
        """Process a line and return whether this seat is to act, the hand has ended, or neither.

        A line without news returns Heard.NOTHING, so that no state is answered twice.
        """
        line = line.strip()
        betting, _, cards = line.removeprefix(self._known).partition(":")
        goes_on = line.startswith(self._known) and betting.startswith(self.hand.betting) and ":" not in cards
        if goes_on and betting == self.hand.betting and cards == self.cards:
            return LineEvent.NOTHING
        try:
            if goes_on:
                state = MatchState(self.position, self.number, betting, cards)
            else:
                state = parse_line(line, self.game)
                self._begin(state)
            self._go_on(state)
        except HoldMemError as error:
            self._known = _NO_LINE
            raise type(error)(f"{error}; in the line {_short(line)}") from None
        if self.hand.seat < 0:
            self._ended.add(self.number)
            self._dealt.pop(self.number, None)
            return LineEvent.ENDED
        return LineEvent.TO_ACT if self.hand.seat == self.position else LineEvent.NOTHING

    def view(self) -> Views:
        """Return what the seat to act sees."""
        return self.hand.view(self.hand_id)

    def finished(self) -> FinishedHands:
        """Return the finished hand as this seat saw it; this seat is player 0 of the lineup."""
        return self.hand.finished(self.lineup, self.hand_id, player=0)

    def _begin(self, state: MatchState) -> None:
        """Deal a new hand from the cards in the line. Some hands are over as soon as they are dealt."""
        self.position = state.position
        self.hand_id["hand"] = state.hand
        hole, board = self._read(state)
        deck = [card for pair in hole for card in pair or (UNKNOWN, UNKNOWN)] + list(board)
        self.hand.deal(deck + [UNKNOWN] * (self.game.deck_cards - len(deck)))
        self._known = f"MATCHSTATE:{state.position}:{state.hand}:"

    def _read(self, state: MatchState) -> VisibleCards:
        self._unchecked = cards = parse_cards(state.cards, self.game.seats)
        if cards.hole[state.position] is None:
            raise NotationError(f"expected the cards of seat {state.position}, got none")
        self._compare(state, cards)
        self.cards = state.cards
        return cards

    def _compare(self, state: MatchState, cards: VisibleCards) -> None:
        """Reject a dealer that repeats a finished hand or changes cards or position during a hand."""
        if state.hand in self._ended:
            raise NotationError(f"hand {state.hand} has ended, but the dealer sent it again")
        position, before = self._dealt.get(state.hand, (state.position, cards))
        known = before.joined(cards)
        if known is None or position != state.position:
            earlier = f"{cards_text([hole or () for hole in before.hole], before.board)} for seat {position}"
            raise NotationError(f"the cards of hand {state.hand} have changed; they were {earlier}")
        self._dealt[state.hand] = position, known

    def _go_on(self, state: MatchState) -> None:
        """Apply what is new in a line. Cards come first, since the last action may lead to a showdown."""
        if state.cards != self.cards:
            self.hand.set_cards(*self._read(state))
        new = state.betting[len(self.hand.betting) :]
        steps = _STEPS.findall(new)
        if "".join(steps) != new:
            raise NotationError(f"expected f, c, r and /, in no-limit r<chips>, got {_short(new)}")
        for step in steps:
            if step != "/":
                self._act(step)
        if self.hand.betting != state.betting:
            raise NotationError(f"expected {self.hand.betting!r} as betting, got {state.betting!r}")
        if self._unchecked is not None:
            self._check(self._unchecked)
            self._unchecked = None

    def _act(self, step: str) -> None:
        if self.hand.seat < 0:
            raise IllegalAction(f"expected no action after the end of the hand, got {step!r}")
        code = self.hand.code_of(step)
        if code is None:
            raise NotationError(f"expected r followed by the total for the hand, got {step!r}")
        if not self.hand.act(code):
            raise IllegalAction(f"{self.hand.complaint(code)} ({step!r})")

    def _check(self, cards: VisibleCards) -> None:
        """Check that the line has its street's board and, at a showdown, the hole cards of all live seats."""
        if len(cards.board) != self.hand.dealt:
            raise NotationError(f"expected {self.hand.dealt} cards on the board, got {len(cards.board)}")
        if self.hand.shown and any(
            live and hole is None for live, hole in zip(self.hand.live, cards.hole, strict=True)
        ):
            raise NotationError("hole cards are missing at the showdown")


def view_of(line: str, game: Game) -> Views:
    """Return the view, one row, of the seat that a dealer's line is for; it must be that seat's turn."""
    follower = MatchStateTracker(game)
    heard = follower.hear(line)
    if heard is not LineEvent.TO_ACT:
        what = "the hand is over" if heard is LineEvent.ENDED else "another seat is to act"
        raise NotationError(f"expected a state in which its own seat is to act, but {what}: {_short(line)}")
    return follower.view()


def matchstate(hand: ACPCHand, position: int, number: int) -> str:
    """Return the line that reports the state of a hand to a seat."""
    return f"MATCHSTATE:{position}:{number}:{hand.betting}:{cards_for(hand, position)}"


def cards_for(hand: ACPCHand, position: int) -> str:
    """Return the cards that a seat sees: its own, the board and, at a showdown, those of all live seats."""
    cards, live = hand.hole, hand.live
    seen = [
        cards[seat] if seat == position or (hand.shown and live[seat]) else ()
        for seat in range(hand.game.seats)
    ]
    return cards_text(seen, hand.board)
