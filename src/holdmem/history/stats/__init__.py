"""Statistics of the players in recorded hands, as trackers define them (docs/statistics.md)."""

from holdmem.history.stats.count import SeatHands, count_hands
from holdmem.history.stats.definitions import STATISTICS, Statistic
from holdmem.history.stats.filters import StatFilter
from holdmem.history.stats.groups import DIMENSIONS, STACKS
from holdmem.history.stats.line import StatLine
from holdmem.history.stats.positions import POSITIONS, positions_of
from holdmem.history.stats.table import PlayerStatistics, count_statistics

__all__ = [
    "DIMENSIONS",
    "POSITIONS",
    "STACKS",
    "STATISTICS",
    "PlayerStatistics",
    "SeatHands",
    "StatFilter",
    "StatLine",
    "Statistic",
    "count_hands",
    "count_statistics",
    "positions_of",
]
