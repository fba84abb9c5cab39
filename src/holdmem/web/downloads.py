"""The formats in which people take their hands home."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO

from holdmem.history import Hands


@dataclass(frozen=True)
class Download:
    """A format: how its files are called and how they are written."""

    suffix: str
    write: Callable[[Iterable[Hands], IO[str]], None]


DOWNLOADS: dict[str, Download] = {}
