"""Play actions on to the end of the hand, against sampled holdings, with the same cards for every action."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Views
from holdmem.agent.kernels.views import waiting_for
from holdmem.agent.play import let_act
from holdmem.core.random import HAND_ID, HandIds, Streams, kernel_key
from holdmem.core.types import Floats, Ints
from holdmem.engine import Batch
from holdmem.engine.kernels.batch import unfinished
from holdmem.engine.state import ACTION, HAND, PARTS, SEATS
from holdmem.ev.kernels.deals import deal_unseen, run_out, sum_ranges
from holdmem.ev.kernels.spots import copy_spots
from holdmem.ev.models import PlayerModel
from holdmem.ev.spots import Spots

BOARDS = 24
"""Random boards over which an all-in pot with two or more cards to come is averaged."""
AT_ONCE = 12_000
"""Hands played at once."""


@dataclass(frozen=True, eq=False)
class RolloutModels:
    """Models that play a hand to its end: `hero` for the player to act, `others` for everybody else."""

    hero: PlayerModel
    others: PlayerModel


def roll_out(
    spots: Spots, ranges: Floats, actions: Ints, first: int, samples: int, models: RolloutModels, rng: Streams
) -> tuple[Floats, Floats]:
    """Return the chips won from here on by each action in each sample, and the weights of the samples.

    Parameters
    ----------
    spots : the decisions.
    ranges : weights of the holdings of all seats, (n, seats, 1326).
    actions : actions to value, (n, actions), all legal and none a fold.
    first, samples : samples `first` to `first + samples` are drawn; a sample depends on its number alone.
    models : who goes on with the hands.
    rng : random numbers of deals and decisions.

    Returns
    -------
    chips (n, samples, actions) and weights (n, samples). Chips paid before the decision are not counted, so
    that a fold is worth 0.
    """
    chips = np.empty((len(spots), samples, actions.shape[1]))
    weights = np.empty((len(spots), samples))
    running, by_card = np.empty_like(ranges), np.empty((*ranges.shape[:2], 52))
    sum_ranges(ranges, running, by_card)
    step = max(1, AT_ONCE // (samples * actions.shape[1]))
    for begin in range(0, len(spots), step):
        part = np.arange(begin, min(begin + step, len(spots)))
        sums = (ranges[part], running[part], by_card[part])
        chips[part], weights[part] = _part(spots[part], sums, actions[part], first, samples, models, rng)
    return chips, weights


def _part(
    spots: Spots, sums: tuple[Floats, Floats, Floats], actions: Ints, first: int, samples: int,
    models: RolloutModels, rng: Streams,
) -> tuple[Floats, Floats]:  # fmt: skip
    which = np.repeat(np.arange(len(spots)), samples)
    ids = np.zeros(len(which), dtype=HAND_ID)
    ids["match"], ids["hand"] = spots.number[which], first + np.tile(np.arange(samples), len(spots))
    decks, weights = _deal(spots, sums, which, ids, rng.spawn("deal"))
    kinds = actions.shape[1]
    every = np.repeat(np.arange(len(which)), kinds)
    batch = batch_at(spots, which[every], decks[every])
    codes = np.repeat(actions, samples, axis=0).reshape(-1)
    net = _play(batch, codes, ids[every], spots.hero[which[every]], models, rng)
    before = spots.views.paid[np.arange(len(spots)), spots.hero]
    dead = np.array(spots.game.dead or (0,) * spots.game.seats)[spots.hero]
    chips = net / PARTS + (before + dead)[which[every]]
    return chips.reshape(len(spots), samples, kinds), weights.reshape(len(spots), samples)


def _deal(
    spots: Spots, sums: tuple[Floats, Floats, Floats], which: Ints, ids: HandIds, rng: Streams
) -> tuple[np.ndarray, Floats]:
    decks = np.empty((len(which), spots.game.deck_cards), dtype=np.int8)
    weights = np.empty(len(which))
    deal_unseen(
        kernel_key(rng), ids, which, spots.game.seats, spots.hero, np.ascontiguousarray(spots.views.hole),
        np.ascontiguousarray(spots.views.board), spots.seen, _order(spots), *sums, decks, weights,
    )  # fmt: skip
    return decks, weights


def _order(spots: Spots) -> Ints:
    """Return the order in which seats draw their holdings: those still in the hand first, never the hero."""
    seats = np.arange(spots.game.seats)
    live = (spots.views.live[:, None] >> seats & 1) != 0
    rank = np.where(seats == spots.hero[:, None], 2, np.where(live, 0, 1))
    return np.argsort(rank, axis=1, kind="stable").astype(np.int64)


def batch_at(spots: Spots, which: Ints, decks: np.ndarray) -> Batch:
    """Return a batch of hands brought to their decisions, with these cards."""
    states, history = spots.states
    batch = Batch.__new__(Batch)  # the states are the engine's own, so nothing is dealt or checked again
    batch.game, batch.decks, batch.stacks = spots.game, decks, spots.stacks[which]
    batch.hands = np.zeros(len(which), dtype=HAND)
    batch.history = np.zeros((len(which), spots.game.longest), dtype=ACTION)
    copy_spots(states, history, spots.counts, which, decks, spots.game.seats, batch.hands, batch.history)
    return batch


def _play(batch: Batch, codes: Ints, ids: HandIds, hero: Ints, models: RolloutModels, rng: Streams) -> Floats:
    """Take the actions, play the hands to the end and return the heroes' results in parts of a chip."""
    batch.act(np.arange(len(batch)), codes)
    lineup = np.ones((len(batch), SEATS), dtype=np.int64)
    lineup[np.arange(len(batch)), hero] = 0
    waiting, tables = batch.unfinished(), np.zeros(len(batch), dtype=np.int64)
    mine, left = np.empty_like(waiting), np.empty_like(waiting)
    while len(waiting):
        for player, (seat, name) in enumerate(((models.hero, "hero"), (models.others, "others"))):
            count = waiting_for(batch.hands, lineup, player, waiting, mine)
            if count:
                hands = mine[:count]
                let_act(batch, hands, Views.of(batch, hands, ids, tables), seat, name)
        count = unfinished(batch.hands, waiting, left)
        waiting, left = left[:count], waiting
    net = np.empty(len(batch))
    key = kernel_key(rng.spawn("boards"))
    run_out(key, batch.game.rules_row, batch.hands, ids, hero, BOARDS, net)
    return net
