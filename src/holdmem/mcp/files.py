"""The files of hands that an assistant may read: those in one folder, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

from holdmem.core.errors import NotationError
from holdmem.core.types import JsonObject
from holdmem.history import Hands, join, read_hands

MOST_BYTES = 64 << 20
"""Bytes to which a file may unpack."""
MOST_HANDS = 200_000
MOST_FILES = 500
"""Number of files that are listed."""
LONGEST_NAME = 500


class HandFiles:
    """The files in a folder, and in the folders below it, by their names there.

    Links that lead out of the folder and names that begin with a dot are left out.
    """

    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise NotationError(f"expected a folder of hand histories, got {folder}")
        self.folder: Path | None = None if folder is None else folder.resolve()

    def listed(self) -> list[JsonObject]:
        """Return name and size of the files, at most `MOST_FILES` of them."""
        found = list[JsonObject]()
        for path in self._files():
            found.append({"file": path.relative_to(self._root()).as_posix(), "bytes": path.stat().st_size})
            if len(found) == MOST_FILES:
                break
        return found

    def _files(self) -> Iterator[Path]:
        """Yield the readable files; links to folders are not followed, so that this ends."""
        for path in sorted(self._root().rglob("*")):
            if self._inside(path):
                yield path

    def _root(self) -> Path:
        if self.folder is None:
            raise NotationError("no folder of hands was named at the start: holdmem mcp --hands FOLDER")
        return self.folder

    def _inside(self, path: Path) -> bool:
        """Whether this is a plain file that lies in the folder, wherever links lead."""
        root = self._root()
        try:
            hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
            return not hidden and path.is_file() and path.resolve().is_relative_to(root)
        except (OSError, ValueError, RuntimeError):
            return False

    def path(self, name: str) -> Path:
        """Return the path of a file by its name in the folder.

        Anything else is refused in the same words, whether it exists or not.
        """
        path = self._root() / name
        if not 0 < len(name) <= LONGEST_NAME or ".." in path.parts or not self._inside(path):
            raise NotationError(f"no such file in the folder of hands: {name[:80]!r}")
        return path

    def read(self, name: str) -> Hands:
        """Read all hands of a file."""
        blocks, count = [], 0
        for block in read_hands(self.path(name), max_size=MOST_BYTES):
            blocks.append(block)
            count += len(block)
            if count > MOST_HANDS:
                raise NotationError(f"{name} has more than {MOST_HANDS:,} hands; use the command line for it")
        if not blocks:
            raise NotationError(f"no readable hands in {name}")
        return join(blocks)
