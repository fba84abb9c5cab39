"""Read and write recorded hands in any supported format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import chain
from pathlib import Path

from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.history import Hands, read_hands
from holdmem.history import write_hands as write
from holdmem.history.formats import output_format
from holdmem.history.stats import PlayerStatistics, StatFilter, count_statistics

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


def stats(
    hands: HandsSource,
    *,
    by: str | Sequence[str] = "player",
    player: str | Sequence[str] = (),
    position: str | Sequence[str] = (),
    players: int | tuple[float, float] | None = None,
    stack: tuple[float, float] | None = None,
    street: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
    stakes: str | Sequence[str] = (),
) -> PlayerStatistics:
    """Count the statistics of the players in recorded hands, as trackers define them (docs/statistics.md).

    Parameters
    ----------
    hands : hands in memory, a reader of hands, or the paths of files to read.
    by : what to group by, one or several of player, position, players, stack and stakes.
    player : count only these players.
    position : count only these positions: SB, BB, UTG, UTG+1, …, LJ, HJ, CO, BTN.
    players : the number of players dealt in, or the smallest and largest.
    stack : smallest and largest effective stack, in big blinds.
    street : count only hands in which the player saw this street: flop, turn, river or showdown.
    since, until : first and last day, as dates or as text such as 2009-07-01.
    stakes : stakes in words, such as "no-limit $0.10/$0.25".

    Returns
    -------
    PlayerStatistics : iterate for one `StatLine` per group, or take `frame()`; `line.share("vpip")` has the
        share, its opportunities and its 95% interval.

    Raises
    ------
    NotationError : a group, position, street or day is unknown, or nothing could be read.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "always-raise", "always-call", folder=f"{folder}/hands", hands=20)
    ...     [(line.key["player"], line.share("pfr").value) for line in stats(played)]
    [('always-call', 0.0), ('always-raise', 1.0)]
    """
    only = StatFilter(
        player=_names(player),
        position=_names(position),
        players=(players, players) if isinstance(players, int) else players,
        stack=stack,
        street=street,
        since=_day(since),
        until=_day(until),
        stakes=_names(stakes),
    )
    return count_statistics(blocks_of(hands), _names(by), only)


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _day(day: date | str | None) -> date | None:
    if not isinstance(day, str):
        return day
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise NotationError(f"expected a day such as 2009-07-01, got {day!r}") from None


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
