"""Read PokerStars text quickly: compiled code scans hands written in the usual way into columns.

What the scanner does not know is left to the careful reader, hand by hand. The game is derived from header
and posts by the careful reader's own functions, once per kind of header and posts.
"""

import calendar
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import HoldMemError
from holdmem.core.types import Flags, Ints
from holdmem.engine.state import PARTS, SEATS, UNLIMITED
from holdmem.history.formats.hand_text import ActionLine, HandText, UnreadableHand
from holdmem.history.formats.interning import interned, texts_of
from holdmem.history.formats.kernels import stars_chips, stars_header, stars_words
from holdmem.history.formats.kernels import stars_hands as kernels
from holdmem.history.formats.kernels.stars_hands import StarsScan
from holdmem.history.formats.parquet import BLOCK
from holdmem.history.formats.text_terms import terms_of
from holdmem.history.hands import UNKNOWN, Hands, Terms, blank

ReadHeader = Callable[[list[str], int], HandText]

ROOM = 1 << 20
"""Most actions of a piece, and most bytes of headers and posts."""
ACTION_BYTES = 12
"""Fewest bytes of a line with an action."""
SMALLEST_HAND = 200
"""Fewest bytes of a hand that is scanned."""
POSTS = {
    stars_words.SMALL: "posts small blind",
    stars_words.BIG: "posts big blind",
    stars_words.ANTE: "posts the ante",
}


class StarsPiece(NamedTuple):
    """Hands of a part of a file, and the first line and the bytes of what is left to the careful reader."""

    hands: Hands | None
    left: list[tuple[int, bytes]]


def scan_text(
    data: bytes, line: int, source: str, site: Callable[[Ints], Flags], header: ReadHeader
) -> Iterator[StarsPiece]:
    """Yield the hands of a text whose first line has number `line`.

    `site` tells which hand numbers are the site's own; `header` reads the first line of a hand.
    """
    text = np.frombuffer(data + b"\n" * stars_words.MARGIN, dtype=np.uint8).copy()
    first, before = (int(value) for value in kernels.first_hand(text, len(data)))
    if first != 0:
        yield StarsPiece(None, [(line, data if first < 0 else data[:first])])
    at, line = (first, line + before) if first >= 0 else (len(data), line)
    table = np.zeros(1, dtype=stars_chips.FOLLOWED)
    while at < len(data):
        scan = _room(text, len(data) - at)
        count, at, line = map(int, kernels.scan_hands(scan, table, len(data), at, line))
        yield _piece(data, scan, count, source, site, header)


def _room(text: NDArray[np.uint8], size: int) -> StarsScan:
    hands = min(size // SMALLEST_HAND + 1, BLOCK)
    return StarsScan(
        text,
        rows=blank(hands),
        notes=np.zeros(hands, dtype=kernels.NOTE),
        betting=np.empty(min(size // ACTION_BYTES, ROOM) + 2 * stars_words.MOST_DEEDS, dtype=np.int64),
        desk=np.zeros(1, dtype=stars_words.DESK),
        deeds=np.zeros(stars_words.MOST_DEEDS, dtype=stars_words.DEED),
        players=interned(hands * SEATS),
        tables=interned(hands),
        keys=np.empty(ROOM, dtype=np.uint8),
        terms=interned(hands),
        used=np.zeros(2, dtype=np.int64),
    )


def _piece(
    data: bytes, scan: StarsScan, count: int, source: str, site: Callable[[Ints], Flags], header: ReadHeader
) -> StarsPiece:
    """Convert what was scanned to hands; where that fails, leave the hand to the careful reader."""
    rows, notes = scan.rows[:count], scan.notes[:count]
    usual = notes["careful"] == 0
    terms = _terms(data, scan, notes, usual, header)
    known = np.array([one is not None for one in terms] or [False])
    cents = np.array([one is not None and one.chip != 1 for one in terms] or [False])
    usual &= known[notes["terms"]] & (cents[notes["terms"]] | (notes["whole"] == 1))
    scale = np.where(cents[notes["terms"]], 1, 100)
    usual &= _set_times(rows, notes) & _set_chips(rows, notes, scale)
    betting = scan.betting[: scan.used[0]]
    chips = np.where(betting > 0, betting // np.repeat(scale, rows["actions"]), betting)
    distinct = {key: place for place, key in enumerate(dict.fromkeys(one for one in terms if one))}
    rows["terms"] = np.array([distinct[one] if one else 0 for one in terms] or [0])[notes["terms"]]
    rows["site"] = site(rows["number"])
    shared = (("", *texts_of(data, scan.tables)), (source,), ("", "PokerStars"))
    hands = Hands(rows, chips.astype(np.int32), tuple(distinct), tuple(texts_of(data, scan.players)), *shared)
    left = np.flatnonzero(~usual).tolist()
    spans = [(int(rows["line"][place]), data[notes["begin"][place] : notes["end"][place]]) for place in left]
    return StarsPiece(hands if usual.all() else hands[usual], spans)


def _terms(
    data: bytes, scan: StarsScan, notes: NDArray[np.record], usual: Flags, header: ReadHeader
) -> list[Terms | None]:
    """Return the terms of each kind of header and posts; None where hands have to be read carefully."""
    found: list[Terms | None] = [None] * int(scan.terms.count[0])
    kinds, first = np.unique(notes["terms"][usual], return_index=True)
    for kind, place in zip(kinds.tolist(), np.flatnonzero(usual)[first].tolist(), strict=True):
        begin, end = scan.terms.spans[kind].tolist()
        line = data[notes["begin"][place] : notes["header"][place]].decode().strip("\r \t\0")
        posts = bytes(scan.keys[begin:end]).partition(b"\n")[2]
        try:
            found[kind] = _plain_terms(header([line], 1), posts[0], posts[1:])
        except (UnreadableHand, HoldMemError, ValueError, OverflowError):
            continue
    return found


def _plain_terms(text: HandText, seats: int, posted: bytes) -> Terms | None:
    """Return the terms of a no-limit hand in which everybody posts in full, else None."""
    posts = [_post(posted[at : at + 10], text.cents) for at in range(0, len(posted), 10)]
    if text.limit or not all(post.chips for post in posts):
        return None
    terms = terms_of(text, list(range(seats)), list(posts))
    game, opener = terms.game, next(post.seat for post in posts if post.verb == POSTS[stars_words.BIG])
    for post in posts:
        owed = game.antes if post.verb == POSTS[stars_words.ANTE] else game.blinds
        if owed[post.seat] != post.chips:
            return None
    return terms if game.first == ((opener + 1) % seats, 0, 0, 0) else None


def _post(encoded: bytes, cents: bool) -> ActionLine:
    hundredths = int.from_bytes(encoded[2:], "little")
    whole, rest = divmod(hundredths, 100)
    return ActionLine(1, 0, encoded[1], POSTS[encoded[0]], hundredths if cents else 0 if rest else whole)


def _set_times(rows: NDArray[np.record], notes: NDArray[np.record]) -> Flags:
    """Set the time of each hand; return where the date is one."""
    days, of_hand = np.unique(notes["date"], axis=0, return_inverse=True)
    midnight = np.array([_midnight(*day) for day in days.tolist()], dtype=np.int64)[of_hand.ravel()]
    seconds, without = midnight + notes["clock"], notes["clock"] == stars_header.NO_TIME
    rows["time"] = np.where(without | (seconds == 0), UNKNOWN, seconds)
    return without | (midnight != UNKNOWN)  # type: ignore[no-any-return]


def _midnight(year: int, month: int, day: int) -> int:
    try:
        return calendar.timegm((year, month, day, 0, 0, 0))
    except (ValueError, OverflowError):
        return UNKNOWN


def _set_chips(rows: NDArray[np.record], notes: NDArray[np.record], scale: Ints) -> Flags:
    """Convert stacks, results and rake from hundredths; return where stacks and raises are small enough."""
    rows["stack"] //= scale[:, None]
    rows["net"] = rows["net"] // scale[:, None] * PARTS
    rows["rake"] //= scale
    return (rows["stack"] <= UNLIMITED).all(axis=1) & (notes["most"] // scale <= UNLIMITED)
