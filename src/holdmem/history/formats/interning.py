"""Distinct texts found by compiled readers: room for them, and the texts themselves."""

import numpy as np

from holdmem.history.formats.kernels.scan import SPAN, InternTable


def interned(most: int) -> InternTable:
    """Return room for at most this many distinct texts."""
    slots = np.full(1 << (2 * most).bit_length(), -1, dtype=np.int32)
    return InternTable(np.empty(most, dtype=SPAN), slots, np.zeros(1, dtype=np.int64))


def texts_of(data: bytes, names: InternTable) -> list[str]:
    """Return the distinct texts, which must be UTF-8, in order of first appearance."""
    return [data[begin:end].decode() for begin, end in names.spans[: names.count[0]].tolist()]
