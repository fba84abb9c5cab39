"""Betting tree of a heads-up game: complete in limit, with a few bet sizes in no-limit.

A bet of fraction f raises to `highest + f · (pot + to_call)`, that is, by f times the pot after a call. A
raise that would leave less than `SHORT` of the stack that can still be bet is replaced by all-in.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import GameError
from holdmem.core.types import Ints
from holdmem.engine import CALL, FOLD, UNLIMITED, Game

FOLDED, SHOWDOWN = 2, 3
"""Values of `turn` at terminal nodes; at a decision `turn` is the seat, 0 or 1."""

ALL_IN = 99.0
"""The fraction that stands for all-in."""

SHORT = 1 / 3
MOST_ACTIONS = 8
MOST_NODES = 50_000_000
"""More nodes than fit into memory, so that a mistyped bet size fails before memory is full."""


@dataclass(frozen=True)
class Sizes:
    """Bet sizes allowed in no-limit besides all-in, as fractions of the pot.

    `first` applies to the first bet of a street (preflop: the first raise), `later` to further raises. A
    street has at most `raises` of them, the first bet included; all-in remains possible beyond that.
    """

    first: tuple[float, ...] = (0.5, 1.0)
    later: tuple[float, ...] = (1.0,)
    raises: int = 3

    def __post_init__(self) -> None:
        if not all(0 < fraction < ALL_IN for fraction in self.first + self.later) or self.raises < 0:
            raise GameError(
                f"expected bet sizes as positive fractions of the pot and 0 or more raises, got {self}"
            )


class BettingState(NamedTuple):
    """Betting state. `bets` are this street's chips, `paid` the chips per player from earlier streets."""

    street: int
    bets: tuple[int, int]
    paid: int
    actor: int
    raises: int
    acted: int
    last_raise: int


@dataclass
class _Growing:
    most: int
    turn: list[int] = field(default_factory=list)
    street: list[int] = field(default_factory=list)
    loser: list[int] = field(default_factory=list)
    paid: list[tuple[int, int]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    children: list[list[tuple[float, int]]] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class BettingTree:
    """Betting tree in depth-first order: the descendants of node n are the nodes n + 1 to `end[n] - 1`.

    `fraction` of an edge is -1 for a fold, 0 for a check or call, otherwise the raise size (ALL_IN, or 1 for
    the only size in limit).
    """

    game: Game
    sizes: Sizes | None
    turn: Ints  # [node] 0 or 1, FOLDED, SHOWDOWN
    street: Ints  # [node] street of the decision, or on which the hand ended
    loser: Ints  # [node] seat that folded, else -1
    paid: Ints  # [node, seat] chips put in so far, over all streets
    end: Ints  # [node] one past its last descendant
    edges: Ints  # [node] index of its first edge; one extra entry at the end
    child: Ints  # [edge] node it leads to
    fraction: NDArray[np.float64]  # [edge] action, as described above

    def __len__(self) -> int:
        return len(self.turn)

    @cached_property
    def decisions(self) -> Ints:
        """Number of decision nodes on each street."""
        return np.bincount(self.street[self.turn < 2], minlength=4)

    def actions(self, node: int) -> list[float]:
        """Return the actions at a node: FOLD, CALL, or a raise as a fraction of the pot."""
        return self.fraction[self.edges[node] : self.edges[node + 1]].tolist()  # type: ignore[no-any-return]


def betting_tree(game: Game, sizes: Sizes | None = None, most: int = MOST_NODES) -> BettingTree:
    """Build the betting tree of a heads-up game with at most `most` nodes.

    `sizes` apply to no-limit only, where the default is `Sizes()`.
    """
    if game.seats != 2:
        raise GameError(f"{game.name}: expected a heads-up game, got {game.seats} seats")
    if game.stacks[0] != game.stacks[1]:
        raise GameError(f"{game.name}: expected equal stacks, got {game.stacks}")
    if game.antes or game.dead or game.min_bet:
        raise GameError(f"{game.name}: antes, dead chips and minimum bets are not supported, got {game}")
    if game.limit and min(game.stacks) < UNLIMITED:
        raise GameError(f"{game.name}: expected unlimited stacks in limit, got {game.stacks}")
    sizes = None if game.limit else sizes or Sizes()
    grown = _Growing(most)
    _grow(game, sizes, _start(game), grown, -1)
    edges = [(number, fraction) for children in grown.children for fraction, number in children]
    return BettingTree(
        game=game,
        sizes=sizes,
        turn=np.array(grown.turn),
        street=np.array(grown.street),
        loser=np.array(grown.loser),
        paid=np.array(grown.paid),
        end=np.array(grown.end),
        edges=np.cumsum([0, *map(len, grown.children)]),
        child=np.array([number for number, _ in edges]),
        fraction=np.array([fraction for _, fraction in edges]),
    )


def _start(game: Game) -> BettingState:
    return BettingState(0, (game.blinds[0], game.blinds[1]), 0, game.first[0], 0, 0, game.big_blind)


def _grow(game: Game, sizes: Sizes | None, state: BettingState, grown: _Growing, loser: int) -> int:
    """Add the node of this betting state and all nodes below it; return its index.

    `loser` is the seat that has just folded, or -1.
    """
    node = len(grown.turn)
    if node >= grown.most:
        raise GameError(f"{game.name}: the betting tree has more than {grown.most:,} nodes")
    over = loser >= 0 or state.actor < 0
    grown.turn.append(state.actor if not over else FOLDED if loser >= 0 else SHOWDOWN)
    grown.street.append(state.street)
    grown.loser.append(loser)
    grown.paid.append((state.paid + state.bets[0], state.paid + state.bets[1]))
    grown.end.append(0)
    grown.children.append([])
    for fraction, total in () if over else _actions(game, sizes, state):
        folding = state.actor if total == FOLD else -1
        after = state if total == FOLD else _after(game, state, total)
        grown.children[node].append((fraction, _grow(game, sizes, after, grown, folding)))
    grown.end[node] = len(grown.turn)
    return node


def _actions(game: Game, sizes: Sizes | None, state: BettingState) -> Iterator[tuple[float, int]]:
    """Yield fraction and action code: fold if facing a bet, call, then raises from small to large."""
    if state.bets[state.actor] < max(state.bets):
        yield -1.0, FOLD
    yield 0.0, CALL
    if game.raise_sizes:
        if state.raises < game.max_raises[state.street]:
            yield 1.0, max(state.bets) + game.raise_sizes[state.street]
    elif sizes:
        yield from _raises(game, sizes, state)


def _raises(game: Game, sizes: Sizes, state: BettingState) -> Iterator[tuple[float, int]]:
    highest, all_in = max(state.bets), game.stacks[0] - state.paid
    if highest >= all_in:
        return
    pot = 2 * (state.paid + highest)
    fractions = sizes.later if state.raises else sizes.first
    last = highest
    for fraction in fractions if state.raises < sizes.raises else ():
        total = max(highest + round(fraction * pot), highest + state.last_raise)
        if total > last and all_in - total >= SHORT * all_in:
            yield fraction, total
            last = total
    yield ALL_IN, all_in


def _after(game: Game, state: BettingState, total: int) -> BettingState:
    """Return the spot after a call or a raise to `total`."""
    highest, other = max(state.bets), 1 - state.actor
    mine = highest if total == CALL else total
    bets = (mine, state.bets[1]) if state.actor == 0 else (state.bets[0], mine)
    if total != CALL:
        return BettingState(
            state.street, bets, state.paid, other, state.raises + 1, state.acted + 1, total - highest
        )
    if state.acted == 0:
        return BettingState(state.street, bets, state.paid, other, state.raises, 1, state.last_raise)
    paid, last = state.paid + highest, state.street == 3
    if last or paid >= game.stacks[0]:
        return BettingState(state.street, bets, state.paid, -1, 0, 0, 0)
    return BettingState(state.street + 1, (0, 0), paid, game.first[state.street + 1], 0, 0, game.big_blind)
