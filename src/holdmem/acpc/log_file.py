"""Logs that grow as hands end, written to a temporary name and renamed when the match is over."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from holdmem.core.atomic import storage_errors, temporary_name

MOST_LINES = 64
HIDDEN = "secret-until-the-last-seating-has-ended"
"""Placeholder for a secret seed in a log, with as many characters as such a seed has digits."""

_HEAD = 4096
SECOND = 1000
"""Milliseconds per second; the head of a log gives times in milliseconds."""


class LogFile:
    """Log that buffers lines and keeps no file open, so that hundreds of matches need few open files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._beside = temporary_name(path)
        self._lines: list[str] = []
        self._ended = False
        with storage_errors(path):
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
            self._beside.touch(exist_ok=False)

    def add(self, line: str) -> None:
        """Append a line."""
        self._lines.append(line)
        if len(self._lines) >= MOST_LINES:
            self.flush()

    def flush(self) -> None:
        """Write the buffered lines. If that fails, the log ends with the last lines written completely."""
        if not self._lines or self._ended:
            return
        text = "".join(f"{line}\n" for line in self._lines)
        self._lines = []
        with storage_errors(self.path):
            size = self._beside.stat().st_size
            try:
                with self._beside.open("ab") as file:
                    file.write(text.encode())
            except OSError:
                with suppress(OSError):
                    os.truncate(self._beside, size)
                    self._place()
                raise

    def _place(self) -> None:
        self._ended = True
        self._beside.replace(self.path)

    def close(self) -> None:
        """Write the remaining lines and rename the log to its final name."""
        self.flush()
        if not self._ended:
            with storage_errors(self.path):
                self._place()

    def reveal(self, seed: int) -> None:
        """Write a secret seed over its placeholder in the head; a log that has been moved stays as it is."""
        with suppress(OSError), self.path.open("r+b") as file:
            place = file.read(_HEAD).find(HIDDEN.encode())
            if place >= 0:
                file.seek(place)
                file.write(str(seed).encode())


def head(
    name: str, game: str, hands: int, seed: int | str, response: float, hand: float, per_hand: float
) -> list[str]:
    """Return the comments at the start of a log; times are given in seconds."""
    return [
        f"# name/game/hands/seed {name} {game}.game {hands} {seed}",
        f"#--t_response {round(response * SECOND)}",
        f"#--t_hand {round(hand * SECOND)}",
        f"#--t_per_hand {round(per_hand * SECOND)}",
    ]
