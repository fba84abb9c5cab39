"""Read and write recorded hands in any supported format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.history import Hands, read_hands
from holdmem.history import write_hands as write
from holdmem.history.formats import output_format

HandsSource = Hands | Iterable[Hands] | Path | str | Sequence[Path | str]
"""Hands in memory, blocks of hands such as a reader's, or the paths of files to read."""

Refused = Callable[[str, str], None]
"""Called with the place of a hand that a format cannot represent, and the reason."""


def write_hands(
    hands: HandsSource, path: Path | str, *, format: str | None = None, refused: Refused | None = None
) -> int:
    """Write hands to a new file or folder.

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    path : where to write; nothing may be there yet, and on failure nothing is left behind.
    format : acpc, ohh, phh, pokerstars or parquet; by default by the suffix: .log, .ohh, .phh or .phhs, .txt,
        .parquet, and no suffix for a folder of Parquet files.
    refused : called with the place and reason of each hand that the format cannot represent.

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
    output_format(Path(path), format)  # before anything is read
    return write(_some(iter(blocks_of(hands))), path, format, refused=refused)


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
