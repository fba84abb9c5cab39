"""`holdmem train` and `holdmem knowledge`: train learning agents and inspect what they have learned."""

import json
import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import JsonOption, SeedOption, StackOption, writable
from holdmem.cli.progress import progress_bar
from holdmem.core.choices import ValueTableAxis

if TYPE_CHECKING:
    from holdmem.engine import Game
    from holdmem.learning.training_runs import TrainingReport
    from holdmem.players.learners.value_table import ValueTable


def train(
    agent: Annotated[
        str, typer.Argument(help="action-learner or outcome-learner, optionally with parameters.")
    ],
    against: Annotated[list[str], typer.Option(help="An opponent; repeat for each other seat.")],
    hands: Annotated[int, typer.Option(min=1, help="Hands per seating order.")] = 10_000,
    swapped: Annotated[
        bool, typer.Option("--swapped/--one-order", help="Replay the same cards in every seating order.")
    ] = True,
    matches: Annotated[
        int, typer.Option(min=1, help="Independent runs, each with new cards and starting from scratch.")
    ] = 1,
    game: Annotated[
        str, typer.Option("--game", help="nolimit (100 big blinds), limit, a built-in game or a .game file.")
    ] = "nolimit",
    stack: StackOption = None,
    seed: SeedOption = 0,
    save: Annotated[
        Path | None, typer.Option(help="Write what the first match learned to this file.")
    ] = None,
    every: Annotated[float, typer.Option(min=0, help="Seconds between checkpoints.")] = 20.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from the checkpoint of --save, if it exists.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Plot the moving average over 1,000 hands as a PNG.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train a learning agent and save what it learns.

    Knowledge carries over from one seating order to the next. --resume continues from the checkpoint next
    to the file and gives the same result as an uninterrupted run. Examples:

    [bold]holdmem train action-learner --against simplebot --hands 20000 --save mine.knowledge[/bold]

    [bold]holdmem match action-learner:knowledge=mine.knowledge,learning=off simplebot --game nolimit[/bold]
    """
    from holdmem.api import train as api
    from holdmem.core.errors import NotationError
    from holdmem.core.extras import require

    api.expect_learner(agent)
    if resume and save is None:
        raise NotationError("--resume continues from the checkpoint of --save; pass --save FILE too")
    if plot:
        require("plots", "--plot")
    for path in filter(None, (save, plot)):
        writable(path)
    with progress_bar(f"{agent} against {', '.join(against)}") as progress:
        report = api.train(
            agent,
            *against,
            game=_game(game, 1 + len(against), stack),
            hands=hands,
            matches=matches,
            swapped=swapped,
            seed=seed,
            save=save,
            resume=resume,
            every=every,
            progress=progress,
        )
    if plot:
        from holdmem.plots.learners import learning_curve

        learning_curve(report, plot)
        print(f"wrote {plot}", file=sys.stderr)
    _tell(report, save, as_json)


def _game(name: str, seats: int, stack: int | None) -> "Game":
    from dataclasses import replace

    from holdmem.api.train import training_game

    game = training_game(name, seats)
    return replace(game, stacks=(stack,) * seats) if stack else game


def _tell(report: "TrainingReport", save: Path | None, as_json: bool) -> None:
    from rich.console import Console

    whole, last = report.winnings(), report.winnings(0.9, 1.0)
    (knowledge, *_) = report.knowledge
    facts = {
        "agent": report.course.learner,
        "against": list(report.course.opponents),
        "game": report.course.game.name,
        "hands": report.hands * len(report.blocks),
        "matches": len(report.blocks),
        "seed": report.course.seed,
        "won": whole.as_json(),
        "won_in_the_last_tenth": last.as_json(),
        "states_seen": knowledge.states_seen,
        "states_learned": knowledge.states_learned,
        "file": save and str(save),
    }
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"{facts['agent']} against {', '.join(report.course.opponents)}, {facts['game']}")
    console.print(f"  won {whole} in {facts['hands']:,} hands, {last} in the last tenth")
    over = (
        "interval over matches"
        if len(report.blocks) > 1
        else "no interval, since one match is one sample; --matches plays more"
    )
    console.print(f"  {over}; seed {report.course.seed}")
    console.print(f"  {knowledge.states_seen:,} states seen, {knowledge.states_learned:,} of them learned")
    if save:
        console.print(f"  knowledge in {save}")


def knowledge(
    file: Annotated[Path, typer.Argument(help="A file written by 'holdmem train --save'.")],
    by: Annotated[ValueTableAxis, typer.Option(help="Second axis, besides buckets.")] = "street",
    plot: Annotated[Path | None, typer.Option(help="Write the heat map as a PNG.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a learner has learned: states, visits, and fold, call and raise probabilities by bucket.

    Example: [bold]holdmem knowledge mine.knowledge --plot mine.png[/bold]
    """
    from holdmem.learning import value_table_report
    from holdmem.players.learners.value_table import read_knowledge

    found = read_knowledge(file)
    if plot:
        from holdmem.plots.learners import knowledge_map

        knowledge_map(found, writable(plot), by)
        print(f"wrote {plot}", file=sys.stderr)
    if as_json:
        print(json.dumps(value_table_report.as_json(found), indent=2))
    else:
        _show(found, by)


def _show(found: "ValueTable", by: str) -> None:
    from rich.console import Console

    from holdmem.learning.value_table_report import aggregate, labels

    console = Console(highlight=False)
    notes = found.notes
    console.print(f"{found.learner}, {found.hands:,} hands", markup=False)
    if notes:
        console.print(
            f"against {', '.join(notes['against'])}, {notes['game']}, seed {notes['seed']}", markup=False
        )
    settings = ", ".join(f"{name} {value}" for name, value in found.settings.items() if value is not None)
    console.print(settings, markup=False)
    console.print(
        f"{found.states_seen:,} of {len(found.values):,} states seen, {found.visits.sum():,} visits;"
        f" {found.states_learned:,} learned, {found.lessons.sum():,} updates\n"
    )
    console.print(_bucket_table(found))
    console.print(f"\nhow often it folds, by bucket and {by} (dark: always; · nothing learned)")
    cells = aggregate(found, "bucket", by).triples[..., 0]
    console.print(_heat_map(cells, labels(found, by)))


def _bucket_table(found: "ValueTable") -> Any:
    from rich.table import Table

    from holdmem.learning.value_table_report import ACTIONS, aggregate

    gathered = aggregate(found, "bucket")
    table = Table("bucket", "visits", "lessons", *ACTIONS, "", box=None, pad_edge=False)
    for bucket, (visits, lessons) in enumerate(zip(gathered.visits, gathered.lessons, strict=True)):
        triple = gathered.triples[bucket]
        known = not isnan(triple[0])
        shares = [f"{share:.0%}" if known else "–" for share in triple]
        table.add_row(str(bucket), f"{visits:,}", f"{lessons:,}", *shares, _bar(triple) if known else "")
    return table


def _bar(triple: Any, width: int = 30) -> str:
    """Return a bar whose segments are the probabilities of fold, call and raise."""
    fold = round(float(triple[0]) * width)
    call = round(float(triple[0] + triple[1]) * width) - fold
    parts = (("blue", fold), ("yellow", call), ("red", width - fold - call))
    return "".join(f"[{colour}]{'█' * cells}[/{colour}]" for colour, cells in parts if cells)


def _heat_map(cells: Any, names: list[str]) -> Any:
    """Return a table of values from 0 to 1 as shades, with the highest bucket on top."""
    from rich.table import Table

    table = Table("bucket", *names, box=None, pad_edge=False)
    for bucket in reversed(range(len(cells))):
        table.add_row(str(bucket), *(_shade(value) for value in cells[bucket]))
    return table


def _shade(value: float) -> str:
    if isnan(value):
        return "·"
    level = round(255 * (1 - value))
    return (
        f"[on rgb({level},{level},255)]  {value:4.0%}  [/]"
        if level > 110
        else f"[white on rgb({level},{level},255)]  {value:4.0%}  [/]"
    )
