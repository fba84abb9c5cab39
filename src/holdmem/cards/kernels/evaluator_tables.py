"""Compiled kernels of `evaluator_tables`."""

from holdmem.core.jit import kernel


@kernel
def first_fit(taken, row):
    """Smallest shift at which every place of `row` is still free."""
    shift = 0
    while True:
        for place in row:
            if taken[place + shift]:
                break
        else:
            return shift
        shift += 1
