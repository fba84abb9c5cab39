"""`ChipTracker`: follow the chips of a hand from text, and check every call against the amount due."""

from dataclasses import dataclass

from holdmem.engine import CALL, FOLD, Game
from holdmem.history.formats.hand_text import ActionLine, HandText, UnreadableHand

CAP = (3, 4, 4, 4)
"""Raises per street in limit: at most four bets, where the big blind counts as one."""


@dataclass
class ChipTracker:
    """Tracks the chips of one hand and checks that every call matches the amount due."""

    text: HandText
    order: list[int]
    game: Game

    def __post_init__(self) -> None:
        self.place: dict[int, int] = {seat: place for place, seat in enumerate(self.order)}
        self.left: list[int] = [self.text.stacks[seat] for seat in self.order]
        self.bet: list[int] = [0] * len(self.order)
        self.paid: list[int] = [0] * len(self.order)
        self.live: list[bool] = [True] * len(self.order)
        self.acted: list[bool] = [False] * len(self.order)
        self.highest: int = 0
        self.street: int = 0
        self.turn: int = self.game.first[0]
        self.betting: list[int] = []
        self.raises: list[int] = [0, 0, 0, 0]
        self.sizes: tuple[int, ...] = self.game.raise_sizes or (0, 0, 0, 0)

    def _pay(self, deed: ActionLine, chips: int, live: int) -> int:
        seat = self.place[deed.seat]
        if chips > self.left[seat]:
            raise UnreadableHand(
                deed.line, f"expected at most {self.left[seat]} chips, got {chips}", "too few chips"
            )
        self.left[seat] -= chips
        self.paid[seat] += chips
        self.bet[seat] += live
        self.highest = max(self.highest, self.bet[seat])
        return seat

    def post(self, deed: ActionLine) -> None:
        """Apply a post before the deal; only live blinds count as bets."""
        self._pay(deed, deed.chips, deed.total)

    def open(self) -> None:
        """Start the betting after all posts; a short all-in blind may still have to be called in full."""
        if self.game.short_blinds == "in-full":
            self.highest = max(self.highest, self.game.big_blind)

    def do(self, deed: ActionLine) -> None:
        """Apply an action on any street."""
        if deed.street != self.street:
            self.end_street()
            self.street, self.highest, self.turn = deed.street, 0, self.game.first[deed.street]
            self.bet, self.acted = [0] * len(self.order), [False] * len(self.order)
        seat = self._in_turn(deed)
        self.acted[seat] = True
        total = deed.total or self.bet[seat] + deed.chips
        if deed.verb == "folds":
            self.live[seat] = False
            self.betting.append(FOLD)
        elif deed.verb in ("checks", "calls") or (deed.verb == "goes all-in" and total <= self.highest):
            self._call(deed, total - self.bet[seat])
        else:
            self.raises[self.street] += total - self.highest >= self.sizes[self.street]
            self._pay(deed, total - self.bet[seat], total - self.bet[seat])
            self.betting.append(total)

    def _in_turn(self, deed: ActionLine) -> int:
        """Return the index of the seat that acts, which must be the next that has cards and chips."""
        seat, count = self.place[deed.seat], len(self.order)
        around = ((self.turn + step) % count for step in range(count))
        if seat != next((place for place in around if self.live[place] and self.left[place] > 0), seat):
            reason = f"expected another player to act before {self.text.names[deed.seat]!r:.40}"
            raise UnreadableHand(deed.line, reason, "an action out of turn")
        self.turn = seat + 1
        return seat

    def _call(self, deed: ActionLine, chips: int) -> None:
        seat = self.place[deed.seat]
        due = min(self.highest - self.bet[seat], self.left[seat])
        if chips not in (due, self._matching(seat)):
            reason = f"expected a call of {due}, got {chips}"
            raise UnreadableHand(deed.line, reason, "a call of a different amount")
        self._pay(deed, chips, chips)
        self.betting.append(CALL)

    def _matching(self, seat: int) -> int:
        """Chips with which the last seat that has any matches the others' bets, where the blind was short."""
        others = [self.left[place] for place, live in enumerate(self.live) if live and place != seat]
        owed = (max(self.bet) if not any(others) else self.highest) - self.bet[seat]
        return min(owed, self.left[seat])

    def uncalled(self) -> tuple[int, int]:
        """Return the index of the highest bet on this street and the part of it that no seat matched."""
        second, top = sorted(self.bet)[-2:]
        return self.bet.index(top), top - second

    def end_street(self) -> None:
        """Add the check that the engine requires of the last seat with chips if no action could follow it."""
        able = [seat for seat, live in enumerate(self.live) if live and self.left[seat] > 0]
        if self.street == 0 and len(able) == 1 and sum(self.live) > 1:
            seat = able[0]
            asked = any(self.acted) and not self.acted[seat] and self.bet[seat] == max(self.bet)
            if asked:
                self.betting.append(CALL)
                self.acted[seat] = True

    def over_cap(self) -> bool:
        """Return whether there were more full raises than limit games usually allow."""
        return any(count > top for count, top in zip(self.raises, CAP, strict=True))
