"""`holdmem convert` and `hands`: convert hand histories and inspect them."""

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import ClusterOption, JsonOption, WorkersOption
from holdmem.cli.progress import reading_progress
from holdmem.cli.render_histories import (
    counts_json,
    find_hand,
    in_hands,
    print_account,
    print_counts,
    print_hand,
    tally_of,
)
from holdmem.cli.sharing import AnonymousOption, HeroOption, names_for, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from holdmem.history import HandReader, Hands


def _format_names() -> list[str]:
    from holdmem.history.formats import FORMATS

    return sorted(FORMATS)


SourcesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE…", help="Files, folders or archives of hand histories; - for a tar archive on stdin."
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        autocompletion=_format_names,
        help="Input format ('holdmem formats' lists them); detected from the content by default.",
    ),
]
SourceGameOption = Annotated[
    str | None,
    typer.Option("--game", help="A built-in game or .game file, where the hands do not name their game."),
]
UnreadFileOption = Annotated[
    Path | None,
    typer.Option("--unread", help="Write a list of all unreadable hands, with reasons, to this file."),
]
MaxSizeOption = Annotated[
    int,
    typer.Option("--max-size", min=1, metavar="MIB", help="Largest file to unpack from an archive, in MiB."),
]
DEFAULT_MAX_SIZE = 1024
PlayerFilterOption = Annotated[
    str | None, typer.Option("--player", help="Only hands in which this player was dealt in.")
]


def convert(
    source: SourcesArgument,
    target: Annotated[
        Path, typer.Option("-o", "--output", metavar="TARGET", help="Output file or folder; must not exist.")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            autocompletion=_format_names,
            help="Output format ('holdmem formats' lists them); by default according to the suffix.",
        ),
    ] = None,
    format: FormatOption = None,
    game: SourceGameOption = None,
    player: PlayerFilterOption = None,
    hero: HeroOption = None,
    anonymous: AnonymousOption = False,
    unread: UnreadFileOption = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Convert hand histories from any supported format to another.

    The input format is detected from the content. The suffix of the target determines the output format;
    'holdmem formats' lists them. A target without a suffix becomes a folder of Parquet files. Examples:

    [bold]holdmem convert hands.txt -o hands.phhs[/bold]

    [bold]holdmem convert hands.txt -o shared.txt --hero bob[/bold]

    [bold]holdmem convert botsonly.199908.tgz -o bots --unread bots.unread[/bold]
    """
    from holdmem.api.hands import write_hands
    from holdmem.cli.options import writable
    from holdmem.core.atomic import expect_new
    from holdmem.history.formats import output_format
    from holdmem.history.resume import store_resumably

    kind, rename = output_format(target, to), names_for(hero, anonymous)
    expect_new(target)
    writable(target)
    with unread_log(unread) as listen, reading_progress(f"reading {named_source(source)}") as tell:
        reading = open_reading(source, format, game, max_size, listen, workers, on)
        blocks = shared(counted(of_player(reading, player), tell), rename)
        whole = player is None and unread is None and rename is None
        if kind.name == "parquet" and not target.suffix and whole:
            count = store_resumably(reading, target, blocks)
        else:
            count = write_hands(blocks, target, format=kind.name, refused=_unwritten(reading, kind.label))
    print(f"{in_hands(count)} written to {target} as {kind.name}", file=sys.stderr)
    if as_json:
        account = reading.account.as_json()
        content = {"written": count, "as": kind.name, "target": str(target), "account": account}
        print(json.dumps(content, indent=2))
    print_account(reading.account, unread)
    exit_if_incomplete(reading)


def hands(
    source: SourcesArgument,
    player: PlayerFilterOption = None,
    show: Annotated[
        int | None, typer.Option(min=1, help="Describe the N-th hand in words, counted from 1.")
    ] = None,
    number: Annotated[
        int | None, typer.Option(help="Describe the hand with this number in its source.")
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the number of hands.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many hands.")] = None,
    format: FormatOption = None,
    game: SourceGameOption = None,
    unread: UnreadFileOption = None,
    max_size: MaxSizeOption = DEFAULT_MAX_SIZE,
    as_json: JsonOption = False,
) -> None:
    """Count the hands of any supported format by game, or describe one of them in words.

    Examples: [bold]holdmem hands hands.txt[/bold], [bold]holdmem hands hands.txt --player bob --show 3[/bold]
    """
    refused: list[Any] | None = None if show is None and number is None else []
    with unread_log(unread, refused) as listen, reading_progress(f"reading {named_source(source)}") as tell:
        reading = open_reading(source, format, game, max_size, listen)
        blocks = counted(_cut(of_player(reading, player), limit), tell)
        if show is not None or number is not None:
            found = find_hand(blocks, show, number, refused if refused is not None else [])
        else:
            tally = tally_of(blocks)
    if show is not None or number is not None:
        print_hand(found, as_json)
        return
    if as_json:
        print(json.dumps(counts_json(tally, reading.account), indent=2))
    elif count:
        print(sum(tally.values()))
    else:
        print_counts(tally)
    print_account(reading.account, unread)
    exit_if_incomplete(reading)


# Reading


def open_reading(
    source: list[str],
    format: str | None,
    game: str | None,
    max_size: int,
    listen: Any = None,
    workers: int = 1,
    on: str | None = None,
    keep: bool = False,
) -> "HandReader":
    """Open the hand histories with these options; `max_size` is in MiB.

    With `keep`, a copy of large folders and archives is kept and read the next time, unless the environment
    variable `HOLDMEM_KEEP_HANDS` is "no".
    """
    from holdmem.history import cached, read_hands

    source = ["/dev/stdin" if one == "-" else one for one in source]
    reading = read_hands(
        source, format=format, game=game, listen=listen, max_size=max_size << 20, workers=workers, on=on
    )
    return cached(reading) if keep and os.environ.get("HOLDMEM_KEEP_HANDS") != "no" else reading


def exit_if_incomplete(reading: "HandReader") -> None:
    """Exit with code 1 if a file or archive could not be read to its end, since the results lack the rest."""
    if reading.account.broken:
        raise typer.Exit(1)


def _unwritten(reading: "HandReader", label: str) -> "Callable[[str, str], None]":
    """Return a function that records in the account a hand which the output format cannot represent."""

    def note(where: str, reason: str) -> None:
        reading.account.skip(where, f"not written: {reason}", f"not representable as {label}")

    return note


@contextmanager
def unread_log(path: Path | None, kept: list[Any] | None = None) -> "Iterator[Callable[[Any], None] | None]":
    """Yield a function that writes unreadable hands to a file, one per line, and appends them to `kept`.

    The file appears when the context ends. Without a path, hands are only appended to `kept`, if given.
    """
    if path is None:
        yield None if kept is None else kept.append
        return
    from holdmem.cli.options import writable
    from holdmem.core.atomic import atomic_file

    def note(one: Any) -> None:
        print(one, file=file)
        if kept is not None:
            kept.append(one)

    with atomic_file(writable(path)) as temporary, temporary.open("w", encoding="utf-8") as file:
        yield note


def of_player(reading: "Iterable[Hands]", player: str | None) -> "Iterator[Hands]":
    for block in reading:
        chosen = block if player is None else block.with_player(player)
        if len(chosen):
            yield chosen


def counted(blocks: "Iterable[Hands]", tell: "Callable[[int], None]") -> "Iterator[Hands]":
    """Yield the blocks unchanged and report the hands so far to the progress bar."""
    done = 0
    for block in blocks:
        done += len(block)
        tell(done)
        yield block


def _cut(blocks: "Iterable[Hands]", limit: int | None) -> "Iterator[Hands]":
    left = limit
    for block in blocks:
        yield block if left is None else block[:left]
        if left is not None:
            left -= len(block)
            if left <= 0:
                return


def named_source(source: list[str]) -> str:
    return source[0] if len(source) == 1 else f"{source[0]} and {len(source) - 1} more"
