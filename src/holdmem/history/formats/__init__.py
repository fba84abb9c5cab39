"""History formats: one module each, with helpers next to it.

To add a format, define its `FORMAT` in a module and list the module in `FORMATS`. Detection, `read_hands`,
`write_hands`, the commands and the downloads of the web table follow that list.
"""

from collections.abc import Iterable
from pathlib import Path

from holdmem.core.errors import NotationError, nearest
from holdmem.history.formats import (
    acpc,
    ggpoker,
    ipoker,
    irc,
    ohh,
    pacific,
    parquet,
    partypoker,
    phh,
    pokernow,
    pokerstars,
    winamax,
)
from holdmem.history.formats.format import Format, WriteOptions

MODULES = (
    parquet, irc, acpc, ohh, phh, pokerstars, ggpoker, winamax, pacific, partypoker, ipoker, pokernow
)  # fmt: skip
FORMATS: dict[str, Format] = {module.FORMAT.name: module.FORMAT for module in MODULES}
"""Formats by name, in the order in which they are tried on a file."""


def find_format(name: str) -> Format:
    """Return the format with this name; NotationError if there is none."""
    if name not in FORMATS:
        raise NotationError(f"unknown format of hands {name!r}; {nearest(name, list(FORMATS))}")
    return FORMATS[name]


def output_format(path: Path, name: str | None = None) -> Format:
    """Return the writable format with this name, by default the one that the path's suffix stands for."""
    suffix = path.suffix.lower()
    writable = [format for format in FORMATS.values() if format.writable]
    for format in writable:
        if format.name == name or (not name and suffix in format.suffixes):
            return format
    names = one_of(format.name for format in writable)
    raise NotationError(f"expected a format of {names}, got {name or f'a target {path}'}")


def one_of(names: Iterable[str]) -> str:
    """Return the names in alphabetical order as a phrase: "acpc, phh or pokerstars"."""
    *names, last = sorted(names)
    return f"{', '.join(names)} or {last}" if names else last


__all__ = ["FORMATS", "Format", "WriteOptions", "find_format", "one_of", "output_format"]
