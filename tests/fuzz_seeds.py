"""Small files of every format, and ways to damage them, for `fuzz_readers`.

An `Example` is cut into hands, so that one of them can be damaged and the others counted on. Everything is
drawn from a numpy generator: the same seed gives the same bytes.
"""

import gzip
import io
import re
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from holdmem.engine import find_game
from holdmem.history import Hands, join, write_hands
from holdmem.history.formats import acpc as acpc_logs
from holdmem.history.formats import phh
from holdmem.history.formats.parquet_seal import seal
from pokerstars_hands import READABLE
from random_hands import recorded
from site_hands import SITES
from test_irc import HANDS as IRC_HANDS

Rng = np.random.Generator
HUGE = (b"99999999999999999999", b"9223372036854775808", b"-1", b"0", b"2147483648", b"1e3000000", b"0.001")
TOKENS = (
    b"'",
    b'"',
    b"\xff",
    b"\x00",
    b"[",
    b"]",
    b":",
    b"|",
    b"/",
    b"#",
    b"$",
    b" ",
    b",",
    b"=",
    b"\xe2\x82",
)


@dataclass(frozen=True)
class Example:
    """Files by name; in one of them each stretch of `hands` is one hand."""

    files: dict[str, bytes]
    target: str
    hands: list[tuple[int, int]] = field(default_factory=list)


def _whole(name: str, parts: list[bytes], between: bytes = b"", before: bytes = b"") -> Example:
    text, hands = before, []
    for part in parts:
        hands.append((len(text), len(text) + len(part)))
        text += part + between
    return Example({name: text}, name, hands)


# Undamaged files


@cache
def block() -> Hands:
    """A few hands of three games."""
    games = (find_game("limit"), find_game("nolimit"), find_game("nolimit", 6))
    return join([recorded(game, seed, 4) for seed, game in enumerate(games)])


@cache
def acpc() -> Example:
    """A log of no-limit."""
    text = io.StringIO()
    acpc_logs.write([recorded(find_game("nolimit"), 5, 8)], text)
    header, *lines = text.getvalue().splitlines()
    states = [line.encode() for line in lines if line.startswith("STATE")]
    return _whole("a.log", states, b"\n", header.encode() + b"\n")


@cache
def phhs() -> Example:
    """Hands of PHHS, each under its number; one is in TOML that only TOML's reader takes."""
    text = io.StringIO()
    phh.write([block()], text)
    hands = re.split(r"(?m)^(?=\[\d+\]$)", text.getvalue())
    hands = [hand.strip("\n") for hand in hands if hand.strip()]
    hands[1] = hands[1].replace(" = ", "   =  ")
    return _whole("a.phhs", [hand.encode() for hand in hands], b"\n")


@cache
def pokerstars() -> Example:
    """The samples of the reader's tests."""
    return _whole("a.txt", [sample.text.strip().encode() for sample in READABLE.values()], b"\n\n\n")


@cache
def irc() -> Example:
    """A month, damaged in the list of hands."""
    lines = list(IRC_HANDS.values())
    example = _whole("chan/199501/hdb", [hand[0].encode() for hand in lines], b"\n")
    roster, players = b"", dict[str, bytes]()
    for hdb, *seats in lines:
        names = [line.split()[0] for line in seats]
        roster += f"{hdb.split()[0]}  {len(names)} {' '.join(names)}\n".encode()
        for name, line in zip(names, seats, strict=True):
            players[name] = players.get(name, b"") + f"{line}\n".encode()
    more = {f"chan/199501/pdb/pdb.{name}": text for name, text in players.items()}
    return replace(example, files=example.files | more | {"chan/199501/hroster": roster})


@cache
def irc_player() -> Example:
    """The same month, damaged in a player's lines."""
    example = irc()
    target = "chan/199501/pdb/pdb.bob"
    ends = [match.span() for match in re.finditer(rb"[^\n]+", example.files[target])]
    return replace(example, target=target, hands=ends)


def site_example(name: str) -> Callable[[], Example]:
    """The hands of a site, as a function that makes the example."""

    @cache
    def example() -> Example:
        site = SITES[name]
        hands = [hand.rstrip("\n").encode() for hand in site.hands]
        made = _whole(f"a.{name}", hands, f"\n{site.between}".encode(), site.before.encode())
        return replace(made, files={made.target: made.files[made.target] + site.after.encode()})

    return example


EXAMPLES: dict[str, Callable[[], Example]] = {
    "acpc": acpc,
    "phhs": phhs,
    "pokerstars": pokerstars,
    "irc": irc,
    "irc player": irc_player,
    **{name: site_example(name) for name in SITES},
}


# Long lines: a reader that takes time in proportion to the square of their length is busy for minutes

RUN = 1_000_000
"""Bytes of a run."""
RUNS: tuple[tuple[str, bytes, bytes, bytes, bytes], ...] = (
    ("ipoker", b"Holdem NL ", b"", b"1", b""),
    ("ipoker", b'chips="$', b"1", b"a", b""),
    ("pokerstars", b"*** SUMMARY ***\n", b"Total pot $", b".", b"\n"),
    ("ggpoker", b"*** SUMMARY ***\n", b"Total pot $", b".", b"\n"),
    ("winamax", b"*** SUMMARY ***\n", b"Total pot 1", b".", b"\n"),
    ("winamax", b"", b"Winamax Poker - ", b"(", b"\n"),
    ("888", b"Seat ", b"1: a (", b"1", b"\n"),
    ("partypoker", b"Seat ", b"", b"1.", b""),
    ("pokernow", b"Player stacks: ", b"", b'#1 "" (', b""),
    ("phhs", b"variant", b"", b"\n[", b""),
)
"""Reader, the text after which a run is put, its beginning, the piece that is repeated, and its end."""


def long_run(rng: Rng, number: int) -> tuple[str, bytes]:
    """Return a reader and its file with a long run in it: first the known ones, then any."""
    known = number < len(RUNS)
    reader = RUNS[number][0] if known else list(EXAMPLES)[rng.integers(len(EXAMPLES))]
    data = EXAMPLES[reader]().files[EXAMPLES[reader]().target]
    if known:
        _, after, begin, piece, end = RUNS[number]
        at = data.index(after) + len(after)
    else:
        at, begin, end = int(rng.integers(len(data))), b"", b""
        piece = data[at : at + int(rng.integers(1, 6))] if rng.random() < 0.5 else _token(rng)
    return reader, data[:at] + begin + piece * (RUN // len(piece)) + end + data[at:]


def _token(rng: Rng) -> bytes:
    token = TOKENS[rng.integers(len(TOKENS))]
    return token + b"\n" if rng.random() < 0.3 else token


# Damage to text


def damaged(rng: Rng, part: bytes) -> bytes:
    """One to three changes inside a hand; its lines stay lines."""
    for _ in range(rng.integers(1, 4)):
        part = _changed(rng, part)
    return part.replace(b"\r", b" ")


def _changed(rng: Rng, part: bytes) -> bytes:
    lines = part.split(b"\n")
    which = int(rng.integers(len(lines)))
    line = lines[which]
    at = int(rng.integers(len(line) + 1))
    kind = rng.integers(7)
    if kind == 0:
        line = line[:at] + bytes([rng.integers(256)]).replace(b"\n", b"\xff") + line[at + 1 :]
    elif kind == 1:
        line = line[:at] + TOKENS[rng.integers(len(TOKENS))] + line[at:]
    elif kind == 2:
        line = line[:at] + line[at + int(rng.integers(1, 9)) :]
    elif kind == 3:
        line = line[:at] + line[max(at - 6, 0) :]
    elif kind == 4:
        line = _other_number(rng, line)
    elif kind == 5 and len(lines) > 2:  # the first line stays: by it the hand is known from the one before
        one, other = rng.integers(1, len(lines), 2)
        lines[one], lines[other] = lines[other], lines[one]
        return b"\n".join(lines)
    else:
        line = line[:at] + line[at:].swapcase()
    lines[which] = line
    return b"\n".join(lines)


def _other_number(rng: Rng, line: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", line))
    if not numbers:
        return line
    begin, end = numbers[rng.integers(len(numbers))].span()
    return line[:begin] + HUGE[rng.integers(len(HUGE))] + line[end:]


def flipped(rng: Rng, data: bytes) -> bytes:
    """Anything done to any bytes: flips, a cut, a hole."""
    out = bytearray(data)
    for _ in range(rng.integers(1, 6)):
        out[rng.integers(len(out))] = rng.integers(256)
    if rng.random() < 0.3:
        out = out[: rng.integers(len(out))]
    if rng.random() < 0.2:
        at = int(rng.integers(len(out) + 1))
        del out[at : at + int(rng.integers(1, 40))]
    return bytes(out)


# Damage to archives and stored hands


def packed(kind: str, example: Example) -> bytes:
    """The files of an example as a .gz, .zip or .tgz."""
    if kind == "gz":
        return gzip.compress(example.files[example.target], mtime=0)
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in example.files.items():
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in example.files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


WEIRD = (0, 1, -1, -2, 5, 51, 52, 60, 120, 127, -100, -128, 2**31 - 1, 2**31, -(2**31), 2**62, -(2**63), None)
TEXTS = (
    "",
    "{",
    "[]",
    "1/0",
    "0",
    "1e9999999",
    "-1",
    "x" * 300,
    "\0",
    None,
    '{"name": "x", "blinds": [1, 2]}',
)


def spoiled(rng: Rng, file: Path, row: int) -> None:
    """Write another value into one column of one row."""
    frame = pl.read_parquet(file)
    name = frame.columns[rng.integers(len(frame.columns))]
    values = frame[name].to_list()
    values[row] = _weird(rng, values[row], frame.schema[name])
    frame.with_columns(pl.Series(name, values, dtype=frame.schema[name])).write_parquet(file)
    seal(file)


def _weird(rng: Rng, value: object, kind: pl.DataType) -> object:
    if isinstance(kind, pl.List):
        entries = list(value) if isinstance(value, list) else []
        for _ in range(rng.integers(1, 4)):
            entries = _weird_list(rng, entries, kind.inner)
        return None if rng.random() < 0.05 else entries
    if kind == pl.String:
        return TEXTS[rng.integers(len(TEXTS))]
    if kind == pl.Boolean:
        return (True, False, None)[rng.integers(3)]
    return _fitting(WEIRD[rng.integers(len(WEIRD))], kind)


def _weird_list(rng: Rng, entries: list[object], inner: object) -> list[object]:
    choice, at = rng.integers(4), int(rng.integers(len(entries) + 1))
    new = TEXTS[rng.integers(len(TEXTS))] if inner == pl.String else WEIRD[rng.integers(len(WEIRD))]
    fresh = [_fitting(new, inner)]
    if choice == 0:
        return entries[:at]
    if choice == 1:
        return entries[:at] + fresh * int(rng.choice([1, 1, 7, 5000])) + entries[at:]
    return entries[:at] + fresh + entries[at + 1 :]


def _fitting(value: object, kind: object) -> object:
    bits = {pl.Int8: 7, pl.Int32: 31, pl.Int64: 63}.get(kind)  # type: ignore[call-overload]
    if bits is None or not isinstance(value, int):
        return value
    return max(-(2**bits), min(value, 2**bits - 1))


def stored(folder: Path) -> Path:
    """Undamaged hands in one Parquet file."""
    path = folder / "a.parquet"
    write_hands([block()], path)
    return path


def unsealed(file: Path) -> Path:
    """The same file without a digest, as another tool would write it."""
    pl.read_parquet(file).write_parquet(file)
    return file
