"""`holdmem stats`: statistics of the players in hand histories, as trackers define them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from holdmem.cli.progress import reading_progress
from holdmem.cli.render_histories import print_account
from holdmem.cli.sharing import AnonymousOption, HeroOption, names_for, shared, shared_name

if TYPE_CHECKING:
    from datetime import date

    from holdmem.history import HandReader
    from holdmem.history.stats import PlayerStatistics

GROUPS = ("player", "position", "players", "stack", "stakes")


def _group(text: str) -> str:
    if text not in GROUPS:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, GROUPS))}.")
    return text


def _span(text: str) -> tuple[float, float]:
    """Parse 6, 5-6, 100- or -40 as a smallest and a largest value."""
    low, dash, high = text.partition("-")
    try:
        return float(low or 0), float(high or "inf") if dash else float(low)
    except ValueError:
        raise typer.BadParameter(f"expected a number or a range such as 5-6 or 100-, got {text!r}") from None


def _day(text: str) -> "date":
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"expected a day such as 2009-07-01, got {text!r}") from None


def stats(
    source: SourcesArgument,
    player: Annotated[str | None, typer.Option("--player", help="Only this player.")] = None,
    by: Annotated[
        list[Any] | None,
        typer.Option(
            "--by",
            parser=_group,
            metavar=f"<{'|'.join(GROUPS)}>",
            autocompletion=lambda: list(GROUPS),
            help="One line per player (the default), position, number of players, effective stack or stakes; "
            "may be repeated.",
        ),
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Only these positions, such as CO,BTN.")
    ] = None,
    players: Annotated[
        Any, typer.Option(parser=_span, metavar="N|N-N", help="Only this number of players dealt in.")
    ] = None,
    stack: Annotated[
        Any,
        typer.Option(parser=_span, metavar="N-N", help="Only these effective stacks, in big blinds."),
    ] = None,
    street: Annotated[
        str | None,
        typer.Option(help="Only hands in which the player saw the flop, turn, river or showdown."),
    ] = None,
    since: Annotated[Any, typer.Option(parser=_day, metavar="DAY", help="First day, as 2009-07-01.")] = None,
    until: Annotated[Any, typer.Option(parser=_day, metavar="DAY", help="Last day.")] = None,
    stakes: Annotated[
        list[str] | None, typer.Option(help="Only these stakes, as 'holdmem hands' prints them; repeatable.")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="Number of lines to show; 0 for all.")] = 30,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.parquet", help="Also write all as Parquet.")
    ] = None,
    hero: HeroOption = None,
    anonymous: AnonymousOption = False,
    format: FormatOption = None,
    game: SourceGameOption = None,
    unread: UnreadFileOption = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the statistics and winnings of the players in hand histories, with 95% intervals.

    A single line is shown in full, with the opportunities and interval of each statistic. Examples:

    [bold]holdmem stats hands.txt --player bob[/bold]

    [bold]holdmem stats hands.txt --by position --players 5-6 --since 2009-07-01[/bold]
    """
    from holdmem.cli.options import writable
    from holdmem.core.atomic import expect_new

    rename = names_for(hero, anonymous)
    if output is not None:
        _expect_parquet(output)
        expect_new(output)
        writable(output)
    with unread_log(unread) as listen, reading_progress(f"reading {named_source(source)}") as tell:
        from holdmem.history.stats import PlayerStatistics, StatFilter

        only = StatFilter(
            player=() if player is None else (shared_name(player, rename),),
            position=() if position is None else tuple(position.split(",")),
            **{"players": players, "stack": stack, "street": street, "since": since, "until": until},
            stakes=tuple(stakes or ()),
        )
        found = PlayerStatistics(tuple(by or ("player",)), only)
        reading = open_reading(source, format, game, max_size, listen, workers, on, keep=True)
        for block in shared(counted(of_player(reading, player), tell), rename):
            found.add(block)
    if not len(found):
        _nothing(reading, source, unread, player, only == StatFilter(player=only.player))
    if output is not None:
        _write(found, output)
    _print(found, reading, top, as_json)
    print_account(reading.account, unread)
    exit_if_incomplete(reading)


def _expect_parquet(path: Path) -> None:
    from holdmem.core.errors import NotationError

    if path.suffix != ".parquet":
        raise NotationError(f"expected a file name that ends in .parquet, got {path}")


def _nothing(
    reading: "HandReader", source: list[str], unread: Path | None, player: str | None, unfiltered: bool
) -> None:
    from holdmem.core.errors import NotationError

    print_account(reading.account, unread)
    whose = f" of {player!r}" if player else ""
    raise NotationError(f"no hands{whose}{'' if unfiltered else ' as chosen'} in {named_source(source)}")


def _write(found: "PlayerStatistics", path: Path) -> None:
    from holdmem.core.atomic import atomic_file

    with atomic_file(path, new=True) as temporary:
        found.frame().write_parquet(temporary)


def _print(found: "PlayerStatistics", reading: "HandReader", top: int, as_json: bool) -> None:
    from holdmem.cli.render_stats import print_statistics

    if as_json:
        name = "players" if "player" in found.by else "groups"
        print(json.dumps({name: found.as_json(), "account": reading.account.as_json()}, indent=2))
        return
    print_statistics(found, top)
