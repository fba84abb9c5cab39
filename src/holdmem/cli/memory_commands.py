"""Recording experts, learning from hands, looking at case bases, reasons and reviews on the command line."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from holdmem.cli.arena_commands import On, Seed, Workers, expect_opponents, writable
from holdmem.cli.catalogue import AsJson
from holdmem.cli.history_commands import FormatName, Sources
from holdmem.cli.history_commands import GameName as PlayedGame
from holdmem.cli.shown import shown_progress, shown_reading

Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where to write; must be new.")
]
Experts = Annotated[
    list[str], typer.Option("--player", help="The player, as the hands name it; several may be given.")
]
Whose = Annotated[str, typer.Option("--player", help="The player, as the hands name it.")]


def record(
    agents: Annotated[list[str], typer.Argument(help="Two or more agents; one may play itself.")],
    output: Output,
    game: Annotated[str, typer.Option(help="A built-in game ('holdmem games') or a .game file.")] = "limit",
    hands: Annotated[int, typer.Option(min=1, help="Hands to play.")] = 10_000,
    matches: Annotated[
        int, typer.Option(min=1, help="Matches of so many hands, before each of which memories are wiped.")
    ] = 1,
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = None,
) -> None:
    """Let agents play each other, with all cards known, and keep the hands to learn from.

    The button moves on with every hand and all cards are new. The same seed gives the same files, whatever
    the number of workers. Agents that learn play hand after hand; many matches are played at once. Example:

    [bold]holdmem record random always-call --hands 20000 -o hands[/bold]
    """
    from holdmem.arena import Design
    from holdmem.rules import find_game
    from holdmem.training.recording import record as play_and_keep

    _expect_new(output)
    expect_opponents(agents)
    rules = find_game(game, len(agents))
    design = Design(rules, tuple(agents), hands=hands, matches=matches, kind="ring", seed=seed)
    with shown_progress(" against ".join(agents)) as progress:
        count = play_and_keep(design, output, workers=workers, on=on, progress=progress)
    print(f"{count:,} hands written to {output}", file=sys.stderr)


def learn(
    source: Sources,
    player: Experts,
    output: Output,
    representation: Annotated[
        str,
        typer.Option(
            "--as", help="sartre-2, casper, imitator-limit, imitator-nolimit, … or ./mycases.py:MINE"
        ),
    ] = "sartre-2",
    most: Annotated[int | None, typer.Option(min=1, help="Stop after so many decisions.")] = None,
    held_out: Annotated[
        int | None,
        typer.Option(
            min=0, help="Hold out one hand in so many to measure the imitation; 0 for none. [default: 20]"
        ),
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(metavar="SOURCE", help="Measure the imitation on these hands, none learned."),
    ] = None,
    mark: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Note how many cases so many hands made, to play only these: 'first=N'."),
    ] = None,
    format: FormatName = None,
    game: PlayedGame = None,
    as_json: AsJson = False,
) -> None:
    """Learn a case base from a player's recorded hands, and say how well it imitates on hands held out.

    Any history that 'holdmem hands' reads will do; one pass, in bounded memory. Example:

    [bold]holdmem learn hands --player random --as sartre-2 -o cases[/bold]
    """
    from holdmem.casebase.cases import find_representation
    from holdmem.casebase.storage import read_header, write_cases
    from holdmem.history import read_hands
    from holdmem.rules import find_game
    from holdmem.training.learning import HELD_OUT
    from holdmem.training.learning import learn as learn_from

    _expect_new(output)
    kind = find_representation(representation)
    played = find_game(game) if game else None
    reading = read_hands(source, format=format, game=played)
    tests = read_hands(test, format=format, game=played) if test else ()
    apart = held_out if held_out is not None else 0 if test else HELD_OUT
    with shown_reading(f"learning {kind.name} from {' and '.join(player)}") as tell:
        lesson = learn_from(
            reading, player, kind, held_out=apart, tests=tests, most=most, marks=mark or (), progress=tell
        )
    write_cases(lesson.base, output, {"unread": reading.account.skipped} | named(representation))
    for warning in lesson.warnings:
        print(f"holdmem: note: {warning}", file=sys.stderr)
    if as_json:
        print(json.dumps(read_header(output), indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.memory_shown import print_lesson

        print_lesson(read_header(output), output)


def named(representation: str) -> dict[str, str]:
    """How the header says which representation it is: one in a file by its full path."""
    path, _, thing = representation.rpartition(":")
    return {"representation": f"{Path(path).resolve()}:{thing}"} if path.endswith(".py") else {}


def cases(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER…", help="Case bases.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Merge them into a new one here.")
    ] = None,
    forget: Annotated[int, typer.Option(min=1, help="With -o: leave out cases seen fewer times.")] = 1,
    most: Annotated[int, typer.Option(min=0, help="How many of the most used cases to show a street.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Describe a case base, compare two, or merge several into one (with -o).

    Examples: [bold]holdmem cases cases[/bold], [bold]holdmem cases one other[/bold],
    [bold]holdmem cases one other -o both[/bold]
    """
    from holdmem.casebase.storage import read_cases
    from holdmem.cli.memory_shown import compared, described, print_compared, print_described
    from holdmem.errors import NotationError

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
    """Several case bases as one, without cases that were seen too seldom."""
    from holdmem.casebase.maintenance import forget as without
    from holdmem.casebase.maintenance import together
    from holdmem.casebase.storage import write_cases

    kept = ("expert", "game", "hands", "decisions", "unseen", "showdowns_only")
    about = {
        "merged": [{"folder": str(folder)} | {name: base.about[name] for name in kept if name in base.about}
                   for folder, base in zip(folders, bases, strict=True)],
        "representation": bases[0].about["representation"],
        "forgotten_below": forget,
    }  # fmt: skip
    write_cases(without(together(bases), forget), output, about)


def explain(
    agent: Annotated[str, typer.Argument(help="An agent that gives reasons, such as sartre-2.")],
    state: Annotated[
        str,
        typer.Option("--state", metavar="MATCHSTATE", help="A line of the ACPC protocol, its seat to act."),
    ],
    game: Annotated[str, typer.Option(help="A built-in game ('holdmem games') or a .game file.")] = "limit",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Why an agent decides as it does: the remembered cases, what was done in them and what it earned.

    Example: [bold]holdmem explain sartre-2 --state "MATCHSTATE:0:1:rc/:AhKd|/7s8s2d"[/bold]
    """
    from holdmem.acpc.matchstate import view_of
    from holdmem.cli.compiling import shown_compilation
    from holdmem.errors import AgentError
    from holdmem.rules import find_game
    from holdmem.table import ExplainingSeat, Streams, make_agent

    with shown_compilation():
        chosen = find_game(game)
        seat = make_agent(agent).sit(chosen, 1, Streams.of(seed, "player", 0))
        if not isinstance(seat, ExplainingSeat):
            raise AgentError(f"{agent}: expected an agent that gives reasons, got one that only acts")
        view = view_of(state, chosen)[0]
        found = seat.explain(view)
    from holdmem.cli.memory_shown import explained, print_explained

    answer = explained(agent, view, found)
    print(json.dumps(answer, indent=2, ensure_ascii=False)) if as_json else print_explained(answer)


def review(
    source: Sources,
    player: Whose,
    against: Annotated[str, typer.Option(help="The expert to compare with.")] = "sartre-2",
    show: Annotated[int, typer.Option(min=1, help="How many differences to show, by rank.")] = 5,
    html: Annotated[Path | None, typer.Option(help="Write the review as one HTML file.")] = None,
    format: FormatName = None,
    game: PlayedGame = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Replay a person's own hands: where would the remembered expert have done otherwise, and how sure is it?

    Example: [bold]holdmem review hands --player random --against sartre-2 --html review.html[/bold]
    """
    from holdmem.history import read_hands
    from holdmem.rules import find_game
    from holdmem.training.reviewing import review as compare

    if html is not None:
        writable(html)
    reading = read_hands(source, format=format, game=find_game(game) if game else None)
    with shown_reading(f"reviewing {player}") as tell:
        found = compare(told(reading, tell), player, against, shown=show, seed=seed)
    if html is not None:
        from holdmem.report import review_page

        review_page(found, html)
        print(f"wrote {html}", file=sys.stderr)
    if as_json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.memory_shown import print_review

        print_review(found)


def told(blocks: Any, tell: Any) -> Any:
    """The same blocks, and the hands so far told to the progress bar."""
    done = 0
    for block in blocks:
        yield block
        done += len(block)
        tell(done)


def _expect_new(folder: Path) -> None:
    """Better said now than after hours of work."""
    from holdmem.errors import NotationError

    if folder.exists():
        raise NotationError(f"output folder already exists: {folder}")
