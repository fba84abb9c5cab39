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
"""Rows in a box that is not divided further: looking at them costs less than at smaller boxes (measured)."""

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
    at: NDArray[np.int64]  # [feature] its first level that is not below the target; -1: they have no order
    best: NDArray[np.float64]  # [feature] the most that any of its levels adds
    heap: NDArray[np.int64]  # the best candidates, the worst of them on top
    stack: NDArray[np.int64]  # boxes to look into
    bounds: NDArray[np.float64]  # the most that each can reach


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
            sight.at[place], sight.best[place] = -1, table.max()
        else:
            numbers, wanted = boxes.numbers[start:end], target_numbers[part.column]
            fill_numbers(part, numbers, wanted, table)
            above = np.searchsorted(numbers, wanted)
            sight.at[place] = start + above
            sight.best[place] = max(table[max(above - 1, 0)], table[min(above, len(table) - 1)])
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
def bound(sight, low, high):
    """The most that any case of a box can have in common with the target, as a sum of weights."""
    total = 0.0
    for place in range(len(low)):
        lowest, highest, at = low[place], high[place], sight.at[place]
        if lowest == highest or lowest >= at >= 0:
            total += sight.table[lowest]
        elif highest < at:
            total += sight.table[highest]
        else:
            total += sight.best[place]
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
def sift_up(heap, place, key):
    """Put a key where it belongs above a place of the heap."""
    while place > 0 and heap[(place - 1) // 2] > key:
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = key


@kernel
def enter(heap, size, room, found, boxes, row):
    """Enter the cases of one row, which are all as similar, as long as they are among the best."""
    for place in range(boxes.starts[row], boxes.starts[row + 1]):
        key = (np.int64(found) << BITS) | (LAST - boxes.members[place])
        if size < room:
            sift_up(heap, size, key)
            size += 1
        elif key > heap[0]:
            sift_down(heap, size, 0, key)
        else:
            break
    return size


@kernel
def search(boxes, sight, weights, least, room):
    """The best `room` cases at `least` billionths or above into the heap; how many they are."""
    size, waiting = 0, 1
    rows, table = boxes.rows, sight.table
    cut = (least - MARGIN) / FIXED * weights
    sight.stack[0], sight.bounds[0] = 0, np.inf
    while waiting:
        waiting -= 1
        if sight.bounds[waiting] < cut:
            continue
        box = boxes.nodes[sight.stack[waiting]]
        if box.left >= 0:
            waiting = wait_for_halves(boxes, sight, box, cut, waiting)
            continue
        for row in range(box.start, box.end):
            total = 0.0
            for place in range(rows.shape[1]):
                total += table[rows[row, place]]
            if total < cut:
                continue
            found = int(total / weights * FIXED + 0.5)
            if found >= least:
                size = enter(sight.heap, size, room, found, boxes, row)
                if size == room:
                    cut = max(cut, ((sight.heap[0] >> BITS) - MARGIN) / FIXED * weights)
    return size


@kernel
def wait_for_halves(boxes, sight, box, cut, waiting):
    """Put the halves of a box on the stack that can reach the cut, the better one on top."""
    near, far = box.left, box.right
    near_bound = bound(sight, boxes.low[near], boxes.high[near])
    far_bound = bound(sight, boxes.low[far], boxes.high[far])
    if near_bound < far_bound:
        near, far = far, near
        near_bound, far_bound = far_bound, near_bound
    if far_bound >= cut:
        sight.stack[waiting], sight.bounds[waiting] = far, far_bound
        waiting += 1
    if near_bound >= cut:
        sight.stack[waiting], sight.bounds[waiting] = near, near_bound
        waiting += 1
    return waiting


@kernel
def find_all(plan, boxes, target_keys, target_numbers, threshold, most, otherwise, places, similar):
    """For each target the cases at or above the threshold, at most `most`; else the `otherwise` nearest."""
    deepest = len(boxes.nodes) + 1
    sight = Sight(
        np.empty(boxes.first[-1]), np.empty(len(plan), np.int64), np.empty(len(plan)),
        np.empty(places.shape[1], np.int64), np.empty(deepest, np.int64), np.empty(deepest),
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
