"""What each choice of a learner does, from what the view says."""

from collections.abc import Sequence

from holdmem.agent import View
from holdmem.engine import CALL, FOLD


def codes(view: View, sizes: Sequence[float]) -> list[int]:
    """A fold that costs nothing checks, a raise that is not legal calls."""
    found = [FOLD if view.to_call else CALL, CALL]
    for size in sizes:
        if not view.max_raise_to:
            found.append(CALL)
        elif size == float("inf"):
            found.append(view.max_raise_to)
        else:
            wanted = round(view.highest + size * (view.pot + view.to_call))
            found.append(min(max(wanted, view.min_raise_to), view.max_raise_to))
    return found


def mask(view: View, sizes: Sequence[float]) -> list[int]:
    """Legal, and not the same raise as one before."""
    raises = codes(view, sizes)[2:]
    first = [code > CALL and code not in raises[:place] for place, code in enumerate(raises)]
    return [int(view.to_call > 0), 1, *map(int, first)]
