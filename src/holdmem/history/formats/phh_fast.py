"""Read PHHS quickly: compiled code scans hands written in the usual way into columns.

What the scanner does not know is left to the careful reader, hand by hand. So is the meaning of the fields
that define a game: they are interpreted by the careful reader, once per game. The scanner only has to
recognise that two hands have the same ones.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import NotationError
from holdmem.core.types import Flags, Ints
from holdmem.engine import Game
from holdmem.engine.state import PARTS, SEATS, UNLIMITED
from holdmem.history.formats.interning import interned, texts_of
from holdmem.history.formats.kernels import phh_scan as kernels
from holdmem.history.formats.kernels import phh_values
from holdmem.history.formats.kernels.phh_scan import PHHScan
from holdmem.history.formats.parquet import BLOCK
from holdmem.history.formats.phh_game import check_variant, digits_needed, find_terms
from holdmem.history.formats.phh_hand import moment
from holdmem.history.formats.phh_text import quick
from holdmem.history.hands import UNKNOWN, Hands, Terms, blank

ROOM = 1 << 22
"""Most actions of a piece, and most bytes of lines that define games."""


class PHHColumns(NamedTuple):
    """Hands as PHH states them: the seat of each action, what was collected, and who shows."""

    hands: Hands
    actors: NDArray[np.int32]
    """Parallel to `hands.betting`."""
    collected: Ints
    """In parts of a chip; all zeros where it is not recorded: somebody always wins the pot."""
    shown: Ints
    """Seats that show their cards at the end, as a bit mask."""


class PHHPiece(NamedTuple):
    """Hands of a part of a file, and the line and text of each hand that was left to the careful reader."""

    columns: PHHColumns
    left: list[tuple[int, str]]


def read_pieces(data: bytes, source: str, game: Game | None) -> Iterator[PHHPiece] | None:
    """Return the hands of a file in pieces, or None if it has to be read as a whole."""
    text = np.frombuffer(data + b"\n" * phh_values.MARGIN, dtype=np.uint8).copy()
    count = int(kernels.count_hands(text, len(data)))
    return _pieces(data, text, source, game, count) if count else None


def _pieces(
    data: bytes, text: NDArray[np.uint8], source: str, game: Game | None, count: int
) -> Iterator[PHHPiece]:
    at, line = _first_header(data)
    while at < len(data):
        scan = _room(text, min(count, BLOCK), min(len(data) // phh_values.SHORTEST + 1, ROOM))
        found, at, line = map(int, kernels.scan_hands(scan, len(data), at, line))
        yield _piece(data, scan, found, source, game)


def _first_header(data: bytes) -> tuple[int, int]:
    at = data.index(b"[")
    return at, 1 + data.count(b"\n", 0, at)


def _room(text: NDArray[np.uint8], hands: int, actions: int) -> PHHScan:
    return PHHScan(
        text,
        rows=blank(hands),
        notes=np.zeros(hands, dtype=phh_values.NOTE),
        betting=np.empty(actions, dtype=np.int64),
        actors=np.empty(actions, dtype=np.int32),
        players=interned(hands * SEATS),
        tables=interned(hands),
        sites=interned(hands),
        keys=np.empty(min(len(text), ROOM), dtype=np.uint8),
        terms=interned(hands),
        used=np.zeros(2, dtype=np.int64),
    )


def _piece(data: bytes, scan: PHHScan, count: int, source: str, game: Game | None) -> PHHPiece:
    """Convert what was scanned to hands; where that fails, leave the hand to the careful reader."""
    rows, notes = scan.rows[:count], scan.notes[:count]
    usual = notes["careful"] == 0
    terms, digits = _terms(data, notes, usual, int(scan.terms.count[0]), game)
    usual &= digits[notes["terms"]] >= 0
    usual &= _set_times(rows, notes)
    scale = np.where(digits[notes["terms"]] == 0, 100, 1)
    usual &= _set_stacks(rows, notes, scale)
    collected, fits = _results(rows, notes, scale)
    usual &= fits
    betting = _betting(scan, rows, scale)
    distinct = {key: place for place, key in enumerate(dict.fromkeys(terms))}
    rows["terms"] = np.array([distinct[one] for one in terms] or [0])[notes["terms"]]
    shared = (("", *texts_of(data, scan.tables)), (source,), ("", *texts_of(data, scan.sites)))
    hands = Hands(rows, betting, tuple(distinct), tuple(texts_of(data, scan.players)), *shared)
    columns = PHHColumns(hands, scan.actors[: len(betting)], collected, notes["shown"])
    left = [
        (int(rows["line"][place]), _text(data, notes[place])) for place in np.flatnonzero(~usual).tolist()
    ]
    return PHHPiece(columns if usual.all() else chosen(columns, np.flatnonzero(usual)), left)


def _text(data: bytes, span: np.record) -> str:
    return data[span["begin"] : span["end"]].decode(errors="surrogateescape")


NO_TERMS = Terms(Game("nothing", blinds=(1, 1)))
"""Placeholder for terms that cannot be read; no hand uses it."""


def _terms(
    data: bytes, notes: NDArray[np.record], usual: Flags, count: int, game: Game | None
) -> tuple[list[Terms], Ints]:
    """Return the terms of each distinct key, from its first hand, and the decimals of a chip.

    Decimals are -1 where hands with this key have to be read carefully.
    """
    found, digits = [NO_TERMS] * count, np.full(count + 1, UNKNOWN, dtype=np.int64)
    _, first = np.unique(np.where(usual, notes["terms"], count), return_index=True)
    for place in first[: count if count else 0].tolist():
        if not usual[place]:
            continue
        key, fields = int(notes["terms"][place]), quick(_text(data, notes[place])) or {}
        try:
            check_variant(fields)
            needed = digits_needed(fields)
            found[key] = find_terms(fields, needed, game)
        except (NotationError, ValueError, ArithmeticError, KeyError):
            continue
        if needed == 2 or (needed == 0 and not notes["cents"][place]):
            digits[key] = needed
    return found, digits


def _set_times(rows: NDArray[np.record], notes: NDArray[np.record]) -> Flags:
    """Set the time of each hand; return where the date is one."""
    stated = (notes["date"] > 0).all(axis=1)
    days, of_hand = np.unique(notes["date"], axis=0, return_inverse=True)
    midnight = np.array([_midnight(*day) for day in days.tolist()], dtype=np.int64)[of_hand.ravel()]
    rows["time"] = np.where(stated, midnight + notes["clock"], UNKNOWN)
    return ~stated | (midnight != UNKNOWN)  # type: ignore[no-any-return]


def _midnight(year: int, month: int, day: int) -> int:
    try:
        return moment({"year": year, "month": month, "day": day})
    except NotationError:
        return UNKNOWN


def _set_stacks(rows: NDArray[np.record], notes: NDArray[np.record], scale: Ints) -> Flags:
    """Convert stacks from hundredths to chips; return where stacks and raises are small enough."""
    stacks = rows["stack"]
    chips = np.where(stacks == phh_values.UNBOUNDED, UNLIMITED, stacks // scale[:, None])
    rows["stack"] = chips
    return (chips <= UNLIMITED).all(axis=1) & (notes["most"] // scale <= UNLIMITED)


def _results(rows: NDArray[np.record], notes: NDArray[np.record], scale: Ints) -> tuple[Ints, Flags]:
    """Set results from finishing stacks; return what was collected, and where all amounts fit."""
    amounts = notes["amounts"]
    fits = (amounts % scale[:, None] == 0).all(axis=1) & (amounts // scale[:, None] <= SEATS * UNLIMITED).all(
        axis=1
    )
    parts = amounts // scale[:, None] * PARTS
    final = notes["at"][:, phh_values.ENDS] > 0
    rows["net"][final] = (parts - PARTS * rows["stack"])[final]
    rows["scored"] = final
    rows["rake"][final] = whole_rake(rows["net"][final])
    return np.where(final[:, None], 0, parts), fits


def whole_rake(net: Ints) -> Ints:
    """Return the whole chips that no player received, to the nearest (even) number, and at least 0."""
    whole, rest = np.divmod(-net.sum(axis=1), PARTS)
    up = (2 * rest > PARTS) | ((2 * rest == PARTS) & (whole % 2 == 1))
    return np.maximum(whole + up, 0)  # type: ignore[no-any-return]


def _betting(scan: PHHScan, rows: NDArray[np.record], scale: Ints) -> NDArray[np.int32]:
    """Return all actions, with raises in chips."""
    betting = scan.betting[: scan.used[0]]
    chips = betting // np.repeat(scale, rows["actions"])
    return np.where(betting > 0, chips, betting).astype(np.int32)  # type: ignore[no-any-return]


def chosen(columns: PHHColumns, which: Ints) -> PHHColumns:
    """Return the hands `which`, in that order, with only their own actions."""
    hands = columns.hands[which]
    actors = Hands(hands.rows, columns.actors, hands.terms, hands.players).packed().betting
    return PHHColumns(hands.packed(), actors, columns.collected[which], columns.shown[which])
