"""Progress bars and results in the terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from holdmem.arena import Estimate, MatchResult, Style, StyleReport, Tournament
    from holdmem.arena.on_error import Replacements
    from holdmem.arena.ranking import Standing
    from holdmem.engine import Game


def print_match(result: "MatchResult", unit: str | None = None) -> None:
    """Print a table of the agents with their intervals and style, and the significance of the result."""
    from rich.console import Console

    design = result.design
    console = Console(highlight=False)
    console.print(match_table(result, unit))
    if design.luck:
        console.print(luck_table(result, unit))
    for name, counts in zip(design.agents, result.counts(), strict=True):
        if counts:
            console.print(counts_table(name, counts))
    for line in mended_lines([result]):
        console.print(line, markup=False, style="yellow")
    found = result.estimates()[0]
    about = f"{result.hands:,} hands of {design.game.name}, {design.kind}, seed {design.seed}"
    console.print(f"\n{about}; {_basis(result)}", markup=False)
    whose = "" if len(design.agents) == 2 else f"{design.agents[0]}: "
    console.print(whose + verdict(found, result.hands), markup=False)
    for column in design.luck:
        console.print(_narrower(column, result), markup=False)
    console.print(f"[dim]result {result.hash}[/dim]")


def mended_lines(results: "Iterable[MatchResult]") -> list[str]:
    """Return a warning for each agent whose decisions were mended, over all these matches."""
    total: dict[str, Replacements] = {}
    for result in results:
        for name, found in zip(result.design.agents, result.mended(), strict=True):
            total[name] = total[name] + found if name in total else found
    return [f"warning: {name}: {found}" for name, found in total.items() if found]


def _basis(result: "MatchResult") -> str:
    found = result.estimates()[0]
    over = (
        "matches"
        if result.plan.sequential
        else "decks in all orders"
        if result.design.kind == "duplicate"
        else "rounds of the button"
    )
    return f"{'no interval' if found.low is None else 'interval'} over {found.samples:,} {over}"


def counts_table(name: str, counts: dict[str, int]) -> "Table":
    """Return a table of an agent's counts in a match: for an ensemble, the hands played by each member."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(f"\ncounted by {escape(name)}", overflow="fold")
    table.add_column("\nhands", justify="right")
    table.add_column("\nshare", justify="right")
    total = max(sum(counts.values()), 1)
    for what, count in sorted(counts.items(), key=lambda entry: -entry[1]):
        table.add_row(escape(what), f"{count:,}", f"{count / total:.1%}")
    return table


def match_table(result: "MatchResult", unit: str | None = None) -> "Table":
    """Return a table with one line per agent, narrow enough for 80 columns."""
    from rich.markup import escape
    from rich.table import Table

    design = result.design
    rates = result.estimates(unit=unit)
    whole = design.kind == "freeze-out"
    thousandths = [] if whole else result.estimates(unit="mbb/h")
    table = Table(box=None, pad_edge=False)
    table.add_column("agent", overflow="fold")
    titles = [f"{rates[0].unit} (95%)", *(() if whole else ("mbb/h",)), "VPIP", "PFR", "AF", "WTSD", "W$SD"]
    for title in titles:
        table.add_column(title, no_wrap=True, justify="right")
    for i, (name, style) in enumerate(zip(design.agents, result.styles(), strict=True)):
        cells = [f"[bold]{escape(name)}[/bold]", bare(rates[i])]
        cells += [f"{one.mean:+,.0f}" for one in thousandths[i : i + 1]]
        table.add_row(*cells, *_style(style))
    return table


def print_portraits(found: "list[StyleReport]", game: "Game", against: str) -> None:
    """Print one line per agent: style, result and speed."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("agent", overflow="fold")
    rate = f"{found[0].result.unit} (95%)"
    for title in ("VPIP", "PFR", "AF", "WTSD", "W$SD", rate, "hands/s"):
        table.add_column(title, no_wrap=True, justify="right")
    for one in found:
        cells = [*_style(one.style), bare(one.result), f"{one.hands_a_second:,.0f}"]
        table.add_row(f"[bold]{escape(one.name)}[/bold]", *cells)
    console = Console(highlight=False)
    console.print(table)
    about = f"{found[0].hands:,} hands of {game.name} each, {game.seats} seats, all others {against}"
    console.print(f"\n{about}; hands per second of processor time on one core", markup=False)


def _style(style: "Style") -> list[str]:
    return [
        f"{style.vpip:.0%}",
        f"{style.pfr:.0%}",
        number(style.aggression, ".2f"),
        number(style.went_to_showdown, ".0%"),
        number(style.won_at_showdown, ".0%"),
    ]


def luck_table(result: "MatchResult", unit: str | None = None) -> "Table":
    """Return a table with one line per agent: its result by each of the requested luck adjustments."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("agent", overflow="fold")
    columns = [result.estimates(column, unit) for column in result.design.luck]
    for column, found in zip(result.design.luck, columns, strict=True):
        table.add_column(f"{column} {found[0].unit}", no_wrap=True, justify="right")
    for i, name in enumerate(result.design.agents):
        table.add_row(f"[bold]{escape(name)}[/bold]", *(bare(found[i]) for found in columns))
    return table


def bare(found: "Estimate") -> str:
    """Format a mean and its interval without the unit, which is in the title."""
    return f"{found.mean:+.4f}" if found.low is None else str(found).replace(f" {found.unit}", "")


def number(value: float | None, form: str) -> str:
    """Format a number; a dash for None."""
    return "–" if value is None else format(value, form)


def verdict(found: "Estimate", hands: int) -> str:
    """Say whether a mean differs significantly from zero and, if not, how many more hands that would take."""
    if found.significant is None:
        return "too few matches for an interval (at least five are needed)"
    if found.significant:
        return "the difference is significant"
    more = found.more_hands(hands)
    if more is None:
        return "there is no difference"
    return f"the difference is not significant; it would take about {more:,} more hands to show"


def _narrower(column: str, result: "MatchResult") -> str:
    """Say how much of the agents' variance a column removes, and whether it is unbiased."""
    money, other = (
        sum((found.standard_error or 0) ** 2 for found in result.estimates(name))
        for name in ("money", column)
    )
    if not money:
        return f"{column}: no variance to compare"
    note = "unbiased" if column in ("adjusted", "aivat") else "a heuristic, and biased: see docs/luck.md"
    if column == "divat" and not result.design.game.limit:
        note = "unbiased: in no-limit it is the adjusted result"
    change = f"removes {1 - other / money:.1%}" if other <= money else f"adds {other / money - 1:.1%}"
    return f"{column} {change} of the variance ({note})"


def print_tournament(found: "Tournament") -> None:
    """Print the cross table, the rankings and the failures."""
    from rich.console import Console

    from holdmem.core.statistics import FEWEST_MATCHES

    console = Console(highlight=False)
    if found.game.seats == 2:
        console.print(crosstable(found))
        hands = {result.hands for result in found.results.values()}
        each = " or ".join(f"{count:,}" for count in sorted(hands))
        how = f" without luck ({found.luck})" if found.luck else ""
        about = (
            f"{found.unit}{how} of the agent on the left with 95% intervals; {each or 'no'} hands per match"
        )
        console.print(f"\n{about}", markup=False)
    for table, reason in found.failures.items():
        names = " against ".join(found.agents[i] for i in table)
        console.print(f"failed: {names}: {reason}", markup=False, style="red")
    for line in mended_lines(found.results.values()):
        console.print(line, markup=False, style="yellow")
    console.print(ranking_table(f"bankroll, {found.unit}", found.bankroll_places(), found.agents))
    console.print(ranking_table(f"run-off, {found.unit}", found.runoff_places(), found.agents))
    if any(mean.low is None for means in found.estimates.values() for mean in means):
        console.print(f"no interval where fewer than {FEWEST_MATCHES} matches of learners were played")
    console.print(f"[dim]tournament {found.hash}[/dim]")


def ranking_table(title: str, places: "Sequence[Standing]", names: "Sequence[str]") -> "Table":
    """Return a ranking: per place the agent, its mean and the better places it is not distinguished from."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("\n", justify="right")
    table.add_column(f"\n{title}", overflow="fold")
    table.add_column("\nmean (95%)", justify="right", no_wrap=True)
    table.add_column("\nnot distinguished from")
    above: list[int] = []
    for place in places:
        level = [str(above.index(other) + 1) for other in place.level_with if other in above]
        above.append(place.agent)
        name = f"[bold]{escape(names[place.agent])}[/bold]"
        table.add_row(str(len(above)), name, _with_reach(place.mean), ", ".join(level))
    return table


def _with_reach(found: "Estimate | None") -> str:
    """Format a mean and its interval, with dashes for missing values."""
    if found is None:
        return "–"
    return f"{found.mean:+.4f} ± –" if found.low is None else bare(found)


def crosstable(found: "Tournament") -> "Table":
    """Return the cross table; its columns are numbered like its lines."""
    from rich.markup import escape
    from rich.table import Table

    everybody = range(len(found.agents))
    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    for title in (*(str(i + 1) for i in everybody), "mean"):
        table.add_column(title, no_wrap=True, justify="right")
    for one in everybody:
        cells = [_cell(found.cell(one, other), one == other) for other in everybody]
        name = f"{one + 1} [bold]{escape(found.agents[one])}[/bold]"
        table.add_row(name, *cells, _cell(found.overall(one), False))
    return table


def _cell(cell: "Estimate | None", own: bool) -> str:
    if cell is None:
        return "" if own else "failed"
    reach = "–" if cell.low is None or cell.high is None else f"{(cell.high - cell.low) / 2:.3f}"
    return f"{cell.mean:+.3f}\n± {reach}"  # on two lines, so that five agents fit in 80 columns
