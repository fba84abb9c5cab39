"""Kernels: exact nearest-neighbour search in a tree of boxes, with the same tie-breaking as a full scan.

Every feature has few distinct values, its levels; a case is a row of levels. For each target the weighted
local similarity of every level is computed once, so that the similarity of a case is a sum of table entries.
A box of the tree knows the lowest and highest level of its cases in every feature. Local similarity only
decreases with distance, so these give an upper bound on the similarity of any case in the box. Boxes whose
bound is below the worst case kept so far are skipped.

Sums add the same terms in the same order as `kernels.retrieve.scan` and are compared as the same integer
billionths.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cbr.kernels.retrieve import FIXED
from holdmem.cbr.similarity import KEYS, LINEAR
from holdmem.core.jit import kernel
from holdmem.core.records import record

LEAF = 64
"""Maximum number of rows in a box that is not divided: scanning them is faster than smaller boxes (measured).

Rows are distinct, so a larger box can always be divided along some feature.
"""

NODE = record([("start", "i8"), ("end", "i8"), ("left", "i8"), ("right", "i8")])
"""A box: its range of rows, and the indices of its halves or -1."""


class BoxTreeArrays(NamedTuple):
    """The box tree as arrays: a level is the rank of a value within its feature, a row a case as levels."""

    first: NDArray[np.int64]  # [feature] its first level; then the total number of levels
    keys: NDArray[np.int64]  # [level, step] values of features compared by keys
    numbers: NDArray[np.float64]  # [level] values of other features, ascending within a feature
    nodes: NDArray[np.record]
    low: NDArray[np.uint32]  # [node, feature] lowest level; unsigned to avoid a check for negative indices
    high: NDArray[np.uint32]
    rows: NDArray[np.uint32]  # [row, feature] level; boxes are ranges of rows
    starts: NDArray[np.int64]  # [row] position of its first case in `members`
    members: NDArray[np.int64]  # ranks of cases, row by row
    ranked: NDArray[np.int64]  # [rank] index of a case; cases seen more often come first


class BoxTreeQuery(NamedTuple):
    """One target as the tree sees it, and scratch space for the search."""

    table: NDArray[np.float64]  # [level] its contribution to the similarity
    below: NDArray[np.uint32]  # [feature] last level below the target, else the first level
    above: NDArray[np.uint32]  # [feature] first level not below the target, else the last level
    unordered: NDArray[np.float64]  # [feature] maximum over its levels if they are unordered, else -1
    heap: NDArray[np.int64]  # the best candidates; once full, a heap with the worst on top
    stack: NDArray[np.int64]  # boxes still to be searched
    bounds: NDArray[np.float64]  # upper bound of each box on the stack
    passed: NDArray[np.int64]  # rows of a box whose sums reach the cut
    totals: NDArray[np.float64]  # sums of these rows


BITS = 33
LAST = 2**BITS - 1
"""A candidate is one integer: similarity in billionths in the high bits, then LAST minus its rank."""

MARGIN = 1.5
"""Tolerance, in billionths, before a box is skipped: far more than rounding errors can amount to."""


@kernel
def build(levels, reach, nodes, low, high, order):
    """Divide the rows of `levels` (row, feature) into boxes; return the number of boxes.

    `reach` maps every level to a scale proportional to its feature's weight. A box is divided along the
    feature with the largest extent on that scale, near the median row.
    """
    nodes[0].start, nodes[0].end = 0, len(order)
    room = np.empty_like(order)
    counts = np.zeros(len(reach), np.int64)
    made = 1
    node = 0
    while node < made:
        box = nodes[node]
        box.left = box.right = -1
        widest = measure(levels, order, box.start, box.end, reach, low[node], high[node])
        if box.end - box.start > LEAF and widest >= 0:
            middle = split_level(levels, order, box.start, box.end, widest, low[node], high[node], counts)
            cut = divide(levels, order, box.start, box.end, widest, middle, room)
            box.left, box.right = made, made + 1
            nodes[made].start, nodes[made].end = box.start, cut
            nodes[made + 1].start, nodes[made + 1].end = cut, box.end
            made += 2
        node += 1
    return made


@kernel
def measure(levels, order, start, end, reach, low, high):
    """Write each feature's lowest and highest level in a box; return the feature of largest extent, or -1."""
    low[:] = levels[order[start]]
    high[:] = low
    for place in range(start + 1, end):
        row = levels[order[place]]
        for feature in range(len(row)):
            low[feature] = min(low[feature], row[feature])
            high[feature] = max(high[feature], row[feature])
    widest, most = -1, 0.0
    for feature in range(len(low)):
        apart = reach[high[feature]] - reach[low[feature]]
        if low[feature] < high[feature] and (widest < 0 or apart > most):
            widest, most = feature, apart
    return widest


@kernel
def split_level(levels, order, start, end, feature, low, high, counts):
    """Return the highest level of a feature that goes left, so that both halves are about equally large."""
    lowest, highest = low[feature], high[feature]
    counts[lowest : highest + 1] = 0
    for place in range(start, end):
        counts[levels[order[place], feature]] += 1
    half = (end - start) // 2
    passed = counts[lowest]
    level = lowest
    while level + 1 < highest and passed + counts[level + 1] // 2 <= half:
        level += 1
        passed += counts[level]
    return level


@kernel
def divide(levels, order, start, end, feature, level, room):
    """Partition the rows of a box by one feature: up to a level first, then above it, each in their order.

    Return where the rows above it begin.
    """
    left, right = start, 0
    for place in range(start, end):
        row = order[place]
        if levels[row, feature] <= level:
            order[left] = row
            left += 1
        else:
            room[right] = row
            right += 1
    order[left:end] = room[:right]
    return left


@kernel
def fill_table(plan, boxes, target_keys, target_numbers, sight):
    """Compute what every level contributes to the similarity with a target; return the sum of the weights."""
    weights = 0.0
    for place in range(len(plan)):
        part = plan[place]
        weights += part.weight
        start, end = boxes.first[place], boxes.first[place + 1]
        table = sight.table[start:end]
        if part.kind == KEYS:
            fill_steps(part, boxes.keys[start:end], target_keys, table)
            sight.below[place] = sight.above[place] = start
            sight.unordered[place] = table.max()
        else:
            numbers, wanted = boxes.numbers[start:end], target_numbers[part.column]
            fill_numbers(part, numbers, wanted, table)
            above = start + np.searchsorted(numbers, wanted)
            sight.below[place], sight.above[place] = max(above - 1, start), min(above, end - 1)
            sight.unordered[place] = -1.0
    return weights


@kernel
def fill_numbers(part, numbers, wanted, table):
    """Fill table[level] with the weighted similarity of `wanted` to numbers[level], linear or exponential."""
    weight, rate = part.weight, part.rate
    if part.kind == LINEAR:
        for level in range(len(table)):
            table[level] = weight * max(1.0 - abs(numbers[level] - wanted) * rate, 0.0)
    else:
        for level in range(len(table)):
            table[level] = weight * np.exp(-rate * abs(numbers[level] - wanted))


@kernel
def fill_steps(part, keys, target, table):
    """Fill the table for a feature compared by keys: the first equal column determines the step."""
    for level in range(len(table)):
        gain = 0.0
        for step in range(part.steps):
            if keys[level, step] == target[part.column + step]:
                gain = part.step[step]
                break
        table[level] = part.weight * gain


@kernel
def bound(table, below, above, unordered, low, high, node):
    """Return an upper bound on the similarity of any case in a box to the target, as a sum of weights.

    In each feature it is attained at one of the two levels next to the target, or at the end of the box
    nearest to them. The code has no branches: they are unpredictable, and a misprediction costs more than
    computing both values.
    """
    total = 0.0
    for place in range(low.shape[1]):
        lowest, highest = low[node, place], high[node, place]
        one = table[max(min(below[place], highest), lowest)]
        other = table[max(min(above[place], highest), lowest)]
        free = unordered[place] if lowest < highest else -1.0
        total += max(one, other, free)
    return total


@kernel
def sift_down(heap, size, place, key):
    """Insert a key at or below a position of a min-heap."""
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = key


@kernel
def heapify(heap, size):
    """Turn the first `size` keys into a min-heap."""
    for place in range(size // 2 - 1, -1, -1):
        sift_down(heap, size, place, heap[place])


@kernel
def enter(heap, size, room, found, starts, members, row):
    """Add the cases of a row, all equally similar, while they are among the best; return the heap's size."""
    for place in range(starts[row], starts[row + 1]):
        key = (np.int64(found) << BITS) | (LAST - members[place])
        if size < room:
            heap[size] = key
            size += 1
            if size == room:
                heapify(heap, size)
        elif key > heap[0]:
            sift_down(heap, size, 0, key)
        else:
            break
    return size


@kernel
def look(table, rows, start, end, cut, passed, totals):
    """Write the rows of a box whose sums reach the cut, and these sums; return their number."""
    count = 0
    for row in range(start, end):
        total = 0.0
        for place in range(rows.shape[1]):
            total += table[rows[row, place]]
        passed[count], totals[count] = row, total
        count += total >= cut  # no branch, as in `bound`
    return count


@kernel
def search(boxes, sight, weights, least, room):
    """Collect the best `room` cases of at least `least` billionths in the heap; return their number."""
    # Bind arrays to locals: taking them from a tuple inside a loop updates reference counts every time.
    nodes, low, high, rows = boxes.nodes, boxes.low, boxes.high, boxes.rows
    starts, members = boxes.starts, boxes.members
    table, below, above, unordered = sight.table, sight.below, sight.above, sight.unordered
    heap, stack, bounds, passed, totals = sight.heap, sight.stack, sight.bounds, sight.passed, sight.totals
    size, waiting = 0, 1
    cut = (least - MARGIN) / FIXED * weights
    stack[0], bounds[0] = 0, np.inf
    while waiting:
        waiting -= 1
        if bounds[waiting] < cut:
            continue
        node = stack[waiting]
        left, right = nodes[node].left, nodes[node].right
        if left >= 0:
            left_bound = bound(table, below, above, unordered, low, high, left)
            right_bound = bound(table, below, above, unordered, low, high, right)
            waiting = wait(stack, bounds, waiting, cut, left, left_bound, right, right_bound)
            continue
        for place in range(look(table, rows, nodes[node].start, nodes[node].end, cut, passed, totals)):
            found = int(totals[place] / weights * FIXED + 0.5)
            if totals[place] >= cut and found >= least:
                size = enter(heap, size, room, found, starts, members, passed[place])
                if size == room:
                    cut = max(cut, ((heap[0] >> BITS) - MARGIN) / FIXED * weights)
    return size


@kernel
def wait(stack, bounds, waiting, cut, near, near_bound, far, far_bound):
    """Push the halves of a box that can reach the cut on the stack, the better one on top."""
    if near_bound < far_bound:
        near, far = far, near
        near_bound, far_bound = far_bound, near_bound
    if far_bound >= cut:
        stack[waiting], bounds[waiting] = far, far_bound
        waiting += 1
    if near_bound >= cut:
        stack[waiting], bounds[waiting] = near, near_bound
        waiting += 1
    return waiting


@kernel
def find_all(plan, boxes, target_keys, target_numbers, threshold, most, otherwise, places, similar):
    """Find up to `most` cases per target at or above the threshold, or else the `otherwise` nearest."""
    deepest = len(boxes.nodes) + 1
    sight = BoxTreeQuery(
        np.empty(boxes.first[-1]), np.empty(len(plan), np.uint32), np.empty(len(plan), np.uint32),
        np.empty(len(plan)), np.empty(places.shape[1], np.int64), np.empty(deepest, np.int64),
        np.empty(deepest), np.empty(LEAF + 1, np.int64), np.empty(LEAF + 1),
    )  # fmt: skip
    for i in range(len(places)):
        weights = fill_table(plan, boxes, target_keys[i], target_numbers[i], sight)
        size = search(boxes, sight, weights, threshold, min(most, places.shape[1]))
        if size == 0 and otherwise > 0:
            size = search(boxes, sight, weights, 0, min(otherwise, places.shape[1]))
        best_first = np.sort(sight.heap[:size])[::-1]
        places[i, size:] = -1
        similar[i, size:] = 0
        for rank in range(size):
            places[i, rank] = boxes.ranked[LAST - (best_first[rank] & LAST)]
            similar[i, rank] = best_first[rank] >> BITS


__all__ = ["NODE", "BoxTreeArrays", "build", "find_all"]
