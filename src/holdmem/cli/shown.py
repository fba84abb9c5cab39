"""Progress and results as people see them in the terminal."""

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table

    from holdmem.arena import Estimate, MatchResult, Tournament


@contextmanager
def shown_progress(title: str) -> "Iterator[Callable[..., None]]":
    """A bar with hands, rate and time left on stderr; nothing is shown where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from holdmem.cli.compiling import shown_compilation

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} hands"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with (
        shown_compilation(),
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        task = bar.add_task(title, total=None, rate="")

        def tell(done: int, of: int, what: str = title) -> None:
            speed = bar.tasks[0].speed
            bar.update(
                task,
                completed=done,
                total=of,
                description=what,
                rate=f"{speed:,.0f} hands/s" if speed else "",
            )

        yield tell


def print_match(result: "MatchResult") -> None:
    """A table of the agents with their intervals and style, and how sure it is."""
    from rich.console import Console

    design = result.design
    console = Console(highlight=False)
    console.print(match_table(result))
    over = (
        "matches" if design.sequential else "decks in all orders" if design.kind == "duplicate" else "rounds"
    )
    samples = result.estimates()[0].samples
    console.print(
        f"\n{result.hands:,} hands of {design.game.name}, {design.kind}, seed {design.seed};"
        f" interval over {samples:,} {over}; {verdict(result.estimates()[0], result.hands)}"
    )
    if design.luck:
        console.print()
        console.print(luck_table(result))
    for column in design.luck:
        console.print(_narrower(column, result), soft_wrap=True)
    console.print(f"[dim]result {result.hash}[/dim]")


def match_table(result: "MatchResult") -> "Table":
    """One line an agent."""
    from rich.table import Table

    design = result.design
    chips, _ = design.game.unit
    titles = ["agent", f"{result.estimates()[0].unit} (95%)", "mbb/h"]
    titles += ["VPIP", "PFR", "aggr.", "to showdown", "won there"]
    table = Table(*titles, box=None, pad_edge=False)
    for name, money, style in zip(design.agents, result.estimates(), result.styles(), strict=True):
        thousandths = money.mean * 1000 * chips / design.game.big_blind
        cells = [f"[bold]{name}[/bold]", _bare(money)]
        cells.append("–" if design.kind == "freeze-out" else f"{thousandths:+,.0f}")
        cells += [f"{style.vpip:.1%}", f"{style.pfr:.1%}", _number(style.aggression, ".2f")]
        cells += [_number(style.went_to_showdown, ".1%"), _number(style.won_at_showdown, ".1%")]
        table.add_row(*cells)
    return table


def luck_table(result: "MatchResult") -> "Table":
    """The money of each agent beside what is left of it without luck."""
    from rich.table import Column, Table

    columns = ["money", *result.design.luck]
    unit = f"{result.estimates()[0].unit} (95%)"
    table = Table(unit, *(Column(name, no_wrap=True) for name in columns), box=None, pad_edge=False)
    for i, name in enumerate(result.design.agents):
        table.add_row(f"[bold]{name}[/bold]", *(_bare(result.estimates(column)[i]) for column in columns))
    return table


def _bare(found: "Estimate") -> str:
    """A mean and its interval; the unit stands in the title."""
    return str(found).replace(f" {found.unit}", "")


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def verdict(found: "Estimate", hands: int) -> str:
    if found.significant is None:
        return "too few matches for an interval (five at least)"
    if found.significant:
        return "the difference is significant"
    needed = found.hands_needed(hands)
    more = f"; about {needed:,} hands in all would be needed if the mean is what it seems" if needed else ""
    return f"the difference is not significant{more}"


def _narrower(column: str, result: "MatchResult") -> str:
    """How much of the agents' variance a column is without, and whether its mean is that of the money."""
    money, other = (
        sum((found.standard_error or 0) ** 2 for found in result.estimates(name))
        for name in ("money", column)
    )
    if not money:
        return f"{column}: no variance to compare"
    note = "unbiased" if column == "adjusted" else "a heuristic, and biased: see docs/luck.md"
    if column == "divat" and not result.design.game.limit:
        note = "unbiased: in no-limit it is the adjusted result"
    change = f"removes {1 - other / money:.1%}" if other <= money else f"adds {other / money - 1:.1%}"
    return f"{column} {change} of the variance ({note})"


def print_tournament(found: "Tournament") -> None:
    """Cross table, rankings, failures."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    everybody = range(len(found.agents))
    if found.game.seats == 2:
        table = Table("", *[str(i + 1) for i in everybody], "mean", box=None, pad_edge=False)
        means = dict(found.bankroll())
        for one in everybody:
            cells = [_cell(found.cell(one, other), one == other) for other in everybody]
            table.add_row(f"{one + 1} [bold]{found.agents[one]}[/bold]", *cells, f"{means[one]:+.4f}")
        console.print(table)
        hands = {result.hands for result in found.results.values()}
        each = " or ".join(f"{count:,}" for count in sorted(hands))
        console.print(
            f"\n{found.game.unit[1]} of the agent on the left with 95% intervals; {each} hands a match"
        )
    for table_of, reason in found.failures.items():
        console.print(f"[red]failed[/red] {' against '.join(found.agents[i] for i in table_of)}: {reason}")
    console.print(
        "bankroll: " + ", ".join(f"{found.agents[agent]} {mean:+.4f}" for agent, mean in found.bankroll())
    )
    console.print("run-off:  " + ", ".join(found.agents[agent] for agent in found.runoff()))


def _cell(cell: "Estimate | None", own: bool) -> str:
    if cell is None:
        return "" if own else "failed"
    reach = "" if cell.low is None or cell.high is None else f" ± {(cell.high - cell.low) / 2:.3f}"
    return f"{cell.mean:+.3f}{reach}"
