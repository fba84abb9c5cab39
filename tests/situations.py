"""Games and random play for the tests: limit and no-limit, any number of seats, unequal stacks."""

import numpy as np
from hypothesis import strategies as st

from holdmem.agent import Seat, Views, make_agent
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, Batch, Game, find_game

SEEDS = st.integers(0, 2**32 - 1)
SEATS = st.integers(2, 10)
STACKS = st.integers(1, 300)


@st.composite
def plain_games(draw, seats=SEATS, stacks=STACKS):
    """Games with two blinds and nothing else to post, with stacks down to a single chip."""
    count = draw(seats)
    big = draw(st.integers(1, 12))
    blinds = [draw(st.integers(0, big)), big] + [0] * (count - 2)
    limit = draw(st.booleans())
    return Game(
        "any",
        tuple(draw(st.permutations(blinds))),
        tuple(draw(st.lists(stacks, min_size=count, max_size=count))),
        raise_sizes=tuple(draw(st.lists(st.integers(1, 25), min_size=4, max_size=4))) if limit else None,
        max_raises=tuple(draw(st.lists(st.integers(0, 5), min_size=4, max_size=4))),
        reopening=draw(st.sampled_from(["any-raise", "full-raise"])),
        after_short=draw(st.sampled_from(["complete", "full-raise"])),
        cap_counts=draw(st.sampled_from(["every-raise", "full-raises"])),
    )


def shuffled(game, rng, tables):
    """Decks for so many tables."""
    return np.array([rng.permutation(52)[: game.deck_cards] for _ in range(tables)])


def random_actions(legal, rng):
    """One legal action for each decision: mostly calls, few folds, raises as small as may be or any."""
    count = len(legal.to_call)
    kind = rng.choice(4, count, p=[0.1, 0.5, 0.2, 0.2])
    totals = np.where(kind == 2, legal.least, rng.integers(legal.least, legal.most + 1))
    raising = (kind >= 2) & (legal.most > 0)
    folding = (kind == 0) & (legal.to_call > 0)
    return np.where(raising, totals, np.where(folding, FOLD, CALL))


def random_play(batch, rng):
    """Plays a batch to its end; gives the tables that wait before each round of actions, and these."""
    while len(tables := batch.unfinished()):
        actions = random_actions(batch.legal(tables), rng)
        yield tables, actions
        batch.act(tables, actions)


def looks(batch, hands=None):
    """The views of those who are to act, in all hands that are not over or in these."""
    hands = batch.unfinished() if hands is None else hands
    return Views.of(batch, hands, hand_ids(len(batch)), np.arange(len(batch)))


def moment(game, seed, tables=6):
    """A batch somewhere in the middle of random play, and the views of those who are to act."""
    rng = np.random.default_rng(seed)
    batch = Batch(game, shuffled(game, rng, tables))
    steps = rng.integers(0, 4 * game.seats)
    for step, _ in enumerate(random_play(batch, rng)):
        if step == steps:
            break
    return batch, batch.unfinished(), looks(batch)


def seated(text: str, game: Game | None = None, tables: int = 6) -> Seat:
    """An agent by name in a game, limit by default, with random numbers of its own."""
    return make_agent(text).sit(game or find_game("limit"), tables, Streams.of(3, text))
