"""PokerStars' text, as its client saves it: cash and tournament, limit and no-limit hold'em.

Names are taken from the list of seats, so that they may contain anything, colons and verbs included. Chips
are cents where the table plays for money. Who has a line of his own in the hand was dealt in; seats are
counted from the left of the button. The text names every action, but not a check that nothing could follow,
which our engine asks for: it is added. Two ways lead to the result, the chips that went in and came out
of the text and the engine's own, and readers of `Hands` can compare them.
"""

import calendar
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, NoReturn

from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import cards as read_cards
from holdmem.errors import GameError, NotationError
from holdmem.history.records import UNKNOWN, Builder, Hands, RecordedHand, Terms
from holdmem.history.sources import Account, Format, Source
from holdmem.history.storage import BLOCK
from holdmem.rules import CALL, FOLD, PARTS, SEATS, Game
from holdmem.rules.game import MANY_RAISES

CENT = Fraction(1, 100)
CAP = (3, 4, 4, 4)
"""Raises a street in limit: four bets at most, the big blind being one."""

BEGINS = re.compile(r"PokerStars .*#\d+: ")
FOREIGN = re.compile(r".{0,40}\bPokerStars\b.{0,40}\d{6}")
"""A first line in another language, if nothing stands before it."""
HEADER = re.compile(r"PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #(\d+): +(.*)")
GAME = re.compile(r"\b(?:(Hold'em) (No Limit|Limit)\b)")
STAKES = re.compile(r"[(,] ?([^\d(),]*)([\d.,]+)/[^\d(),]*([\d.,]+)([^)]*)\)")
TIME = re.compile(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?):(\d\d):(\d\d)")
TABLE = re.compile(r"Table '(.*)' .*?Seat #(\d+) is the button")
SEAT = re.compile(r"Seat (\d+): (.*) \([^\d(]*([\d.,]+) in chips.*?\)(.*)")
MONEY = r"[^\d\s]{0,3}([\d.,]+)"
ACTION = re.compile(
    rf"(folds|checks|calls|bets|raises|posts (?:the ante|small blind|big blind|small & big blinds|straddle"
    rf"|dead blind))(?: {MONEY})?(?: to {MONEY})?( and is all-in)?(?: \[(.*?)\])?"
)
SHOWS = re.compile(r"(?:shows|mucks|showed|mucked|shows hand|mucks hand|doesn't show hand)(?: \[(.*?)\])?.*")
SUMMARY_CARDS = re.compile(r"Seat (\d+): .*(?:showed|mucked) \[(.*?)\]")
STREET = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\* (.*)")
TWICE = re.compile(r"\*\*\* (?:FIRST|SECOND) ")
COLLECTED = re.compile(rf" (?:collected|wins) {MONEY} from (?:the )?(?:main |side )?pot")
CASHED = re.compile(rf" cashed out the hand for {MONEY}")
UNCALLED = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.*)")
DEALT = re.compile(r"Dealt to (.*) \[(.*?)\]")
TOTAL = re.compile(rf"Total pot {MONEY}(.*)\| Rake {MONEY}")


class Stopped(Exception):
    """A hand that cannot be read: at which of its lines and why, and the reason in general words."""

    def __init__(self, line: int, reason: str, kind: str | None = None) -> None:
        super().__init__(reason)
        self.line, self.kind = line, kind


class Deed(NamedTuple):
    """One line on which a player pays, folds or checks."""

    line: int
    street: int
    seat: int
    verb: str
    chips: int
    total: int
    all_in: bool


@dataclass
class Text:
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
    deeds: list[Deed] = field(default_factory=list)
    cards: dict[int, list[int]] = field(default_factory=dict)
    board: list[int] = field(default_factory=list)
    back: Counter[int] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    pot: int = UNKNOWN
    rake: int = 0
    line: int = 0
    street: int = 0
    summary: bool = False

    def chips(self, text: str) -> int:
        """An amount in chips: cents of money, or whole chips."""
        whole, point, part = text.rstrip(".").replace(",", "").partition(".")
        if not self.cents:
            if point and part.strip("0"):
                self.stop(f"expected whole chips, got {text}")
            return int(whole)
        if len(part) > 2:
            self.stop(f"expected at most two digits after the point, got {text}")
        return int(whole or 0) * 100 + int(part.ljust(2, "0"))

    def stop(self, reason: str, kind: str | None = None) -> NoReturn:
        """Give this hand up."""
        raise Stopped(self.line, reason, kind)


# From a file to its hands


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """All hands of a file; those that cannot be read are named by their line."""
    builder = Builder([source.name])
    with source.open() as file:
        for line, lines in split(in_text(file)):
            try:
                builder.add(read_hand(lines, line))
            except Stopped as problem:
                account.skip(f"{source.name}:{problem.line}", str(problem), problem.kind)
            except (NotationError, GameError, ValueError, OverflowError) as problem:
                account.skip(f"{source.name}:{line}", str(problem), "a line that cannot be read")
            if len(builder) == BLOCK:
                yield builder.take()
    if len(builder):
        yield builder.take()


def in_text(file: Iterable[bytes]) -> Iterator[str]:
    """The lines of a file, as UTF-8 or, in older files, Windows-1252; UTF-16 where its mark says so."""
    lines = iter(file)
    first = next(lines, b"")
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield from io.StringIO(b"".join([first, *lines]).decode("utf-16", errors="replace"))
        return
    yield _decoded(first)
    for line in lines:
        yield _decoded(line)


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each hand and the number of its first line; what stands before the first is a hand too."""
    begin, hand = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        text = line.strip("\ufeff\r\n \t")
        if BEGINS.match(text) or ((not hand or not hand[-1]) and FOREIGN.match(text)):
            if any(hand):
                yield begin, hand
            begin, hand = number, []
        if text.startswith("*********** #"):  # between hands that were sent by mail
            text = ""
        if not hand and not text:
            begin = number + 1
            continue
        hand.append(text)
    if any(hand):
        yield begin, hand


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """One hand from its lines, the first of which has this number in its file."""
    text = _header(lines[0], begin)
    by_name: dict[str, int] = {}
    for text.line, line in enumerate(lines[1:], start=begin + 1):
        if text.deeds or not _seating(text, line, by_name):
            _line(text, line, by_name)
    text.line = begin
    return record(text)


# Line by line


def _header(line: str, number: int) -> Text:
    begins = HEADER.match(line)
    if begins is None:
        reason = f"expected 'PokerStars Hand #…' in English, got {line[:60]!r}"
        raise Stopped(number, reason, "no hand in English")
    game = GAME.search(begins[2])
    if game is None:
        reason = f"expected Hold'em No Limit or Hold'em Limit, got {begins[2][:60]!r}"
        raise Stopped(number, reason, "another game than limit or no-limit hold'em")
    stakes = STAKES.search(begins[2], game.end())
    if stakes is None or "Cap" in stakes[4]:
        reason = f"expected stakes such as ($1/$2) without a cap, got {begins[2][game.end() :][:60]!r}"
        raise Stopped(number, reason, "stakes that cannot be read")
    sign = stakes[1].strip()
    cents = bool(sign) or "." in stakes[2] + stakes[3]
    text = Text(int(begins[1]), _time(begins[2]), game[2] == "Limit", sign, (0, 0), cents, line=number)
    text.stakes = (text.chips(stakes[2]), text.chips(stakes[3]))
    return text


def _time(text: str) -> int:
    """Seconds since 1970 by the clock on the wall; the last of two clocks is Eastern Time."""
    found = TIME.findall(text)
    if not found:
        return UNKNOWN
    return calendar.timegm(tuple(map(int, found[-1]))) or UNKNOWN


def _seating(text: Text, line: str, by_name: dict[str, int]) -> bool:
    """Whether this line says who sits where, or which table it is."""
    seat = SEAT.match(line)
    if seat is not None:
        place = int(seat[1])
        text.names[place], text.stacks[place] = seat[2], text.chips(seat[3])
        by_name[seat[2]] = place
        return True
    table = TABLE.match(line)
    if table is not None:
        text.table, text.button = table[1], int(table[2])
    return table is not None


def _line(text: Text, line: str, by_name: dict[str, int]) -> None:
    """Any line after the seats. Lines that say nothing of cards and chips are passed over."""
    if line.startswith("*** "):
        _section(text, line)
    elif text.summary:
        _in_summary(text, line)
    elif (deed := _of_player(line, ": ", by_name)) is not None:
        _deed(text, *deed)
    elif (uncalled := UNCALLED.match(line)) is not None and uncalled[2] in by_name:
        text.back[by_name[uncalled[2]]] += text.chips(uncalled[1])
    elif (dealt := DEALT.match(line)) is not None and dealt[1] in by_name:
        text.cards[by_name[dealt[1]]] = read_cards(dealt[2])
    elif (taken := _of_player(line, "", by_name, COLLECTED)) is not None:
        text.won[taken[0]] += text.chips(taken[1][1])
    elif _of_player(line, "", by_name, CASHED) is not None:
        text.stop("expected a result by the cards, got a hand that was cashed out", "cashed out")


def _section(text: Text, line: str) -> None:
    if TWICE.match(line):
        text.stop(f"expected one board, got {line[:40]!r}", "run it twice")
    street = STREET.match(line)
    if street is not None:
        text.board = read_board("".join(re.findall(r"\[(.*?)\]", street[2])))
        text.street = ("FLOP", "TURN", "RIVER").index(street[1]) + 1
    text.summary |= line.startswith("*** SUMMARY")


def _in_summary(text: Text, line: str) -> None:
    total = TOTAL.match(line)
    if total is not None:
        text.pot, text.rake = text.chips(total[1]), text.chips(total[3])
    shown = SUMMARY_CARDS.match(line)
    if shown is not None:
        text.cards.setdefault(int(shown[1]), read_cards(shown[2]))


def _of_player(
    line: str, after: str, by_name: dict[str, int], shape: re.Pattern[str] | None = None
) -> tuple[int, re.Match[str]] | None:
    """Whose line this is and what is said of him: the longest name after which it makes sense."""
    whole = shape is None
    for name in sorted((name for name in by_name if line.startswith(name + after)), key=len, reverse=True):
        rest = line[len(name) + len(after) :]
        patterns = (ACTION, SHOWS) if shape is None else (shape,)
        for pattern in patterns:
            found = pattern.fullmatch(rest) if whole else pattern.match(rest)
            if found is not None:
                return by_name[name], found
    return None


def _deed(text: Text, seat: int, found: re.Match[str]) -> None:
    cards = found[found.re.groups]
    if cards:
        text.cards.setdefault(seat, read_cards(cards))
    if found.re is ACTION:
        chips, total = (text.chips(part) if part else 0 for part in (found[2], found[3]))
        text.deeds.append(Deed(text.line, text.street, seat, found[1], chips, total, bool(found[4])))


# From the text to a record


def record(text: Text) -> RecordedHand:
    """The hand as a record: seats in order, posts as terms, deeds as actions."""
    if not text.deeds:
        text.stop("expected blinds and actions, got a hand without any", "a hand that was not played")
    order = _order(text)
    posts = [deed for deed in text.deeds if deed.verb.startswith("posts")]
    terms = _terms_of(text, order, posts)
    table = Table(text, order, terms.game.raise_sizes or (0, 0, 0, 0))
    for deed in posts:
        table.post(deed)
    for deed in text.deeds:
        if not deed.verb.startswith("posts"):
            table.do(deed)
    table.end_street()
    if terms.game.limit and table.over_cap():
        terms = _uncapped(terms)
    return RecordedHand(
        terms=terms,
        names=[text.names[seat] for seat in order],
        stacks=[text.stacks[seat] for seat in order],
        hole=[_two(text.cards.get(seat, [])) for seat in order],
        board=text.board,
        betting=table.betting,
        net=_net(text, order, table.paid),
        rake=text.rake,
        number=text.number,
        table=text.table,
        time=text.time,
        line=text.line,
    )


def _order(text: Text) -> list[int]:
    """The seats of those who were dealt in, from the left of the button."""
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
class Table:
    """Follows the chips of one hand through the text, and checks that every call is of what is due."""

    text: Text
    order: list[int]
    sizes: tuple[int, ...]

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

    def _pay(self, deed: Deed, chips: int, live: int) -> int:
        seat = self.place[deed.seat]
        if chips > self.left[seat]:
            raise Stopped(
                deed.line, f"expected at most {self.left[seat]} chips, got {chips}", "too few chips"
            )
        self.left[seat] -= chips
        self.paid[seat] += chips
        self.bet[seat] += live
        self.highest = max(self.highest, self.bet[seat])
        return seat

    def post(self, deed: Deed) -> None:
        """A post before the cards; only blinds that are alive are bets."""
        self._pay(deed, deed.chips, deed.total)

    def do(self, deed: Deed) -> None:
        """An action on any street."""
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
            if deed.chips != due:
                reason = f"expected a call of {due}, got {deed.chips}"
                raise Stopped(deed.line, reason, "a call of another amount, as after a short blind")
            self._pay(deed, due, due)
            self.betting.append(CALL)
        else:
            total = deed.total or self.bet[seat] + deed.chips
            self.raises[self.street] += total - self.highest >= self.sizes[self.street]
            self._pay(deed, total - self.bet[seat], total - self.bet[seat])
            self.betting.append(total)

    def end_street(self) -> None:
        """Add the check that the engine asks for of the last seat with chips if nothing could follow it."""
        able = [seat for seat, live in enumerate(self.live) if live and self.left[seat] > 0]
        if self.street == 0 and len(able) == 1 and sum(self.live) > 1:
            seat = able[0]
            asked = any(self.acted) and not self.acted[seat] and self.bet[seat] == self.highest
            if asked:
                self.betting.append(CALL)
                self.acted[seat] = True

    def over_cap(self) -> bool:
        """Whether there were more full raises than limit games usually allow."""
        return any(count > top for count, top in zip(self.raises, CAP, strict=True))


def _terms_of(text: Text, order: list[int], posts: list[Deed]) -> Terms:
    """Blinds, antes and dead chips of each seat; `total` of each post becomes the part that is a bet."""
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
        text.stop("expected blinds, got none", "a hand without blinds")
    sizes = None
    if text.limit:
        one, two = text.stakes if big != text.stakes[1] else (big, 2 * big)
        sizes = (one, one, two, two)
    least = 0 if text.limit else big
    return _terms(tuple(blinds), tuple(antes), tuple(dead), sizes, least, opener, text.currency, text.cents)


def _blinds(text: Text, posts: list[Deed]) -> tuple[int, int]:
    """What the blinds are: as posted by somebody who could pay them, else by the stakes."""
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
def _uncapped(terms: Terms) -> Terms:
    return replace(terms, game=replace(terms.game, max_raises=(MANY_RAISES,) * 4))


def _net(text: Text, order: list[int], paid: list[int]) -> list[int]:
    """What everybody won or lost, from the chips that came back and were collected."""
    staked = sum(paid) - text.back.total()
    if text.pot not in (UNKNOWN, staked) or text.won.total() + text.rake != staked:
        reason = f"expected {staked} chips of pot and rake, got {text.won.total()} and {text.rake}"
        text.stop(reason, "a pot that does not add up")
    both = text.back + text.won
    return [PARTS * (both[seat] - chips) for seat, chips in zip(order, paid, strict=True)]


def _looks_like(source: Source, head: bytes) -> bool:
    plain = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1", errors="replace")
    return re.search(r"PokerStars .{0,80}#\d+|^.{0,40}\bPokerStars\b.{0,40}\d{6}", plain) is not None


FORMAT = Format("pokerstars", _looks_like, read)
