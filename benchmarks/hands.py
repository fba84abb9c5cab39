"""Whole hands of poker: random legal play by compiled agents, by plain Python bots, and with no agents."""

from collections.abc import Sequence
from itertools import count
from random import randrange

import numpy as np

from benchmarks import peers
from benchmarks.measure import Chunk, Prepare, Work
from holdmem.agent import Agent, Seat, View, bot, play
from holdmem.core.jit import kernel
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, Game, find_game
from holdmem.engine.kernels.betting import act, deal, least_raise, may_raise, most_raise, to_call
from holdmem.engine.state import ACTION, HAND
from holdmem.players import Random


@bot
def random_bot(view: View) -> int:
    """What `Random` does, one view at a time in plain Python."""
    actions = [CALL]
    if view.to_call:
        actions.append(FOLD)
    if view.max_raise_to:
        least, most = view.min_raise_to, view.max_raise_to
        actions.append(least + int(view.random() * (most - least + 1)) if most > least else least)
    return actions[int(view.random() * len(actions))]


def sit(game: Game, agent: Agent, tables: int) -> Sequence[Seat]:
    """The same agent in every seat, each with its own random numbers."""
    return [agent.sit(game, tables, Streams.of(7, "seat", seat)) for seat in range(game.seats)]


def lock_step(game: Game, agent: Agent, tables: int) -> Prepare:
    """The full contract: decks dealt, views built, actions checked, results kept."""

    def prepare() -> Chunk:
        seats, dealer, matches = sit(game, agent, tables), Streams.of(7, "cards"), count()

        def chunk() -> int:
            where = hand_ids(tables, match=next(matches))
            decks = dealer.decks(where, game.deck_cards)
            return len(play(game, seats, decks, where=where).net)

        return chunk

    return prepare


@kernel
def play_bare(rules, stacks, decks, hands, history):
    """Every hand from its deal to its end with random legal actions, one after the other."""
    for i in range(len(hands)):
        hand = hands[i]
        deal(rules, stacks, decks[i], hand)
        while hand.to_act >= 0:
            act(rules, hand, any_action(rules, hand), history)


@kernel
def any_action(rules, hand):
    """Call, fold (where it saves something) and raise (where it is legal) alike."""
    seat = hand.to_act
    owed, raising = to_call(hand, seat), may_raise(rules, hand, seat)
    kind = randrange(1 + (owed > 0) + raising)
    if kind == 0:
        return CALL
    if kind == 1 and owed > 0:
        return FOLD
    least = least_raise(rules, hand, seat)
    return least + randrange(most_raise(rules, hand, seat) - least + 1)


def bare(game: Game, tables: int) -> Prepare:
    """The engine's kernels alone in one compiled loop: no views, no checks; decks are dealt as ever."""

    def prepare() -> Chunk:
        dealer, matches = Streams.of(7, "cards"), count()
        hands, history = np.zeros(tables, dtype=HAND), np.zeros(game.longest, dtype=ACTION)
        stacks = np.array(game.stacks)

        def chunk() -> int:
            where = hand_ids(tables, match=next(matches))
            play_bare(game.rules, stacks, dealer.decks(where, game.deck_cards), hands, history)
            return tables

        return chunk

    return prepare


OPEN_SPIEL = {"OpenSpiel": peers.open_spiel, "OpenSpiel, by the book": peers.open_spiel_by_the_book}

LIMIT = Work(
    "limit, 2 seats",
    "hands",
    ours={
        **{f"batch of {n:,}": lock_step(find_game("limit"), Random(), n) for n in (8192, 4096, 1024, 64)},
        "engine alone": bare(find_game("limit"), 1024),
    },
    peers={**OPEN_SPIEL, "rlcard": peers.rlcard, "PokerKit": peers.pokerkit},
    bar=1e6,
    times_bar={"OpenSpiel": 20},
)

BOTS = Work(
    "limit, 2 seats, @bot",
    "hands",
    ours={f"batch of {n:,}": lock_step(find_game("limit"), random_bot, n) for n in (1024, 64)},
    peers=OPEN_SPIEL,
    times_bar={"OpenSpiel": 1},
)

SIX_SEATS = Work(
    "no-limit, 6 seats",
    "hands",
    ours={f"batch of {n:,}": lock_step(find_game("nolimit", 6), Random(), n) for n in (8192, 1024, 64)},
    bar=100e3,
)
