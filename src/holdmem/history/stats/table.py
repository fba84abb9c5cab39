"""Statistics of any number of hands by player, position, number of players, stack or stakes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.core.display import html_table
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints
from holdmem.history.hands import Hands
from holdmem.history.stats.count import SeatHands, count_hands
from holdmem.history.stats.definitions import STATISTICS
from holdmem.history.stats.filters import StatFilter
from holdmem.history.stats.groups import DIMENSIONS, ORDERED
from holdmem.history.stats.line import Money, Stake, StakeResult, StatLine, stake_of

if TYPE_CHECKING:
    import polars as pl

Label = tuple[str | int, ...]

SHOWN = ("vpip", "pfr", "three_bet", "cbet_flop", "afq", "wtsd", "wsd", "wwsf")
"""Statistics shown in a notebook."""


@dataclass
class PlayerStatistics:
    """Statistics as trackers define them, one line per group; memory grows with the groups, not the hands.

    Parameters
    ----------
    by : what to group by: any of player, position, players, stack and stakes; nothing for one line.
    only : which seats and hands to count.

    Raises
    ------
    NotationError : a group is unknown.
    """

    by: Sequence[str] = ("player",)
    only: StatFilter = field(default_factory=StatFilter)
    _lines: dict[Label, StatLine] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in self.by:
            if name not in DIMENSIONS:
                raise NotationError(f"expected groups by {', '.join(DIMENSIONS)}, got {name!r}")

    def add(self, hands: Hands) -> None:
        """Add a block of playable hands."""
        self.add_counted(count_hands(hands))

    def add_counted(self, seats: SeatHands) -> None:
        """Add hands that `count_hands` has counted."""
        kept = np.flatnonzero(self.only.keeps(seats))
        if len(kept):
            self._add(seats, kept)

    def _add(self, seats: SeatHands, kept: Ints) -> None:
        """Add the chosen rows: sorted by group and stake, then summed run by run."""
        coded = [DIMENSIONS[name](seats) for name in self.by]
        stakes = list(dict.fromkeys(stake_of(one.game) for one in seats.hands.terms))
        code = np.array([stakes.index(stake_of(one.game)) for one in seats.hands.terms], dtype=np.int64)
        staked = code[seats.hands.rows["terms"]][seats.hand]
        keys = np.stack([*(one.codes for one in coded), staked], axis=1)[kept]
        order = np.lexsort(keys.T[::-1])
        kept, keys = kept[order], keys[order]
        starts = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1)))
        sums = np.add.reduceat(seats.counts[kept].astype(np.int64), starts, axis=0)
        for key, counts, rows in zip(keys[starts].tolist(), sums, np.split(kept, starts[1:]), strict=True):
            line = self._line(tuple(one.labels[code] for one, code in zip(coded, key[:-1], strict=True)))
            line.counts += counts
            scored = rows[seats.known[rows]]
            if len(scored):
                _earn(line, stakes[key[-1]], seats.net[scored], seats.adjusted[scored])

    def _line(self, label: Label) -> StatLine:
        if label not in self._lines:
            self._lines[label] = StatLine(dict(zip(self.by, label, strict=True)))
        return self._lines[label]

    def merge(self, other: "PlayerStatistics") -> None:
        """Add the counts of other hands, grouped in the same way."""
        if list(self.by) != list(other.by):
            raise NotationError(f"expected statistics by {', '.join(self.by)}, got by {', '.join(other.by)}")
        for label, theirs in other._lines.items():
            line = self._line(label)
            line.counts += theirs.counts
            _merge(line.money, theirs.money)
            _merge(line.adjusted, theirs.adjusted)

    def lines(self) -> list[StatLine]:
        """Return the lines: players and stakes with the most hands first, the rest in their usual order."""
        totals = [Counter[str | int]() for _ in self.by]
        for label, line in self._lines.items():
            for total, name in zip(totals, label, strict=True):
                total[name] += line.hands

        def place(label: Label) -> list[tuple[int, str]]:
            ranked = zip(self.by, label, totals, strict=True)
            return [
                (ORDERED[by].index(name), "") if by in ORDERED else (-total[name], str(name))
                for by, name, total in ranked
            ]

        return [self._lines[label] for label in sorted(self._lines, key=place)]

    def __iter__(self) -> Iterator[StatLine]:
        return iter(self.lines())

    def __len__(self) -> int:
        return len(self._lines)

    def __repr__(self) -> str:
        hands = sum(line.hands for line in self._lines.values())
        groups = ", ".join(self.by) or "nothing"
        return f"PlayerStatistics(by {groups}: {len(self):,} lines, {hands:,} seats dealt in)"

    def _repr_html_(self) -> str:
        titles = (*self.by, "hands", *(STATISTICS[name].title for name in SHOWN))
        rows = [
            (*line.key.values(), line.hands, *(_percent(line.share(name).value) for name in SHOWN))
            for line in self.lines()[:20]
        ]
        return html_table(titles, rows, repr(self))

    def as_json(self) -> list[dict[str, Any]]:
        """Return the lines as JSON values."""
        return [line.as_json() for line in self.lines()]

    def frame(self) -> "pl.DataFrame":
        """Return a polars data frame, one row per line.

        After the groups and `hands` come four columns per statistic: `vpip`, `vpip_low`, `vpip_high` (the 95%
        interval) and `vpip_n` (its opportunities), then `bb_per_100` and `all_in_adjusted` with intervals,
        `all_ins` and `all_ins_adjusted`: how many there were, and in how many all cards are known.
        """
        import polars as pl  # noqa: PLC0415

        whole = {"hands", "players", "all_ins", "all_ins_adjusted", "unseen", "unknown_results"}
        whole |= {f"{name}_n" for name in STATISTICS}
        columns = list(_row(StatLine(dict.fromkeys(self.by, ""))))
        schema = {
            name: pl.Int64 if name in whole else pl.String if name in self.by else pl.Float64
            for name in columns
        }
        return pl.DataFrame([_row(line) for line in self.lines()], schema=schema)


def count_statistics(
    blocks: Iterable[Hands], by: Sequence[str] = ("player",), only: StatFilter | None = None
) -> PlayerStatistics:
    """Count all hands of these blocks."""
    found = PlayerStatistics(by, only or StatFilter())
    for block in blocks:
        found.add(block)
    return found


def _earn(line: StatLine, stake: Stake, net: Ints, adjusted: Ints) -> None:
    found = StakeResult.of(net.tolist())
    _merge(line.money, {stake: found})
    same = (net == adjusted).all()  # mostly, and then nothing is summed twice
    _merge(line.adjusted, {stake: found if same else StakeResult.of(adjusted.tolist())})


def _merge(mine: Money, theirs: Money) -> None:
    for stake, more in theirs.items():
        mine[stake] = mine.get(stake, StakeResult()) + more


def _row(line: StatLine) -> dict[str, Any]:
    row: dict[str, Any] = {**line.key, "hands": line.hands}
    for name in STATISTICS:
        found = line.share(name)
        row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        row[f"{name}_n"] = found.opportunities
    for name, rate in (("bb_per_100", line.bb_per_100()), ("all_in_adjusted", line.all_in_adjusted())):
        ends = (None, None, None) if rate is None else (rate.mean, rate.low, rate.high)
        row |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
    row |= {"all_ins": line.count("all_ins"), "all_ins_adjusted": line.count("adjusted")}
    return row | {"unseen": line.count("unseen"), "unknown_results": line.count("unscored")}


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
