"""Reader of PHH and PHHS, PokerKit's format: limit (FT) and no-limit (NT) hold'em hands.

Seats are in our order, from the left of the button. That holds heads-up too: p1 is the big blind, although
blinds and antes are listed small blind first. The format leaves implicit what PokerKit assumes: its rule
book, four raises per street in FT, and that a seat is not asked when no other seat could answer a bet.
`write` adds the game in a custom field where it differs from that.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import NotationError
from holdmem.core.types import Flags, Ints
from holdmem.engine import Game
from holdmem.engine.state import ACTION, HAND, PARTS, SEATS, STREETS
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.kernels.phh import complete, infer_all
from holdmem.history.formats.parquet import BLOCK
from holdmem.history.formats.phh_fast import PHHColumns, PHHPiece, chosen, read_pieces, whole_rake
from holdmem.history.formats.phh_hand import PHHHand, hand_number, hand_of
from holdmem.history.formats.phh_text import Fields, fields_of_hand, hands_of
from holdmem.history.formats.phh_write import write
from holdmem.history.formats.text_files import expect_lines
from holdmem.history.hands import INFERRED, UNKNOWN, Hands
from holdmem.history.hands_builder import HandsBuilder, join

SUFFIXES = (".phh", ".phhs")
"""Of files with one hand, and with any number."""

FoundFields = Iterable[tuple[int, Fields | str]]
"""The first line of each hand, and its fields or what is wrong with it."""


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether this is PHH: by file name, or by the field that every hand has."""
    return source.path.suffix in SUFFIXES or re.search(rb"^variant\s*=", head, re.MULTILINE) is not None


# Reading


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read the hands of a file in blocks; what cannot be read is recorded in the account."""
    data = source.read().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    expect_lines(data)
    pieces = read_pieces(data, source.name, game)
    if pieces is None:
        yield from _read_text(data, source.name, account, game, hands_of)
        return
    for piece in pieces:
        columns = _with_careful(piece, source.name, account, game)
        if len(columns.hands):
            yield completed(columns, account)


def read_carefully(
    source: Source,
    account: Account,
    game: Game | None = None,
    fields_of: Callable[[str], FoundFields] = hands_of,
) -> Iterator[Hands]:
    """Read the hands of a file as `read` does, without compiled code for the text."""
    return _read_text(source.read(), source.name, account, game, fields_of)


def _read_text(
    data: bytes, source: str, account: Account, game: Game | None, fields_of: Callable[[str], FoundFields]
) -> Iterator[Hands]:
    text = data.decode(errors="surrogateescape")  # invalid UTF-8 spoils only its own hand
    found: list[PHHHand] = []
    for hand in _hands(fields_of(text), source, account, game):
        found.append(hand)
        if len(found) == BLOCK:
            yield completed(columns_of(found, source), account)
            found = []
    if found:
        yield completed(columns_of(found, source), account)


def _hands(found: FoundFields, source: str, account: Account, game: Game | None) -> Iterator[PHHHand]:
    """Yield the hands of these fields; what is wrong with others is recorded in the account."""
    for line, fields in found:
        try:
            if isinstance(fields, str):
                raise NotationError(fields)
            yield hand_of(fields, line, game)
        except (ValueError, ArithmeticError) as error:
            where = source if line == UNKNOWN else f"{source}:{line}"
            number = None if isinstance(fields, str) else hand_number(fields.get("hand"))
            account.skip(where, str(error), str(error).partition(", got ")[0], number)


def columns_of(found: list[PHHHand], source: str) -> PHHColumns:
    """Convert hands that were read one by one to columns."""
    builder, collected = HandsBuilder((source,)), np.zeros((len(found), SEATS), dtype=np.int64)
    for place, one in enumerate(found):
        builder.add(one.hand)
        if one.collected is not None:
            collected[place, : len(one.collected)] = one.collected
    actors = np.array([seat for one in found for seat in one.actors], dtype=np.int32)
    shown = np.array([one.shown for one in found], dtype=np.int64)
    return PHHColumns(builder.take(), actors, collected, shown)


def _with_careful(piece: PHHPiece, source: str, account: Account, game: Game | None) -> PHHColumns:
    """Return all hands of a piece in their order, those that were left out read carefully."""
    quick = piece.columns
    fields = (found for line, text in piece.left for found in fields_of_hand(line, text))
    slow = columns_of(list(_hands(fields, source, account, game)), source)
    if not len(slow.hands):
        return quick
    hands = join([quick.hands, slow.hands])
    both = PHHColumns(
        hands,
        np.concatenate([quick.actors, slow.actors]),
        np.concatenate([quick.collected, slow.collected]),
        np.concatenate([quick.shown, slow.shown]),
    )
    return chosen(both, np.argsort(hands.rows["line"], kind="stable"))


# What PHH leaves out


def completed(columns: PHHColumns, account: Account) -> Hands:
    """Add the checks that PHH leaves out, and compute results from what each seat collected and put in."""
    starts = columns.hands.rows["start"].copy()
    hands, played = _complete(columns.hands, columns.actors)
    in_turn = played.wrong[:, 0] < 0
    for place in np.flatnonzero(~in_turn).tolist():
        seat, at = played.wrong[place].tolist()
        got = columns.actors[starts[place] + at]
        reason = f"action {at + 1}: expected p{seat + 1} to act, got p{got + 1}"
        account.skip(hands.where(place), reason, "actions out of turn")
    stated = in_turn & columns.collected.any(axis=1)
    for place in np.flatnonzero(_score(hands, columns.collected, stated, played)).tolist():
        account.repair(hands.where(place), REPAIRED)
    _infer(hands, columns.shown, in_turn)
    return hands if in_turn.all() else hands[in_turn]


class PHHReplay(NamedTuple):
    """Per hand: each seat's chips in the pot, chips returned to it, and the first action out of turn.

    `wrong` holds the seat that should have acted (-1 if none is out of turn) and the index of the action.
    """

    lost: Ints
    back: Ints
    wrong: Ints


def _complete(hands: Hands, actors: NDArray[np.int32]) -> tuple[Hands, PHHReplay]:
    """Return the hands with every check added, and what was played."""
    rows, count = hands.rows, len(hands)
    betting = np.empty(len(hands.betting) + STREETS * count, dtype=np.int32)
    lost, back = np.zeros((2, count, SEATS), dtype=np.int64)
    wrong = np.empty((count, 2), dtype=np.int64)
    for number, terms in enumerate(hands.terms):
        game = terms.game
        places = np.flatnonzero(rows["terms"] == number)
        deck, hand = np.arange(game.deck_cards, dtype=np.int8), np.zeros(1, dtype=HAND)
        history = np.zeros(max(game.longest, 1), dtype=ACTION)
        complete(
            game.rules_row, rows, hands.betting, actors, places, STREETS, deck, hand, history, betting, lost,
            back, wrong,
        )  # fmt: skip
    return replace(hands, betting=betting).packed(), PHHReplay(lost, back, wrong)


REPAIRED = "returned bet removed from the winnings"

HIGHEST_RAKE = 15
"""Most rake in percent of the pot, as in PartyPoker's small games; if more is missing, it is not rake."""


def _score(hands: Hands, collected: Ints, stated: Flags, played: PHHReplay) -> Flags:
    """Set results from what was collected, with the rest as rake; return which had to be repaired.

    Some sites (PartyPoker, at times Absolute) count the uncalled bet among the winnings. That is certain
    where more was collected than the pot holds, but no more than with that bet. A total above the pot without
    this explanation is left as it is; replay then finds that it is not a valid result.
    """
    pot, bet = PARTS * played.lost.sum(axis=1), PARTS * played.back.sum(axis=1)
    won, total = collected.copy(), collected.sum(axis=1)
    every, seat = np.arange(len(won)), played.back.argmax(axis=1)
    missing = 100 * (pot + bet - total)
    explained = (won[every, seat] >= bet) & (missing >= 0) & (missing <= HIGHEST_RAKE * pot)
    repaired: Flags = stated & (total > pot) & explained
    won[every, seat] -= bet * repaired
    net = (won - PARTS * played.lost)[stated]
    hands.rows["net"][stated] = net
    hands.rows["rake"][stated] = whole_rake(net)
    hands.rows["scored"][stated] = 1
    return repaired


def _infer(hands: Hands, shown: Ints, in_turn: Flags) -> None:
    """Set results that are not recorded and follow from the cards shown, if mucked hands lost to them."""
    rows, inferred = hands.rows, np.zeros(len(hands), dtype=np.bool_)
    without = in_turn & (rows["scored"] == 0) & (shown != 0)
    for number, terms in enumerate(hands.terms):
        game = terms.game
        deck, hand = np.zeros(game.deck_cards, dtype=np.int8), np.zeros(1, dtype=HAND)
        infer_all(
            game.rules_row, rows, hands.betting, len(hands.players),
            np.flatnonzero(without & (rows["terms"] == number)), shown, deck, hand,
            np.zeros(max(game.longest, 1), dtype=ACTION), inferred,
        )  # fmt: skip
    rows["scored"][inferred] = INFERRED


FORMAT = Format(
    "phh",
    "PHH",
    SUFFIXES,
    looks_like,
    read,
    write_lines=lambda hands, file, options: write(hands, file, one=options.suffix == SUFFIXES[0]),
)

__all__ = ["FORMAT", "hand_of", "looks_like", "read", "read_carefully", "write"]
