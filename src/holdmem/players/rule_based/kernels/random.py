"""Compiled kernels of `random`."""

from holdmem.core.jit import kernel
from holdmem.engine import CALL, FOLD


@kernel
def choose(rows, uniforms, out):
    """Fill out[view] with a random legal action.

    Call, fold (only facing a bet) and raise (where legal) are equally likely, and so is every legal raise
    total. `uniforms` has two columns: one for the kind of action, one for the total.
    """
    for i in range(len(rows)):
        row = rows[i]
        kinds = 1 + (row.to_call > 0) + (row.max_raise_to > 0)
        kind = int(uniforms[i, 0] * kinds)
        if kind == 0:
            out[i] = CALL
        elif kind == 1 and row.to_call > 0:
            out[i] = FOLD
        else:
            out[i] = row.min_raise_to + int(uniforms[i, 1] * (row.max_raise_to - row.min_raise_to + 1))
