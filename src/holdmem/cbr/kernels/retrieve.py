"""Kernels: similarity of a target to every case, and a hash index that finds the nearest without a full scan.

Similarities are compared as integer billionths (`FIXED`), so that neither a threshold nor a tie depends on
the last bit of a float. Ties go to the case seen more often, then to the one stored first.
"""

import numpy as np

from holdmem.cbr.similarity import DECAY, KEYS, LINEAR, MOST_STEPS
from holdmem.core.jit import kernel
from holdmem.core.records import record

FIXED = 1_000_000_000

PLAN = record(
    [
        ("kind", "i8"),
        ("column", "i8"),  # index of its first column, among keys or numbers
        ("steps", "i8"),
        ("step", "f8", MOST_STEPS),
        ("rate", "f8"),
        ("weight", "f8"),
    ]
)
"""How one feature is compared."""

SLOTS_PRIME = 2_147_483_647


@kernel
def add_steps(part, keys, target, total):
    """Add a feature compared by keys: the first of its columns that is equal determines the step."""
    first = part.column
    for case in range(len(total)):
        gain = 0.0
        for step in range(part.steps):
            if keys[first + step, case] == target[first + step]:
                gain = part.step[step]
                break
        total[case] += part.weight * gain


@kernel
def add_slope(part, numbers, wanted, total):
    """Add a feature whose similarity decreases linearly with the distance, down to 0."""
    weight, rate = part.weight, part.rate
    for case in range(len(total)):
        total[case] += weight * max(1.0 - abs(numbers[case] - wanted) * rate, 0.0)


@kernel
def add_decay(part, numbers, wanted, total):
    """Add a feature whose similarity decays exponentially with the distance."""
    weight, rate = part.weight, part.rate
    for case in range(len(total)):
        total[case] += weight * np.exp(-rate * abs(numbers[case] - wanted))


@kernel
def add_up(plan, keys, numbers, target_keys, target_numbers, total):
    """Write the weighted sum of every case's local similarities into `total`; return the sum of the weights.

    Features are processed one after another over all cases, so that each is a simple loop over one column.
    """
    total[:] = 0.0
    weights = 0.0
    for place in range(len(plan)):
        part = plan[place]
        weights += part.weight
        if part.kind == KEYS:
            add_steps(part, keys, target_keys, total)
        elif part.kind == LINEAR:
            add_slope(part, numbers[part.column], target_numbers[part.column], total)
        else:
            add_decay(part, numbers[part.column], target_numbers[part.column], total)
    return weights


@kernel
def keep_best(best, similar, seen, place, similarity, count):
    """Insert a case into the sorted list of the best, if it belongs there; `best` starts filled with -1."""
    last = len(best) - 1
    if best[last] >= 0 and not better(similarity, count, similar[last], seen[last]):
        return
    while last > 0 and (best[last - 1] < 0 or better(similarity, count, similar[last - 1], seen[last - 1])):
        best[last], similar[last], seen[last] = best[last - 1], similar[last - 1], seen[last - 1]
        last -= 1
    best[last], similar[last], seen[last] = place, similarity, count


@kernel
def better(similarity, count, other_similarity, other_count):
    """Whether a case is more similar, or equally similar and seen more often.

    Cases arrive in storage order, so the one stored first wins a remaining tie.
    """
    return similarity > other_similarity or (similarity == other_similarity and count > other_count)


@kernel
def keep_all(total, weights, seen, places, similar, counts):
    """Keep the best of all cases by similarity in billionths; only a few ever enter the list."""
    last = len(places) - 1
    for case in range(len(total)):
        found = int(total[case] / weights * FIXED + 0.5)
        if places[last] < 0 or found >= similar[last]:
            keep_best(places, similar, counts, case, found, seen[case])


@kernel
def scan(plan, keys, numbers, seen, target_keys, target_numbers, threshold, most, otherwise, places, similar):
    """Find each target's cases at or above the threshold, at most `most`; else the nearest `otherwise`.

    `keys` and `numbers` have one row per column. Results are sorted most similar first, with -1 after the
    last.
    """
    counts, total = np.zeros(places.shape[1], np.int64), np.zeros(len(seen))
    for i in range(len(places)):
        places[i, :] = -1
        weights = add_up(plan, keys, numbers, target_keys[i], target_numbers[i], total)
        keep_all(total, weights, seen, places[i], similar[i], counts)
        wanted = most if places[i, 0] >= 0 and similar[i, 0] >= threshold else otherwise
        for rank in range(places.shape[1]):
            below = similar[i, 0] >= threshold and similar[i, rank] < threshold
            if rank >= wanted or below:
                places[i, rank] = -1
            if places[i, rank] < 0:
                similar[i, rank] = 0


# The index: one hash table of cases per pattern (which column of each feature must be equal, if any)


@kernel
def slot_of(keys, pattern, mask):
    """Return the first slot to probe for a case with these keys."""
    mixed = np.int64(17)
    for place in range(len(pattern)):
        if pattern[place] >= 0:
            mixed = (mixed * 1_000_003 + keys[pattern[place]] % SLOTS_PRIME) % SLOTS_PRIME
    return (mixed ^ (mixed >> 15)) & mask


@kernel
def agrees(keys, other, pattern):
    """Return whether two cases have equal keys in all columns of the pattern."""
    for place in range(len(pattern)):
        column = pattern[place]
        if column >= 0 and keys[column] != other[column]:
            return False
    return True


@kernel
def fill_index(keys, order, patterns, tables):
    """Insert the cases in this order, best first; of cases that match each other only the first is kept."""
    mask = tables.shape[1] - 1
    for number in range(len(patterns)):
        pattern, table = patterns[number], tables[number]
        for case in order:
            slot = slot_of(keys[case], pattern, mask)
            while table[slot] >= 0 and not agrees(keys[table[slot]], keys[case], pattern):
                slot = (slot + 1) & mask
            if table[slot] < 0:
                table[slot] = case


@kernel
def look_up(keys, table, pattern, target):
    """Return the case in this table that matches the target, or -1."""
    mask = len(table) - 1
    slot = slot_of(target, pattern, mask)
    while table[slot] >= 0:
        if agrees(keys[table[slot]], target, pattern):
            return np.int64(table[slot])
        slot = (slot + 1) & mask
    return np.int64(-1)


@kernel
def find_nearest(keys, seen, patterns, scores, tables, targets, places, similar):
    """Find the most similar case of each target.

    Patterns are sorted by descending similarity, so the first that hits has the highest; ties are then
    resolved among patterns of equal similarity.
    """
    for i in range(len(targets)):
        places[i], similar[i] = -1, 0
        for number in range(len(patterns)):
            if places[i] >= 0 and scores[number] < similar[i]:
                break
            found = look_up(keys, tables[number], patterns[number], targets[i])
            if found < 0:
                continue
            chosen = places[i]
            more = chosen < 0 or seen[found] > seen[chosen]
            if more or (seen[found] == seen[chosen] and found < chosen):
                places[i], similar[i] = found, scores[number]


__all__ = ["DECAY", "FIXED", "KEYS", "LINEAR", "PLAN", "fill_index", "find_nearest", "scan"]
