"""Options of commands whose files and reports others may get to see: which names they contain."""

from dataclasses import dataclass
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
    return blocks if rename is None else _SharedHands(blocks, rename, player)


@dataclass(frozen=True)
class _SharedHands:
    """Hands under other names, as often as they are read."""

    blocks: "Iterable[Hands]"
    rename: "Rename"
    player: str | None

    def __iter__(self) -> "Iterator[Hands]":
        from holdmem.history import renamed

        return renamed(_with(self.blocks, self.player), self.rename)


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


def shared_reference(name: str | None, rename: "Rename | None") -> str | None:
    """Return who plays on, where player:NAME is somebody in the hands."""
    if name is None or rename is None or not name.startswith("player:"):
        return name
    return f"player:{rename(name.removeprefix('player:'))}"


def hero_of(blocks: "Iterable[Hands]", player: str) -> str:
    """Return the player's name; "me" is the one whose hole cards the first hands show most often."""
    import numpy as np

    block = next(iter(blocks), None) if player == "me" else None
    if block is None or "me" in block.players:
        return player
    known = block.rows["player"][block.known & block.seated]
    return block.players[int(np.bincount(known).argmax())] if len(known) else player
