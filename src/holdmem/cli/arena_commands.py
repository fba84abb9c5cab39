"""`holdmem match`, `tournament`, `styles` and `check`: play, compare and test agents."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdmem.cli.options import (
    ClusterOption,
    GameOption,
    HandsOption,
    JsonOption,
    KindOption,
    LedgerOption,
    LevelHandsOption,
    LuckOption,
    MatchesOption,
    MemoryOption,
    NoLedgerOption,
    OnErrorOption,
    RankingLuckOption,
    SecretSeedOption,
    SeedOption,
    StackOption,
    TimeLimitOption,
    UnitOption,
    WorkersOption,
    chosen_game,
    chosen_ledger,
    writable,
)
from holdmem.cli.progress import progress_bar
from holdmem.cli.render import print_match, print_portraits, print_tournament

if TYPE_CHECKING:
    from holdmem.arena import Tournament


def match(
    agents: Annotated[list[str], typer.Argument(help="Two or more agents, as listed by 'holdmem agents'.")],
    game: GameOption = "limit",
    hands: HandsOption = 3000,
    matches: MatchesOption = 1,
    kind: KindOption = "duplicate",
    memory: MemoryOption = "wiped",
    seed: SecretSeedOption = 0,
    luck: LuckOption = None,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    ledger: LedgerOption = None,
    no_ledger: NoLedgerOption = False,
    time_limit: TimeLimitOption = 0.0,
    on_error: OnErrorOption = "stop",
    level_hands: LevelHandsOption = 50,
    stack: StackOption = None,
    unit: UnitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play agents against each other and report who wins how much, with confidence intervals.

    By default the same cards are replayed with the players in other seats; --hands counts per seating order.
    An interrupted run continues where it stopped. Examples:

    [bold]holdmem match random always-call --hands 20000 --seed 7[/bold]

    [bold]holdmem match random always-raise --kind freeze-out --game nolimit --matches 100[/bold]
    """
    from holdmem.api import play as api
    from holdmem.arena.result import chips_of

    api.expect_opponents(agents)
    chosen = chosen_game(game, len(agents), stack)
    if unit is not None:
        chips_of(unit, chosen)
    with progress_bar(" against ".join(agents)) as progress:
        result = api.match(
            chosen,
            *agents,
            hands=hands,
            matches=matches,
            kind=kind,
            memory=memory,
            seed=seed,
            luck=luck or (),
            level_hands=level_hands,
            time_limit=time_limit,
            on_error=on_error,
            ledger=chosen_ledger(ledger, no_ledger),
            workers=workers,
            on=on,
            progress=progress,
        )
    if as_json:
        print(json.dumps(result.as_json(unit), indent=2))
    else:
        print_match(result, unit)


def tournament(
    agents: Annotated[list[str], typer.Argument(help="At least as many agents as the game has seats.")],
    game: GameOption = "limit",
    seats: Annotated[int | None, typer.Option(help="Seats per table, instead of the game's.")] = None,
    hands: HandsOption = 3000,
    matches: MatchesOption = 1,
    memory: MemoryOption = "wiped",
    seed: SecretSeedOption = 0,
    luck: RankingLuckOption = None,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    ledger: LedgerOption = None,
    no_ledger: NoLedgerOption = False,
    time_limit: TimeLimitOption = 0.0,
    on_error: OnErrorOption = "stop",
    stack: StackOption = None,
    png: Annotated[Path | None, typer.Option(help="Write the cross table as a PNG.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report as a single HTML file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a round robin: cross table, bankroll winner and run-off winner.

    A match that fails does not stop the others; the command then exits with 1. Example:

    [bold]holdmem tournament random always-call always-raise --hands 10000 --html report.html[/bold]
    """
    from holdmem.api import play as api
    from holdmem.core.errors import GameError
    from holdmem.core.extras import require

    chosen = chosen_game(game, seats, stack)
    if png is not None and chosen.seats != 2:
        raise GameError(f"{chosen.name}: a cross table needs a heads-up game, got {chosen.seats} seats")
    if png is not None:
        require("plots", "--png")
    for path in filter(None, (png, html)):
        writable(path)
    with progress_bar(f"{len(agents)} agents") as progress:
        found = api.tournament(
            chosen,
            *agents,
            hands=hands,
            matches=matches,
            memory=memory,
            seed=seed,
            luck=luck,
            time_limit=time_limit,
            on_error=on_error,
            ledger=chosen_ledger(ledger, no_ledger),
            workers=workers,
            on=on,
            progress=progress,
        )
    write_reports(found, png, html)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        print_tournament(found)
        if seed == "secret":
            print(f"seed {found.seed}, secret until now")
    if found.failures:
        raise typer.Exit(1)


def styles(
    agents: Annotated[list[str], typer.Argument(help="One or more agents, as listed by 'holdmem agents'.")],
    against: Annotated[str, typer.Option(help="The agent in all other seats.")] = "dpp",
    game: GameOption = "limit",
    seats: Annotated[int | None, typer.Option(help="Number of seats, instead of the game's.")] = None,
    hands: HandsOption = 1000,
    matches: MatchesOption = 20,
    seed: SeedOption = 0,
    stack: StackOption = None,
    as_json: JsonOption = False,
) -> None:
    """Profile the playing style of agents, each against the same opponents on the same cards.

    Shows how loose or tight, passive or aggressive they are, and how fast they decide. Example:

    [bold]holdmem styles simplebot jagbot dpp --against always-call[/bold]
    """
    from holdmem.arena import style_reports

    chosen = chosen_game(game, seats, stack)
    with progress_bar(f"{len(agents)} agents against {against}") as progress:
        found = list(
            style_reports(chosen, agents, against, hands=hands, matches=matches, seed=seed, progress=progress)
        )
    if as_json:
        print(json.dumps([one.as_json() for one in found], indent=2))
    else:
        print_portraits(found, chosen, against)


def check(
    agent: Annotated[str, typer.Argument(help="An agent, or a class or @bot in a file: ./mybot.py:MyBot")],
    game: Annotated[list[str] | None, typer.Option(help="Check in this game only; may be repeated.")] = None,
    seed: SecretSeedOption = "secret",
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds per check; 0 for no limit.")] = 120.0,
    as_json: JsonOption = False,
) -> None:
    """Check that an agent is legal, repeatable, blind to hidden cards, picklable and independent of batching.

    Exits with 1 if a check fails. Example: [bold]holdmem check ./mybot.py:MyBot[/bold]
    """
    from dataclasses import asdict

    from rich.console import Console
    from rich.markup import escape

    from holdmem.agent import make_agent
    from holdmem.arena import check_agent
    from holdmem.cli.warmup import shown_compilation
    from holdmem.engine import find_game

    games = [find_game(name) for name in game] if game else None
    with shown_compilation():
        found = check_agent(make_agent(agent), games, seed, time_limit)
    if as_json:
        print(json.dumps(asdict(found), indent=2))
    else:
        console = Console(highlight=False)
        for manner in found.checked:
            mark = "[red]no[/red] " if manner.problem else "[green]yes[/green]"
            problem = f": {manner.problem}" if manner.problem else ""
            console.print(f"{mark}  {escape(manner.name + problem)}")
        for title, reason in found.declined:
            console.print(f"[dim]–    does not sit in {escape(f'{title}: {reason}')}[/dim]")
        passed = len(found.checked) - len(found.problems)
        console.print(f"\n{passed} of {len(found.checked)} checks passed; seed {found.seed}", soft_wrap=True)
    if found.problems:
        raise typer.Exit(1)


def write_reports(found: "Tournament", png: Path | None, html: Path | None) -> None:
    """Write the cross table as a PNG and the report as HTML, where a path is given."""
    if png is None and html is None:
        return
    from holdmem.plots import heat_map, html_report

    if png is not None:
        heat_map(found, png)
        print(f"wrote {png}", file=sys.stderr)
    if html is not None:
        html_report(found, html)
        print(f"wrote {html}", file=sys.stderr)
