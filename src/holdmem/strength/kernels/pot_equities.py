"""Compiled kernels of `pot_equities`: equity of the seats still in after the flop, folded cards dead."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.strength.kernels.equity import (
    BLOCK,
    WHOLE,
    count_block,
    evaluate_block,
    fill_block,
    find_winners,
    remaining,
    sums,
)


@kernel
def board_equities(hole, boards, inside, equity):
    """Write the mean share of a pot that each seat in `inside` wins over all completions of the board.

    `hole` is (n, seats, 2), `boards` (n, 3 to 5), `inside` (n,) a bit mask of seats, `equity` (n, seats).
    Seats that are not in `inside` get 0.
    """
    seats = hole.shape[1]
    who, won = np.empty(seats, np.int64), np.empty(seats, np.int64)
    work = np.empty((seats, BLOCK), np.int16)
    for i in range(len(hole)):
        players = seats_of(inside[i], who)
        won[:players] = 0
        ways = count_boards(hole[i], boards[i], who[:players], work, won)
        equity[i] = 0
        for place in range(players):
            equity[i, who[place]] = won[place] / (WHOLE * ways)


@kernel
def seats_of(inside, who):
    """Write the seats of a bit mask in ascending order into `who`; return their number."""
    players, seat = 0, 0
    while inside >> seat:
        if inside >> seat & 1:
            who[players] = seat
            players += 1
        seat += 1
    return players


@kernel
def count_boards(hole, board, who, work, won):
    """Add each player's share of the pot over all completions of a board to `won`; return their number."""
    deck, places = np.empty(52, np.int64), np.arange(5 - len(board))
    block_keys, block_bits = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    best, parts = np.empty(BLOCK, np.int16), np.empty(BLOCK, np.int16)
    left = remaining(hole, board, board, deck)
    strengths = work[: len(who)]
    boards, more = 0, True
    while more:
        size, more = fill_block(deck[:left], places, block_keys, block_bits)
        for place in range(len(who)):
            key, bits = sums(hole[who[place]], board)
            evaluate_block(key, bits, block_keys[:size], block_bits, strengths[place])
        find_winners(strengths, best[:size], parts[:size])
        for place in range(len(who)):
            _, _, part = count_block(strengths[place], best[:size], parts)
            won[place] += part
        boards += size
    return boards
