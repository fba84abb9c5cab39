"""The pots of a hand in progress or at its end, each with the seats that can win it."""

from holdmem.core.jit import kernel
from holdmem.engine.kernels.showdown import next_level


@kernel
def add_pots(rules, hand, number, street, pots, count):
    """Append the pots that two or more seats can win, split as in `showdown.settle`; return the new count."""
    below = 0
    while True:
        level = next_level(rules, hand, below)
        if level == below:
            return count
        last = next_level(rules, hand, level) == level
        chips, inside = rules.all_dead if below == 0 else 0, 0
        for seat in range(rules.seats):
            above = max(hand.paid[seat] - below, 0)
            chips += above if last else min(above, level - below)
            if hand.live >> seat & 1 and hand.paid[seat] >= level:
                inside |= 1 << seat
        if inside & (inside - 1):
            pots[count, 0], pots[count, 1], pots[count, 2], pots[count, 3] = number, street, chips, inside
            count += 1
        below = level
