"""Reading hand histories: logs of random play, by us and by PokerKit's own readers."""
# ruff: noqa: PLC0415 (a peer that is not installed must not keep the others from running)

import io
from collections.abc import Callable, Iterator
from functools import cache

from benchmarks.hands import sit
from benchmarks.measure import Chunk, Prepare, Work
from holdmem.agent import play
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import find_game
from holdmem.history import Hands, replay
from holdmem.history.formats import acpc, phh, pokerstars
from holdmem.history.formats.phh_text import Fields, by_toml
from holdmem.history.sources import Account, Source, playable
from holdmem.players import Random

FEW = 10
"""Hands in a chunk of a slow peer."""


@cache
def played(name: str, hands: int) -> Hands:
    """Hands of random play."""
    game, where = find_game(name), hand_ids(hands)
    decks = Streams.of(7, "cards").decks(where, game.deck_cards)
    return Hands.of(play(game, sit(game, Random(), hands), decks, where=where), ("ann", "bob"))


def text_of(write: Callable[..., int], name: str, hands: int) -> str:
    """The same as a file."""
    file = io.StringIO()
    write([played(name, hands)], file)
    return file.getvalue()


def our_logs(name: str, hands: int = 20_000) -> Prepare:
    """Every line read, checked against the rules and the recorded result, and turned into views."""

    def prepare() -> Chunk:
        text = text_of(acpc.write, name, hands).encode()

        def chunk() -> int:
            account = Account()
            for block in acpc.read(Source("a.log", lambda: text), account):
                for _ in replay(playable(block, account)):
                    pass
            return account.checked

        return chunk

    return prepare


def pokerkit_logs() -> Chunk:
    """PokerKit plays each hand while it reads it; what it plays is not looked at again."""
    from pokerkit import FixedLimitTexasHoldem, HandHistory

    game = FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
    text = text_of(acpc.write, "limit", FEW)
    return lambda: len(list(HandHistory.from_acpc_protocol(game, 10_000, text, error_status=True)))


def toml_alone(text: str) -> Iterator[tuple[int, Fields | str]]:
    """The hands of a PHHS file without the quick reader."""
    return ((-1, fields) for fields in by_toml(text).values())


ReadHands = Callable[[Source, Account], Iterator[Hands]]


def our_text(read: ReadHands, write: Callable[..., int], hands: int = 5000) -> Prepare:
    """No-limit hands as text, read, checked against the rules and the recorded result, and settled."""

    def prepare() -> Chunk:
        text = text_of(write, "nolimit", hands).encode()

        def chunk() -> int:
            account = Account()
            for block in read(Source("a.txt", lambda: text), account):
                playable(block, account)
            return account.checked

        return chunk

    return prepare


def phh_through_toml(source: Source, account: Account) -> Iterator[Hands]:
    """Without any quick reader."""
    return phh.read_carefully(source, account, None, toml_alone)


def pokerkit_phh() -> Chunk:
    """PokerKit's reader of PHHS, each hand played to its end."""
    from pokerkit import HandHistory

    text = text_of(phh.write, "nolimit", FEW)
    return lambda: sum(1 for history in HandHistory.loads_all(text) if [*history])


def pokerkit_stars() -> Chunk:
    """PokerKit's reader of PokerStars text, each hand played to its end."""
    from pokerkit import HandHistory

    text = text_of(pokerstars.write, "nolimit", FEW)

    def chunk() -> int:
        return sum(1 for history in HandHistory.from_pokerstars(text, error_status=True) if [*history])

    return chunk


LOGS = Work(
    "ACPC logs, read and replay",
    "hands",
    ours={"limit": our_logs("limit"), "no-limit": our_logs("nolimit")},
    peers={"PokerKit (limit)": pokerkit_logs},
    bar=200e3,
)

PHH = Work(
    "PHHS, read and check",
    "hands",
    ours={
        "compiled reader": our_text(phh.read, phh.write),
        "careful reader": our_text(phh.read_carefully, phh.write, 1000),
        "through TOML": our_text(phh_through_toml, phh.write, 1000),
    },
    peers={"PokerKit": pokerkit_phh},
    bar=25e3,
)

STARS = Work(
    "PokerStars text, read and check",
    "hands",
    ours={
        "compiled reader": our_text(pokerstars.read, pokerstars.write),
        "careful reader": our_text(pokerstars.read_carefully, pokerstars.write, 1000),
    },
    peers={"PokerKit": pokerkit_stars},
    bar=12e3,
)
