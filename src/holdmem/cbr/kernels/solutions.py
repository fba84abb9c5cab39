"""Kernel: sum the solutions of many cases."""

from holdmem.core.jit import kernel


@kernel
def add_solutions(places, counts, settled, won, all_counts, all_settled, all_won):
    """Sum the solutions of each target's cases; negative places are ignored."""
    for i in range(len(places)):
        for place in places[i]:
            if place < 0:
                continue
            for kind in range(counts.shape[1]):
                all_counts[i, kind] += counts[place, kind]
                all_settled[i, kind] += settled[place, kind]
                all_won[i, kind] += won[place, kind]
