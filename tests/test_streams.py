"""Random streams: the published generator, and numbers that depend on where they are needed alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fresh import run
from holdmem.errors import NotationError
from holdmem.table import Streams, spots
from holdmem.table.philox import philox
from naive import philox as naive

WORDS = st.integers(0, 2**32 - 1)
KEYS = st.integers(0, 2**64 - 1)
STREAMS = Streams.of(7, "cards")
ALL = 2**32 - 1

KNOWN = [  # Random123's kat_vectors: counter, key, result
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def read(text):
    return tuple(int(word, 16) for word in text.split())


def compiled(key, counter):
    return tuple(int(word) for word in philox(np.uint64(key), *map(np.uint64, counter)))


def at(match, table, hand):
    return spots(1, match, table, hand)


def chi_square(counts):
    """How far counts are from being alike, in standard deviations of the statistic."""
    mean = counts.mean()
    freedom = counts.size - 1
    return (((counts - mean) ** 2).sum() / mean - freedom) / np.sqrt(2 * freedom)


# ------------------------------------------------------------------------------------- the generator


@pytest.mark.parametrize("generator", [compiled, naive.philox])
@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_philox_gives_the_published_answers(generator, counter, key, result):
    low, high = read(key)
    assert generator(low | high << 32, read(counter)) == read(result)


@given(KEYS, st.tuples(WORDS, WORDS, WORDS, WORDS))
def test_philox_is_its_naive_twin(key, counter):
    assert compiled(key, counter) == naive.philox(key, counter)


@given(KEYS, st.tuples(WORDS, WORDS, WORDS), st.integers(0, 255), st.integers(0, 9))
def test_uniforms_are_their_naive_twin(key, spot, decision, count):
    drawn = Streams(key).uniforms(at(*spot), np.array([decision]), count)
    assert drawn.tolist() == [naive.uniforms(key, spot, decision, count)]


@given(KEYS, st.tuples(WORDS, WORDS, WORDS), st.integers(0, 52))
def test_decks_are_their_naive_twin(key, spot, cards):
    assert Streams(key).decks(at(*spot), cards).tolist() == [naive.deck(key, spot, cards)]


@pytest.mark.parametrize("hand", [16_322_538, 19_031_082, 35_854_179])
def test_words_that_would_favour_a_place_are_thrown_away(hand):
    # Found by search, one in some 20 million: the first, third, fourth word of the deck is such a one.
    stream = naive.words(STREAMS.key, (0, 0, hand))
    assert any(next(stream) * left % 2**32 < 2**32 % left for left in (52, 51, 50, 49))
    assert STREAMS.decks(at(0, 0, hand), 52).tolist() == [naive.deck(STREAMS.key, (0, 0, hand), 52)]


def test_uncompiled_streams_are_the_same():
    code = """if True:
        import numpy as np
        from holdmem.table import Streams, spots
        streams, where = Streams.of(3, "both ways"), spots(40, match=5, table=2, first_hand=1000)
        print(streams.decks(where, 52).tolist(), streams.uniforms(where, np.arange(40), 5).tolist())
    """
    streams, where = Streams.of(3, "both ways"), spots(40, match=5, table=2, first_hand=1000)
    here = f"{streams.decks(where, 52).tolist()} {streams.uniforms(where, np.arange(40), 5).tolist()}"
    assert run(code, NUMBA_DISABLE_JIT="1").stdout.strip() == here


# ------------------------------------------------------------------------------------- decks


def test_a_deck_has_each_card_once():
    assert (np.sort(STREAMS.decks(spots(2000), 52)) == np.arange(52)).all()


@given(st.permutations(range(20)), st.integers(1, 7))
def test_decks_and_uniforms_are_the_same_for_any_order_and_batch(order, size):
    where = spots(20, match=1, table=4)
    whole = STREAMS.decks(where, 25), STREAMS.uniforms(where, np.arange(20), 3)
    for start in range(0, 20, size):
        some = np.array(order[start : start + size])
        assert (STREAMS.decks(where[some], 25) == whole[0][some]).all()
        assert (STREAMS.uniforms(where[some], some, 3) == whole[1][some]).all()


@given(st.integers(0, 52), st.integers(0, 40))
def test_asking_for_more_keeps_what_came_first(cards, count):
    where, decisions = spots(3), np.arange(3)
    assert (STREAMS.decks(where, 52)[:, :cards] == STREAMS.decks(where, cards)).all()
    more = STREAMS.uniforms(where, decisions, 41)
    assert (more[:, :count] == STREAMS.uniforms(where, decisions, count)).all()


def test_every_card_comes_to_every_place_alike():
    decks = STREAMS.decks(spots(50_000), 25)
    for place in range(25):
        assert abs(chi_square(np.bincount(decks[:, place], minlength=52))) < 4.5
    pairs = np.bincount(decks[:, 0].astype(int) * 52 + decks[:, 1], minlength=52 * 52).reshape(52, 52)
    assert (np.diag(pairs) == 0).all()
    assert abs(chi_square(pairs[~np.eye(52, dtype=bool)])) < 4.5


def test_every_spot_purpose_and_seed_has_a_deck_of_its_own():
    sources = [Streams.of(seed, *what) for seed in (0, 1, 2**80) for what in ((), ("cards",), ("a", 1))]
    sources += [STREAMS.spawn("cards"), STREAMS.spawn(1), STREAMS.spawn("1"), STREAMS.spawn(1, 1)]
    places = [at(*spot) for spot in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (ALL, ALL, ALL)]]
    decks = {tuple(source.decks(place, 52)[0].tolist()) for source in sources for place in places}
    assert len(decks) == len(sources) * len(places)


# ------------------------------------------------------------------------------------- uniform numbers


def test_uniforms_have_the_moments_of_the_unit_interval_and_no_neighbours():
    drawn = np.concatenate([STREAMS.uniforms(spots(20_000), np.full(20_000, step), 4) for step in range(3)])
    n = drawn.size
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert abs(drawn.mean() - 1 / 2) < 4.5 / np.sqrt(12 * n)
    assert abs((drawn**2).mean() - 1 / 3) < 4.5 * np.sqrt(4 / 45 / n)
    assert abs(chi_square(np.bincount((drawn * 1000).astype(int).ravel(), minlength=1000))) < 4.5
    columns = [drawn[:, j] for j in range(4)] + [np.roll(drawn[:, 0], 1), np.roll(drawn[:, 0], 20_000)]
    related = np.corrcoef(columns) - np.eye(6)
    assert abs(related).max() < 4.5 / np.sqrt(len(drawn))


def test_every_decision_has_numbers_of_its_own():
    drawn = STREAMS.uniforms(np.repeat(spots(1), 256), np.arange(256), 50)
    assert len(np.unique(drawn)) == drawn.size


# ------------------------------------------------------------------------------------- seeds


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))
def test_a_number_is_the_same_seed_whatever_its_type(seed, part):
    assert Streams.of(np.int64(seed), "member", np.int64(part)) == Streams.of(seed, "member", part)
    assert Streams.of(seed).spawn("member", part) == Streams.of(seed, "member", part)


@pytest.mark.parametrize("seed", [-1, -(2**70), 1.0, "7", None])
def test_a_seed_is_a_whole_number_that_is_not_negative(seed):
    with pytest.raises(NotationError, match=r"expected .*, got"):
        Streams.of(seed)


@pytest.mark.parametrize("cards", [-1, 53])
def test_a_deck_has_at_most_52_cards(cards):
    with pytest.raises(NotationError, match=f"0 to 52 cards, got {cards}"):
        STREAMS.decks(spots(1), cards)


@pytest.mark.parametrize("wrong", [{"match": -1}, {"table": 2**32}, {"first_hand": 2**32 - 1}])
def test_spots_never_wrap_around(wrong):
    assert spots(1, first_hand=2**32 - 1)["hand"].tolist() == [2**32 - 1]
    with pytest.raises(NotationError, match="from 0 to"):
        spots(2, **wrong)


@pytest.mark.parametrize("decisions", [np.arange(2), np.zeros((3, 1), dtype=int), np.zeros(3), 0])
def test_uniforms_need_one_decision_a_spot(decisions):
    with pytest.raises(NotationError, match="3 decisions, one a spot"):
        STREAMS.uniforms(spots(3), decisions)
