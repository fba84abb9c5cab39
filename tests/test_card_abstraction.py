"""Buckets of strengths against their naive twin, values on a cut among them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from holdmem.strength.kernels.bucket_cuts import nested_buckets
from naive.card_abstraction import bucket

STRENGTHS = st.integers(0, 20)
CUTS = st.lists(STRENGTHS, max_size=5).map(sorted)


@given(st.lists(CUTS, min_size=1, max_size=5), st.data())
def test_buckets_are_those_of_the_twin(inner, data):
    parts = len(inner)
    outer = sorted(data.draw(st.lists(STRENGTHS, min_size=parts - 1, max_size=parts - 1)))
    pairs = data.draw(st.lists(st.tuples(STRENGTHS, STRENGTHS), min_size=1, max_size=20))
    first, second = np.array(pairs, np.uint16).T.copy()
    cuts = np.array(outer, np.int64), np.array([cut for each in inner for cut in each], np.int64)
    start = np.cumsum([0] + [len(each) + 1 for each in inner])
    found = np.empty(len(pairs), np.int64)
    nested_buckets(second, first, *cuts, start, found)
    assert found.tolist() == [bucket(*pair, outer, inner) for pair in pairs]
