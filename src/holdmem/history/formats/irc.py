"""Reader of the IRC poker database: hands people and bots played on Internet Relay Chat, 1995 to 2001.

A folder holds one month of one channel. `hdb` has one line per hand (time, pots, board), `hroster` lists who
sat, and `pdb/pdb.NAME` records one player's actions, a string of letters per street, with bankroll, chips put
in, chips won, and hole cards if shown. The letters belong to one player: the order among players, the blinds
and the bet sizes are not recorded. The reader assumes limit betting at the sizes played there, lets the
engine determine whose turn it is, and keeps a hand only if every player then pays what the file says. Folders
of channels that played another game are rejected by name, because their numbers sometimes fit limit betting
by accident.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import hole as read_hole
from holdmem.core.errors import NotationError
from holdmem.engine import PARTS, Game
from holdmem.engine.state import SEATS
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.irc_order import Disagreement, PlayerLine, merged
from holdmem.history.formats.parquet import BLOCK
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand, Terms
from holdmem.history.hands_builder import HandsBuilder, expect_fit

SMALL_BETS = (10, 20, 50, 100, 200, 500, 5, 2, 1000)
"""Small bets of limit games to try, most common first."""

MAX_RAISES = (3, 4, 4, 4)
"""At most four bets per street, heads-up too, as in every hand of botsonly.199908."""

OTHER_GAMES = {
    "nolimit": "no-limit hold'em",
    "tourney": "no-limit hold'em tournaments",
    "holdempot": "pot-limit hold'em",
    "omaha": "Omaha high/low",
    "omahahi": "Omaha",
    "omahapot": "pot-limit Omaha",
    "7stud": "seven-card stud high/low",
    "7studhi": "seven-card stud",
}
"""Channels, and so folder names, of the database in which a game other than limit hold'em was played."""


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read the hands of one month.

    `game`, if given, must be limit. It sets the bet sizes and the cap; blinds follow from the small bet.
    """
    parts = {part.path.name: part for part in source.parts}
    for name in ("hdb", "hroster"):
        if name not in parts:
            raise NotationError(f"{source.name}: not a month of the IRC database: {name} is missing")
    other = OTHER_GAMES.get(channel(source).lower())
    if other is not None and game is None:
        _refuse(parts["hdb"], account, f"{other} (by its folder name, {channel(source)})")
        return
    month = Month(source, account, game)
    builder = HandsBuilder([parts["hdb"].name])
    for line, text in enumerate(_lines(parts["hdb"]), start=1):
        hand = month.hand(line, text) if text.strip() else None
        if hand is not None:
            builder.add(hand)
        if len(builder) == BLOCK:
            yield builder.take()
    if len(builder):
        yield builder.take()


def channel(source: Source) -> str:
    """Return the channel of a month, from `holdem/199901` or a one-month archive `holdem.199901.tgz`."""
    for name in reversed(source.path.parts):
        stem = name.partition(".")[0]
        if stem and not stem.isdecimal():
            return stem
    return source.path.name


def _refuse(hdb: Source, account: Account, game: str) -> None:
    """Report every hand of a month that is not limit hold'em as skipped."""
    for line, text in enumerate(_lines(hdb), start=1):
        if text.strip():
            account.skip(f"{hdb.name}:{line}", f"expected limit hold'em, got {game}", game)


@dataclass
class Month:
    """The roster and the players' lines of one month, indexed by hand time."""

    source: Source
    account: Account
    game: Game | None
    roster: dict[str, list[str]] = field(default_factory=dict)
    played: dict[str, list[list[str]]] = field(default_factory=dict)
    bets: list[int] = field(default_factory=lambda: list(SMALL_BETS))

    @cached_property
    def table(self) -> str:
        """The channel."""
        return channel(self.source)

    def __post_init__(self) -> None:
        if self.game is not None:
            if self.game.raise_sizes is None:
                raise NotationError(f"{self.source.name}: expected a limit game, got {self.game.name}")
            self.bets = [self.game.raise_sizes[0]]
        for part in self.source.parts:
            if part.path.name == "hroster":
                self.roster = {words[0]: words[2:] for text in _lines(part) if (words := text.split())}
            elif part.path.name.startswith("pdb."):
                for text in _lines(part):
                    words = text.split()
                    if len(words) > 1:
                        self.played.setdefault(words[1], []).append(words)

    def hand(self, line: int, text: str) -> RecordedHand | None:
        """Parse one line of `hdb`; return None and record the reason in the account if that fails."""
        where = f"{self.source.name}/hdb:{line}"
        words = text.split()
        try:
            if len(words) < 8:
                raise ValueError(f"expected time, set, hand, player count and four pots, got {text[:60]!r}")
            hand = self._hand(words, line)
            expect_fit(hand)
            return hand
        except Disagreement as problem:
            self.account.skip(where, str(problem), str(problem).split(": ", 1)[0])
        except ValueError as problem:
            self.account.skip(where, str(problem), "a line that cannot be read")
        return None

    def _hand(self, words: list[str], line: int) -> RecordedHand:
        players = self._players(words[0], int(words[3]))
        terms, betting = self._betting(players)
        _check_pot(words[7], players)
        return RecordedHand(
            terms=terms,
            names=[one.name for one in players],
            stacks=[one.stack for one in players],
            hole=[one.cards for one in players],
            board=read_board(" ".join(words[8:])),
            betting=betting,
            net=[(one.won - one.paid) * PARTS for one in players],
            number=int(words[2]),
            table=self.table,
            time=int(words[0]),
            line=line,
        )

    def _players(self, time: str, count: int) -> list[PlayerLine]:
        """Return every player's line of this hand, in seat order."""
        found = sorted((_played(words) for words in self.played.get(time, ())), key=lambda one: one.place)
        if not 2 <= count <= SEATS:
            raise Disagreement(f"unsupported table size: expected 2 to {SEATS} players, got {count}")
        if [one.place for one in found] != list(range(1, count + 1)):
            places = [one.place for one in found]
            raise Disagreement(f"a player's line is missing: expected places 1 to {count}, got {places}")
        if sorted(one.name for one in found) != sorted(self.roster.get(time, ())):
            raise Disagreement(f"roster and players differ: hroster has {self.roster.get(time)}")
        return found

    def _betting(self, players: list[PlayerLine]) -> tuple[Terms, list[int]]:
        """Return the first bet size at which everyone pays what is recorded, and the actions in order."""
        problems = []
        for bet in self.bets:
            terms = _terms(_blinds(players, bet), bet, self.game)
            try:
                betting = merged(terms.game, players)
            except Disagreement as problem:
                problems.append(problem)
                continue
            if self.bets[0] != bet:
                self.bets.remove(bet)
                self.bets.insert(0, bet)
            return terms, betting
        raise problems[0]


def _played(words: list[str]) -> PlayerLine:
    if len(words) not in (11, 13):
        raise ValueError(f"expected 11 or 13 words on a player's line, got {' '.join(words)[:80]!r}")
    stack, paid, won = map(int, words[8:11])
    cards = read_hole("".join(words[11:])) if len(words) == 13 else (UNKNOWN, UNKNOWN)
    letters = tuple("" if text == "-" else text for text in words[4:8])
    return PlayerLine(words[0], int(words[3]), letters, stack, paid, won, cards)


def _blinds(players: list[PlayerLine], bet: int) -> tuple[int, ...]:
    """Blinds by seat: half a bet, then full bets for those after; a lone poster posts a full bet."""
    posting = [seat for seat, one in enumerate(players) if one.letters[0].startswith("B")]
    if not posting:
        raise Disagreement("no player posts a blind")
    blinds = [0] * len(players)
    for seat in posting:
        blinds[seat] = bet
    if len(posting) > 1:
        blinds[posting[0]] = bet // 2
    return tuple(blinds)


@lru_cache(maxsize=1000)
def _terms(blinds: tuple[int, ...], bet: int, given: Game | None) -> Terms:
    """Limit hold'em as in the database; heads-up, the small blind acts first on every street."""
    big = max(range(len(blinds)), key=lambda seat: (blinds[seat], -seat))
    game = Game(
        name=f"irc.limit.{len(blinds)}p",
        blinds=blinds,
        raise_sizes=(bet, bet, 2 * bet, 2 * bet) if given is None else given.raise_sizes,
        max_raises=MAX_RAISES if given is None else given.max_raises,
        first=((big + 1) % len(blinds), 0, 0, 0),
        odd_chips="first-seat",
    )
    return Terms(game, Fraction(1))


def _check_pot(text: str, players: list[PlayerLine]) -> None:
    pot, paid = int(text.partition("/")[2]), sum(one.paid for one in players)
    if pot != paid or paid != sum(one.won for one in players) or min(one.won for one in players) < 0:
        raise Disagreement(f"the pot does not add up: expected {pot}, got {paid} paid in")


def _lines(source: Source) -> list[str]:
    return source.read().decode("latin-1").split("\n")


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether this is a month of the database, whose files are grouped into one source."""
    return bool(source.parts)


FORMAT = Format("irc", "IRC poker database", (), looks_like, read)
