"""Explain a decision on a solved river: both ranges, the equity, this hand and its neighbours."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from holdmem.agent import Detail, Explanation, Policy, View, explained
from holdmem.agent.words.actions import action_words
from holdmem.agent.words.english import joined, percent
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.cards.grid import range_grid
from holdmem.cards.notation import names
from holdmem.cfr.public_game import HOLDEM
from holdmem.core.types import Floats, Ints
from holdmem.players.resolving.subgames import ResolveOptions, SolvedRiver

NEIGHBOURS = 2
"""Holdings shown on either side of the player's own."""
SEEN = 0.02
"""Weight, relative to the largest, from which on a neighbour is worth showing."""


class RangeGrid(NamedTuple):
    """A range as lines of text under a title."""

    title: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class RangeExplanation(Explanation):
    """An explanation with both ranges as 13 × 13 grids."""

    grids: tuple[RangeGrid, ...] = ()

    def __str__(self) -> str:
        shown = ["\n".join([grid.title, *grid.rows]) for grid in self.grids]
        return "\n".join([super().__str__(), *shown])


def explain_river(
    view: View, policy: Policy, solution: SolvedRiver, node: int, options: ResolveOptions
) -> RangeExplanation:
    """Explain a decision on the river."""
    own, other = solution.ranges[view.seat], solution.ranges[1 - view.seat]
    holding = int(HOLDING_OF[view.hole])
    win = equity(view.board, holding, other.astype(np.float64))
    reasons = [
        f"against the opponent's range when the river came, this hand wins {percent(win)} of the pot",
        _how(options),
        *_neighbours(view, solution, node, holding),
    ]
    details = [
        Detail(
            "subgame",
            1.0,
            {
                "pot": solution.subgame.pot,
                "decisions": int((solution.tree.turn < 2).sum()),
                "iterations": options.iterations,
            },
        )
    ]
    plain = explained(view, policy, reasons, details=details)
    grids = (
        RangeGrid("Its own range when the river came, percent of the largest weight", _rows(own)),
        RangeGrid("The opponent's range then", _rows(other)),
    )
    return RangeExplanation(**{one.name: getattr(plain, one.name) for one in fields(plain)}, grids=grids)


def _rows(weights: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> tuple[str, ...]:
    return tuple(range_grid(weights.astype(np.float64)))


def _how(options: ResolveOptions) -> str:
    if options.safe:
        return (
            "it solves the rest of the hand for both ranges, such that no hand of the opponent does better"
            " than against the base's own play"
        )
    return "it solves the rest of the hand for both ranges as if they were exact"


def equity(board: tuple[int, ...], holding: int, weights: Floats) -> float:
    """Return the share of the pot that a holding wins at a showdown against a range, with card removal."""
    apart = ~np.isin(HOLDINGS, HOLDINGS[holding]).any(axis=1) & HOLDEM.free(board) & (weights > 0)
    rivals = np.flatnonzero(apart)
    if not len(rivals):
        return 0.5
    strength = HOLDEM.strengths(board, np.append(rivals, holding)).astype(np.int64)
    won = (np.sign(strength[-1] - strength[:-1]) + 1) / 2
    return float(won @ weights[rivals] / weights[rivals].sum())


def _neighbours(view: View, solution: SolvedRiver, node: int, holding: int) -> list[str]:
    """Say what it does with the next weaker and stronger hands of its range."""
    chances, codes = solution.at(node), solution.codes(node)
    said = [_said(view, one, chances[:, one], codes) for one in _next_to(view, solution, holding)]
    return [f"with hands of nearly the same strength it would do this: {joined(said)}"] if said else []


def _said(view: View, holding: int, chances: Floats, codes: list[int]) -> str:
    taken = sorted(zip(chances.tolist(), codes, strict=True), reverse=True)
    some = [f"{action_words(view, code)} {percent(chance)}" for chance, code in taken if chance >= 0.05]
    return f"{names(reversed(HOLDINGS[holding].tolist()))} {' or '.join(some)}"


def _next_to(view: View, solution: SolvedRiver, holding: int) -> list[int]:
    """Return holdings of the player's range next to its own in strength, one of each strength."""
    own = solution.ranges[view.seat]
    held = np.flatnonzero(HOLDEM.free(view.board) & (own >= SEEN))
    strengths: Ints = HOLDEM.strengths(view.board, np.append(held, holding)).astype(np.int64)
    mine, strengths = int(strengths[-1]), strengths[:-1]
    weaker = sorted({int(one) for one in strengths[strengths < mine]})[-NEIGHBOURS:]
    stronger = sorted({int(one) for one in strengths[strengths > mine]})[:NEIGHBOURS]
    return [int(held[np.flatnonzero(strengths == one)[-1]]) for one in (*weaker, *stronger)]
