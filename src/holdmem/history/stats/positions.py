"""Names of the positions at a table, by number of players."""

from functools import lru_cache

from holdmem.engine import Game

POSITIONS = ("SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "LJ", "HJ", "CO", "BTN")
"""In the order in which they act after the flop; the index is the code."""

_EARLY = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4")
_LATE = ("LJ", "HJ", "CO")


def positions_of(game: Game) -> tuple[int, ...]:
    """Return the code of the position of each seat.

    Heads-up the small blind has the button and is called BTN. At other tables the last seat has the button
    and the first two are the blinds, unless the second one acts first before the flop: then nobody posted a
    small blind and the first seat is the big one. The seats in between are named from the button backwards
    (CO, HJ, LJ), but the first of three or more is UTG.
    """
    return _positions(game.seats, game.first[0], game.blinds[0] < game.blinds[-1])


@lru_cache(maxsize=256)
def _positions(seats: int, first: int, first_is_smaller: bool) -> tuple[int, ...]:
    if seats == 2:
        found = ["BTN", "BB"] if first_is_smaller else ["BB", "BTN"]
    else:
        blinds = ["BB"] if first == 1 else ["SB", "BB"]
        found = [*blinds, *_between(seats - len(blinds) - 1), "BTN"]
    return tuple(map(POSITIONS.index, found))


def _between(count: int) -> tuple[str, ...]:
    """Return the names of this many seats between the big blind and the button, in order of action."""
    if count < len(_LATE):
        return _LATE[len(_LATE) - count :]
    late = _LATE[1:] if count == len(_LATE) else _LATE
    return (*_EARLY[: count - len(late)], *late)
