"""The betting of one street as the exact best response walks it: one shape, and where it begins.

In limit the betting of a street has the same shape wherever it begins. A `StreetShape` holds that shape once,
as the responder of one seat sees it, and for each beginning ("root") the stakes and the roots of the next
street that it leads to. Roots are padded to a multiple of `LANES`; padding is never reached.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.kernels.exact_response import FOLD, LANES, LEAF, OWN, THEIRS
from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints

ACTIONS = 3
"""Fold, call and raise, the columns of every table."""


class StreetNodes(NamedTuple):
    """The nodes of one street: row r of `nodes` has those after root r, in the order of the shape."""

    nodes: Ints  # [root, node of the shape]
    child: Ints  # [node of the shape, action] node of the shape, -1 if the action is illegal
    decisions: Ints  # [root, decision of the shape] row of the street's tables
    decision: Ints  # [node of the shape] decision of the shape, -1 at terminals


class StreetShape(NamedTuple):
    """The betting of a street for the responder of one seat."""

    kind: Ints  # [node] OWN, THEIRS, FOLD or LEAF
    child: Ints  # [node, action] -1 if illegal
    decision: Ints  # [node] row of the strategy, -1 at terminals
    slot: Ints  # [node] at terminals, the opponent's reach; see `kernels.exact_response`
    slot_from: Ints  # [slot] the slot it continues, -1 for a root
    slot_action: Ints  # [slot] decision * 3 + action of the opponent
    leaf_slots: int  # number of slots of showdowns or ends of the street; they come first
    stake: Floats  # [node, root] chips won per opponent's holding at a fold, per win at a showdown
    onward: Ints  # [node, root] root of the next street, -1 if none


def decisions_of(tree: BettingTree, street: int) -> Ints:
    """Return the decision nodes of a street, the rows of its tables."""
    return np.flatnonzero((tree.turn < 2) & (tree.street == street))


def action_columns(tree: BettingTree, node: int) -> list[int]:
    """Return the child of a node by fold, call and raise, -1 where the action is illegal."""
    found = [-1] * ACTIONS
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        found[int(tree.fraction[edge]) + 1] = int(tree.child[edge])
    return found


def street_nodes(tree: BettingTree, street: int) -> StreetNodes:
    """Collect a street's nodes; GameError unless its betting has one shape wherever it begins."""
    roots = street_roots(tree, street)
    walks = [_walk(tree, int(root), street) for root in roots]
    if any(walk[1] != walks[0][1] for walk in walks):
        raise GameError(f"{tree.game.name}: expected betting of one shape on each street, as in limit")
    nodes, child = np.array([walk[0] for walk in walks]), np.array(walks[0][1])
    inside = (child >= 0).any(axis=1)
    if ((child[inside] >= 0).sum(axis=1) < 2).any():
        raise GameError(f"{tree.game.name}: expected at least one raise on each street")
    rows = np.searchsorted(decisions_of(tree, street), nodes[:, inside])
    return StreetNodes(nodes, child, rows, np.where(inside, np.cumsum(inside) - 1, -1))


def street_roots(tree: BettingTree, street: int) -> Ints:
    """Return the nodes at which a street begins."""
    if street == 0:
        return np.array([0])
    parent = np.repeat(np.arange(len(tree)), np.diff(tree.edges))
    before = np.zeros(len(tree), np.int64)
    before[tree.child] = tree.street[parent]
    return np.flatnonzero((tree.turn < 2) & (tree.street == street) & (before == street - 1))


def _walk(tree: BettingTree, root: int, street: int) -> tuple[list[int], list[list[int]]]:
    """Return the nodes of a street after a root, and the children of each as places in that list."""
    nodes: list[int] = []
    children: list[list[int]] = []

    def visit(node: int) -> int:
        place = len(nodes)
        nodes.append(node)
        children.append([-1] * ACTIONS)
        if tree.turn[node] < 2 and tree.street[node] == street:
            after = action_columns(tree, node)
            children[place] = [visit(child) if child >= 0 else -1 for child in after]
        return place

    visit(root)
    return nodes, children


class StreetSide(NamedTuple):
    """The betting of a street as one seat sees it; see `StreetShape`."""

    kind: Ints
    child: Ints
    decision: Ints
    stake: Floats
    onward: Ints


def street_sides(tree: BettingTree, street: int) -> list[StreetSide]:
    """Return the betting of a street as either seat sees it."""
    found = street_nodes(tree, street)
    kinds = [_kinds(tree, found, seat) for seat in (0, 1)]
    onward = _onward(tree, found.nodes, kinds[0], street)
    stakes = [_stakes(tree, found.nodes, kind, seat) for seat, kind in enumerate(kinds)]
    return [
        StreetSide(kind, found.child, found.decision, stake, onward)
        for kind, stake in zip(kinds, stakes, strict=True)
    ]


def _kinds(tree: BettingTree, found: StreetNodes, seat: int) -> Ints:
    first = found.nodes[0]
    ends = np.where(tree.loser[first] >= 0, FOLD, LEAF)
    return np.where(found.decision >= 0, np.where(tree.turn[first] == seat, OWN, THEIRS), ends)


def street_shape(tree: BettingTree, street: int, seat: int, precision: Any = np.float64) -> StreetShape:
    """Return the betting of a street for the responder in this seat."""
    found = street_nodes(tree, street)
    inside = found.decision >= 0
    kind = _kinds(tree, found, seat)
    slot, slots = _slots(kind, found)
    order = _leaves_first(kind, slot, len(slots))
    place = np.argsort(order)
    return StreetShape(
        kind=kind,
        child=found.child,
        decision=found.decision,
        slot=np.where(inside, -1, place[slot]),
        slot_from=np.array([place[slots[k][0]] if slots[k][0] >= 0 else -1 for k in order]),
        slot_action=np.array([slots[k][1] for k in order]),
        leaf_slots=len(set(slot[kind == LEAF].tolist())),
        stake=padded(_stakes(tree, found.nodes, kind, seat), 0.0).astype(precision),
        onward=padded(_onward(tree, found.nodes, kind, street), -1),
    )


def _slots(kind: Ints, found: StreetNodes) -> tuple[Ints, list[tuple[int, int]]]:
    """Number the sequences of the opponent's actions on the street, called slots.

    Returns the slot of each node, and for each slot the slot it continues and the action it adds.
    """
    slot = np.full(len(kind), -1)
    slots: list[tuple[int, int]] = []
    for node in range(len(kind)):
        for action, child in enumerate(found.child[node].tolist()):
            if child < 0:
                continue
            slot[child] = slot[node]
            if kind[node] == THEIRS:
                slots.append((int(slot[node]), ACTIONS * int(found.decision[node]) + action))
                slot[child] = len(slots) - 1
    if (slot[found.decision < 0] < 0).any():
        raise GameError("expected both players to act before a street ends")
    return slot, slots


def _leaves_first(kind: Ints, slot: Ints, count: int) -> list[int]:
    """Return the slots with those of showdowns first.

    A slot still comes before those that continue it: what an opponent continues, the responder could have
    called, and a call ends the street.
    """
    leaves = set(slot[kind == LEAF].tolist())
    return [*sorted(leaves), *(k for k in range(count) if k not in leaves)]


def _stakes(tree: BettingTree, nodes: Ints, kind: Ints, seat: int) -> Floats:
    paid = tree.paid[nodes].astype(np.float64)
    fold = np.where(tree.loser[nodes] == seat, -paid[:, :, seat], paid[:, :, 1 - seat])
    stakes: Floats = np.where(kind == FOLD, fold, np.where(kind == LEAF, paid.min(axis=2), 0.0)).T
    return stakes


def _onward(tree: BettingTree, nodes: Ints, kind: Ints, street: int) -> Ints:
    """Return the root of the next street at each node, -1 where there is none."""
    later = street_roots(tree, street + 1)
    found = np.searchsorted(later, nodes)
    there = (kind == LEAF) & (found < len(later)) & (tree.turn[nodes] < 2)
    return np.where(there, found, -1).T


def padded(values: NDArray[Any], filler: float = 0.0) -> NDArray[Any]:
    """Pad the last axis to a multiple of LANES."""
    missing = -values.shape[-1] % LANES
    return np.ascontiguousarray(
        np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, missing)], constant_values=filler)
    )


def arranged(table: Floats, found: StreetNodes, precision: Any) -> Floats:
    """Lay a table [decision, action, class] out as [block of roots, class, decision and action, lane]."""
    by_root = table[found.decisions]  # [root, decision of the shape, action, class]
    roots, decisions, actions, classes = by_root.shape
    blocks = -(-roots // LANES)
    out = np.zeros((blocks * LANES, decisions * actions, classes), precision)
    out[:roots] = by_root.reshape(roots, decisions * actions, classes)
    lanes = out.reshape(blocks, LANES, decisions * actions, classes)
    return np.ascontiguousarray(lanes.transpose(0, 3, 2, 1))
