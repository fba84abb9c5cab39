"""The hash table of hands read before, against a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from holdmem.history.kernels.duplicates import note_all
from naive.duplicates import states

HANDS = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 3)), max_size=24)


@given(HANDS, HANDS)
def test_what_was_read_before_is_what_a_dictionary_says(first, second):
    """Keys collide in a table of 64 places, and the second block meets the first."""
    table, contents, seen = np.zeros(64, np.int64), np.zeros(64, np.int64), {}
    for hands in (first, second):
        found = np.empty(len(hands), np.int8)
        scattered = np.array([1 + 16 * key for key, _ in hands], np.int64)
        note_all(scattered, np.array([what for _, what in hands], np.int64), table, contents, found)
        assert found.tolist() == states(hands, seen)
