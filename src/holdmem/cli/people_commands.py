"""`holdmem imitate` and `resemble`: learn people from their hands, and say whom a player resembles."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdmem.cli.history_commands import (
    DEFAULT_MAX_SIZE,
    FormatOption,
    MaxSizeOption,
    SourceGameOption,
    SourcesArgument,
    UnreadFileOption,
    counted,
    exit_if_incomplete,
    named_source,
    of_player,
    open_reading,
    unread_log,
)
from holdmem.cli.options import ClusterOption, JsonOption, WorkersOption
from holdmem.cli.progress import progress_bar, reading_progress
from holdmem.cli.render_histories import print_account
from holdmem.cli.sharing import AnonymousOption, names_for, shared, shared_name

if TYPE_CHECKING:
    from holdmem.api.people import ImitatedPlayer
    from holdmem.people.resemble import Resemblance

SHOWN = ("vpip", "pfr", "three_bet", "afq", "wtsd")
FREQUENCIES = "fold {:.0%}, call {:.0%}, raise {:.0%}"

PersonOption = Annotated[
    str, typer.Option("--player", help="The player; 'me' for the one whose hole cards the files show.")
]
PopulationOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Whom the player is compared with: population (5/10 dollars), small-stakes, or a file. By"
        " default the one of the nearest stakes.",
    ),
]


def imitate(
    source: SourcesArgument,
    player: PersonOption,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="File to write; by default NAME.people."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the clone; by default the player.")] = None,
    population: PopulationOption = None,
    anonymous: AnonymousOption = False,
    format: FormatOption = None,
    game: SourceGameOption = None,
    unread: UnreadFileOption = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn a player from hand histories, hidden cards included, and write a clone that plays like it.

    The clone starts from a shipped population and moves away from it as far as the player's hands reach.
    It plays at any table of two to ten seats. Example:

    [bold]holdmem imitate hands.txt --player Villain[/bold]

    [bold]holdmem match clone:person=Villain.people simplebot --game nolimit[/bold]
    """
    from holdmem.api.people import ME
    from holdmem.api.people import imitate as learn
    from holdmem.cli.options import writable
    from holdmem.core.atomic import expect_new

    rename = names_for(None, anonymous)
    called = player if player == ME else shared_name(player, rename)
    target = output or Path(f"{_file_name(name or called)}.people")
    expect_new(target)
    writable(target)
    with unread_log(unread) as listen, reading_progress(f"reading {named_source(source)}") as tell:
        reading = open_reading(source, format, game, max_size, listen, workers, on, keep=True)
        blocks = list(counted(of_player(reading, None if player == ME else player), tell))
    if not blocks:
        _nothing(player, source)
    with progress_bar(f"learning {called}", of="decisions") as progress:
        found = learn(
            shared(blocks, rename), called, name=name, output=target, population=population, progress=progress
        )
    print(json.dumps(_as_json(found), indent=2)) if as_json else _print(found)
    print_account(reading.account, unread)
    exit_if_incomplete(reading)


def resemble(
    source: SourcesArgument,
    player: PersonOption,
    among: Annotated[
        list[Path] | None,
        typer.Option("--among", help="File of a known person (repeatable); by default the shipped styles."),
    ] = None,
    population: PopulationOption = None,
    format: FormatOption = None,
    game: SourceGameOption = None,
    unread: UnreadFileOption = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say which style or known person a player's hands resemble, and where the player differs from others.

    Example:

    [bold]holdmem resemble hands.txt --player Villain[/bold]
    """
    from holdmem.api.people import ME
    from holdmem.api.people import resemble as compare

    with unread_log(unread) as listen, reading_progress(f"reading {named_source(source)}") as tell:
        reading = open_reading(source, format, game, max_size, listen, workers, on, keep=True)
        blocks = list(counted(of_player(reading, None if player == ME else player), tell))
    if not blocks:
        _nothing(player, source)
    found = compare(blocks, player, among=among or (), population=population)
    if as_json:
        print(json.dumps({"answer": found.answer, **asdict(found)}, indent=2))
    else:
        _print_resemblance(found)
    print_account(reading.account, unread)
    exit_if_incomplete(reading)


def _print_resemblance(found: "Resemblance") -> None:
    print(f"{_many(found.hands, 'hand')}, {_many(found.decisions, 'decision')}: {found.answer}")
    if not found.too_few:
        for name, probability in zip(found.names, found.probabilities, strict=True):
            print(f"  {probability:6.1%}  {name}")
        print(f"  {found.nobody:6.1%}  none of them")
    if found.differences:
        print(f"differs most from the population ({found.population}):")
    for one in found.differences:
        mine, theirs = (
            "fold {:.0%}, call {:.0%}, raise {:.0%}".format(*shares)
            for shares in (one.player, one.population)
        )
        print(f"  {one.situation} ({one.decisions:,} times): {mine}; population: {theirs}")


def _nothing(player: str, source: list[str]) -> None:
    from holdmem.core.errors import NotationError

    raise NotationError(f"no hands of {player!r} in {named_source(source)}")


def _file_name(player: str) -> str:
    """Return a name of a file for a player: letters, digits, dots, dashes and underscores."""
    return re.sub(r"[^\w.-]+", "_", player).strip("._") or "clone"


def _as_json(found: "ImitatedPlayer") -> dict[str, object]:
    statistics = {name: found.statistics.share(name).value for name in SHOWN}
    return {
        "name": found.person.name,
        "file": str(found.file),
        **found.about,
        "statistics": statistics,
        "agent": f"clone:person={found.file}",
    }


def _print(found: "ImitatedPlayer") -> None:
    about = found.about
    hands, decisions = _many(about["hands"], "hand"), _many(about["decisions"], "decision")
    print(f"{found.person.name}, learned from {hands}: {decisions}")
    print(f"hole cards shown in {_many(about['shown'], 'hand')}; what was held in the others is inferred")
    print(f"statistics: {_statistics(found)}")
    print(_seats_words(about["seats"]))
    print(_check_words(about))
    print(f"written to {found.file}; it plays as clone:person={found.file}")


def _statistics(found: "ImitatedPlayer") -> str:
    from holdmem.history.stats import STATISTICS

    parts = []
    for name in SHOWN:
        value = found.statistics.share(name).value
        parts.append(f"{STATISTICS[name].title} {'–' if value is None else f'{value:.0%}'}")
    return ", ".join(parts)


def _seats_words(seats: dict[str, int]) -> str:
    listed = ", ".join(f"{count:,} with {seat}" for seat, count in seats.items())
    return (
        f"players dealt in: {listed}; at other tables it plays as the population does there, moved as the "
        "player differs from it here"
    )


def _check_words(about: dict[str, object]) -> str:
    check = about["check"]
    if not isinstance(check, dict):
        return f"too few hands to check it: this is mostly the population ({about['population']})"
    return (
        f"check: learned without the last {check['hands']:,} hands, it predicts their "
        f"{check['decisions']:,} decisions with a log-loss of {check['log_loss']:.3f} nats; "
        f"the population ({about['population']}) has {check['population']:.3f}, "
        f"a difference of {check['better_by']:.3f} ± {check['error']:.3f}"
    )


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
