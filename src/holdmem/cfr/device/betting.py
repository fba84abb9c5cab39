"""The betting of a street in training: reach down it and values up it, for all boards at once."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .responder import FOLD, LEAF, OWN, Array


class StreetBetting(NamedTuple):
    """The betting of a street; arrays by seat are as that seat sees it."""

    kind: list[Array]  # [seat][node] OWN, THEIRS, FOLD or LEAF
    child: Array  # [node, action] -1 if illegal
    decision: Array  # [node]
    stake: list[Array]  # [seat][node, root]
    onward: Array  # [node, root] root of the next street
    rows: Array  # [root, decision] row of the strategy's table

    @property
    def roots(self) -> int:
        """Number of ways in which the street can begin."""
        return len(self.rows)

    def own(self, seat: int) -> list[tuple[int, int]]:
        """Return the legal actions of a seat as (node, action)."""
        nodes = np.flatnonzero(self.kind[seat] == OWN).tolist()
        return [(node, action) for node in nodes for action, _ in self.after(node)]

    def after(self, node: int) -> list[tuple[int, int]]:
        """Return the legal actions at a node and where they lead."""
        return [(action, child) for action, child in enumerate(self.child[node].tolist()) if child >= 0]


def read_street(export: Any, street: int) -> StreetBetting:
    """Return the betting of a street from an exported file."""
    data, rows = export.data, export.data[f"street{street}/decisions"]
    seats, roots = [f"street{street}/seat{seat}" for seat in (0, 1)], len(rows)
    return StreetBetting(
        [data[f"{seat}/kind"] for seat in seats],
        data[f"{seats[0]}/child"],
        data[f"{seats[0]}/decision"],
        [data[f"{seat}/stake"][:, :roots].astype(np.float32) for seat in seats],
        data[f"{seats[0]}/onward"][:, :roots],
        rows,
    )


ActionShare = Callable[[int, int], Any]
"""The probability of an action at a node, by board, holding and root."""


def descend(street: StreetBetting, seat: int, reach: Any, share: ActionShare) -> list[Any]:
    """Return a seat's reach at each node of a street from its reach at the roots."""
    found = [reach] * len(street.child)
    for node in range(len(street.child)):
        own = street.kind[seat][node] == OWN
        for action, child in street.after(node):
            found[child] = found[node] * share(node, action) if own else found[node]
    return found


class Values:
    """Values of one seat at the nodes of a street, from those after it and the reach of the other seat.

    Parameters
    ----------
    cards : counts the reach that holdings meet; see `cards.HoldingSums`.
    theirs : reach of the other seat by node, [board, holding, root].
    after : values of the next street's roots, [board, holding, root there]; none of its own on the last one.
    left : whether the board leaves the holding; values of the others are 0.
    """

    def __init__(
        self, cards: Any, street: StreetBetting, seat: int, theirs: list[Any], after: Any, left: Any
    ) -> None:
        self.street = street
        self.seat = seat
        self._cards = cards
        self._theirs = theirs
        self._left = left
        self._after = cards.xp.where(left, after, 0)
        self.at: dict[int, Any] = {}

    def up(self, choose: Callable[[int, dict[int, Any]], Any]) -> Any:
        """Return the values of the roots; `choose` makes one value of those of a node's actions."""
        street = self.street
        for node in reversed(range(len(street.child))):
            after = {action: self.at[child] for action, child in street.after(node)}
            kind = street.kind[self.seat][node]
            if kind in (FOLD, LEAF):
                self.at[node] = self._end(node)
            else:
                self.at[node] = choose(node, after) if kind == OWN else sum(after.values())
        return self.at[0]

    def _end(self, node: int) -> Any:
        street, xp = self.street, self._cards.xp
        if street.kind[self.seat][node] == LEAF:
            return self._after[..., xp.asarray(street.onward[node])]
        stake = xp.asarray(street.stake[self.seat][node])
        return stake * self._cards.against(self._theirs[node]) * self._left

    def mixed(self, share: ActionShare) -> Any:
        """Return the values at the roots if the seat plays with these probabilities."""
        return self.up(
            lambda node, after: sum(share(node, action) * value for action, value in after.items())
        )

    def best(self) -> tuple[Any, ActionShare]:
        """Return the values at the roots if the seat always takes its best action, and these actions."""
        xp, chosen = self._cards.xp, {}

        def largest(node: int, after: dict[int, Any]) -> Any:
            actions = sorted(after)
            value, action = after[actions[0]], xp.full(after[actions[0]].shape, actions[0], np.int8)
            for other in actions[1:]:
                larger = after[other] > value
                value, action = (
                    xp.where(larger, after[other], value),
                    xp.where(larger, np.int8(other), action),
                )
            chosen[node] = action
            return value

        return self.up(largest), lambda node, action: (chosen[node] == action).astype(np.float32)

    def of_action(self, node: int, action: int) -> Any:
        """Return the values of an action."""
        return self.at[int(self.street.child[node, action])]

    def regrets(self) -> Any:
        """Return the value of each own action less that of its node, [board, holding, action, root]."""
        own = self.street.own(self.seat)
        return self._cards.xp.stack([self.of_action(*step) - self.at[step[0]] for step in own], axis=2)
