"""Real bets to the ten categories of no-limit and back, and betting in their letters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdmem import find_game
from holdmem.agent import legal_policy
from holdmem.cbr.features.bet_sizes import (
    BORDERS,
    FRACTIONS,
    NAMES,
    BetSizes,
    SizedSteps,
    sized_betting,
    sized_code_of,
    sized_letters_of,
)
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, Batch, Game
from naive import bet_sizes as naive
from situations import SEEDS, looks, moment, plain_games

TEN = BetSizes()
DEEP = st.integers(1, 4000)


def no_limit(game):
    """The same game without fixed sizes."""
    return replace(game, raise_sizes=None)


@given(plain_games(stacks=DEEP).map(no_limit), SEEDS)
def test_a_category_is_read_back_as_itself_where_its_own_size_is_legal(game, seed):
    _, _, views = moment(game, seed)
    totals = TEN.totals(views)
    for i, view in enumerate(views):
        if not view.max_raise_to:
            continue
        own = [naive.own_total(view, fraction) for fraction in FRACTIONS]
        for place, total in enumerate(own):
            legal = view.min_raise_to <= total < naive.covering(view)
            if legal and own.count(total) == 1:
                assert totals[i, place] == total
                assert TEN.kinds(views[i : i + 1], np.array([total])).tolist() == [2 + place]
        assert TEN.kinds(views[i : i + 1], np.array([view.max_raise_to])).tolist() == [9]


@given(plain_games(stacks=DEEP).map(no_limit), SEEDS)
def test_categories_are_legal_bets_from_small_to_large_and_never_folds(game, seed):
    _, _, views = moment(game, seed)
    totals = TEN.totals(views)
    raising = views.max_raise_to > 0
    assert (np.diff(totals[raising], axis=1) >= 0).all()
    assert (totals[raising] >= views.min_raise_to[raising, None]).all()
    assert (totals[raising] <= views.max_raise_to[raising, None]).all()
    for kind in range(2, len(NAMES)):
        weights = np.tile(np.eye(len(NAMES))[kind], (len(views), 1))
        policy = legal_policy(views, weights, totals)
        did = policy.draw(np.zeros(len(views))).codes
        assert (did[raising] > CALL).all()
        assert (did[~raising] == CALL).all()


@given(plain_games(stacks=DEEP).map(no_limit), SEEDS)
def test_bets_are_of_the_twins_category_and_larger_bets_never_of_a_smaller_one(game, seed):
    _, _, views = moment(game, seed)
    rng = np.random.default_rng(seed)
    for i, view in enumerate(views):
        alone = views[i : i + 1]
        assert TEN.kinds(alone, np.array([FOLD])).tolist() == [0]
        assert TEN.kinds(alone, np.array([CALL])).tolist() == [1]
        if view.max_raise_to:
            bets = np.unique(rng.integers(view.min_raise_to, view.max_raise_to + 1, 12))
            found = TEN.kinds(views[np.full(len(bets), i)], bets)
            assert [NAMES[kind] for kind in found] == [naive.category(view, int(bet)) for bet in bets]
            assert (np.diff(found) >= 0).all()


def test_borders_are_where_the_pseudo_harmonic_mapping_tosses_a_coin():
    for small, large, between in zip(FRACTIONS[:-1], FRACTIONS[1:], BORDERS, strict=True):
        share = (large - between) * (1 + small) / ((large - small) * (1 + between))
        assert share == pytest.approx(0.5)
    assert list(BORDERS) == pytest.approx([4 / 11, 8 / 13, 13 / 15, 1.4, 3.0, 115 / 17])


@pytest.mark.parametrize(
    ("raises", "letter"),
    [(200, "h"), (250, "i"), (300, "p"), (340, "p"), (500, "d"), (1100, "v"), (2100, "t"),
     (19_999, "t"), (20_000, "a")],
)  # fmt: skip
def test_the_first_raise_heads_up_by_example(raises, letter):
    game = find_game("nolimit")  # blinds 50 and 100: the pot after a call is 200
    batch = Batch(game, np.arange(9)[None])
    batch.act(np.array([0]), np.array([raises]))
    assert sized_letters_of(sized_betting.of(looks(batch))[0]) == letter


SHORT_BIG_BLIND = Game("short", (50, 100, 0), (4000, 30, 4000), first=(2, 0, 0, 0), short_blinds="in-full")


@given(plain_games(stacks=DEEP).map(no_limit), SEEDS)
@example(SHORT_BIG_BLIND, 1)
@example(SHORT_BIG_BLIND, 2)
@example(SHORT_BIG_BLIND, 3)
def test_the_betting_in_letters_is_what_the_categories_were_when_it_was_bet(game, seed):
    rng = np.random.default_rng(seed)
    batch = Batch(game, np.array([rng.permutation(52)[: game.deck_cards] for _ in range(4)]))
    said = [""] * 4
    streets = [0] * 4
    while len(tables := batch.unfinished()):
        views = looks(batch)
        codes = sized_betting.of(views)
        for row, table in enumerate(tables.tolist()):
            said[table] += "-" * (int(views.street[row]) - streets[table])
            streets[table] = int(views.street[row])
            if len(said[table]) <= 16:
                assert sized_letters_of(codes[row]) == said[table]
                assert sized_code_of(said[table]) == codes[row]
            else:
                assert sized_letters_of(codes[row]).startswith("…")
        actions = np.array([naive.some_action(view, rng) for view in views])
        kinds = TEN.kinds(views, actions)
        for row, table in enumerate(tables.tolist()):
            said[table] += "fcqhipdvta"[kinds[row]]
        batch.act(tables, actions)


LETTERS = st.lists(st.text("cqhipdvta", max_size=3), min_size=1, max_size=4).map("-".join)


@given(LETTERS, LETTERS)
def test_steps_of_sized_betting_are_those_of_the_twin(one, other):
    found = SizedSteps()(sized_code_of(one), sized_code_of(other))
    assert float(found) == naive.steps(one, other, (1.0, 0.9, 0.8, 0.6))


@pytest.mark.parametrize(
    ("one", "other", "similar"),
    [
        ("hc-cp", "hc-cp", 1.0),
        ("hc-cp", "qc-cp", 0.9),  # a small bet before the flop either way
        ("hc-cp", "pc-cp", 0.8),  # the same raises before the flop, of another group
        ("hc-cp", "hc-ci", 0.8),  # the active round is of the same group
        ("hc-cp", "cc-cp", 0.6),  # only the active round is the same
        ("hc-cp", "hc-p", 0.0),  # the bet is the other player's
        ("hc-cp", "hc-ch", 0.0),
        ("hc-cp", "hc-cp-", 0.0),  # another street
    ],
)
def test_steps_by_example(one, other, similar):
    assert float(SizedSteps()(sized_code_of(one), sized_code_of(other))) == similar


def test_letters_that_are_none_are_named():
    with pytest.raises(NotationError, match="got 'x'"):
        sized_code_of("hx")
    with pytest.raises(NotationError, match="at most 16"):
        sized_code_of("c" * 17)
