"""Options of commands whose files and reports others may get to see: which names they contain."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdmem.history import Hands
    from holdmem.history.pseudonyms import Rename

NamesOption = Annotated[
    bool, typer.Option("--names", help="Keep the names of players in the report instead of Hero, Villain 1 …")
]
AnonymousOption = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help="Replace names by a keyed hash, the same for a player in all files; the key stays on this"
        " machine.",
    ),
]
HeroOption = Annotated[
    str | None,
    typer.Option(
        "--hero", metavar="PLAYER", help="For sharing: name this player Hero, the others Villain 1, 2 …"
    ),
]


def names_for(hero: str | None, anonymous: bool, keep: bool = False) -> "Rename | None":
    """Return how players are renamed for others to see; None keeps their names."""
    from holdmem.history import Roles, keyed_names

    if anonymous and keep:
        raise typer.BadParameter("expected --anonymous or --names, got both")
    if anonymous:
        return keyed_names()
    return None if keep or hero is None else Roles(hero)


def shared(
    blocks: "Iterable[Hands]", rename: "Rename | None", player: str | None = None
) -> "Iterable[Hands]":
    """Return the hands with the names that others get to see; NotationError if the player is not there."""
    from holdmem.history import renamed

    return blocks if rename is None else renamed(_with(blocks, player), rename)


def _with(blocks: "Iterable[Hands]", player: str | None) -> "Iterator[Hands]":
    """Yield the hands; afterwards fail by the real names, which nobody knows later, without the player."""
    from holdmem.core.errors import NotationError, nearest

    known = set[str]()
    for block in blocks:
        known.update(block.players)
        yield block
    if player is not None and player not in known:
        raise NotationError(f"no player {player!r} in these hands; {nearest(player, list(known))}")


def shared_name(player: str, rename: "Rename | None") -> str:
    """Return the name of a player that others get to see."""
    return player if rename is None else rename(player)
