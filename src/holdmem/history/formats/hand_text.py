"""`HandText`: what the text of one hand says, the same for every site, before seats are put in order."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from holdmem.history.hands import UNKNOWN


class UnreadableHand(Exception):
    """A hand that cannot be read: the line, the reason, and the general kind of reason."""

    def __init__(self, line: int, reason: str, kind: str | None = None) -> None:
        super().__init__(reason)
        self.line = line
        self.kind = kind


class ActionLine(NamedTuple):
    """One line on which a player pays, folds or checks.

    `verb` is PokerStars' ("posts the ante", "calls", …), or "goes all-in" where the text does not say whether
    that is a call or a raise. `chips` are those paid now; `total`, if not 0, is the seat's bet on the street.
    """

    line: int
    street: int
    seat: int
    verb: str
    chips: int = 0
    total: int = 0
    all_in: bool = False


@dataclass
class HandText:
    """What the lines of one hand say; seats are the site's own numbers."""

    format: str
    """Name of the format, which begins the name of the game."""
    number: int
    time: int
    limit: bool
    currency: str
    stakes: tuple[int, int]
    """Small and big blind, or in limit small and big bet."""
    cents: bool
    site: str = ""
    table: str = ""
    button: int = 0
    names: dict[int, str] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)
    deeds: list[ActionLine] = field(default_factory=list)
    cards: dict[int, list[int]] = field(default_factory=dict)
    board: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    back: Counter[int] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    pot: int = UNKNOWN
    rake: int = 0
    """Chips taken by the house; UNKNOWN if the text does not say, which makes it what is missing."""
    rounded: int = 0
    """Chips by which the stated rake may be off because its parts are rounded."""
    gross: bool = False
    """Whether winnings include uncalled bets where the rake is unknown."""
    line: int = 0
    street: int = 0
    summary: bool = False

    def chips(self, text: str) -> int:
        """Parse an amount in chips: cents if the table plays for money, else whole chips."""
        whole, point, part = text.rstrip(".").replace(",", "").partition(".")
        if not self.cents:
            if point and part.strip("0"):
                self.stop(f"expected whole chips, got {text}", "parts of chips")
            return int(whole)
        if len(part) > 2:
            self.stop(f"expected at most two decimals, got {text}", "parts of cents")
        return int(whole or 0) * 100 + int(part.ljust(2, "0"))

    def add(self, seat: int, verb: str, chips: int = 0, total: int = 0, all_in: bool = False) -> None:
        """Add an action on the current street and line."""
        self.deeds.append(ActionLine(self.line, self.street, seat, verb, chips, total, all_in))

    def stop(self, reason: str, kind: str | None = None) -> NoReturn:
        """Give up on this hand by raising `UnreadableHand`."""
        raise UnreadableHand(self.line, reason, kind)
