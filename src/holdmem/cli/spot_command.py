"""`holdmem solve --spot`: solve one spot on the turn or river."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdmem.api.spot_solution import SpotDecision, SpotSolution

PLAYERS = ("first to act", "second to act")


def solve_and_show_spot(
    board: str,
    ranges: tuple[str, str],
    pot: float,
    stack: int | None,
    game: str | None,
    sizes: tuple[tuple[float, ...], tuple[float, ...], int],
    at: str,
    iterations: int | None,
    precision: float,
    html: Path | None,
    as_json: bool,
) -> None:
    """Solve a spot and print it."""
    from holdmem.api.spot import solve_spot
    from holdmem.cli.options import writable
    from holdmem.cli.warmup import shown_compilation
    from holdmem.engine import find_game

    if html is not None:
        writable(html)
    bets, raises, most = sizes
    limit = None
    if stack is None:
        rules = find_game(game or "limit")
        if rules.raise_sizes:
            limit, most = (rules.raise_sizes[2], rules.raise_sizes[3]), rules.max_raises[3]
    with shown_compilation():
        found = solve_spot(
            board, *ranges, pot=pot, stack=stack, bets=bets, raises=raises, most_raises=most, limit=limit,
            iterations=iterations, precision=precision,
        )  # fmt: skip
        decision = found.decision(at)
    if html is not None:
        from holdmem.plots.spot import spot_page

        spot_page(found, html)
    if as_json:
        print(json.dumps(found.as_json(at), indent=2))
    else:
        _show(found, decision)


def _show(found: "SpotSolution", decision: "SpotDecision") -> None:
    """Print the solution: both players, the actions at one decision, and a grid for each action."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    players = Table(box=None, pad_edge=False)
    for heading in (f"board {found.board}", "combinations", "equity", "wins of the pot"):
        players.add_column(heading, justify="left" if "board" in heading else "right")
    for name, one, equity, value in zip(PLAYERS, found.ranges, found.equities, found.values, strict=True):
        players.add_row(name, f"{one.combinations:g}", f"{equity:.1%}", f"{value:,.2f}")
    console.print(players)
    after = f" after {decision.betting}" if decision.betting else ""
    actions = Table(box=None, pad_edge=False)
    actions.add_column(f"{PLAYERS[decision.seat]}{after}")
    actions.add_column("frequency", justify="right")
    for action in decision.actions:
        actions.add_row(action.words, f"{action.frequency:.1%}")
    console.print()
    console.print(actions)
    for action in decision.actions:
        console.print(f"\n{action.words}, percent of each class in the range", markup=False)
        for row in decision.grid(action):
            console.print(row, markup=False, soft_wrap=True)
    console.print(
        f"\n[dim]a best response wins {found.exploitability:.3%} of the pot;"
        f" {found.iterations:,} iterations[/dim]"
    )
