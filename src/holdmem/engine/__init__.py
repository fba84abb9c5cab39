"""Rules of the game: `Game`, `.game` files, and `Batch`, which plays many hands at once."""

from holdmem.engine.batch import Batch, Legal
from holdmem.engine.game import Game
from holdmem.engine.game_file import (
    BUILT_IN,
    as_game,
    find_game,
    format_game,
    parse_game,
    read_game,
    write_game,
)
from holdmem.engine.state import CALL, FOLD, PARTS, SEATS, STREET_NAMES, UNLIMITED

__all__ = [
    "BUILT_IN",
    "CALL",
    "FOLD",
    "PARTS",
    "SEATS",
    "STREET_NAMES",
    "UNLIMITED",
    "Batch",
    "Game",
    "Legal",
    "as_game",
    "find_game",
    "format_game",
    "parse_game",
    "read_game",
    "write_game",
]
