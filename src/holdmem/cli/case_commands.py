"""`holdmem record`, `learn` and `cases`: build, inspect and use case bases."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from holdmem.cli.history_commands import (
    DEFAULT_MAX_SIZE,
    FormatOption,
    MaxSizeOption,
    SourcesArgument,
    exit_if_incomplete,
    open_reading,
)
from holdmem.cli.history_commands import SourceGameOption as PlayedGame
from holdmem.cli.options import ClusterOption, JsonOption, SeedOption, WorkersOption
from holdmem.cli.progress import progress_bar, reading_progress

if TYPE_CHECKING:
    from holdmem.arena.design import DeckPurpose

OutputOption = Annotated[
    Path, typer.Option("-o", "--output", metavar="FOLDER", help="Output folder; must not exist.")
]
ExpertsOption = Annotated[
    list[str], typer.Option("--player", help="The player's name in the hands; may be repeated.")
]
PolicyChoice = Literal["probabilistic", "majority", "best-outcome"]


def record(
    agents: Annotated[
        list[str], typer.Argument(help="Two or more agents; an agent may play against itself.")
    ],
    output: OutputOption,
    game: Annotated[str, typer.Option(help="A built-in game ('holdmem games') or a .game file.")] = "limit",
    hands: Annotated[int, typer.Option(min=1, help="Hands per match.")] = 10_000,
    matches: Annotated[
        int, typer.Option(min=1, help="Number of matches; agents forget everything between them.")
    ] = 1,
    seed: SeedOption = 0,
    purpose: Annotated[
        str,
        typer.Option(
            help="What the decks are for: play, record or test. Decks of different purposes differ whatever"
            " their seeds."
        ),
    ] = "play",
    workers: WorkersOption = 1,
    on: ClusterOption = None,
) -> None:
    """Let agents play each other and record the hands, with all hole cards, to learn from.

    The button moves after every hand, and every hand has new cards. The same seed gives the same files for
    any number of workers. Agents that learn play their hands in sequence; matches run in parallel. Example:

    [bold]holdmem record random always-call --hands 20000 -o hands[/bold]
    """
    from holdmem.api import cases as api

    with progress_bar(" against ".join(agents)) as progress:
        stored = api.record(
            game, *agents, folder=output, hands=hands, matches=matches, seed=seed,
            purpose=cast("DeckPurpose", purpose), workers=workers, on=on, progress=progress,
        )  # fmt: skip
    print(f"{len(stored):,} hands written to {output}", file=sys.stderr)


def learn(
    source: SourcesArgument,
    player: ExpertsOption,
    output: OutputOption,
    representation: Annotated[
        str,
        typer.Option(
            "--as",
            help="Representation: sartre-2, casper, imitator-limit, imitator-nolimit, … or ./mycases.py:MINE",
        ),
    ] = "sartre-2",
    most: Annotated[int | None, typer.Option(min=1, help="Stop after this many decisions.")] = None,
    held_out: Annotated[
        int | None,
        typer.Option(
            min=0, help="Hold out every N-th hand to measure the imitation; 0 for none, 20 by default."
        ),
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE", help="Measure the imitation on these hands and learn nothing from them."
        ),
    ] = None,
    mark: Annotated[
        list[int] | None,
        typer.Option(
            min=1, help="Record the case count after N hands, so that 'first=N' can use only those."
        ),
    ] = None,
    format: FormatOption = None,
    game: PlayedGame = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn a case base from a player's recorded hands and measure its imitation on held-out hands.

    Reads any hand history that 'holdmem hands' reads, in one pass and bounded memory. Example:

    [bold]holdmem learn hands --player random --as sartre-2 -o cases[/bold]
    """
    from holdmem.api import cases as api
    from holdmem.cbr.representation import find_representation
    from holdmem.cbr.store import read_header
    from holdmem.cli.render_histories import print_account
    from holdmem.core.atomic import expect_new

    expect_new(output)  # fail now rather than after hours of work
    kind = find_representation(representation)
    reading = open_reading(source, format, game, max_size, workers=workers, on=on, keep=True)
    tests = open_reading(test, format, game, max_size, workers=workers, on=on) if test else None
    with reading_progress(f"learning {kind.name} from {' and '.join(player)}") as tell:
        learned = api.learn(
            reading, player, representation=representation, held_out=held_out, tests=tests, most=most,
            marks=mark or (), progress=tell,
        )  # fmt: skip
    learned.save(output)
    for caveat in learned.caveats:
        print(f"holdmem: note: {caveat}", file=sys.stderr)
    if as_json:
        content = read_header(output) | {"account": reading.account.as_json()}
        print(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.render_cases import print_learning_result

        print_learning_result(read_header(output), output)
    print_account(reading.account, None, "holdmem hands SOURCE --unread FILE")
    exit_if_incomplete(reading)


def cases(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER…", help="Case bases.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Merge the case bases into this new folder."),
    ] = None,
    forget: Annotated[int, typer.Option(min=1, help="With -o: drop cases seen fewer times than this.")] = 1,
    most: Annotated[int, typer.Option(min=0, help="Number of most used cases to show per street.")] = 5,
    show: Annotated[
        str | None,
        typer.Option(metavar="STREET:N", help="Show case N of a street with the hands it was made of."),
    ] = None,
    cost: Annotated[
        bool,
        typer.Option("--cost", help="List the cases that cost most against a best response; limit only."),
    ] = False,
    savings: Annotated[
        bool,
        typer.Option(
            "--savings",
            help="With --cost: also compute what revising each of these cases alone would save; slow.",
        ),
    ] = False,
    flops: Annotated[int, typer.Option(min=1, help="With --cost: number of random flops.")] = 4,
    policy: Annotated[
        PolicyChoice, typer.Option(help="With --cost: how the cases are reused.")
    ] = "probabilistic",
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Describe a case base, compare two, merge several into one (with -o), or show one case with its hands.

    With --cost, list the cases that cost most against a best response in heads-up limit, with their hands.

    Examples: [bold]holdmem cases cases[/bold], [bold]holdmem cases one other[/bold],
    [bold]holdmem cases one other -o both[/bold], [bold]holdmem cases cases --show flop:12[/bold],
    [bold]holdmem cases cases --cost --flops 4 --most 20[/bold]
    """
    from holdmem.api import memories as api
    from holdmem.cbr import read_cases
    from holdmem.cli.render_cases import compared, described, print_compared, print_described
    from holdmem.core.errors import NotationError

    bases = [read_cases(folder) for folder in folders]
    if show is not None:
        from holdmem.cli.render_remembered import print_shown, shown

        answer = shown(bases[0], show, folders[0])
        print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_shown(answer)
        return
    if cost:
        _show_costs(folders[0], most, flops, policy, seed, savings, as_json)
        return
    if output is not None:
        api.merge_cases(*folders, forget=forget).save(output)
    elif len(bases) == 2:
        answer = compared(bases[0], bases[1])
        print(json.dumps(answer, indent=2)) if as_json else print_compared(answer, folders)
        return
    elif len(bases) > 2:
        raise NotationError(f"expected one case base, two to compare, or -o to merge, got {len(bases)}")
    chosen = output or folders[0]
    answer = described(read_cases(chosen), most)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_described(answer, chosen)


def _show_costs(
    folder: Path, most: int, flops: int, policy: PolicyChoice, seed: int, savings: bool, as_json: bool
) -> None:
    from holdmem.api import memories as api
    from holdmem.cbr import read_cases
    from holdmem.cli.render_costs import costs_shown, print_costs

    with progress_bar(f"exploiting {folder}", of="steps") as progress:
        found = api.case_costs(
            folder, policy=policy, flops=flops, seed=seed, savings=most if savings else 0, progress=progress
        )
    answer = costs_shown(read_cases(folder), found, most)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_costs(answer)
