"""Nearest cases without looking at all of them: a tree of boxes, exact to the last tie.

Every feature has few different values, its levels; a case is a row of them. For a target the weighted local
similarity of every level is computed once, so that the similarity of a case is a sum of table entries. A box
of the tree knows the lowest and highest level of its cases in every feature, and so the most that any of them
can reach: local similarity only falls with the distance. Boxes that cannot reach the worst case kept so far
are left out.

Sums are made of the same terms in the same order as in `retrieve_kernels.scan`, and compared as the same
whole billionths.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.casebase.retrieve_kernels import FIXED
from holdmem.casebase.similarity import KEYS, LINEAR
from holdmem.compiled import kernel
from holdmem.rules.state import record

LEAF = 64
"""Most rows in a box that is not divided: looking at them costs less than at smaller boxes (measured).
Rows differ, so that there is always a feature in which a larger box can be divided."""

NODE = record([("start", "i8"), ("end", "i8"), ("left", "i8"), ("right", "i8")])
"""A box: its rows, and its halves or -1."""


class Boxes(NamedTuple):
    """A tree over rows of levels."""

    first: NDArray[np.int64]  # [feature] its first level; the number of all levels at the end
    keys: NDArray[np.int64]  # [level, step] what is compared where features are keys
    numbers: NDArray[np.float64]  # [level] what is compared otherwise, rising within a feature
    nodes: NDArray[np.record]
    low: NDArray[np.uint32]  # [node, feature] the lowest level; unsigned, so that an index needs no check
    high: NDArray[np.uint32]
    rows: NDArray[np.uint32]  # [row, feature] its level; boxes are ranges of rows
    starts: NDArray[np.int64]  # [row] its first case among the members
    members: NDArray[np.int64]  # ranks of cases, row by row
    ranked: NDArray[np.int64]  # [rank] the place of a case; those seen more often come first


class Sight(NamedTuple):
    """One target as the tree sees it, and room to search in."""

    table: NDArray[np.float64]  # [level] what it adds to the similarity
    below: NDArray[np.uint32]  # [feature] its last level below the target, or the first of all
    above: NDArray[np.uint32]  # [feature] its first level that is not below the target, or the last of all
    unordered: NDArray[np.float64]  # [feature] the most that a level adds, where levels have no order; or -1
    heap: NDArray[np.int64]  # the best candidates; as soon as there is no more room, the worst of them on top
    stack: NDArray[np.int64]  # boxes to look into
    bounds: NDArray[np.float64]  # the most that each can reach
    passed: NDArray[np.int64]  # rows of a box that reach the cut
    totals: NDArray[np.float64]  # and their sums


BITS = 33
LAST = 2**BITS - 1
"""A candidate is one number: its similarity in billionths, then, less for those that come later, its rank."""

MARGIN = 1.5
"""Billionths by which a bound may fall short before a box is left out: far more than rounding can do."""


@kernel
def build(levels, reach, nodes, low, high, order):
    """Divide the rows of `levels` (row, feature) into boxes; how many there are.

    `reach` puts every level on a scale of its feature's weight: a box is divided in the feature in which its
    ends are furthest apart, at the middle row.
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
    """The lowest and highest level of every feature in a box; the feature with the widest reach, or -1."""
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
    """The level of this feature up to which rows go left, so that both halves are about as large."""
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
    """Rows up to the level before those above it, each in their order; where the second half begins."""
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
    """What every level adds to the similarity with one target; the sum of the weights."""
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
    """Levels whose similarity falls with the distance: straight to 0, or by a power of e."""
    weight, rate = part.weight, part.rate
    if part.kind == LINEAR:
        for level in range(len(table)):
            table[level] = weight * max(1.0 - abs(numbers[level] - wanted) * rate, 0.0)
    else:
        for level in range(len(table)):
            table[level] = weight * np.exp(-rate * abs(numbers[level] - wanted))


@kernel
def fill_steps(part, keys, target, table):
    """Levels that are compared by keys: the first of their columns that is equal gives its step."""
    for level in range(len(table)):
        gain = 0.0
        for step in range(part.steps):
            if keys[level, step] == target[part.column + step]:
                gain = part.step[step]
                break
        table[level] = part.weight * gain


@kernel
def bound(table, below, above, unordered, low, high, node):
    """The most that any case of a box can have in common with the target, as a sum of weights.

    In each feature it is one of the two levels next to the target, or the end of the box that is nearest to
    them. There are no branches: which of these it is cannot be foreseen, and guessing costs more than both.
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
    """Put a key where it belongs below a place of a heap with the smallest on top."""
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
    """Put the smallest key on top."""
    for place in range(size // 2 - 1, -1, -1):
        sift_down(heap, size, place, heap[place])


@kernel
def enter(heap, size, room, found, starts, members, row):
    """Enter the cases of one row, which are all as similar, as long as they are among the best."""
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
    """The rows of a box that reach the cut, and their sums; how many they are."""
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
    """The best `room` cases at `least` billionths or above into the heap; how many they are."""
    # Named once: taken out of a tuple in a loop, arrays are counted as in use and out of use each time.
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
    """Put the halves of a box on the stack that can reach the cut, the better one on top."""
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
    """For each target the cases at or above the threshold, at most `most`; else the `otherwise` nearest."""
    deepest = len(boxes.nodes) + 1
    sight = Sight(
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


__all__ = ["NODE", "Boxes", "build", "find_all"]
