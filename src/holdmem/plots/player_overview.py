"""A player's hands at a glance in a report: winnings with their band, statistics, results by position."""

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from holdmem.core.statistics import Share, estimate
from holdmem.core.types import Floats
from holdmem.engine import PARTS
from holdmem.history import Hands
from holdmem.history.stats import STATISTICS, SeatHands, StatFilter, StatLine, count_hands
from holdmem.history.stats.table import PlayerStatistics
from holdmem.plots.page import row, wide

WIDTH, HEIGHT, LEFT, BOTTOM = 900, 260, 60, 24
MOST_POINTS = 120
FEWEST = 30
"""Hands from which there is a band."""
BY_POSITION = ("vpip", "pfr", "three_bet")


def overview(hands: Hands, player: str) -> str:
    """Return the winnings, statistics and results by position of a player."""
    seats = count_hands(hands)
    positions = _lines(seats, ("position",), player)
    whole = _lines(seats, (), player)[0]
    return winnings(seats, player) + by_position(positions) + statistics(whole)


def _lines(seats: SeatHands, by: tuple[str, ...], player: str) -> list[StatLine]:
    found = PlayerStatistics(by, StatFilter(player=(player,)))
    found.add_counted(seats)
    return found.lines()


def winnings(seats: SeatHands, player: str) -> str:
    """Return the winnings over the hands in big blinds as a plot, with a 95% band and all-ins adjusted."""
    mine = np.flatnonzero(StatFilter(player=(player,)).keeps(seats) & seats.known)
    mine = mine[np.argsort(seats.hands.rows["time"][seats.hand[mine]], kind="stable")]
    if len(mine) < 2:
        return ""
    blinds = np.array([terms.game.big_blind for terms in seats.hands.terms], dtype=np.int64)
    unit = PARTS * blinds[seats.hands.rows["terms"][seats.hand[mine]]]
    won, adjusted = seats.net[mine] / unit, seats.adjusted[mine] / unit
    counts = np.unique(np.linspace(0, len(mine), MOST_POINTS + 1).astype(np.int64))
    lines = [np.concatenate([[0.0], np.cumsum(one)])[counts] for one in (won, adjusted)]
    band = list(_band(won, counts.tolist()))
    return "<h2>Winnings</h2>" + _plot(counts.tolist(), [line.tolist() for line in lines], band)


def _band(won: Floats, counts: Sequence[int]) -> Iterator[tuple[int, float, float]]:
    """Yield the 95% interval of the total after each number of hands: n times that of the rate."""
    whole = np.round(won * 100).astype(np.int64)
    for count in counts:
        if count >= FEWEST:
            some = whole[:count]
            found = estimate(count, int(some.sum()), int((some * some).sum()), 0.01, "bb")
            yield count, count * (found.low or 0.0), count * (found.high or 0.0)


def _plot(
    counts: Sequence[int], lines: Sequence[Sequence[float]], band: Sequence[tuple[int, float, float]]
) -> str:
    ends = [0.0, *(value for line in lines for value in line), *(end for one in band for end in one[1:])]
    low, high, last = min(ends), max(ends), counts[-1]

    def at(count: float, value: float) -> str:
        x = LEFT + count / last * (WIDTH - LEFT - 10)
        return f"{x:.1f},{10 + (high - value) / max(high - low, 1e-9) * (HEIGHT - BOTTOM - 10):.1f}"

    zero = at(0, 0.0).split(",")[1]
    edge = [at(count, one) for count, one, _ in band] + [at(count, one) for count, _, one in reversed(band)]
    parts = [f"<line class='axis' x1='{LEFT}' x2='{WIDTH}' y1='{zero}' y2='{zero}'/>"]
    parts.append(f"<polygon class='band' points='{' '.join(edge)}'/>")
    for kind, line in zip(("won", "adjusted"), lines, strict=True):
        path = " ".join(at(count, value) for count, value in zip(counts, line, strict=True))
        parts.append(f"<polyline class='{kind}' points='{path}'/>")
    for value in {round(low), 0, round(high)}:
        said = f"{value:+,} bb" if value else "0"
        parts.append(f"<text x='0' y='{float(at(0, value).split(',')[1]) + 4:.1f}'>{said}</text>")
    parts.append(f"<text x='{WIDTH}' y='{HEIGHT - 4}' text-anchor='end'>{last:,} hands</text>")
    label = f"winnings in big blinds over {last:,} hands"
    head = f"viewBox='0 0 {WIDTH} {HEIGHT}' width='100%' role='img' aria-label='{label}'"
    legend = "Solid: won, with a 95% band. Dashed: all-ins adjusted, where all cards are known."
    plot = wide(f"<svg {head}>{''.join(parts)}</svg>", "Winnings")
    return f"{plot}<p><small>{legend}</small></p>"


def by_position(lines: Sequence[StatLine]) -> str:
    """Return hands, rate and a few statistics by position."""
    titles = [STATISTICS[name].title for name in BY_POSITION]
    rows = [row(["position", "hands", "bb/100", *titles], "th")]
    for line in lines:
        rate = line.bb_per_100()
        shares = [_share(line.share(name)) for name in BY_POSITION]
        said = "not known" if rate is None else f"{rate.mean:+.1f}{_reach(rate.low, rate.high)}"
        said = said.replace("-", "−")
        rows.append(row([escape(str(line.key["position"])), f"{line.hands:,}", said, *shares]))
    return "<h2>By position</h2>" + wide(f"<table>{''.join(rows)}</table>", "Results by position")


def statistics(line: StatLine) -> str:
    """Return all tracker statistics with their intervals."""
    rows = [row(["statistic", "share", "opportunities"], "th")]
    for name, one in STATISTICS.items():
        found = line.share(name)
        if found.opportunities:
            share = f"{found.value:.1f}" if one.as_odds and found.value is not None else _share(found)
            rows.append(row([escape(one.title), share, f"{found.opportunities:,}"]))
    return "<h2>Statistics</h2>" + wide(f"<table>{''.join(rows)}</table>", "Statistics")


def _share(found: Share) -> str:
    if found.value is None:
        return "–"
    ends = "" if found.low is None or found.high is None else f"{found.low:.0%} to {found.high:.0%}"
    return f"{found.value:.0%}<small>{ends}</small>"


def _reach(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ± {(high - low) / 2:.1f}"
