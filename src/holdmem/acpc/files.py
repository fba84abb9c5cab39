"""Logs that grow as hands end, written beside their place and renamed when the match is over."""

from contextlib import suppress
from pathlib import Path

MOST_LINES = 64
HIDDEN = "secret-until-the-last-seating-has-ended"
"""Stands in a log for a secret seed, and has as many letters as such a seed has digits."""

_HEAD = 4096


class LogFile:
    """Keeps some lines and no open file, so that hundreds of matches at once need few of the latter."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._beside = path.with_name(path.name + ".part")
        self._lines: list[str] = []
        self._beside.write_text("", encoding="utf-8")

    def add(self, line: str) -> None:
        """One more line."""
        self._lines.append(line)
        if len(self._lines) >= MOST_LINES:
            self.flush()

    def flush(self) -> None:
        """Write what is kept."""
        if self._lines:
            text = "".join(f"{line}\n" for line in self._lines)
            self._lines = []
            with self._beside.open("a", encoding="utf-8") as file:
                file.write(text)

    def close(self) -> None:
        """The match is over."""
        self.flush()
        self._beside.replace(self.path)

    def reveal(self, seed: int) -> None:
        """Write a secret seed where the head hides it; a log that somebody has moved stays as it is."""
        with suppress(OSError), self.path.open("r+b") as file:
            place = file.read(_HEAD).find(HIDDEN.encode())
            if place >= 0:
                file.seek(place)
                file.write(str(seed).encode())
