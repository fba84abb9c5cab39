"""Reader and writer of ACPC dealer logs: `#` lines, one `STATE:` line per hand, a `SCORE:` line.

A log does not define its game; its first line names the `.game` file. Built-in games are recognised by that
name, and other files are looked up at the path given there. HoldMem's own logs carry the game in a `#` line.
Otherwise the user specifies it (`game`), or it is inferred if exactly one of the ACPC's games fits the hands.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TextIO

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import NotationError
from holdmem.engine import BUILT_IN, CALL, FOLD, Game, read_game
from holdmem.engine.state import ACTION, BOARD_CARDS, HAND
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.acpc_text import cards_text, score_line, state_line
from holdmem.history.formats.format import Format
from holdmem.history.formats.kernels import acpc as kernels
from holdmem.history.formats.kernels.scan import SPAN
from holdmem.history.formats.terms_json import read_terms, terms_text
from holdmem.history.hands import RECORD, UNKNOWN, Hands, Terms
from holdmem.history.kernels.replay import FINE
from holdmem.history.replay import ReplayResults, replay, replay_results

Bytes = NDArray[np.uint8]

PIECE = 1 << 20
"""Bytes read at a time: about 15,000 hands."""

LONGEST = 1 << 20
"""Longest line in bytes that is accepted as a hand."""

TRIED = 1 << 16
"""Number of leading bytes used to infer the game."""

EXPECTED = {
    kernels.LINE_KIND: "a line that begins with STATE:, SCORE: or #",
    kernels.NUMBER: "the number of the hand",
    kernels.LETTER: "f, c, r or /",
    kernels.RAISE: "r and the seat's total chips for the whole hand",
    kernels.STREET_MARK: "one / at the end of each street that was dealt",
    kernels.CARD: "a card such as As",
    kernels.MARK: "the separator (: or |) before the next part, one part per seat",
    kernels.RESULT: "chips won or lost",
    kernels.NAME: "one name per seat, then the end of the line",
}

# Reading


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether this is an ACPC log: some line begins with STATE and a number."""
    return re.search(rb"^STATE:\d", head, re.MULTILINE) is not None


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read the hands of a log in blocks; lines that cannot be read are recorded in the account."""
    lines: _Lines | None = None
    with source.open() as stream:
        for text, line in _pieces(stream):
            if lines is None:
                lines = _Lines(source.name, _terms(source.name, text, game))
            found = lines.read(text, line, account)
            if len(found):
                yield found


def _pieces(stream: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Yield whole lines, about `PIECE` bytes at a time, with the line number of the first."""
    rest, line = b"", 1
    while piece := stream.read(PIECE):
        cut = piece.rfind(b"\n") + 1
        if not cut:
            if len(rest) > LONGEST:  # an endless line would be accumulated forever
                raise NotationError(f"line {line}: expected a hand, got a line of over {LONGEST:,} bytes")
            rest += piece
            continue
        text = rest + piece[:cut]
        yield text, line
        rest, line = piece[cut:], line + text.count(b"\n")
    if rest:
        yield rest, line


@dataclass(frozen=True)
class _Lines:
    """Parser of the lines of one log, all of one game."""

    source: str
    terms: Terms

    @cached_property
    def _room(self) -> tuple[Any, ...]:
        """Scratch arrays in which a hand is played while its line is read."""
        game = self.terms.game
        stacks, deck = np.array(game.stacks, dtype=np.int64), np.arange(game.deck_cards, dtype=np.int8)
        return stacks, deck, np.zeros(1, dtype=HAND), np.zeros(max(game.longest, 1), dtype=ACTION)

    def read(self, text: bytes, line: int, account: Account) -> Hands:
        """Parse these lines, the first of which has number `line`."""
        game = self.terms.game
        stacks, deck, hand, history = self._room
        lines = text.count(b"\n") + 1
        rows, betting = np.zeros(lines, dtype=RECORD), np.empty(len(text), dtype=np.int32)
        names = np.empty(lines * game.seats, dtype=SPAN)
        slots = np.full(1 << (2 * len(names)).bit_length(), -1, dtype=np.int32)
        faults = np.empty(lines, dtype=kernels.FAULT)
        # A copy, because numba would compile a second version for the read-only buffer of `bytes`.
        kept, actions, known, wrong = kernels.read_lines(
            game.rules_row, stacks, deck, np.frombuffer(text, dtype=np.uint8).copy(), line, hand, history,
            rows, betting, names, slots, faults,
        )  # fmt: skip
        for fault in faults[:wrong]:
            self._skip(text, fault, account)
        players = [text[begin:end].decode(errors="replace") for begin, end in names[:known].tolist()]
        return Hands(
            rows[:kept], betting[:actions].copy(), (self.terms,), tuple(players), ("",), (self.source,)
        )

    def _skip(self, text: bytes, fault: np.record, account: Account) -> None:
        rest = text[fault.at : min(fault.end, fault.at + 24)].decode(errors="replace")
        got = repr(rest) if rest else "the end of the line"
        where = f"{self.source}:{fault.line}"
        reason = f"expected {EXPECTED[int(fault.kind)]}, got {got}"
        account.skip(where, reason, "lines not in the ACPC format")


def _terms(name: str, text: bytes, game: Game | None) -> Terms:
    """Return the game: as given by the user, else as stated in the header, else inferred from the hands."""
    if game is not None:
        return Terms(game)
    header = [line for line in text[:TRIED].decode(errors="replace").splitlines() if line.startswith("#")]
    for number, line in enumerate(header, start=1):
        said = _said(line, f"{name}:{number}")
        if said is not None:
            return said
    return _guessed(name, text, header)


def _said(line: str, where: str) -> Terms | None:
    """Return the terms that a header line states, or None."""
    words = line.split()
    if line.startswith(OURS):
        return read_terms(line.removeprefix(OURS), where)
    if words[:2] == ["#", "name/game/hands/seed"] and len(words) > 3:
        known = BUILT_IN.get(PurePosixPath(words[3]).name.removesuffix(".game"))
        if known is not None:
            return Terms(known())
        if Path(words[3]).is_file():
            return Terms(read_game(words[3]))
    return None


def _guessed(name: str, text: bytes, header: list[str]) -> Terms:
    """Return the only ACPC game in which the first hands are legal and have the recorded results."""
    lines = text[:TRIED].splitlines(keepends=True)
    tried = b"".join(lines[:-1] if len(text) > TRIED else lines)
    fitting = [terms for terms in (Terms(build()) for build in BUILT_IN.values()) if _fits(terms, tried)]
    if len(fitting) != 1:
        said = f"the header says {header[0]!r}" if header else "there is no header"
        raise NotationError(
            f"{name}: the game of this log is unknown: {said}, and the hands do not fit exactly one of the"
            f" built-in games ({', '.join(BUILT_IN)}); pass --game NAME or --game FILE.game"
        )
    return fitting[0]


def _fits(terms: Terms, text: bytes) -> bool:
    account = Account()
    hands = _Lines("", terms).read(text, 1, account)
    found = replay_results(hands)
    fine = (found.problems == FINE).all() and (found.net == hands.rows["net"]).all()
    return bool(fine and len(hands) and not account.skipped)


OURS = "# holdmem "
"""Prefix of the header line of HoldMem's logs, before the game as JSON; no dealer writes such a line."""


# Writing


def write(hands: Iterable[Hands], file: TextIO, header: str | None = None) -> int:
    """Write a log in the dealer's format and return the number of hands.

    `header` is the text of the leading `#` lines; by default it is one HoldMem line that states the game.
    """
    count, terms = 0, None
    score: dict[str, int] = {}
    for block in hands:
        for used in np.unique(block.rows["terms"]).tolist():
            if terms is None:
                terms = block.terms[used]
                file.write(_header(terms) if header is None else header)
            if block.terms[used] != terms:
                raise NotationError(
                    f"an ACPC log holds one game only; got a second: {block.terms[used].game}"
                )
        for line in state_lines(block, count, score):
            file.write(line)
            count += 1
    file.write(score_line(score.values(), score) + "\n")
    return count


def _header(terms: Terms) -> str:
    return f"{OURS}{terms_text(terms)}\n"


def state_lines(hands: Hands, first: int, score: dict[str, int]) -> Iterator[str]:
    """Yield one line per hand and add its result to `score`; unnumbered hands are counted from `first`."""
    found = replay_results(hands)
    _check(hands, found)
    net, _ = found.results(hands)
    for place, (hand, betting) in enumerate(zip(hands, betting_texts(hands, found), strict=True)):
        results = net[place, : len(hand.names)].tolist()
        for name, parts in zip(hand.names, results, strict=True):
            score[name] = score.get(name, 0) + parts
        number = first + place if hand.number == UNKNOWN else hand.number
        cards = cards_text(hand.hole, hand.board[: BOARD_CARDS[betting.count("/")]])
        yield state_line(number, betting, cards, results, hand.names) + "\n"


def betting_texts(hands: Hands, found: ReplayResults) -> list[str]:
    """Return each hand's betting in ACPC letters; a no-limit raise gives the seat's total for the hand."""
    texts, marks = [""] * len(hands), [0] * len(hands)
    for seen in replay(hands):
        views, limit = seen.views, seen.views.game.limit
        mine = np.arange(len(seen)), views.seat
        before = (views.paid[mine] - views.bet[mine]).tolist()
        for hand, street, action, paid in zip(
            seen.hand.tolist(), views.street.tolist(), seen.actions.tolist(), before, strict=True
        ):
            raised = "r" if limit else f"r{action + paid}"
            letter = "f" if action == FOLD else "c" if action == CALL else raised
            texts[hand] += "/" * (street - marks[hand]) + letter
            marks[hand] = street
    shown = (found.shown != 0).tolist()
    return [
        text + "/" * (3 - done) if over else text
        for text, done, over in zip(texts, marks, shown, strict=True)
    ]


def _check(hands: Hands, found: ReplayResults) -> None:
    """Raise NotationError for a hand that the ACPC format cannot represent."""
    rows = hands.rows
    for wrong, what in (
        (found.problems != FINE, "hands that can be replayed"),
        (_marked(hands, lambda game: bool(game.antes or game.dead)), "no antes and no dead chips"),
        (_other_stacks(hands), "every hand to start with the game's stacks"),
        ((hands.seated & ~hands.known).any(axis=1), "the hole cards of every seat"),
        (rows["rake"] != 0, "no rake"),
        (rows["second"][:, 0] != UNKNOWN, "one board: this hand was run twice"),
        (~found.results(hands)[1], "a result"),
        (
            _badly_named(hands),
            "names without :, | or line breaks that do not end in a blank or a # comment",
        ),
    ):
        if wrong.any():
            place = int(np.flatnonzero(wrong)[0])
            raise NotationError(f"{hands.where(place)}: cannot be written to an ACPC log, which needs {what}")


def _marked(hands: Hands, question: Callable[[Game], bool]) -> NDArray[np.bool_]:
    """Return which hands belong to a game that satisfies the predicate."""
    marks = np.array([question(terms.game) for terms in hands.terms], dtype=np.bool_)
    return marks[hands.rows["terms"]]  # type: ignore[no-any-return]


def _other_stacks(hands: Hands) -> NDArray[np.bool_]:
    usual = np.zeros((len(hands.terms), hands.rows["stack"].shape[1]), dtype=np.int64)
    for row, terms in zip(usual, hands.terms, strict=True):
        row[: terms.game.seats] = terms.game.stacks
    return (hands.rows["stack"] != usual[hands.rows["terms"]]).any(axis=1)  # type: ignore[no-any-return]


def _badly_named(hands: Hands) -> NDArray[np.bool_]:
    bad = [not name or bool(re.search(r"[:|\r\n]|[ \t]#[ \t]|[ \t]#?$", name)) for name in hands.players]
    return np.array([*bad, False], dtype=np.bool_)[hands.rows["player"]].any(axis=1)  # type: ignore[no-any-return]


FORMAT = Format(
    "acpc",
    "ACPC",
    (".log",),
    looks_like,
    read,
    write_lines=lambda hands, file, options: write(hands, file),
    one_game=True,
)
