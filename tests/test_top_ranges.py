"""The ranking by equity against a random hand, and nested ranges against nested ranges."""

import numpy as np
import pytest

from holdmem.cards import CASPER_RANKING, CLASSES, Range, class_index
from holdmem.core.errors import NotationError
from holdmem.strength import EQUITY_RANK, EQUITY_RANKING, equity_against_random, nested_ranges, range_equities


def best(count, ranking=EQUITY_RANKING):
    return Range.parse(", ".join(ranking[:count]))


def test_the_ranking_is_that_of_the_values():
    order = np.argsort(-equity_against_random(), kind="stable")
    assert tuple(CLASSES[index] for index in order) == EQUITY_RANKING
    assert len(set(equity_against_random().tolist())) == len(CLASSES)
    assert [EQUITY_RANK[class_index(name)] for name in EQUITY_RANKING] == list(range(1, 170))


@pytest.mark.parametrize(
    ("name", "published"), [("AA", 0.852), ("KK", 0.824), ("QQ", 0.799), ("AKs", 0.670), ("32o", 0.323)]
)
def test_published_values(name, published):
    assert equity_against_random()[class_index(name)] == pytest.approx(published, abs=5e-4)


def test_the_ends_of_the_ranking():
    assert EQUITY_RANKING[:7] == ("AA", "KK", "QQ", "JJ", "TT", "99", "88")
    assert EQUITY_RANKING[-4:] == ("52o", "62o", "42o", "32o")


def test_percentages_by_this_ranking():
    assert Range.parse("1%", ranking=EQUITY_RANKING) == Range.parse("QQ+")
    assert Range.parse("3%", ranking=EQUITY_RANKING) == Range.parse("88+")


def test_the_values_are_equities_of_classes():
    for name in ("AA", "T9s", "72o"):
        found = range_equities([Range.parse(name), Range.parse("random")])
        assert equity_against_random()[class_index(name)] == pytest.approx(found.equity[0], abs=1e-12)


@pytest.mark.parametrize("ranking", [EQUITY_RANKING, CASPER_RANKING])
def test_laws_of_nested_ranges(ranking):
    nested = nested_ranges(ranking)
    assert nested.equity.shape == nested.wins.shape == (169, 169)
    np.testing.assert_allclose(nested.equity + nested.equity.T, 1, atol=1e-12)
    np.testing.assert_allclose(np.diag(nested.equity), 0.5, atol=1e-12)
    ties = 1 - nested.wins - nested.wins.T
    assert (ties > 0).all()
    np.testing.assert_allclose(nested.equity, nested.wins + ties / 2, atol=1e-12)
    assert nested.shares[[0, -1]] == pytest.approx([6 / 1326, 1])


def test_adding_worse_hands_does_not_help_against_any_two():
    assert (np.diff(nested_ranges().equity[:, -1]) < 0).all()


@pytest.mark.parametrize(("i", "j"), [(1, 1), (1, 169), (12, 30), (100, 7), (169, 168)])
@pytest.mark.parametrize("ranking", [EQUITY_RANKING, CASPER_RANKING])
def test_entries_are_equities_of_ranges(ranking, i, j):
    nested, found = nested_ranges(ranking), range_equities([best(i, ranking), best(j, ranking)])
    assert nested.equity[i - 1, j - 1] == pytest.approx(found.equity[0], abs=1e-12)
    assert nested.wins[i - 1, j - 1] == pytest.approx(found.wins[0], abs=1e-12)


def test_shared_results_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        nested_ranges().equity[0, 0] = 0


def test_a_ranking_has_every_class():
    with pytest.raises(NotationError, match="169"):
        nested_ranges(("AA", "KK"))
