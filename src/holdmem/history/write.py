"""Write hands in any format that can be written."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from holdmem.history.formats import WriteOptions, output_format
from holdmem.history.hands import Hands


def write_hands(
    hands: Hands | Iterable[Hands],
    path: Path | str,
    format: str | None = None,
    *,
    about: Mapping[str, Any] | None = None,
    refused: Callable[[str, str], None] | None = None,
) -> int:
    """Write hands to a new file or folder; on failure nothing is left behind.

    Parameters
    ----------
    hands : one block of hands, or any number of them, which are written one after another.
    path : the target, which must not exist.
    format : "acpc", "ohh", "parquet", "phh" or "pokerstars"; by default according to the suffix of `path`:
        .log, .ohh, .parquet or none (a folder of Parquet files), .phh (one hand) or .phhs, .txt.
    about : JSON values for the header of a Parquet folder.
    refused : called with the location and the reason for each hand that PokerStars text or Open Hand History
        cannot represent; without it, such a hand raises NotationError.

    Returns
    -------
    The number of hands written.
    """
    path = Path(path)
    blocks = [hands] if isinstance(hands, Hands) else hands
    options = WriteOptions(refused=refused, about=about or {})
    return output_format(path, format).write(blocks, path, options)
