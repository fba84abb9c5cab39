"""Compiled kernels of `simplebot`."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import count

TEN, ACE, DEUCE = 8, 12, 0
FOLDING, CALLING, RAISING = 0, 1, 2
SOMETIMES = 0.05
"""Probability of calling with an unplayed hand when a call costs at most one big blind."""
TURN, TURN_CARDS, DIVISOR = 2, 44, 45
"""The original divides its potential on the turn by 45 cards, though 44 are unseen by both players."""


@kernel
def decide(rows, ihs, ppot, big_blind, limit, leak, details, weights, totals):
    """Fill weights[view] with the weights of fold, call and raise, and totals[view] with the raise total.

    Hand rank after the flop is IHS to the power of the number of opponents. `details` are three of the
    original that were seen later.
    """
    for i in range(len(rows)):
        weights[i] = 0.0
        if rows[i].street == 0:
            before_the_flop(rows[i], big_blind, leak, details, weights[i])
            totals[i] = rows[i].min_raise_to
        else:
            hand_rank = ihs[i] ** (count(rows[i].live) - 1)
            short = details and rows[i].street == TURN
            draw = ppot[i] * TURN_CARDS / DIVISOR if short else ppot[i]
            after_the_flop(rows[i], hand_rank, draw, weights[i])
            totals[i] = rows[i].min_raise_to if limit else two_thirds_of_the_pot(rows[i], details)


@kernel
def before_the_flop(row, big_blind, leak, details, weights):
    """Set the weights from the hole cards, the number of raises and, for unplayed hands, the cost of a call.

    Pairs, two cards of ten or higher, suited connectors and suited aces are played. Pairs of tens or higher,
    pairs of deuces and two suited cards of ten or higher raise if no player has raised yet; the rest call.
    """
    one, other = row.hole[0] >> 2, row.hole[1] >> 2
    high, low = max(one, other), min(one, other)
    suited = (row.hole[0] & 3) == (row.hole[1] & 3)
    pair = high == low
    forgotten = leak and row.raises >= 2
    if (pair and not forgotten) or (low >= TEN and not pair and not (details and forgotten)):
        best = (high >= TEN or high == DEUCE) if pair else suited
        weights[RAISING if best and row.raises == 0 else CALLING] = 1.0
    elif suited and (high - low == 1 or high == ACE):
        weights[CALLING] = 1.0
    else:
        weights[CALLING] = SOMETIMES if row.to_call <= big_blind else 0.0
        weights[FOLDING] = 1.0 - weights[CALLING]


@kernel
def after_the_flop(row, hand_rank, ppot, weights):
    """Set the weights from hand rank r, positive potential and pot odds.

    The nuts (r = 1) always raise. With no bet to call it bets with probability r² + (1 - r²) · PPOT, the
    second term being a semi-bluff. Facing a bet it raises with probability r^(1 + raises); otherwise it
    calls if r² · pot exceeds the price or PPOT exceeds the pot odds, and folds if neither holds.
    """
    if hand_rank == 1.0:
        weights[RAISING] = 1.0
    elif row.to_call == 0:
        weights[RAISING] = hand_rank**2 + (1.0 - hand_rank**2) * ppot
        weights[CALLING] = 1.0 - weights[RAISING]
    else:
        weights[RAISING] = hand_rank ** (1 + row.raises)
        price, pot = row.to_call, row.pot
        worth = hand_rank**2 * pot > price or ppot > price / (pot + price)
        weights[CALLING if worth else FOLDING] = 1.0 - weights[RAISING]


@kernel
def two_thirds_of_the_pot(row, details):
    """Return the raise total for a bet of 2/3 of the pot after a call.

    It is all-in if the stack left behind would be smaller than that bet; with `details` a bet is, and a raise
    stays at 2/3 as far as the stack reaches.
    """
    bet = 2 * (row.pot + row.to_call) // 3
    behind = row.stack[row.seat] - row.to_call
    if behind - bet < bet and not (details and row.to_call > 0):
        return row.max_raise_to
    return min(row.highest + bet, row.max_raise_to)
