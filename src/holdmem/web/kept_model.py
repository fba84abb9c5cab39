"""Model of the opponents that the review of a file has learned, stored with it for single hands."""

import hashlib
from contextlib import suppress
from pathlib import Path

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError
from holdmem.ev import NamedPlayer
from holdmem.ev.players import packed_player
from holdmem.ev.review.run import ENOUGH, field_model, field_words
from holdmem.history import Hands
from holdmem.people.memory import read_person


def named_by(player: str) -> str:
    """Return what stands for a player in names of files, which never contain a name from outside."""
    return hashlib.blake2b(player.encode(errors="replace"), digest_size=8).hexdigest()


def kept_model(folder: Path, player: str) -> NamedPlayer | None:
    """Return the model of the others at the tables of a player; None if none is kept, or it is damaged."""
    with suppress(HoldMemError, OSError, LookupError, ValueError):
        person = read_person(_file(folder, player))
        return packed_player(person, field_words(int(person.about["hands"])))
    return None


def learned_model(folder: Path, player: str, hands: Hands) -> NamedPlayer | None:
    """Learn and keep the model of the others in a player's hands; None if these are too few."""
    mine = hands.with_player(player)
    if len(mine) < ENOUGH:
        return None
    found = field_model(mine, player)
    if isinstance(found.source, bytes) and folder.is_dir():
        write_atomically(_file(folder, player), found.source)
    return found


def _file(folder: Path, player: str) -> Path:
    return folder / f"others-{named_by(player)}.people"
