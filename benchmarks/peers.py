"""Heads-up limit hold'em with random legal play in other people's libraries, as their users would write it.

All play the ACPC's game, three raises before the flop and four after it, and choose alike among fold (where
it saves something), call and raise. rlcard alone has rules of its own: four raises on every street, and folds
where a check is free, which make its hands shorter.
"""
# ruff: noqa: PLC0415 (a peer that is not installed must not keep the others from running)

import random
from collections.abc import Callable
from dataclasses import replace

from benchmarks.measure import Chunk

HANDS = 20
"""Hands in a chunk."""

UNIVERSAL_POKER = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,"
    "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)"
)


def hands(play_one: Callable[[], object]) -> Chunk:
    """A few hands, one after the other."""

    def chunk() -> int:
        for _ in range(HANDS):
            play_one()
        return HANDS

    return chunk


def open_spiel() -> Chunk:
    """OpenSpiel's fastest loop in Python: cards are equally likely, so chance too draws a legal action."""
    import pyspiel

    game, choice = pyspiel.load_game(UNIVERSAL_POKER), random.Random(7).choice

    def play_one() -> list[float]:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        return state.returns()

    return hands(play_one)


def open_spiel_by_the_book() -> Chunk:
    """The loop of OpenSpiel's `example.py`: cards are drawn from `chance_outcomes`."""
    import pyspiel

    game, rng = pyspiel.load_game(UNIVERSAL_POKER), random.Random(7)

    def play_one() -> list[float]:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(cards, probabilities)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return state.returns()

    return hands(play_one)


def pokerkit() -> Chunk:
    """PokerKit with everything automated but the betting; its own cap before the flop would be four."""
    from pokerkit import Automation, FixedLimitTexasHoldem

    game = FixedLimitTexasHoldem(tuple(Automation), True, 0, (5, 10), 10, 20)
    preflop, *rest = game.streets
    game.streets = (replace(preflop, max_completion_betting_or_raising_count=3), *rest)
    choice = random.Random(7).choice

    def play_one() -> list[int]:
        state = game(10_000, 2)
        while state.status:
            actions = [state.check_or_call]
            if state.checking_or_calling_amount:
                actions.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                actions.append(state.complete_bet_or_raise_to)
            choice(actions)()
        return list(state.payoffs)

    return hands(play_one)


def rlcard() -> Chunk:
    """rlcard's environment with its own random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("limit-holdem", config={"seed": 7})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(2)])
    return hands(lambda: env.run(is_training=False))
