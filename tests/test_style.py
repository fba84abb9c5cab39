"""How agents play: the kernel against its slow twin, and the numbers on hands told by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.arena.kernels.style import COUNTS, count_style
from holdmem.arena.style import Style
from holdmem.engine import CALL, FOLD, Batch, Game, find_game
from naive.style import counts
from random_games import games
from random_play import decks, play_out
from replay import actions_of, replay

SEEDS = st.integers(0, 2**32 - 1)


def style_of(batch: Batch, lineup: np.ndarray, players: int) -> list[list[int]]:
    """The kernel's counts."""
    found = np.zeros((players, len(COUNTS)), dtype=np.int64)
    count_style(batch.hands, batch.history, lineup, batch.game.rules, found)
    return found.tolist()


@settings(max_examples=60, deadline=None)
@given(games(), SEEDS)
def test_counts_are_those_of_the_twin(game: Game, seed: int) -> None:
    rng = np.random.default_rng(seed)
    stacks = rng.integers(1, 300, (4, game.seats)) + np.array(game.dead or 0)
    batch = play_out(Batch(game, decks(rng, game, 4), stacks), rng)
    lineup = rng.permuted(np.tile(np.arange(game.seats), (4, 1)), axis=1)
    twins = [
        counts(game, deck, stack, actions, seats, game.seats)
        for deck, stack, actions, seats in zip(
            batch.decks.tolist(), batch.stacks.tolist(), actions_of(batch), lineup.tolist(), strict=True
        )
    ]
    assert style_of(batch, lineup, game.seats) == np.sum(twins, axis=0).tolist()


TOLD = {
    "a walk: the blinds put nothing in freely": ([FOLD], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]),
    "limp and check down": (
        [CALL] + [CALL] * 7,
        [1, 0, 0, 0, 0, 1, 1, None],
        [1, 1, 0, 0, 1, 1, 1, None],
    ),
    "raise, call, bet, fold": (
        [20, CALL, 10, FOLD],
        [1, 1, 0, 1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0, 1, 0, 0],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_hands_told_by_hand(name: str) -> None:
    """Heads-up limit: seat 1 is the small blind and acts first before the flop."""
    actions, *expected = TOLD[name]
    game = find_game("limit")
    found = style_of(replay(game, [list(range(9))], [actions]), np.array([[0, 1]]), 2)
    for row, told in zip(found, expected, strict=True):
        assert all(cell is None or cell == here for here, cell in zip(row, told, strict=True)), (found, told)


def test_shares_are_of_what_they_say() -> None:
    style = Style.of([200, 100, 50, 30, 10, 80, 40, 10])
    assert (style.vpip, style.pfr, style.aggression) == (0.5, 0.25, 3.0)
    assert (style.went_to_showdown, style.won_at_showdown) == (0.5, 0.25)


def test_what_never_happened_has_no_share() -> None:
    style = Style.of([10, 0, 0, 5, 0, 0, 0, 0])
    assert (style.aggression, style.went_to_showdown, style.won_at_showdown) == (None, None, None)
