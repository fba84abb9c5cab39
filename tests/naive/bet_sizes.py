"""Bets in categories and their letters, one at a time and in plain words."""

from fractions import Fraction
from itertools import pairwise

from holdmem.engine import CALL, FOLD

SIZES = {
    "quarter": Fraction(1, 4), "half": Fraction(1, 2), "three-quarter": Fraction(3, 4), "pot": Fraction(1),
    "double": Fraction(2), "five-times": Fraction(5), "ten-times": Fraction(10),
}  # fmt: skip
GROUPS = {"q": "small", "h": "small", "i": "middle", "p": "middle", "d": "big", "v": "big", "t": "big"}


def own_total(view, fraction):
    """A part of the pot after a call on top of the highest bet; half a chip counts as one."""
    return view.highest + int(Fraction(fraction) * (view.pot + view.to_call) + Fraction(1, 2))


def covering(view):
    """All-in, or the most that anybody else could call with."""
    mine = view.bets[view.seat] + view.stacks[view.seat]
    others = [
        view.bets[seat] + view.stacks[seat]
        for seat, live in enumerate(view.live)
        if live and seat != view.seat
    ]
    return min(mine, max(others))


def category(view, total):
    """The name of a raise."""
    if total >= covering(view):
        return "all-in"
    for name, size in SIZES.items():
        if total == own_total(view, size):
            return name
    size = Fraction(total - view.highest, view.pot + view.to_call)
    names = list(SIZES)
    for name, larger in pairwise(names):
        a, b = SIZES[name], SIZES[larger]
        if size < (a + b + 2 * a * b) / (a + b + 2):
            return name
    return names[-1]


def some_action(view, rng):
    """Mostly calls, raises of any size, few folds."""
    if view.to_call and rng.random() < 0.1:
        return FOLD
    if not view.max_raise_to or rng.random() < 0.5:
        return CALL
    least, most = view.min_raise_to, view.max_raise_to
    return int(rng.choice([least, most, rng.integers(least, most + 1)]))


def rounds(letters):
    """The rounds of a sequence as lists of (player, letter); heads-up the button is first before the flop."""
    found = []
    for street, part in enumerate(letters.split("-")):
        first = 0 if street else 1
        found.append([((first + place) % 2, letter) for place, letter in enumerate(part)])
    return found


def grouped(betting):
    return [(player, GROUPS.get(letter, letter)) for player, letter in betting]


def raises(*betting):
    """How often each player raised in these rounds."""
    raised = [player for part in betting for player, letter in part if letter not in "fc"]
    return raised.count(0), raised.count(1)


def last_raise(betting):
    sizes = [letter for _, letter in grouped(betting) if letter not in "fc"]
    return sizes[-1] if sizes else None


def steps(one, other, values):
    """The similarity of two sized betting sequences."""
    mine, theirs = rounds(one), rounds(other)
    if one == other:
        return values[0]
    if len(mine) != len(theirs):
        return 0.0
    if mine[-1] == theirs[-1] and list(map(grouped, mine)) == list(map(grouped, theirs)):
        return values[1]
    if grouped(mine[-1]) == grouped(theirs[-1]) and raises(*mine[:-1]) == raises(*theirs[:-1]):
        return values[2]
    if raises(mine[-1]) == raises(theirs[-1]) and last_raise(mine[-1]) == last_raise(theirs[-1]):
        return values[3]
    return 0.0
