"""Naive twins of the kernels behind values of actions: ranges, deals and states, one at a time."""

from itertools import product

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.engine import Batch, Game
from holdmem.ev.spots import Spots
from holdmem.people.choose import weights_at
from holdmem.people.memory import PersonMemory
from holdmem.people.situations import action_classes


def range_weight(spots: Spots, spot: int, seat: int, holding: int, person: PersonMemory) -> float:
    """Weight of a holding: the product of what the person's policy gives to each action of the seat."""
    views, actions, which = spots.past()
    weight = 1.0
    known = {*spots.views.hole[spot].tolist(), *spots.views.board[spot].tolist()}
    if known & set(HOLDINGS[holding].tolist()):
        return 0.0
    for place in np.flatnonzero((which == spot) & (views.seat == seat)).tolist():
        one = views[[place]].with_hole(HOLDINGS[holding][None].astype(np.int8))
        weights, _ = weights_at(person, one)
        weight *= float(weights[0, action_classes(one, actions[[place]])[0][0]])
    return weight


def joint_distribution(ranges: list[dict[int, float]]) -> dict[tuple[int, ...], float]:
    """Probability of every tuple of holdings in which no card occurs twice."""
    found = {}
    for held in product(*(sorted(one) for one in ranges)):
        cards = [card for holding in held for card in HOLDINGS[holding].tolist()]
        if len(set(cards)) == len(cards):
            found[held] = float(np.prod([one[holding] for one, holding in zip(ranges, held, strict=True)]))
    total = sum(found.values())
    return {held: weight / total for held, weight in found.items()}


def state_after(game: Game, stacks: np.ndarray, actions: list[int]) -> np.record:
    """State of a hand after these actions, played through the engine's checked interface."""
    batch = Batch(game, np.arange(game.deck_cards)[None], stacks[None])
    for action in actions:
        batch.act(np.array([0]), np.array([action]))
    return batch.hands[0]
