"""Descriptions of actions and players in the words that people use at a table."""

from collections.abc import Iterator, Sequence

from holdmem.engine.game import Game
from holdmem.engine.state import CALL, FOLD


def narrate(game: Game, history: list[tuple[int, int, int]]) -> Iterator[tuple[int, str]]:
    """Yield the actions of a hand as (seat, words): checks, calls, bets 10, raises to 20, folds."""
    highest, last_street, bets = game.big_blind, 0, list(game.blinds)
    for street, seat, code in history:
        if street != last_street:
            highest, last_street, bets = 0, street, [0] * game.seats
        if code == FOLD:
            yield seat, "folds"
        elif code == CALL:
            yield seat, "calls" if bets[seat] < highest else "checks"
            bets[seat] = highest
        else:
            yield seat, f"raises to {code}" if highest else f"bets {code}"
            bets[seat] = highest = code


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to each name that occurs more than once."""
    return [
        f"{name} {names[: i + 1].count(name)}" if list(names).count(name) > 1 else name
        for i, name in enumerate(names)
    ]
