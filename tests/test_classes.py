"""The 169 classes and the 1,326 holdings: counts, numberings, and casper's ranking."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.cards import DECK, RANKS, card, hole, rank, suit
from holdmem.cards.classes import (
    CASPER_RANK,
    CASPER_RANKING,
    CLASS_OF,
    CLASS_OF_HOLDING,
    CLASSES,
    COMBOS,
    HOLDING_OF,
    HOLDINGS,
    class_index,
    class_of,
    combos,
)
from holdmem.core.errors import NotationError

TWO_CARDS = st.lists(st.sampled_from(DECK), min_size=2, max_size=2, unique=True)


def naive_class_name(first: int, second: int) -> str:
    """The class of two cards by its definition."""
    low, high = sorted([first, second])
    kind = "" if rank(low) == rank(high) else "s" if suit(low) == suit(high) else "o"
    return RANKS[rank(high)] + RANKS[rank(low)] + kind


def test_classes_are_13_pairs_78_suited_and_78_offsuit_of_1326_holdings() -> None:
    assert len(set(CLASSES)) == len(CLASSES) == 169
    assert [sum(name.endswith(kind) for name in CLASSES) for kind in "so"] == [78, 78]
    assert {len(name): int(size) for name, size in zip(CLASSES, COMBOS, strict=True) if len(name) == 2} == {
        2: 6
    }
    assert {name[2]: int(size) for name, size in zip(CLASSES, COMBOS, strict=True) if name[2:]} == {
        "s": 4,
        "o": 12,
    }
    assert COMBOS.sum() == 1326


def test_combos_part_all_holdings() -> None:
    every = [holding for index in range(169) for holding in combos(index)]
    assert [len(combos(index)) for index in range(169)] == COMBOS.tolist()
    assert sorted(every) == list(combinations(DECK, 2))


@given(TWO_CARDS)
def test_the_class_of_two_cards_is_the_defined_one_in_either_order(pair: list[int]) -> None:
    first, second = pair
    assert CLASSES[class_of(first, second)] == naive_class_name(first, second)
    assert class_of(first, second) == class_of(second, first) == CLASS_OF[first, second]
    assert (min(pair), max(pair)) in combos(class_of(first, second))


def test_names_and_numbers_are_inverse() -> None:
    assert [class_index(name) for name in CLASSES] == list(range(169))


@given(st.sampled_from(CLASSES), st.booleans(), st.booleans())
def test_a_class_name_may_turn_its_ranks_and_its_case(name: str, turned: bool, lower: bool) -> None:
    text = (name[1] + name[0] if turned else name[:2]) + name[2:]
    assert class_index(text.lower() if lower else text.upper()) == class_index(name)


def test_class_numbers_follow_the_grid() -> None:
    places = {"AA": 0, "AKs": 1, "A2s": 12, "AKo": 13, "KK": 14, "A2o": 156, "32o": 167, "22": 168}
    assert {name: class_index(name) for name in places} == places
    assert class_index("A10s") == class_index("ATs")


@pytest.mark.parametrize("text", ["", "A", "AK", "AAs", "AAo", "AKx", "1Ks", "AKso", "AhKd"])
def test_other_names_are_no_class(text: str) -> None:
    with pytest.raises(NotationError, match="169 classes.*" + repr(text)):
        class_index(text)


def test_other_numbers_are_no_class() -> None:
    for index in (-1, 169):
        with pytest.raises(NotationError, match="from 0 to 168"):
            combos(index)
    for pair in ((3, 3), (-1, 5), (5, 52)):
        with pytest.raises(NotationError):
            class_of(*pair)


def test_holdings_are_numbered_by_the_higher_card_then_the_lower() -> None:
    low, high = HOLDINGS.T.astype(int)
    assert HOLDINGS.shape == (1326, 2)
    assert np.all(low < high)
    assert np.array_equal(high * (high - 1) // 2 + low, np.arange(1326))
    assert HOLDINGS[0].tolist() == [card("2c"), card("2d")]
    assert HOLDINGS[-1].tolist() == [card("Ah"), card("As")]


def test_lookups_agree_with_the_holdings() -> None:
    low, high = HOLDINGS.T
    assert np.array_equal(HOLDING_OF[low, high], np.arange(1326))
    assert np.array_equal(CLASS_OF[low, high], CLASS_OF_HOLDING)
    for table in (HOLDING_OF, CLASS_OF):
        assert np.array_equal(table, table.T)
        assert np.all(np.diag(table) == -1)
        assert np.count_nonzero(table == -1) == 52


def test_tables_cannot_be_written_to() -> None:
    for table in (CLASS_OF, CLASS_OF_HOLDING, COMBOS, HOLDINGS, HOLDING_OF, CASPER_RANK):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


def test_caspers_ranking_has_each_class_once() -> None:
    assert sorted(CASPER_RANKING) == sorted(CLASSES)
    assert [CASPER_RANK[class_index(name)] for name in CASPER_RANKING] == list(range(1, 170))


def test_caspers_ranking_as_published() -> None:
    """Entries from every column of Appendix B, as printed: lower rank first, an "o" after pairs."""
    published = (
        "1 AAo, 16 99o, 30 TAo, 31 7As, 60 6Qs, 61 8Ao, 74 5Ao, 83 6Ao, 90 89o, 91 22o, 120 37s, 121 29s"
    )
    later = "129 23s, 135 27s, 150 5To, 151 47o, 157 36o, 160 25o, 168 28o, 169 27o"
    for entry in f"{published}, {later}".split(", "):
        place, name = entry.split()
        shown = name[:2] if name[0] == name[1] else name
        assert CASPER_RANK[class_index(shown)] == int(place)
    assert CASPER_RANK[class_of(*hole("7c2d"))] == 169
