"""Ranges: reading undoes writing, sets behave as sets, and pokerkit reads the same notation alike."""

import pickle
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import parse_range

from holdmem.cards import DECK, RANKS, card, cards, hole, names
from holdmem.cards.classes import CASPER_RANKING, CLASS_OF_HOLDING, CLASSES, HOLDINGS, class_index, combos
from holdmem.cards.ranges import Range
from holdmem.core.errors import NotationError

PLICAS_10 = "88+, A9s+, KTs+, QTs+, AJo+, KQo"  # plicas, section 4.1.2
PLICAS_15 = "77+, A7s+, K9s+, QTs+, JTs, ATo+, KTo+, QJo"
ALL = Range(np.ones(1326))
NONE = Range(np.zeros(1326))

RANK = st.sampled_from(RANKS)
WEIGHT = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1))


@st.composite
def shapes(draw: st.DrawFn) -> str:
    """88, A9s, A9o or A9, the ranks in either order."""
    first, second = draw(RANK), draw(RANK)
    return first + second + ("" if first == second else draw(st.sampled_from(["s", "o", ""])))


@st.composite
def same_gap_spans(draw: st.DrawFn) -> str:
    """88-55 or JTs-65s: both ranks move together."""
    lowest, low, high = sorted(draw(st.lists(st.integers(0, 12), min_size=3, max_size=3)))
    gap, kind = high - low, draw(st.sampled_from(["s", "o", ""]))
    ends = [RANKS[rank + gap] + RANKS[rank] + (kind if gap else "") for rank in (lowest, low)]
    return "-".join(draw(st.permutations(ends)))


@st.composite
def kicker_spans(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A9s-A5s, and the classes that it stands for."""
    low, middle, high = sorted(draw(st.lists(st.integers(0, 12), min_size=3, max_size=3, unique=True)))
    kind = draw(st.sampled_from(["s", "o", ""]))
    span = [RANKS[high] + RANKS[kicker] + kind for kicker in range(low, middle + 1)]
    return "-".join(draw(st.permutations([span[0], span[-1]]))), span


HOLDING = st.sampled_from([names(pair) for pair in combinations(DECK, 2)])
REFEREED = st.one_of(shapes(), shapes().map("{}+".format), same_gap_spans(), HOLDING)
PERCENT = st.integers(0, 100).map("{}%".format)
PART = st.one_of(
    REFEREED,
    kicker_spans().map(lambda both: both[0]),
    PERCENT,
    st.tuples(PERCENT, PERCENT).map("-".join),
    st.just("random"),
)
WEIGHTED_PART = st.one_of(PART, st.tuples(PART, WEIGHT).map(lambda both: f"{both[0]}:{both[1]!r}"))
TEXT = st.lists(WEIGHTED_PART, min_size=1, max_size=8).map(", ".join)


@st.composite
def any_ranges(draw: st.DrawFn) -> Range:
    """Whole classes at a few weights, with some holdings at weights of their own."""
    palette = np.array(draw(st.lists(WEIGHT, min_size=1, max_size=5)))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    weights = palette[chance.integers(len(palette), size=169)][CLASS_OF_HOLDING]
    strays = draw(st.lists(st.integers(0, 1325), max_size=20))
    weights[strays] = chance.choice([*palette, chance.random()], len(strays))
    return Range(weights)


# Reading and writing


@given(any_ranges())
def test_reading_undoes_writing(range_: Range) -> None:
    assert Range.parse(str(range_)) == range_
    assert eval(repr(range_)) == range_


@given(TEXT)
def test_reading_undoes_writing_for_unions_of_parts(text: str) -> None:
    range_ = Range.parse(text)
    assert Range.parse(range_.notation()) == range_


def test_reading_undoes_writing_when_all_weights_differ() -> None:
    range_ = Range(np.random.default_rng(7).random(1326))
    assert Range.parse(str(range_)) == range_
    tiny = Range(np.full(1326, 5e-324))
    assert str(tiny) == "100%:5e-324"
    assert Range.parse(str(tiny)) == tiny


@settings(max_examples=40)
@given(any_ranges())
def test_notation_names_every_holding_once(range_: Range) -> None:
    parts = [Range.parse(part) for part in str(range_).split(", ")]
    assert sum(len(part) for part in parts) == len(range_)


@settings(max_examples=40)
@given(TEXT, TEXT)
def test_parts_side_by_side_are_their_union(first: str, second: str) -> None:
    assert Range.parse(f"{first}, {second}") == Range.parse(first) | Range.parse(second)
    assert Range.parse(f"{first} {second}") == Range.parse(f"{second},{first}")


@given(st.lists(REFEREED, min_size=1, max_size=6))
def test_pokerkit_reads_the_same_holdings(parts: list[str]) -> None:
    text = " ".join(parts)
    theirs = {tuple(sorted(card(repr(one)) for one in holding)) for holding in parse_range(text)}
    assert set(Range.parse(text)) == theirs


@given(kicker_spans())
def test_a_span_of_kickers_is_its_classes(both: tuple[str, list[str]]) -> None:
    span, classes = both
    assert Range.parse(span) == Range.parse(", ".join(classes))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("88+, A9s+, KTs+, AJo+, KQo", 7 * 6 + 5 * 4 + 3 * 4 + 3 * 12 + 12),
        (PLICAS_10, 130),
        (PLICAS_15, 200),
        ("AA", 6),
        ("AK", 16),
        ("AKs", 4),
        ("AKo", 12),
        ("A2+", 12 * 16),
        ("98s+", 4),
        ("88-55", 24),
        ("A9s-A5s", 20),
        ("JTs-65s", 24),
        ("AhKd, AdKh", 2),
        ("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32", 1326),
    ],
)
def test_counts_by_hand(text: str, count: int) -> None:
    range_ = Range.parse(text)
    assert len(range_) == range_.combinations == count
    assert range_.share == count / 1326


@pytest.mark.parametrize(
    "text",
    [
        "88+, A9s+, KTs+, AJo+, KQo",
        PLICAS_10,
        PLICAS_15,
        "AA, A9s-A5s, 76s",
        "88-55, AK, QTo-Q8o",
        "A9+, K9-K5",
        "AKs, AhKd, AdKh",
        "QQ+, AKs:0.5, KsQs:0.25",
        "100%",
        "100%:0.5",
        "0%",
    ],
)
def test_natural_notation_stays_as_it_is(text: str) -> None:
    assert str(Range.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("kas 99-JJ", "JJ-99, AKs"),
        ("A10s+,ako:.5", "ATs+, AKo:0.5"),
        ("AKs,, AKo,", "AK"),
        ("55 - 88, A9s", "88-55, A9s"),
        ("AKs : 0.5", "AKs:0.5"),
        ("Any  Two", "100%"),
        ("random", "100%"),
        ("kdAh", "AhKd"),
        ("KK+:0.5, AA", "AA, KK:0.5"),
        ("AA:0", "0%"),
        ("1%", "QQ+"),
    ],
)
def test_other_spellings(text: str, shown: str) -> None:
    assert str(Range.parse(text)) == shown


# Percentages


def naive_best(percent: float, ranking: tuple[str, ...]) -> set[tuple[int, int]]:
    """Whole classes from the top until the share is reached."""
    taken: set[tuple[int, int]] = set()
    for name in ranking:
        if len(taken) * 100 >= percent * 1326:
            break
        taken.update(combos(class_index(name)))
    return taken


@given(st.integers(0, 10_000).map(lambda hundredths: hundredths / 100), st.permutations(CLASSES))
def test_a_percentage_takes_whole_classes_until_its_share(percent: float, ranking: list[str]) -> None:
    assert set(Range.parse(f"{percent}%")) == naive_best(percent, CASPER_RANKING)
    assert set(Range.parse(f"{percent}%", ranking)) == naive_best(percent, tuple(ranking))


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_percentage_span_is_what_lies_between(first: int, second: int) -> None:
    less, more = sorted([first, second])
    span = Range.parse(f"{first}%-{second}%")
    assert span == Range.parse(f"{more}%") - Range.parse(f"{less}%")
    assert span | Range.parse(f"{less}%") == Range.parse(f"{more}%")


@given(st.integers(0, 169))
def test_a_share_that_was_computed_gives_its_classes_back(count: int) -> None:
    best = Range.parse(", ".join(["0%", *CASPER_RANKING[:count]]))
    assert Range.parse(f"{100 * best.share!r}%") == best


def test_a_ranking_has_each_class_once() -> None:
    for ranking in (CASPER_RANKING[1:], (*CASPER_RANKING[1:], "KK")):
        with pytest.raises(NotationError, match="ranking of all 169 classes"):
            Range.parse("15%", ranking)


# Errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a range such as .* got ''"),
        (" , ", "expected a range such as"),
        ("AKs, AAs", "'AAs': expected a pair without s or o"),
        ("88-55o", "'88-55o': expected a pair without s or o"),
        ("72s+-", r"'72s\+-': expected ranks .* got '72s\+'"),
        ("88--55", "got '-55'"),
        ("KK-", "'KK-': expected ranks .* got ''"),
        ("88++", r"got '88\+'"),
        ("1Ks", "'1Ks': expected ranks"),
        ("AKx", "'AKx': expected ranks"),
        ("A\N{KELVIN SIGN}s", "expected ranks"),
        ("AxKd", "'AxKd': expected ranks"),
        ("AhAh", "'AhAh': expected each card once"),
        ("AhKdQc", "'AhKdQc': expected ranks"),
        ("AA-AKs", "'AA-AKs': the ends of a span must agree in kind"),
        ("A9s-A5o", "the ends of a span must agree in kind"),
        ("A9s-K5s", "in high card or gap"),
        ("A9s-A5s-A3s", "got 'A5s-A3s'"),
        ("AKs:1.01", "'AKs:1.01': expected a weight from 0 to 1 .* got '1.01'"),
        ("AKs:-0.5", "'AKs:-0.5': expected a weight"),
        ("AKs:nan", "expected a weight"),
        ("AKs:", "expected a weight .* got ''"),
        ("AKs:0.5:0.5", "expected a weight"),
        (":0.5", "':0.5': expected ranks"),
        ("101%", "'101%': expected a percentage from 0 to 100"),
        ("5%-200%", "expected a percentage from 0 to 100"),
        ("-5%", "expected a percentage such as"),
        ("5%-20", "expected a percentage such as"),
        ("%", "expected a percentage such as"),
        ("[0.5]AKs", "expected ranks"),
    ],
)
def test_errors_name_the_part_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Range.parse(text)


@given(st.text(alphabet="AKT29soch+-%:.,1 0e", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        range_ = Range.parse(text)
    except NotationError:
        return
    assert Range.parse(str(range_)) == range_


@pytest.mark.parametrize(
    "weights", [np.ones(1325), np.ones((2, 663)), np.full(1326, 1.5), np.full(1326, np.nan)]
)
def test_weights_that_are_no_range(weights: np.ndarray) -> None:
    with pytest.raises(NotationError, match="expected"):
        Range(weights)


# A value


@given(any_ranges())
def test_equal_content_is_equal_and_hashes_alike(range_: Range) -> None:
    again = Range(range_.weights.copy())
    assert again == range_
    assert hash(again) == hash(range_)
    assert range_ != str(range_)


def test_negative_zero_is_zero() -> None:
    assert hash(Range(np.full(1326, -0.0))) == hash(NONE)


@pytest.mark.parametrize("copied", [lambda same: same, lambda range_: pickle.loads(pickle.dumps(range_))])
def test_a_range_cannot_be_changed(copied: Callable[[Range], Range]) -> None:
    source = np.ones(1326)
    range_ = copied(Range(source))
    source[:] = 0
    assert range_ == ALL
    with pytest.raises(ValueError, match="read-only"):
        range_.weights[0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        range_.weights.flags.writeable = True
    with pytest.raises(AttributeError):
        range_.weights = source  # type: ignore[misc]


# Sets


@settings(max_examples=40)
@given(any_ranges(), any_ranges())
def test_operators_are_those_of_sets(first: Range, second: Range) -> None:
    assert set(first | second) == set(first) | set(second)
    assert set(first & second) == set(first) & set(second)
    assert set(first - second) == set(first) - set(second)
    assert (first - second) | (first & first) == first
    assert first | NONE == first & ALL == first - NONE == first
    assert not first - ALL


@given(any_ranges(), any_ranges(), st.integers(0, 1325))
def test_operators_weigh_by_the_larger_and_the_smaller(first: Range, second: Range, index: int) -> None:
    pair = tuple(HOLDINGS[index].tolist())
    one, other = first.weight(pair), second.weight(pair)
    assert (first | second).weight(pair) == max(one, other)
    assert (first & second).weight(pair) == min(one, other)
    assert (first - second).weight(pair) == (0 if other else one)


@given(any_ranges())
def test_holdings_and_counts_agree(range_: Range) -> None:
    holdings = list(range_)
    assert len(range_) == len(holdings) == np.count_nonzero(range_.weights)
    assert all(low < high for low, high in holdings)
    assert all((high, low) in range_ and names((low, high)) in range_ for low, high in holdings[:20])
    assert range_.combinations <= len(range_)
    assert bool(range_) == (len(range_) > 0)


@given(any_ranges(), st.sets(st.sampled_from(DECK), max_size=7))
def test_without_removes_just_the_holdings_that_use_a_card(range_: Range, dead: set[int]) -> None:
    left = range_.without(dead)
    assert set(left) == {holding for holding in range_ if dead.isdisjoint(holding)}
    assert left == range_ & left


def test_without_leaves_the_combinations_of_the_other_cards() -> None:
    assert len(ALL.without(cards("AsKd"))) == 50 * 49 // 2
    assert len(Range.parse("AA").without([card("As")])) == 3
    with pytest.raises(NotationError, match="from 0 to 51"):
        ALL.without([52])


def test_combinations_count_by_weight() -> None:
    range_ = Range.parse("AA, AKs:0.5, AhKd:0.25")
    assert (len(range_), range_.combinations, range_.share) == (11, 8.25, 8.25 / 1326)


def test_membership() -> None:
    range_ = Range.parse("AKs, QQ:0.5")
    assert "AhKh" in range_
    assert hole("KhAh") in range_
    assert "AhKd" not in range_
    assert range_.weight("QhQd") == 0.5
    for wrong in ("AKs", "AhAh", (3, 3), (3, 52), (1, 2, 3)):
        with pytest.raises(NotationError):
            wrong in range_  # type: ignore[operator]  # noqa: B015


@given(any_ranges())
def test_classes_are_mean_weights(range_: Range) -> None:
    means = range_.classes()
    assert means.shape == (169,)
    for index in (0, 1, 13, 168):
        own = [range_.weight(holding) for holding in combos(index)]
        assert means[index] == pytest.approx(sum(own) / len(own))


def test_classes_of_a_mixed_range() -> None:
    means = Range.parse("AA, AKs:0.5, AhKd").classes()
    assert means[[class_index(name) for name in ("AA", "AKs", "AKo", "KK")]].tolist() == [1, 0.5, 1 / 12, 0]
