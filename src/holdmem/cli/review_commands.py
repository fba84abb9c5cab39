"""`holdmem explain` and `review`: why an agent acts, what decisions are worth, and what yours cost."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from holdmem.cli.options import ClusterOption, JsonOption, SeedOption, WorkersOption, writable
from holdmem.cli.progress import progress_bar, reading_progress
from holdmem.cli.sharing import (
    AnonymousOption,
    NamesOption,
    hero_of,
    names_for,
    shared,
    shared_name,
    shared_reference,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdmem.ev.review import LeakReport
    from holdmem.history import Hands

PlayerOption = Annotated[
    str,
    typer.Option("--player", help="The player's name in the hands; 'me' for the one whose cards they show."),
]
ReferenceOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Who plays on after an action: population, small-stakes, a shipped style, a .people file, an"
        " agent, or player:NAME of the same hands. Default: population, or eqm in heads-up limit.",
    ),
]


def explain(
    agent: Annotated[str, typer.Argument(metavar="AGENT|FILE", help="An agent, or a file of hands.")],
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="MATCHSTATE", help="ACPC match state in which the viewing player is to act."
        ),
    ] = None,
    hand: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="The hand to explain, by its number in the file.")
    ] = None,
    player: PlayerOption = "me",
    reference: ReferenceOption = None,
    others: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --hand: how the others play, as --reference.")
    ] = None,
    samples: Annotated[int, typer.Option(min=2, help="With --hand: samples per decision at most.")] = 20_000,
    game: Annotated[
        str | None, typer.Option(help="A built-in game ('holdmem games') or a .game file. Default: limit.")
    ] = None,
    format: FormatOption = None,
    seed: SeedOption = 0,
    details: Annotated[
        bool, typer.Option("--details", help="Also show feature values, similarities and other details.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Explain an agent's decision in words, or what every action of a recorded hand was worth.

    Examples: [bold]holdmem explain sartre-2 --state "MATCHSTATE:0:1:rc/:AhKd|/7s8s2d"[/bold],
    [bold]holdmem explain hands.txt --hand 1007 --player bob[/bold]
    """
    from holdmem.core.errors import NotationError

    if (state is None) == (hand is None):
        raise NotationError("expected --state with an agent, or --hand with a file of hands")
    if hand is not None:
        asked = {"reference": reference, "others": others, "samples": samples, "seed": seed}
        _explain_hand(agent, hand, player, asked, format, game, as_json)
        return
    from holdmem.acpc import view_of
    from holdmem.api import cases as api
    from holdmem.cli.warmup import shown_compilation
    from holdmem.engine import find_game

    with shown_compilation():
        view = view_of(str(state), find_game(game or "limit"))[0]
        found = api.explain(agent, view, seed=seed)
    from holdmem.cli.render_cases import explained, print_explained

    if as_json:
        print(json.dumps(explained(agent, found), indent=2, ensure_ascii=False))
    else:
        print_explained(found, details)


def _explain_hand(
    file: str, hand: int, player: str, asked: dict[str, Any], format: str | None, game: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    from holdmem.api.leaks import explain_hand
    from holdmem.cli.render_review import print_values
    from holdmem.cli.warmup import shown_compilation

    reading = open_reading([file], format, game, DEFAULT_MAX_SIZE)
    with shown_compilation():
        found = explain_hand(reading, hand, player, **asked)
    if as_json:
        content = {"hand": hand, "decisions": [one.as_json() for one in found]}
        print(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        print_values(hand, found)


def review(
    source: SourcesArgument,
    player: PlayerOption = "me",
    against: Annotated[
        str | None,
        typer.Option(metavar="EXPERT", help="Compare with the actions of an expert instead of valuing them."),
    ] = None,
    reference: ReferenceOption = None,
    others: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How the others play, as --reference. Default: as in these hands."),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=2, help="Samples per action and decision at most; 64 are quick.")
    ] = 2048,
    again: Annotated[
        int, typer.Option(min=0, help="Number of dearest decisions to value again, more precisely.")
    ] = 100,
    show: Annotated[int, typer.Option(min=1, help="Number of decisions or differences to show.")] = 5,
    html: Annotated[
        Path | None, typer.Option(help="Write the review as a single HTML file, without names of players.")
    ] = None,
    names: NamesOption = False,
    anonymous: AnonymousOption = False,
    format: FormatOption = None,
    game: PlayedGame = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Review your hands: what did decisions cost, where is that more than chance, and how sure is it?

    With --against, list instead where an expert would most likely have acted differently. Examples:
    [bold]holdmem review hands.txt --player me --html review.html[/bold],
    [bold]holdmem review hands --player random --against sartre-2[/bold]
    """
    from holdmem.cli.render_histories import print_account

    if html is not None:
        writable(html)
    reading = open_reading(source, format, game, max_size, keep=True)
    keep = names or (html is None and not anonymous)
    player = player if keep else hero_of(reading, player)
    rename = names_for(player, anonymous, keep)
    blocks, player = shared(reading, rename, player), shared_name(player, rename)
    if against is not None:
        _compare(blocks, player, against, show, seed, html, as_json)
    else:
        reference, others = (shared_reference(one, rename) for one in (reference, others))
        asked = {"reference": reference, "others": others, "samples": samples, "again": again, "seed": seed}
        _value(blocks, player, asked | {"workers": workers, "on": on}, show, html, as_json)
    print_account(reading.account, None, "holdmem hands SOURCE --unread FILE")
    exit_if_incomplete(reading)


def _value(
    reading: "Iterable[Hands]",
    player: str,
    asked: dict[str, Any],
    show: int,
    html: Path | None,
    as_json: bool,
) -> None:
    from holdmem.api.leaks import find_leaks

    def say(text: str) -> None:
        print(f"holdmem: {text}", file=sys.stderr)

    def first_page(found: "LeakReport") -> None:
        from holdmem.cli.render_review import interval

        say(f"first page, from few samples: cost {interval(found.cost)}; the rest follows")
        for one in found.leaks[:3]:
            say(f"  {one.name}: {one.habit}, {interval(one.cost)}")

    with progress_bar(f"valuing the decisions of {player}") as progress:
        found = find_leaks(reading, player, progress=progress, say=say, first_page=first_page, **asked)
    if html is not None:
        from holdmem.plots import hand_review_page

        hand_review_page(found, html)
        print(f"wrote {html}", file=sys.stderr)
    if as_json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.render_review import print_hand_review

        print_hand_review(found, show)


def _compare(
    reading: "Iterable[Hands]",
    player: str,
    against: str,
    show: int,
    seed: int,
    html: Path | None,
    as_json: bool,
) -> None:
    from holdmem.api import cases as api

    with reading_progress(f"reviewing {player}") as tell:
        blocks = with_progress(reading, tell)
        found = api.review(blocks, player, against=against, shown=show, seed=seed)
    if html is not None:
        from holdmem.plots import review_page

        review_page(found, html)
        print(f"wrote {html}", file=sys.stderr)
    if as_json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        from holdmem.cli.render_cases import print_review

        print_review(found)


def with_progress(blocks: Any, tell: Any) -> Any:
    """Yield the blocks unchanged and report the hands so far to the progress bar."""
    done = 0
    for block in blocks:
        yield block
        done += len(block)
        tell(done)
