"""Explain a solved decision: both ranges, the equity, this hand and its neighbours.

Where the base explains itself by remembered hands, those behind the player's last decision before the subgame
are shown too: ranges follow from such decisions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Detail, ExplainingSeat, Explanation, Policy, PolicySeat, View, explained
from holdmem.agent.words.actions import action_words
from holdmem.agent.words.cards import card_words
from holdmem.agent.words.english import joined, percent
from holdmem.cards.classes import CLASS_OF_HOLDING, CLASSES, HOLDING_OF, HOLDINGS
from holdmem.cards.grid import percent_grid
from holdmem.cfr.public_game import HOLDEM
from holdmem.core.types import Floats
from holdmem.engine import STREET_NAMES
from holdmem.players.resolving.public_play import view_before
from holdmem.players.resolving.subgames import ResolveOptions, SolvedSubgame

NEIGHBOURS = 2
"""Holdings shown on either side of the player's own."""
SEEN = 0.02
"""Weight, relative to the largest, from which on a neighbour is worth showing."""


class RangeGrid(NamedTuple):
    """A range under a title: the weights of the 169 classes as shares of the largest, NaN for none."""

    title: str
    shares: tuple[float, ...]

    @property
    def rows(self) -> list[str]:
        """The range as lines of text, in percent."""
        return percent_grid(np.array(self.shares))


@dataclass(frozen=True)
class RangeExplanation(Explanation):
    """An explanation with both ranges as 13 × 13 grids."""

    grids: tuple[RangeGrid, ...] = ()

    def __str__(self) -> str:
        shown = ["\n".join([grid.title, *grid.rows]) for grid in self.grids]
        return "\n".join([super().__str__(), *shown])


def explain_solution(
    view: View,
    policy: Policy,
    solution: SolvedSubgame,
    node: int,
    options: ResolveOptions,
    base: PolicySeat,
) -> RangeExplanation:
    """Explain a decision of a solved subgame."""
    own, other = solution.ranges[view.seat], solution.ranges[1 - view.seat]
    holding = int(HOLDING_OF[view.hole])
    win = equity(view.board, holding, other.astype(np.float64))
    street = STREET_NAMES[solution.subgame.street]
    reasons = [
        f"against the opponent's range when the {street} came, this hand wins {percent(win)} of the pot",
        _how(options),
        *_neighbours(view, solution, node, holding),
    ]
    facts: dict[str, float | str] = {
        "pot": solution.subgame.pot,
        "decisions": int((solution.tree.turn < 2).sum()),
        "iterations": options.iterations_on(solution.subgame.street),
    }
    before = _explained_before(view, base, solution.subgame.street)
    if before is not None and before.hands:
        reasons += ["the ranges come from what its base remembers; before that, with this hand:"]
        reasons += before.reasons
    hands = () if before is None else before.hands
    plain = explained(view, policy, reasons, hands=hands, details=[Detail("subgame", 1.0, facts)])
    grids = (
        RangeGrid(f"Its own range when the {street} came, percent of the largest weight", _shares(own)),
        RangeGrid("The opponent's range then", _shares(other)),
    )
    return RangeExplanation(**{one.name: getattr(plain, one.name) for one in fields(plain)}, grids=grids)


def _explained_before(view: View, base: PolicySeat, street: int) -> Explanation | None:
    """Return the base's explanation of the player's last decision before a street, if it gives any."""
    if not isinstance(base, ExplainingSeat):
        return None
    earlier = view_before(view, street)
    return None if earlier is None else base.explain(earlier)


def _shares(weights: NDArray[np.float32]) -> tuple[float, ...]:
    found: list[float] = class_shares(weights.astype(np.float64)).tolist()
    return tuple(found)


def class_shares(weights: Floats) -> Floats:
    """Return the mean weight of each of the 169 classes as a share of the largest, NaN for none."""
    counts = np.bincount(CLASS_OF_HOLDING, weights > 0, len(CLASSES))
    sums = np.bincount(CLASS_OF_HOLDING, weights, len(CLASSES))
    means: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return means / np.nanmax(means) if counts.any() else means


def _how(options: ResolveOptions) -> str:
    if options.safe:
        return (
            "it solves the rest of the hand for both ranges, such that no hand of the opponent does better"
            " than against the base's own play"
        )
    return "it solves the rest of the hand for both ranges as if they were exact"


def equity(board: tuple[int, ...], holding: int, weights: Floats) -> float:
    """Return the share of the pot that a holding wins at a showdown against a range, with card removal.

    On the turn it is the mean over all rivers.
    """
    apart = ~np.isin(HOLDINGS, HOLDINGS[holding]).any(axis=1) & (weights > 0)
    won = total = 0.0
    for full in _full_boards(board, HOLDINGS[holding].tolist()):
        rivals = np.flatnonzero(apart & HOLDEM.free(full))
        strength = HOLDEM.strengths(full, np.append(rivals, holding)).astype(np.int64)
        won += float((np.sign(strength[-1] - strength[:-1]) + 1) / 2 @ weights[rivals])
        total += float(weights[rivals].sum())
    return won / total if total > 0 else 0.5


def _full_boards(board: tuple[int, ...], gone: Sequence[int] = ()) -> list[tuple[int, ...]]:
    """Return the board, or with four cards all boards that it can become without the cards that are gone."""
    shown = tuple(card for card in board if card >= 0)
    if len(shown) == sum(HOLDEM.dealt):
        return [shown]
    return [(*shown, card) for card in HOLDEM.cards.tolist() if card not in (*shown, *gone)]


def _neighbours(view: View, solution: SolvedSubgame, node: int, holding: int) -> list[str]:
    """Say what it does with the next weaker and stronger hands of its range."""
    probabilities, codes = solution.at(node), solution.codes(node)
    said = [_said(view, one, probabilities[:, one], codes) for one in _next_to(view, solution, holding)]
    hands = "the next weaker and stronger hands that it may hold here"
    return [f"with {hands}, it would do this: {'; '.join(said)}"] if said else []


def _said(view: View, holding: int, probabilities: Floats, codes: list[int]) -> str:
    taken = sorted(zip(probabilities.tolist(), codes, strict=True), reverse=True)
    kept = [(probability, code) for probability, code in taken if probability >= 0.05]
    some = [f"{action_words(view, code)} ({percent(probability)})" for probability, code in kept]
    does = action_words(view, kept[0][1]) if kept[0][0] > 0.995 else joined(some, "or")
    return f"with {card_words(HOLDINGS[holding].tolist()[::-1])}, {does}"


def _next_to(view: View, solution: SolvedSubgame, holding: int) -> list[int]:
    """Return holdings of the player's range next to its own in strength, one of each strength."""
    own = solution.ranges[view.seat]
    held = np.flatnonzero(HOLDEM.free(view.board) & (own >= SEEN))
    ranks = _ranks(view.board)
    mine, strengths = ranks[holding], ranks[held]
    weaker = np.unique(strengths[strengths < mine])[-NEIGHBOURS:].tolist()
    stronger = np.unique(strengths[strengths > mine])[:NEIGHBOURS].tolist()
    return [int(held[np.flatnonzero(strengths == one)[-1]]) for one in (*weaker, *stronger)]


def _ranks(board: tuple[int, ...]) -> Floats:
    """Return the strength of each holding; on the turn its mean rank over rivers, in hundredths."""
    boards = _full_boards(board)
    sums, counts = np.zeros((2, len(HOLDINGS)))
    for full in boards:
        held = np.flatnonzero(HOLDEM.free(full))
        found = HOLDEM.strengths(full, held)
        order = np.searchsorted(np.sort(found), found) / len(held)
        sums[held] += found if len(boards) == 1 else order
        counts[held] += 1
    means: Floats = sums / np.maximum(counts, 1)
    return means if len(boards) == 1 else np.round(means, 2)
