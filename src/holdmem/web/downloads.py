"""Export a person's hands as downloads, in every text format that can be written."""

from collections.abc import Iterable
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile

from holdmem.core.types import JsonObject
from holdmem.history import Hands, RecordedHand, join
from holdmem.history.formats import FORMATS
from holdmem.history.formats.format import TextWriter, WriteOptions
from holdmem.history.hands_builder import HandsBuilder
from holdmem.web.serialize import YOU

NAME = "holdmem-hands"
DOWNLOADS = {name: format for name, format in FORMATS.items() if format.write_lines}


def plain_downloads() -> list[JsonObject]:
    """Return the formats as values of a message."""
    return [{"format": name, "name": format.label} for name, format in DOWNLOADS.items()]


def download(kind: str, blocks: Iterable[Hands]) -> tuple[str, bytes]:
    """Return the name and content of a file with all hands.

    Several games in a format that holds one game per file give a ZIP of files.
    """
    format = DOWNLOADS[kind]
    suffix, write = format.suffixes[-1], format.write_lines
    assert write is not None
    parts = _by_game(blocks) if format.one_game else [blocks]
    texts = [_text(write, part, suffix) for part in parts]
    if len(texts) <= 1:
        return f"{NAME}{suffix}", b"".join(texts)
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for number, text in enumerate(texts, start=1):
            file.writestr(f"{NAME}-{number}{suffix}", text)
    return f"{NAME}.zip", archive.getvalue()


def download_one(kind: str, hand: RecordedHand) -> tuple[str, bytes]:
    """Return the name and content of a file with one hand."""
    builder = HandsBuilder([""])
    builder.add(hand)
    return download(kind, [builder.take()])


def _by_game(blocks: Iterable[Hands]) -> list[list[Hands]]:
    hands = join([*blocks])
    games = [hands[hands.rows["terms"] == number] for number in range(len(hands.terms))]
    return [[game] for game in games if len(game)]


def _text(write: TextWriter, hands: Iterable[Hands], suffix: str) -> bytes:
    """Return the hands as text, with the person as the hero."""
    text = StringIO()
    write(hands, text, WriteOptions(suffix, hero=YOU))
    return text.getvalue().encode()
