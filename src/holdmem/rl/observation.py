"""Observation of a hand by one player, as one row of numbers.

Seats are listed clockwise from the player's own, so that what is learned in one seat carries over to others.
Chips are in small bets (limit) or big blinds (no-limit). Other players' cards are never included.
"""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.single_hand import TABLE, SingleHand
from holdmem.core.types import Ints
from holdmem.engine import UNLIMITED, Batch, Game
from holdmem.engine.state import MAX_ACTIONS, STREETS
from holdmem.rl.kernels.observation import observe_all


class Observation:
    """Layout of an observation row: `parts` maps each name to its slice.

    - `hole`, `flop`, `turn`, `river`: 52 numbers each, 1 for a card that is present
    - `street`: 4 numbers, 1 for the current street
    - `seat`: 1 for the player's own seat, counted from the left of the button
    - `live`: 1 for each player that has not folded
    - `stack`: chips behind; absent where stacks are unlimited
    - `bets`: chips paid by street and player; antes count on the first street
    - `raises`, `calls`: number of raises and calls by street and player; checks count as calls
    - `pot`, `to_call`: chips
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        layout = _layout(game)
        ends = np.cumsum([size for _, size, _ in layout])
        self.size: int = int(ends[-1])
        self.parts: dict[str, slice] = {
            name: slice(int(end) - size, int(end)) for (name, size, _), end in zip(layout, ends, strict=True)
        }
        self.high: NDArray[np.float32] = np.concatenate(
            [np.full(size, top, np.float32) for _, size, top in layout]
        )
        """Upper bound of each number; the lower bound is 0."""
        self._starts = np.array([part.start for part in self.parts.values()], dtype=np.int64)

    def of(self, hand: SingleHand, player: int) -> NDArray[np.float32]:
        """Return what the player observes now."""
        row: NDArray[np.float32] = self.of_batch(hand.batch, TABLE, np.array([hand.seat_of(player)]))[0]
        return row

    def of_batch(self, batch: Batch, tables: Ints, seats: Ints) -> NDArray[np.float32]:
        """Return a row per table, each what the seat that `seats` has for this table observes."""
        out = np.empty((len(tables), self.size), dtype=np.float32)
        observe_all(
            self.game.rules_row,
            batch.hands,
            batch.history,
            tables,
            seats,
            self.game.unit[0],
            self._starts,
            out,
        )
        return out

    def named(self, row: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Return the parts of an observation, or of a batch of them, by name, as views of the rows."""
        return {name: row[..., part] for name, part in self.parts.items()}


def _layout(game: Game) -> list[tuple[str, int, float]]:
    """Return name, size and upper bound of each part, in the order the kernel uses."""
    seats, by_street = game.seats, STREETS * game.seats
    most, pot = _most_chips(game)
    behind = max(game.stacks) / game.unit[0]
    return [
        *((name, 52, 1.0) for name in ("hole", "flop", "turn", "river")),
        *(("street", STREETS, 1.0), ("seat", seats, 1.0), ("live", seats, 1.0)),
        ("stack", seats if min(game.stacks) < UNLIMITED else 0, behind),
        ("bets", by_street, most),
        *((name, by_street, float(MAX_ACTIONS)) for name in ("raises", "calls")),
        *(("pot", 1, pot), ("to_call", 1, most)),
    ]


def _most_chips(game: Game) -> tuple[float, float]:
    """Return upper bounds on what a seat can pay per hand and on the pot, in small bets or big blinds."""
    forced = game.big_blind + max(game.antes, default=0)
    caps = [min(cap + game.seats, MAX_ACTIONS) for cap in game.max_raises]  # short all-ins may not count
    sizes = game.raise_sizes or (max(game.stacks),) * STREETS
    most = forced + sum(cap * size for cap, size in zip(caps, sizes, strict=True))
    paid = [min(stack, most) for stack in game.stacks]
    return max(paid) / game.unit[0], (sum(paid) + sum(game.dead)) / game.unit[0]
