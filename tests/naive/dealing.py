"""Hidden cards from given random numbers: holdings by their weights, then the rest of the board."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, cycle

from naive.decision import Decision
from naive.opponents import HOLDINGS

TRIES = 16


def draw_holding(weights: Sequence[float], number: float) -> tuple[int, int]:
    """The first holding up to which the weights add up to more than this share of all."""
    sums = list(accumulate(weights))
    passed = (h for h, total in enumerate(sums) if total > number * sums[-1])
    return HOLDINGS[next(passed, len(HOLDINGS) - 1)]


def draw_card(taken: set[int], number: float) -> int:
    """One of the cards that are left."""
    left = [card for card in range(52) if card not in taken]
    return left[int(number * len(left))]


def deal(
    decision: Decision, weights: Mapping[int, Sequence[float]], numbers: Sequence[float]
) -> tuple[dict[int, tuple[int, int]], list[int]] | None:
    """Holdings by seat and the whole board; None if sixteen holdings of a seat in a row were taken."""
    view, stream = decision.view, cycle(numbers)
    holes, board, taken = {view.seat: view.hole}, list(view.board), {*view.hole, *view.board}
    for seat in decision.opponents():
        tries = (draw_holding(weights[seat], next(stream)) for _ in range(TRIES))
        holding = next((drawn for drawn in tries if not taken & set(drawn)), None)
        if holding is None:
            return None
        holes[seat] = holding
        taken |= set(holding)
    while len(board) < 5:
        board.append(draw_card(taken, next(stream)))
        taken.add(board[-1])
    return holes, board
