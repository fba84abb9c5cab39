"""Games that PokerStars' text can say, and hands of them played at random."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from holdmem.engine import Batch, Game
from holdmem.history import RecordedHand, Terms
from holdmem.history.formats.chip_tracker import CAP
from random_play import decks, play_out

LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp", "Cf"))
ODD = ["a b", "x: folds", "y: calls $5", "z said,", "Seat 1: q", "[Ah Kd]", "(5 in chips)", "é€"]
NAMES = st.lists(
    st.text(LETTERS, min_size=1, max_size=12) | st.sampled_from(ODD), min_size=10, max_size=10, unique=True
)


@st.composite
def stars_games(draw: st.DrawFn) -> Game:
    """Small and big blind, sometimes antes, late posts and dead blinds; limit or no-limit."""
    seats = draw(st.integers(2, 10))
    small = draw(st.integers(1, 10))
    big = 2 * small
    late = [(0, 0)] * (2 if seats > 2 else 0) + [
        draw(st.sampled_from([(0, 0), (0, 0), (0, 0), (big, 0), (big, small), (0, small)]))
        for _ in range(seats - 2)
    ]
    blinds = [big, small] if seats == 2 else [small, big, *(post for post, _ in late[2:])]
    limit = draw(st.booleans())
    return Game(
        name=f"pokerstars.{'limit' if limit else 'nolimit'}.{seats}p",
        blinds=tuple(blinds),
        raise_sizes=(big, big, 2 * big, 2 * big) if limit else None,
        max_raises=CAP if limit else (255,) * 4,
        first=(1 if seats == 2 else 2 % seats, 0, 0, 0),
        antes=(draw(st.sampled_from([0, 0, 1, 3])),) * seats,
        dead=tuple(dead for _, dead in late),
        odd_chips="first-seat",
        reopening="full-raise",
        after_short="full-raise",
        cap_counts="full-raises",
    )


def hand_of(game: Game, seed: int, names: list[str], money: bool) -> RecordedHand:
    """One hand at random, its result as our rules give it, some hole cards unknown unless shown."""
    rng = np.random.default_rng(seed)
    # Blinds that are short let others call less than at PokerStars, so these stacks cover them.
    least = max(game.blinds) + max(game.antes, default=0) + max(game.dead, default=0)
    stacks = least + rng.integers(0, 300, game.seats) * rng.integers(0, 2, game.seats)
    batch = play_out(Batch(game, decks(rng, game, 1), stacks[None]), rng)
    hand, row = batch.hands[0], batch.decks[0].tolist()
    dealt = 5 if hand["shown"] else (0, 3, 4, 5)[hand["street"]]
    hole = [
        (row[2 * seat], row[2 * seat + 1])
        if rng.random() < 0.5 or (hand["shown"] and hand["live"] >> seat & 1)
        else (-1, -1)
        for seat in range(game.seats)
    ]
    return RecordedHand(
        terms=Terms(game, Fraction(1, 100), "$") if money else Terms(game),
        names=tuple(names[: game.seats]),
        stacks=tuple(stacks.tolist()),
        hole=tuple(hole),
        board=tuple(row[2 * game.seats :][:dealt]),
        betting=tuple(batch.history["to"][0, : hand["actions"]].tolist()),
        net=tuple(hand["net"][: game.seats].tolist()),
        number=int(rng.integers(1, 10**12)),
        table="Table 'of' one",
        time=int(rng.integers(1, 2**31)),
    )


def plain(hand: RecordedHand) -> RecordedHand:
    """The hand without what its file adds: the line it stands on, and the site."""
    return hand._replace(line=-1, site="")
