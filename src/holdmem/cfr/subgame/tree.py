"""Betting from the start of a street to the end of the hand, heads-up, with chosen bet sizes.

A subgame starts where both players have paid the same and the first one is to act. Its tree holds the sizes
asked for and, where betting has already gone on, the very bets that were made, so that no bet needs to be
translated. The last street of a turn subgame is a forest: one root for each way in which the turn's betting
ends, shared by all river cards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from holdmem.cfr.betting_tree import SHORT, Sizes
from holdmem.cfr.subgame.records import SubgameShape
from holdmem.cfr.subgame.shape import DEALT, FOLDED, SHOWN, street_shape
from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints
from holdmem.engine import CALL, FOLD
from holdmem.engine.state import STREETS

MOST_NODES = 20_000
"""More nodes than can be solved at a table, so that mistyped sizes fail early."""


@dataclass(frozen=True)
class Subgame:
    """The chips at the start of a street, and the bets to consider from there on.

    Attributes
    ----------
    street : 2 (turn) or 3 (river).
    pot : chips in the pot.
    stack : chips that can still be bet: the smaller of both stacks.
    sizes : no-limit: bet sizes besides all-in.
    fixed : limit: size of a bet on the turn and on the river; None in no-limit.
    most_raises : limit: bets and raises per street.
    min_bet : no-limit: the smallest bet.
    made : actions so far, FOLD, CALL or the total of a raise on its street; they become nodes of the tree.
    first : the seat that acts first.
    """

    street: int
    pot: float
    stack: int
    sizes: Sizes = Sizes()  # noqa: RUF009
    fixed: tuple[int, int] | None = None
    most_raises: int = 4
    min_bet: int = 1
    made: tuple[int, ...] = ()
    first: int = 0

    def __post_init__(self) -> None:
        if self.street not in (2, 3):
            raise GameError(f"expected a subgame on the turn (2) or river (3), got street {self.street}")
        if not (self.pot > 0 and self.stack >= 0 and self.min_bet > 0):
            raise GameError(
                f"expected a pot and a smallest bet above 0 and a stack of 0 or more chips, got {self}"
            )


class _State(NamedTuple):
    """Betting state: `bets` on this street, `paid` per player on earlier streets of the subgame."""

    street: int
    bets: tuple[int, int]
    paid: int
    actor: int
    raises: int
    acted: int
    last_raise: int
    made: int  # number of real actions that led here, or -1 off the real path
    loser: int = -1


@dataclass(frozen=True, eq=False)
class StreetTree:
    """The betting of one street, level by level: children of a node have consecutive numbers."""

    turn: Ints  # [node] seat to act, FOLDED, SHOWN or DEALT
    actions: Ints  # [node] number of its children
    child: Ints  # [node] its first child
    code: Ints  # [node] action that leads to it: FOLD, CALL or the total of a raise; CALL at roots
    parent: Ints  # [node] -1 at roots
    paid: Floats  # [node, seat] chips paid, half of the pot at the start included
    loser: Ints  # [node] seat that folded, else -1
    onward: Ints  # [node] number of the root of the next street, else -1
    roots: int  # number of nodes, from the first on, that are roots

    def __len__(self) -> int:
        return len(self.turn)

    @cached_property
    def offset(self) -> Ints:
        """[node] row of its first action in a strategy; one more entry at the end."""
        return np.concatenate([[0], np.cumsum(np.where(self.turn < 2, self.actions, 0))])

    @property
    def rows(self) -> int:
        """Number of actions at all decisions."""
        return int(self.offset[-1])

    @cached_property
    def shapes(self) -> tuple[SubgameShape, SubgameShape]:
        """The street as each seat sees it."""
        return street_shape(self, 0), street_shape(self, 1)

    def follow(self, codes: tuple[int, ...], node: int = 0) -> int:
        """Return the node that these actions lead to from a node; -1 if one is not in the tree."""
        for code in codes:
            children = range(int(self.child[node]), int(self.child[node] + self.actions[node]))
            node = next((one for one in children if self.code[one] == code), -1)
            if node < 0:
                return -1
        return node

    def root(self, node: int) -> int:
        """Return the root above a node."""
        while self.parent[node] >= 0:
            node = int(self.parent[node])
        return node

    def path(self, node: int) -> tuple[int, ...]:
        """Return the actions that lead to a node from its root."""
        codes: list[int] = []
        while self.parent[node] >= 0:
            codes.append(int(self.code[node]))
            node = int(self.parent[node])
        return tuple(reversed(codes))


def subgame_tree(subgame: Subgame) -> tuple[StreetTree, ...]:
    """Return the betting of each street of a subgame; the same object for equal subgames."""
    return _trees(subgame)


@lru_cache(maxsize=512)
def _trees(subgame: Subgame) -> tuple[StreetTree, ...]:
    first = _State(subgame.street, (0, 0), 0, subgame.first, 0, 0, subgame.min_bet, 0)
    if not subgame.stack:
        first = first._replace(actor=-1)
    found, roots = [], [first]
    for street in range(subgame.street, STREETS):
        tree, roots = _grow(subgame, street, roots)
        found.append(tree)
    return tuple(found)


def _grow(subgame: Subgame, street: int, roots: list[_State]) -> tuple[StreetTree, list[_State]]:
    """Grow one street from its roots, level by level; return it with the roots of the next street."""
    states, codes, parents, counts, children = list(roots), [CALL] * len(roots), [-1] * len(roots), [], []
    onward: list[_State] = []
    leads: list[int] = []
    node = 0
    while node < len(states):
        state = states[node]
        last = state.street > street or (state.actor < 0 and street < STREETS - 1 and state.loser < 0)
        leads.append(len(onward) if last else -1)
        onward += [state._replace(street=street + 1)] if last else []
        some = [] if last or state.actor < 0 or state.loser >= 0 else list(_actions(subgame, state))
        counts.append(len(some))
        children.append(len(states))
        states += [_after(subgame, state, code) for code in some]
        codes += some
        parents += [node] * len(some)
        if len(states) > MOST_NODES:
            raise GameError(f"the betting tree has more than {MOST_NODES:,} nodes; give fewer sizes")
        node += 1
    return _arrays(subgame, states, codes, parents, counts, children, leads, len(roots)), onward


def _arrays(
    subgame: Subgame,
    states: list[_State],
    codes: list[int],
    parents: list[int],
    counts: list[int],
    children: list[int],
    leads: list[int],
    roots: int,
) -> StreetTree:
    half = subgame.pot / 2
    turn = [
        DEALT if lead >= 0 else FOLDED if state.loser >= 0 else SHOWN if state.actor < 0 else state.actor
        for state, lead in zip(states, leads, strict=True)
    ]
    paid = [(half + one.paid + one.bets[0], half + one.paid + one.bets[1]) for one in states]
    return StreetTree(
        turn=np.array(turn),
        actions=np.array(counts),
        child=np.array(children),
        code=np.array(codes),
        parent=np.array(parents),
        paid=np.array(paid, np.float64),
        loser=np.array([state.loser for state in states]),
        onward=np.array(leads),
        roots=roots,
    )


def _actions(subgame: Subgame, state: _State) -> Iterator[int]:
    """Yield the actions at a state: fold if facing a bet, call, then raises from small to large."""
    highest, all_in = max(state.bets), subgame.stack - state.paid
    if state.bets[state.actor] < highest:
        yield FOLD
    yield CALL
    totals = set(_raises(subgame, state)) if highest < all_in else set()
    if 0 <= state.made < len(subgame.made) and subgame.made[state.made] > 0:
        totals.add(subgame.made[state.made])
    yield from sorted(totals)


def _raises(subgame: Subgame, state: _State) -> Iterator[int]:
    highest, all_in = max(state.bets), subgame.stack - state.paid
    if subgame.fixed is not None:
        if state.raises < subgame.most_raises:
            yield min(highest + subgame.fixed[state.street - 2], all_in)
        return
    pot = subgame.pot + 2 * (state.paid + highest)
    fractions = subgame.sizes.later if state.raises else subgame.sizes.first
    for fraction in fractions if state.raises < subgame.sizes.raises else ():
        total = max(highest + round(fraction * pot), highest + state.last_raise)
        if all_in - total >= SHORT * all_in:
            yield total
    yield all_in


def _after(subgame: Subgame, state: _State, code: int) -> _State:
    """Return the state after an action."""
    real = 0 <= state.made < len(subgame.made) and subgame.made[state.made] == code
    made = state.made + 1 if real else -1
    if code == FOLD:
        return state._replace(loser=state.actor, made=made)
    highest, all_in, other = max(state.bets), subgame.stack - state.paid, 1 - state.actor
    mine = highest if code == CALL else min(code, all_in)
    bets = (mine, state.bets[1]) if state.actor == 0 else (state.bets[0], mine)
    after = state._replace(bets=bets, actor=other, acted=state.acted + 1, made=made)
    if code != CALL:
        return after._replace(raises=state.raises + 1, last_raise=max(code - highest, state.last_raise))
    if state.acted == 0:
        return after
    if state.street == STREETS - 1 or highest >= all_in:
        return after._replace(actor=-1)
    paid = state.paid + highest
    return _State(state.street + 1, (0, 0), paid, subgame.first, 0, 0, subgame.min_bet, made)
