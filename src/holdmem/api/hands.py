"""Read and write recorded hands in any supported format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO

from holdmem.core.atomic import atomic_file
from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.history import Hands, read_hands
from holdmem.history import write_hands as write_parquet
from holdmem.history.formats import acpc, phh_write, pokerstars_write

HandsSource = Hands | Iterable[Hands] | Path | str | Sequence[Path | str]
"""Hands in memory, blocks of hands such as a reader's, or the paths of files to read."""

Refused = Callable[[str, str], None]
"""Called with the place of a hand that a format cannot represent, and the reason."""

SUFFIXES = {
    ".log": "acpc",
    ".phh": "phh",
    ".phhs": "phh",
    ".txt": "pokerstars",
    ".parquet": "parquet",
    "": "parquet",
}
WRITABLE = ("acpc", "phh", "pokerstars", "parquet")


def write_hands(
    hands: HandsSource, path: Path | str, *, format: str | None = None, refused: Refused | None = None
) -> int:
    """Write hands to a new file or folder.

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    path : where to write; nothing may be there yet, and on failure nothing is left behind.
    format : acpc, phh, pokerstars or parquet; by default by the suffix: .log, .phh or .phhs, .txt, .parquet,
        and no suffix for a folder of Parquet files.
    refused : called with the place and reason of each hand that PokerStars text cannot represent.

    Returns
    -------
    int : the number of hands written.

    Raises
    ------
    NotationError : the format is unknown, or there are no hands that it can represent.
    OutputExists : the file or folder already exists.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "random", "always-call", folder=f"{folder}/hands", hands=20)
    ...     write_hands(played, f"{folder}/hands.phhs")
    20
    """
    target = Path(path)
    kind = format_of(target, format)
    blocks = _some(iter(blocks_of(hands)))
    if kind == "parquet":
        return write_parquet(blocks, target)
    with atomic_file(target, new=True) as beside:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            count = _write_text(kind, blocks, file, target, refused)
        if not count:
            raise NotationError(
                f"{target}: nothing was written because the {kind} format can represent none of the hands"
            )
    return count


def format_of(path: Path, format: str | None = None) -> str:
    """Return the name of the format in which hands are written to this path."""
    kind = format or SUFFIXES.get(path.suffix.lower())
    if kind not in WRITABLE:
        known = f"{', '.join(WRITABLE[:-1])} or {WRITABLE[-1]}"
        raise NotationError(f"expected a format of {known}, got {format or f'a target {path}'}")
    return kind


def _write_text(
    kind: str, blocks: Iterable[Hands], file: TextIO, target: Path, refused: Refused | None
) -> int:
    if kind == "acpc":
        return acpc.write(blocks, file)
    if kind == "phh":
        return phh_write.write(blocks, file, one=target.suffix == ".phh")
    return pokerstars_write.write(blocks, file, refused=refused)


def blocks_of(
    hands: HandsSource, *, format: str | None = None, game: Game | str | None = None
) -> Iterable[Hands]:
    """Return the hands as blocks; paths are opened for reading."""
    if isinstance(hands, Hands):
        return [hands]
    if isinstance(hands, str | Path):
        return read_hands(hands, format=format, game=game)
    if isinstance(hands, list | tuple) and hands and isinstance(hands[0], str | Path):
        return read_hands(hands, format=format, game=game)
    return hands  # type: ignore[return-value]


def _some(blocks: Iterator[Hands]) -> Iterator[Hands]:
    """Return the blocks unchanged; having none is an error, raised before anything is written."""
    first = next(blocks, None)
    if first is None:
        raise NotationError("no readable hands to write")
    return chain([first], blocks)
