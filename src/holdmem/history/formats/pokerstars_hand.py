"""Convert what was parsed from one PokerStars hand into a record.

Seats are ordered from the left of the button and posts become the terms of the game. The chips are tracked
through the hand: every call must match the amount due, and the chips paid in must equal those paid out.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, NoReturn

from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, PARTS, SEATS, Game
from holdmem.engine.game import MANY_RAISES
from holdmem.history.hands import UNKNOWN, RecordedHand, Terms

CENT = Fraction(1, 100)
CAP = (3, 4, 4, 4)
"""Raises per street in limit: at most four bets, where the big blind counts as one."""
FIRST_NUMBER = 10_000_000
"""Lowest number of public PokerStars hands; smaller ones come from other programs and identify nothing."""


class UnreadableHand(Exception):
    """A hand that cannot be read: the line, the reason, and the general kind of reason."""

    def __init__(self, line: int, reason: str, kind: str | None = None) -> None:
        super().__init__(reason)
        self.line, self.kind = line, kind


class ActionLine(NamedTuple):
    """One line on which a player pays, folds or checks."""

    line: int
    street: int
    seat: int
    verb: str
    chips: int
    total: int
    all_in: bool


@dataclass
class HandText:
    """What the lines of one hand say, before seats are put in order."""

    number: int
    time: int
    limit: bool
    currency: str
    stakes: tuple[int, int]
    cents: bool
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
    line: int = 0
    street: int = 0
    summary: bool = False

    def chips(self, text: str) -> int:
        """Parse an amount in chips: cents if the table plays for money, else whole chips."""
        whole, point, part = text.rstrip(".").replace(",", "").partition(".")
        if not self.cents:
            if point and part.strip("0"):
                self.stop(f"expected whole chips, got {text}")
            return int(whole)
        if len(part) > 2:
            self.stop(f"expected at most two decimals, got {text}")
        return int(whole or 0) * 100 + int(part.ljust(2, "0"))

    def stop(self, reason: str, kind: str | None = None) -> NoReturn:
        """Give up on this hand by raising `UnreadableHand`."""
        raise UnreadableHand(self.line, reason, kind)


# From the text to a record


def record(text: HandText) -> RecordedHand:
    """Build the record: seats in order, posts as terms, deeds as actions."""
    if not text.deeds:
        text.stop("no blinds and no actions", "a hand that was not played")
    order = _order(text)
    posts = [deed for deed in text.deeds if deed.verb.startswith("posts")]
    terms = _terms_of(text, order, posts)
    try:
        table = _followed(text, order, posts, terms)
    except UnreadableHand:
        if not _short(terms.game, order, posts):
            raise
        terms = _in_full(terms)
        table = _followed(text, order, posts, terms)
    if terms.game.limit and table.over_cap():
        terms = _uncapped(terms)
    return RecordedHand(
        terms=terms,
        names=[text.names[seat] for seat in order],
        stacks=[text.stacks[seat] for seat in order],
        hole=[_two(text.cards.get(seat, [])) for seat in order],
        board=text.board,
        betting=table.betting,
        net=_net(text, order, table),
        rake=text.rake,
        number=text.number,
        table=text.table,
        time=text.time,
        line=text.line,
        site="PokerStars" if text.number >= FIRST_NUMBER else "",
        second=text.second,
    )


def _followed(text: HandText, order: list[int], posts: list[ActionLine], terms: Terms) -> "ChipTracker":
    """Return the table after all posts and actions."""
    table = ChipTracker(text, order, terms.game)
    for deed in posts:
        table.post(deed)
    table.open()
    for deed in text.deeds:
        if not deed.verb.startswith("posts"):
            table.do(deed)
    table.end_street()
    return table


def _short(game: Game, order: list[int], posts: list[ActionLine]) -> bool:
    """Return whether a seat posted less than its blind, or could not post it after its ante."""
    alive = Counter[int]()
    for deed in posts:
        alive[order.index(deed.seat)] += deed.total
    return any(alive[seat] < blind for seat, blind in enumerate(game.blinds))


def _order(text: HandText) -> list[int]:
    """Return the seats that were dealt in, from the left of the button."""
    dealt = {deed.seat for deed in text.deeds}
    around = max([*text.names, text.button]) + 1
    order = sorted(dealt, key=lambda seat: (seat - text.button - 1) % around)
    if not 2 <= len(order) <= SEATS:
        text.stop(f"expected 2 to {SEATS} players, got {len(order)}", "a hand without opponents")
    return order


def _two(cards: list[int]) -> tuple[int, int]:
    if len(cards) > 2:
        raise NotationError(f"expected two hole cards, got {len(cards)}")
    first, second = [*cards, UNKNOWN, UNKNOWN][:2]
    return first, second


@dataclass
class ChipTracker:
    """Tracks the chips of one hand and checks that every call matches the amount due."""

    text: HandText
    order: list[int]
    game: Game

    def __post_init__(self) -> None:
        self.place = {seat: place for place, seat in enumerate(self.order)}
        self.left = [self.text.stacks[seat] for seat in self.order]
        self.bet = [0] * len(self.order)
        self.paid = [0] * len(self.order)
        self.live = [True] * len(self.order)
        self.acted = [False] * len(self.order)
        self.highest, self.street = 0, 0
        self.betting: list[int] = []
        self.raises = [0, 0, 0, 0]
        self.sizes = self.game.raise_sizes or (0, 0, 0, 0)

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
            self.street, self.highest = deed.street, 0
            self.bet, self.acted = [0] * len(self.order), [False] * len(self.order)
        seat = self.place[deed.seat]
        self.acted[seat] = True
        due = min(self.highest - self.bet[seat], self.left[seat])
        if deed.verb == "folds":
            self.live[seat] = False
            self.betting.append(FOLD)
        elif deed.verb in ("checks", "calls"):
            if deed.chips not in (due, self._matching(seat)):
                reason = f"expected a call of {due}, got {deed.chips}"
                raise UnreadableHand(deed.line, reason, "a call of a different amount")
            self._pay(deed, deed.chips, deed.chips)
            self.betting.append(CALL)
        else:
            total = deed.total or self.bet[seat] + deed.chips
            self.raises[self.street] += total - self.highest >= self.sizes[self.street]
            self._pay(deed, total - self.bet[seat], total - self.bet[seat])
            self.betting.append(total)

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


def _terms_of(text: HandText, order: list[int], posts: list[ActionLine]) -> Terms:
    """Derive blinds, antes and dead chips by seat; `total` of each post becomes the part that is a bet."""
    small, big = _blinds(text, posts)
    blinds, antes, dead = ([0] * len(order) for _ in range(3))
    opener, seen_big = UNKNOWN, False
    for at, deed in enumerate(posts):
        seat, alive = order.index(deed.seat), 0
        if deed.verb == "posts the ante":
            antes[seat] = max(post.chips for post in posts if post.verb == deed.verb)
        elif deed.verb == "posts small blind" and not seen_big and opener == UNKNOWN:
            blinds[seat], opener = small, seat
            alive = deed.chips
        elif deed.verb in ("posts small blind", "posts dead blind"):
            dead[seat] += deed.chips
        elif deed.verb == "posts small & big blinds":
            owed = deed.chips - big if not deed.all_in else min(small, deed.chips)
            dead[seat], blinds[seat], alive = owed, big, deed.chips - owed
        else:
            blinds[seat] = big if deed.verb == "posts big blind" else deed.chips
            alive = deed.chips
            if not seen_big or deed.verb == "posts straddle":
                opener, seen_big = seat, True
        posts[at] = deed._replace(total=alive)
    if opener == UNKNOWN:
        text.stop("no blinds", "a hand without blinds")
    if not seen_big and (after := (opener + 1) % len(order)) in _broke(text, order, posts):
        blinds[after], opener = big, after
    sizes = None
    if text.limit:
        one, two = text.stakes if big != text.stakes[1] else (big, 2 * big)
        sizes = (one, one, two, two)
    least = 0 if text.limit else big
    return _terms(tuple(blinds), tuple(antes), tuple(dead), sizes, least, opener, text.currency, text.cents)


def _broke(text: HandText, order: list[int], posts: list[ActionLine]) -> set[int]:
    """Return the indices of players whose whole stack went to the ante."""
    antes = {deed.seat: deed.chips for deed in posts if deed.verb == "posts the ante"}
    return {order.index(seat) for seat, chips in antes.items() if chips == text.stacks[seat]}


def _blinds(text: HandText, posts: list[ActionLine]) -> tuple[int, int]:
    """Return small and big blind: as posted by a player who could pay in full, else from the stakes."""
    big = text.stakes[0] if text.limit else text.stakes[1]
    small = text.stakes[0] // 2 if text.limit else text.stakes[0]
    bigs = [post.chips for post in posts if post.verb == "posts big blind" and not post.all_in]
    smalls = [post.chips for post in posts if post.verb == "posts small blind" and not post.all_in]
    return (smalls or [small])[0], (bigs or [big])[0]


@lru_cache(maxsize=1000)
def _terms(
    blinds: tuple[int, ...],
    antes: tuple[int, ...],
    dead: tuple[int, ...],
    sizes: tuple[int, ...] | None,
    least: int,
    opener: int,
    currency: str,
    cents: bool,
) -> Terms:
    seats = len(blinds)
    game = Game(
        name=f"pokerstars.{'nolimit' if sizes is None else 'limit'}.{seats}p",
        blinds=blinds,
        raise_sizes=sizes,
        max_raises=(MANY_RAISES,) * 4 if sizes is None else CAP,
        first=((opener + 1) % seats, 0, 0, 0),
        antes=antes,
        dead=dead,
        min_bet=least,
        odd_chips="first-seat",
        reopening="full-raise",
        after_short="full-raise",
        cap_counts="full-raises",
    )
    return Terms(game, CENT if cents else Fraction(1), currency)


@lru_cache(maxsize=100)
def _in_full(terms: Terms) -> Terms:
    return replace(terms, game=replace(terms.game, short_blinds="in-full"))


@lru_cache(maxsize=100)
def _uncapped(terms: Terms) -> Terms:
    return replace(terms, game=replace(terms.game, max_raises=(MANY_RAISES,) * 4))


def _net(text: HandText, order: list[int], table: ChipTracker) -> list[int]:
    """Return each seat's result from the chips paid, returned and collected."""
    back = _returned(text, order, table)
    staked = sum(table.paid) - back.total()
    if not _adds_up(text, staked):
        reason = f"expected {staked} chips in pot and rake, got {text.won.total()} and {text.rake}"
        text.stop(reason, "a pot that does not add up")
    both = back + text.won
    return [PARTS * (both[seat] - chips) for seat, chips in zip(order, table.paid, strict=True)]


def _returned(text: HandText, order: list[int], table: ChipTracker) -> Counter[int]:
    """Return uncalled bets; histories before 2008 and many exports have no lines for them."""
    place, chips = table.uncalled()
    if text.back or not _adds_up(text, sum(table.paid) - chips):
        return text.back
    return Counter({order[place]: chips})


def _adds_up(text: HandText, staked: int) -> bool:
    return text.pot in (UNKNOWN, staked) and text.won.total() + text.rake == staked
