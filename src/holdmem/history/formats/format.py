"""`Format`: how one history format is recognised, read and written."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from holdmem.core.atomic import atomic_file
from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.hands import Hands


@dataclass(frozen=True)
class WriteOptions:
    """What a writer is given besides the hands; each format uses what it has a place for.

    Attributes
    ----------
    suffix : suffix of the target's name, set by `Format.write`.
    hero : player whose hole cards were dealt face up; by default the cards of all players are shown.
    refused : called with the location and the reason for a hand that the format cannot represent; without
        it, such a hand is an error.
    about : JSON values to store with the hands.
    """

    suffix: str = ""
    hero: str | None = None
    refused: Callable[[str, str], None] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


TextWriter = Callable[[Iterable[Hands], TextIO, WriteOptions], int]
PathWriter = Callable[[Iterable[Hands], Path, WriteOptions], int]


@dataclass(frozen=True)
class Format:
    """A history format, registered in `holdmem.history.formats.FORMATS`.

    A text format has `write_lines`. Any other has `write_path`, which creates a file or folder atomically. A
    format with neither can only be read.

    Attributes
    ----------
    name : as in `--format` and `--to`.
    description : as people call it.
    suffixes : those that select this format for a file to write; the last is for any number of hands.
    looks_like : whether a file is of this format, from its name and first bytes.
    read : yields blocks of hands and records in the account what it cannot read; `game` is the game given by
        the user, for formats that do not state it.
    one_game : whether a file can hold hands of one game only.
    experimental : whether the reader has seen fewer than 20 real hands; said wherever the format is named.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    looks_like: Callable[[Source, bytes], bool]
    read: Callable[[Source, Account, Game | None], Iterator[Hands]]
    write_lines: TextWriter | None = None
    write_path: PathWriter | None = None
    one_game: bool = False
    experimental: bool = False

    @property
    def label(self) -> str:
        """The description, which says so if the format is experimental."""
        return f"{self.description} (experimental)" if self.experimental else self.description

    @property
    def writable(self) -> bool:
        """Whether hands can be written in this format."""
        return self.write_lines is not None or self.write_path is not None

    def write(self, hands: Iterable[Hands], path: Path, options: WriteOptions | None = None) -> int:
        """Write hands to a new file or folder and return their number; on failure nothing is left behind."""
        options = replace(options or WriteOptions(), suffix=path.suffix)
        if self.write_path is not None:
            return self.write_path(hands, path, options)
        if self.write_lines is None:
            raise NotationError(f"hands cannot be written as {self.label}")
        with atomic_file(path, new=True) as temporary:
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                count = self.write_lines(hands, file, options)
            if not count:
                none = f"the {self.name} format can represent none of the hands"
                raise NotationError(f"{path}: nothing was written because {none}")
        return count
