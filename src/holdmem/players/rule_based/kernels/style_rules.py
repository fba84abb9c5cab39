"""Compiled kernels of `style_rules`."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import count

FOLDING, CALLING, RAISING = 0, 1, 2


@kernel
def decide(rows, ihs, ppot, top, loose, aggressive, size, limit, weights, totals):
    """Fill weights[view] with the weights of fold, call and raise, and totals[view] with the raise total.

    Raises are `size` pots in no-limit. `loose` and `aggressive` have one value per view.
    """
    for i in range(len(rows)):
        row = rows[i]
        weights[i] = 0.0
        price = row.to_call / (row.pot + row.to_call)
        if row.street == 0:
            share = top[row.hole[0], row.hole[1]]
            before_the_flop(row, share, loose[i], aggressive[i], weights[i])
        else:
            rank = ihs[i] ** min(count(row.live) - 1, 2)
            after_the_flop(row, rank, ppot[i], price, loose[i], aggressive[i], weights[i])
        totals[i] = row.min_raise_to if limit else row.highest + int(size * (row.pot + row.to_call))


@kernel
def before_the_flop(row, share, loose, aggressive, weights):
    """Set the preflop weights; `share` is the share of holdings as good or better.

    The best `loose` of hands are played, half as many after two raises. The best
    loose · aggressive / 2^(1 + raises) always raise; other played hands raise with probability
    aggressive / 5 before the second raise, and call otherwise.
    """
    played = loose if row.raises < 2 else loose / 2
    raised = loose * aggressive / 2 / 2.0**row.raises
    if share <= raised:
        weights[RAISING] = 1.0
    elif share <= played:
        weights[RAISING] = aggressive / 5 if row.raises < 2 else 0.0
        weights[CALLING] = 1.0 - weights[RAISING]
    else:
        weights[FOLDING] = 1.0


@kernel
def after_the_flop(row, rank, ppot, price, loose, aggressive, weights):
    """Set the weights after the flop from hand rank, PPOT and pot odds (`price`).

    Unbet, hands of rank 1 - aggressive or better bet, and others bluff with probability aggressive / 2.
    Facing a bet, hands of rank 1 - aggressive / 2^raises or better raise, and others do so with probability
    aggressive / 10 before the second raise. Otherwise it calls if the rank is at least 1 - loose or PPOT
    exceeds the pot odds.
    """
    if row.to_call == 0:
        weights[RAISING] = 1.0 if rank >= 1.0 - aggressive else aggressive / 2
        weights[CALLING] = 1.0 - weights[RAISING]
    elif rank >= 1.0 - aggressive / 2.0**row.raises:
        weights[RAISING] = 1.0
    else:
        calls = rank >= 1.0 - loose or ppot > price
        weights[RAISING] = aggressive / 10 if row.raises < 2 else 0.0
        weights[CALLING if calls else FOLDING] = 1.0 - weights[RAISING]
