"""`holdmem record`, `learn`, `cases`, `explain` and `review`: build, inspect and use case bases."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from holdmem.cli.arena_commands import ClusterOption, SeedOption, WorkersOption, expect_opponents, writable
from holdmem.cli.history_commands import (
    DEFAULT_MAX_SIZE,
    FormatOption,
    MaxSizeOption,
    SourcesArgument,
    exit_if_incomplete,
    open_reading,
)
from holdmem.cli.history_commands import SourceGameOption as PlayedGame
from holdmem.cli.list_commands import JsonOption
from holdmem.cli.render import progress_bar, reading_progress

OutputOption = Annotated[
    Path, typer.Option("-o", "--output", metavar="FOLDER", help="Output folder; must not exist.")
]
ExpertsOption = Annotated[
    list[str], typer.Option("--player", help="The player's name in the hands; may be repeated.")
]
PlayerOption = Annotated[str, typer.Option("--player", help="The player's name in the hands.")]


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
    workers: WorkersOption = 1,
    on: ClusterOption = None,
) -> None:
    """Let agents play each other and record the hands, with all hole cards, to learn from.

    The button moves after every hand, and every hand has new cards. The same seed gives the same files for
    any number of workers. Agents that learn play their hands in sequence; matches run in parallel. Example:

    [bold]holdmem record random always-call --hands 20000 -o hands[/bold]
    """
    from holdmem.arena import Design
    from holdmem.core.atomic import expect_new
    from holdmem.engine import find_game
    from holdmem.learning.record import record as play_and_keep

    expect_new(output)  # fail now rather than after hours of work
    expect_opponents(agents)
    rules = find_game(game, len(agents))
    design = Design(rules, tuple(agents), hands=hands, matches=matches, kind="ring", seed=seed)
    with progress_bar(" against ".join(agents)) as progress:
        count = play_and_keep(design, output, workers=workers, on=on, progress=progress)
    print(f"{count:,} hands written to {output}", file=sys.stderr)


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
            min=0, help="Hold out every N-th hand to measure the imitation; 0 for none. [default: 20]"
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
    as_json: JsonOption = False,
) -> None:
    """Learn a case base from a player's recorded hands and measure its imitation on held-out hands.

    Reads any hand history that 'holdmem hands' reads, in one pass and bounded memory. Example:

    [bold]holdmem learn hands --player random --as sartre-2 -o cases[/bold]
    """
    from holdmem.cbr.case_base import find_representation
    from holdmem.cbr.store import read_header, write_cases
    from holdmem.cli.render_histories import print_account
    from holdmem.core.atomic import expect_new
    from holdmem.learning.learn import HELD_OUT
    from holdmem.learning.learn import learn as learn_from

    expect_new(output)  # fail now rather than after hours of work
    kind = find_representation(representation)
    reading = open_reading(source, format, game, max_size)
    tests = open_reading(test, format, game, max_size) if test else ()
    apart = held_out if held_out is not None else 0 if test else HELD_OUT
    with reading_progress(f"learning {kind.name} from {' and '.join(player)}") as tell:
        lesson = learn_from(
            reading, player, kind, held_out=apart, tests=tests, most=most, marks=mark or (), progress=tell
        )
    write_cases(lesson.base, output, {"unread": reading.account.skipped} | named(representation))
    for warning in lesson.warnings:
        print(f"holdmem: note: {warning}", file=sys.stderr)
    if as_json:
        told = read_header(output) | {"account": reading.account.as_json()}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.render_cases import print_learning_result

        print_learning_result(read_header(output), output)
    print_account(reading.account, None, "holdmem hands SOURCE --unread FILE")
    exit_if_incomplete(reading)


def named(representation: str) -> dict[str, str]:
    """Return the header entry of a representation from a .py file, with its full path; else nothing."""
    path, _, thing = representation.rpartition(":")
    return {"representation": f"{Path(path).resolve()}:{thing}"} if path.endswith(".py") else {}


def cases(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER…", help="Case bases.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Merge the case bases into this new folder."),
    ] = None,
    forget: Annotated[int, typer.Option(min=1, help="With -o: drop cases seen fewer times than this.")] = 1,
    most: Annotated[int, typer.Option(min=0, help="Number of most used cases to show per street.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Describe a case base, compare two, or merge several into one (with -o).

    Examples: [bold]holdmem cases cases[/bold], [bold]holdmem cases one other[/bold],
    [bold]holdmem cases one other -o both[/bold]
    """
    from holdmem.cbr.store import read_cases
    from holdmem.cli.render_cases import compared, described, print_compared, print_described
    from holdmem.core.errors import NotationError

    bases = [read_cases(folder) for folder in folders]
    if output is not None:
        merge_into(bases, folders, forget, output)
    elif len(bases) == 2:
        answer = compared(bases[0], bases[1])
        print(json.dumps(answer, indent=2)) if as_json else print_compared(answer, folders)
        return
    elif len(bases) > 2:
        raise NotationError(f"expected one case base, two to compare, or -o to merge, got {len(bases)}")
    chosen = output or folders[0]
    answer = described(read_cases(chosen), most)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_described(answer, chosen)


def merge_into(bases: list[Any], folders: list[Path], forget: int, output: Path) -> None:
    """Merge case bases into one, without the cases seen fewer than `forget` times, and write it."""
    from holdmem.cbr.maintain import drop_rare_cases as without
    from holdmem.cbr.maintain import merge_case_bases
    from holdmem.cbr.store import write_cases

    kept = ("expert", "game", "hands", "decisions", "unseen", "showdowns_only")
    about = {
        "merged": [{"folder": str(folder)} | {name: base.about[name] for name in kept if name in base.about}
                   for folder, base in zip(folders, bases, strict=True)],
        "representation": bases[0].about["representation"],
        "forgotten_below": forget,
    }  # fmt: skip
    write_cases(without(merge_case_bases(bases), forget), output, about)


def explain(
    agent: Annotated[str, typer.Argument(help="An agent that explains its decisions, such as sartre-2.")],
    state: Annotated[
        str,
        typer.Option(
            "--state", metavar="MATCHSTATE", help="ACPC match state in which the viewing player is to act."
        ),
    ],
    game: Annotated[str, typer.Option(help="A built-in game ('holdmem games') or a .game file.")] = "limit",
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Explain an agent's decision: the retrieved cases, the actions taken in them and their outcomes.

    Example: [bold]holdmem explain sartre-2 --state "MATCHSTATE:0:1:rc/:AhKd|/7s8s2d"[/bold]
    """
    from holdmem.acpc.matchstate import view_of
    from holdmem.agent import ExplainingSeat, make_agent
    from holdmem.cli.warmup import shown_compilation
    from holdmem.core.errors import AgentError
    from holdmem.core.random import Streams
    from holdmem.engine import find_game

    with shown_compilation():
        chosen = find_game(game)
        seat = make_agent(agent).sit(chosen, 1, Streams.of(seed, "player", 0))
        if not isinstance(seat, ExplainingSeat):
            raise AgentError(f"{agent}: this agent does not explain its decisions")
        view = view_of(state, chosen)[0]
        found = seat.explain(view)
    from holdmem.cli.render_cases import explained, print_explained

    answer = explained(agent, view, found)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_explained(answer)


def review(
    source: SourcesArgument,
    player: PlayerOption,
    against: Annotated[str, typer.Option(help="The expert to compare with.")] = "sartre-2",
    show: Annotated[int, typer.Option(min=1, help="Number of top-ranked differences to show.")] = 5,
    html: Annotated[Path | None, typer.Option(help="Write the review as a single HTML file.")] = None,
    format: FormatOption = None,
    game: PlayedGame = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Replay your hands: where would the expert have acted differently, and with what probability?

    Example: [bold]holdmem review hands --player random --against sartre-2 --html review.html[/bold]
    """
    from holdmem.cli.render_histories import print_account
    from holdmem.learning.review import review as compare

    if html is not None:
        writable(html)
    reading = open_reading(source, format, game, max_size)
    with reading_progress(f"reviewing {player}") as tell:
        found = compare(with_progress(reading, tell), player, against, shown=show, seed=seed)
    if html is not None:
        from holdmem.plots import review_page

        review_page(found, html)
        print(f"wrote {html}", file=sys.stderr)
    if as_json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.render_cases import print_review

        print_review(found)
    print_account(reading.account, None, "holdmem hands SOURCE --unread FILE")
    exit_if_incomplete(reading)


def with_progress(blocks: Any, tell: Any) -> Any:
    """Yield the blocks unchanged and report the hands so far to the progress bar."""
    done = 0
    for block in blocks:
        yield block
        done += len(block)
        tell(done)
