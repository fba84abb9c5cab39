"""Options and helpers that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from holdmem.core.choices import MatchKind, MemoryMode, OnError, VarianceMethod

if TYPE_CHECKING:
    from holdmem.arena import Ledger
    from holdmem.arena.design import DesignSeed as SeedNumber
    from holdmem.engine import Game

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
LedgerOption = Annotated[
    Path | None, typer.Option("--ledger", help="Ledger file for results, instead of your default one.")
]
GameOption = Annotated[str, typer.Option("--game", help="A built-in game ('holdmem games') or a .game file.")]
HandsOption = Annotated[
    int, typer.Option(min=1, help="Hands per match; in duplicate play, per seating order.")
]
MatchesOption = Annotated[int, typer.Option(min=1, help="Number of matches, each with new cards.")]
KindOption = Annotated[
    MatchKind,
    typer.Option(
        "--kind",
        help="duplicate: the same cards in every seating order; ring: new cards every hand; bankroll: stacks"
        " carry over as well; freeze-out: until one player has all chips.",
    ),
]
MemoryOption = Annotated[
    MemoryMode,
    typer.Option("--memory", help="Whether agents forget between the seating orders of a duplicate match."),
]
SeedOption = Annotated[int, typer.Option(min=0, help="Random seed.")]


def seed_or_secret(text: str | int) -> "SeedNumber":
    """Parse the value of `--seed`: a non-negative integer or "secret"."""
    from holdmem.arena.design import SECRET

    said = str(text)
    if said == SECRET:
        return SECRET
    if not (said.isascii() and said.isdecimal()):
        raise typer.BadParameter(f"expected a non-negative integer or {SECRET}, got {said!r}")
    return int(said)


SecretSeedOption = Annotated[
    Any,
    typer.Option(
        "--seed",
        parser=seed_or_secret,
        metavar="N|secret",
        help="Random seed; 'secret' draws one from the operating system, revealed at the end.",
    ),
]
LUCK_CHOICES = get_args(VarianceMethod)


def luck_choice(text: str) -> str:
    """Parse a value of `--luck`; unlike a single option, Typer gives a repeated one no Literal type."""
    if text not in LUCK_CHOICES:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, LUCK_CHOICES))}.")
    return text


LuckOption = Annotated[
    list[Any] | None,
    typer.Option(
        "--luck",
        parser=luck_choice,
        metavar=f"<{'|'.join(LUCK_CHOICES)}>",
        autocompletion=lambda: list(LUCK_CHOICES),
        help="Also report estimates with variance reduction; may be repeated.",
    ),
]
RankingLuckOption = Annotated[
    Literal["adjusted", "aivat"] | None,
    typer.Option("--luck", help="Rank by results without luck, which have the mean of the winnings."),
]
WorkersOption = Annotated[int, typer.Option(min=1, help="Number of worker processes.")]
ClusterOption = Annotated[
    str | None, typer.Option(metavar="tcp://HOST:PORT", help="Address of a Dask scheduler to run on.")
]
NoLedgerOption = Annotated[bool, typer.Option("--no-ledger", help="Neither look up nor store results.")]
TimeLimitOption = Annotated[
    float, typer.Option(min=0, help="Seconds an agent may take per batch of decisions; 0 for no limit.")
]
OnErrorOption = Annotated[
    OnError,
    typer.Option(help="When a bot fails or breaks the rules: stop, or let it check or fold and count that."),
]
UnitOption = Annotated[str | None, typer.Option("--unit", help="Unit of the results: sb/h, bb/h or mbb/h.")]
StackOption = Annotated[
    int | None, typer.Option(min=1, help="Starting stack of every player in chips, instead of the game's.")
]
LevelHandsOption = Annotated[
    int, typer.Option(min=1, help="Freeze-out: hands after which the blinds double.")
]


def chosen_game(name: str, seats: int | None, stack: int | None) -> "Game":
    """Return the game with this name; seats and stack in chips replace the game's where given."""
    from dataclasses import replace

    from holdmem.engine import find_game

    game = find_game(name, seats)
    return replace(game, stacks=(stack,) * game.seats) if stack else game


def writable(path: Path) -> Path:
    """Return the path if a file can be there; otherwise raise NotationError now, not after hours of play."""
    from holdmem.core.errors import NotationError

    if path.is_dir():
        raise NotationError(f"expected a file to write, got {path}, which is a folder")
    if not path.parent.is_dir():
        raise NotationError(f"the folder of {path} does not exist")
    return path


def chosen_ledger(path: Path | None, no_ledger: bool) -> "Ledger | None":
    """Open the ledger of `--ledger`, by default the user's, or none for `--no-ledger`."""
    from holdmem.arena import Ledger

    return None if no_ledger else Ledger(path)
