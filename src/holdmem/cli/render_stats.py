"""Print statistics of players in the terminal: in full, as columns side by side, or one line each."""

from typing import TYPE_CHECKING

from holdmem.cli.render import number

if TYPE_CHECKING:
    from rich.table import Table

    from holdmem.core.statistics import Estimate, Share
    from holdmem.history.stats import PlayerStatistics, StatLine

MOST_COLUMNS = 11
"""Groups printed side by side; more are printed as lines."""

IN_LINES = {
    "vpip": "VPIP",
    "pfr": "PFR",
    "three_bet": "3B",
    "af": "AF",
    "wtsd": "WTSD",
    "wsd": "W$SD",
    "wwsf": "WWSF",
}
"""Statistics that fit into a line of 80 characters, with their titles."""


def print_statistics(found: "PlayerStatistics", top: int) -> None:
    """Print one line in full, few groups side by side, and everything else line by line."""
    from rich.console import Console

    lines, console = found.lines(), Console(highlight=False)
    if len(lines) == 1:
        console.print(_in_full(lines[0]))
    elif "player" not in found.by and len(lines) <= MOST_COLUMNS:
        console.print(_side_by_side(lines))
    else:
        console.print(_line_by_line(lines[:top] if top else lines))
        if 0 < top < len(lines):
            what = "players" if list(found.by) == ["player"] else "lines"
            console.print(f"and {len(lines) - top:,} more {what} (--top 0 shows all)")
    unknown = sum(line.count("unscored") for line in lines)
    if unknown:
        console.print(f"[dim]{unknown:,} unknown results of players are not included in the winnings[/dim]")
    all_ins, adjusted = (sum(line.count(name) for line in lines) for name in ("all_ins", "adjusted"))
    if adjusted < all_ins:
        console.print(
            f"[dim]all-in adjusted where all cards are known, for {adjusted:,} of {all_ins:,} players in one:"
            " biased if losers muck[/dim]"
        )


def _table(titles: list[str], first: int = 1) -> "Table":
    """Return a table whose first columns are text and whose others are numbers."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        if place < first:
            table.add_column(title, overflow="fold", min_width=8)
        else:
            table.add_column(title, no_wrap=True, justify="right")
    return table


def _in_full(line: "StatLine") -> "Table":
    from holdmem.history.stats import STATISTICS

    table = _table([_name(line), "value", "95% interval", "made", "of"])
    table.add_row("hands", f"{line.hands:,}", "", "", "")
    for title, rate in (("bb/100", line.bb_per_100()), ("bb/100, all-in adjusted", line.all_in_adjusted())):
        if rate is not None:
            ends = "–" if rate.low is None else f"{rate.low:+.1f} to {rate.high:+.1f}"
            table.add_row(title, f"{rate.mean:+.1f}", ends, "", f"{rate.samples:,}")
    table.add_row("all-ins adjusted", "", "", f"{line.count('adjusted'):,}", f"{line.count('all_ins'):,}")
    for name, statistic in STATISTICS.items():
        found = line.share(name)
        table.add_row(
            statistic.title,
            _value(name, found),
            _ends(name, found),
            f"{found.made:,}",
            f"{found.opportunities:,}",
        )
    table.add_row("hole cards unseen", f"{line.count('unseen') / line.hands:.0%}", "", "", "")
    return table


def _side_by_side(lines: list["StatLine"]) -> "Table":
    from holdmem.history.stats import STATISTICS

    table = _table(["", *map(_name, lines)])
    table.add_row("hands", *(f"{line.hands:,}" for line in lines))
    rates = [line.bb_per_100() for line in lines]
    table.add_row("bb/100", *(_mean(rate) for rate in rates))
    table.add_row("  95% ±", *(_reach(rate) for rate in rates))
    table.add_row("  all-in adjusted", *(_mean(line.all_in_adjusted()) for line in lines))
    table.add_row("  all-ins adjusted", *(f"{line.count('adjusted'):,}" for line in lines))
    table.add_row("  of", *(f"{line.count('all_ins'):,}" for line in lines))
    for name, statistic in STATISTICS.items():
        table.add_row(statistic.title, *(_value(name, line.share(name)) for line in lines))
    return table


def _line_by_line(lines: list["StatLine"]) -> "Table":
    from rich.markup import escape

    groups = list(lines[0].key)
    titles = ["hands", "bb/100", "95% ±", "adj.", *IN_LINES.values()]
    table = _table([*groups, *titles], first=len(groups))
    for line in lines:
        rate = line.bb_per_100()
        table.add_row(
            *(f"[bold]{escape(str(value))}[/bold]" for value in line.key.values()),
            f"{line.hands:,}",
            *(_mean(rate), _reach(rate), _mean(line.all_in_adjusted())),
            *(_value(name, line.share(name)) for name in IN_LINES),
        )
    return table


def _name(line: "StatLine") -> str:
    from rich.markup import escape

    return escape(", ".join(map(str, line.key.values())))


def _mean(rate: "Estimate | None") -> str:
    return "–" if rate is None else f"{rate.mean:+,.1f}"


def _reach(rate: "Estimate | None") -> str:
    return (
        "–" if rate is None or rate.low is None or rate.high is None else f"{(rate.high - rate.low) / 2:,.1f}"
    )


def _value(name: str, found: "Share") -> str:
    return number(found.value, ".2f" if name == "af" else ".0%")


def _ends(name: str, found: "Share") -> str:
    if found.low is None:
        return "–"
    form = ".2f" if name == "af" else ".0%"
    return f"{found.low:{form}} to {'any' if found.high is None else format(found.high, form)}"
