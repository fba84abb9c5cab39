"""Export a person's hands as downloads: PHH, ACPC and PokerStars."""

from collections.abc import Callable, Iterable
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile

from holdmem.history import Hands, join
from holdmem.history.formats import acpc, phh, pokerstars_write
from holdmem.web.serialize import YOU

Download = Callable[[Iterable[Hands]], tuple[str, bytes]]
"""Function from hands to a file name and its content."""


def as_phh(hands: Iterable[Hands]) -> tuple[str, bytes]:
    """Return all hands as one PHHS file."""
    text = StringIO()
    phh.write(hands, text)
    return "holdmem-hands.phhs", text.getvalue().encode()


def as_pokerstars(hands: Iterable[Hands]) -> tuple[str, bytes]:
    """Return all hands as one PokerStars text, with the person as the hero."""
    text = StringIO()
    pokerstars_write.write(hands, text, hero=YOU)
    return "holdmem-hands.txt", text.getvalue().encode()


def as_acpc(blocks: Iterable[Hands]) -> tuple[str, bytes]:
    """Return all hands as an ACPC log. A log holds one game only, so several games give a ZIP of logs."""
    hands = join([*blocks])
    games = [hands[hands.rows["terms"] == number] for number in range(len(hands.terms))]
    logs = []
    for game in filter(len, games):
        text = StringIO()
        acpc.write([game], text)
        logs.append(text.getvalue().encode())
    if len(logs) <= 1:
        return "holdmem-hands.log", b"".join(logs)
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for number, log in enumerate(logs, start=1):
            file.writestr(f"holdmem-hands-{number}.log", log)
    return "holdmem-hands.zip", archive.getvalue()


DOWNLOADS: dict[str, Download] = {"phh": as_phh, "acpc": as_acpc, "pokerstars": as_pokerstars}
