"""Where in a betting tree a hand is, read action by action; bets between sizes by the pseudo-harmonic map."""

from holdmem.engine import CALL

MOST = 4


def naive_places(tree, history):
    """{node: weight} after a history of (street, seat, action)."""
    places, bets, paid, street = {0: 1.0}, list(tree.game.blinds), 0, 0
    for now, seat, to in history:
        if now != street:
            street, paid, bets = now, paid + max(bets), [0, 0]
        highest = max(bets)
        if to == CALL:
            places = after_call(tree, places)
            bets[seat] = highest
        else:
            places = after_raise(tree, places, (to - highest) / (2 * (paid + highest)))
            bets[seat] = to
    return places


def naive_unbet(tree, node, view):
    """How much of a bet counts as none at a node that stands for a larger one."""
    little, much = sorted(tree.paid[node].tolist())
    stands_for, real = (much - little) / (2 * little), view.to_call / (view.pot - view.to_call)
    return max(0.0, (stands_for - real) / (stands_for * (1 + real)))


def children(tree, node):
    return dict(zip(tree.actions(node), tree.child[tree.edges[node] : tree.edges[node + 1]], strict=True))


def after_call(tree, places):
    called = {children(tree, node)[0.0]: weight for node, weight in places.items()}
    return {int(node): weight for node, weight in called.items() if tree.turn[node] < 2}


def after_raise(tree, places, size):
    found = []
    for node, weight in places.items():
        raises = [child for fraction, child in children(tree, node).items() if fraction > 0]
        sizes = [tree.paid[child].max() / (2 * tree.paid[node].max()) - 0.5 for child in raises]
        if not raises:
            continue
        if size >= sizes[-1]:
            found.append((raises[-1], weight))
        elif size <= sizes[0]:
            found.append((raises[0], weight))
        else:
            above = next(place for place, other in enumerate(sizes) if other >= size)
            a, b = sizes[above - 1], sizes[above]
            share = (b - size) * (1 + a) / ((b - a) * (1 + size))
            found += [(raises[above - 1], weight * share), (raises[above], weight * (1 - share))]
    kept = sorted(found, key=lambda each: -each[1])[:MOST]
    total = sum(weight for _, weight in kept)
    return {int(node): weight / total for node, weight in kept if weight > 0}
