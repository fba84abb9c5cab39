"""Open Hand History (hh-specs.handhistory.org, version 1.4.6): one JSON object per hand, read and written."""

import re
from collections.abc import Iterator

from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.ohh_read import read_hand, split
from holdmem.history.formats.ohh_write import write
from holdmem.history.formats.text_files import head_text, read_text_file
from holdmem.history.hands import Hands


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    # All hands can be on one line; its patterns take time in proportion to its length.
    return read_text_file(source, account, split, read_hand, longest=None)


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether there is an object of a hand."""
    return re.search(r'\{\s*"ohh"\s*:|"spec_version"\s*:\s*"', head_text(head)) is not None


FORMAT = Format(
    "ohh",
    "Open Hand History (JSON)",
    (".ohh",),
    looks_like,
    read,
    write_lines=lambda hands, file, options: write(hands, file, options.hero, options.refused),
)

__all__ = ["FORMAT", "looks_like", "read", "read_hand", "split", "write"]
