"""The solver for hold'em: its walk against plain recursion, its trees against the rules, its laws."""

import numpy as np
import pytest

from holdmem.equilibrium.betting import ALL_IN, Sizes, betting_tree
from holdmem.equilibrium.card_buckets import card_buckets
from holdmem.equilibrium.deals import HANDS, RIVALS, deal_of, random_boards
from holdmem.equilibrium.holdem import HoldemSolver, fading_of
from holdmem.rules import Game, find_game
from tests.naive.holdem_walk import NaiveWalk

TINY_LIMIT = Game("tiny", (10, 5), raise_sizes=(10, 10, 20, 20), max_raises=(1, 1, 1, 1))
SHORT = Game("short", (100, 50), stacks=(1500, 1500))
BUCKETS = card_buckets((7, 6, 5, 9))


@pytest.mark.parametrize("game", [TINY_LIMIT, SHORT], ids=lambda game: game.name)
@pytest.mark.parametrize("tilt", [1.0, 1.2])
def test_a_walk_is_what_plain_recursion_says(game, tilt) -> None:
    tree = betting_tree(game, None if game.limit else Sizes(raises=1))
    fast = HoldemSolver(tree, BUCKETS, tilt=tilt, threads=2)
    slow = NaiveWalk(tree, BUCKETS.sizes)
    for number, board in enumerate(random_boards(3, 0, 4)):
        traverser, fading, deal = number % 2, fading_of("discounted", 1 + number // 2), deal_of(board, BUCKETS)
        won = fast.walk(traverser, deal, fading)
        expected = slow.walk(traverser, board, deal, fading.astype(float), tilt)
        assert won == pytest.approx(expected.sum() / (HANDS * RIVALS), rel=1e-4, abs=1e-4)
    for ours, theirs in ((fast.regrets, slow.flat(slow.regrets)), (fast.sums, slow.flat(slow.sums))):
        assert ours == pytest.approx(theirs, rel=1e-3, abs=1e-4 * np.abs(theirs).max())
