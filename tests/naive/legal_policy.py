"""What is legal of a set of weighted wishes, one view at a time."""

from fractions import Fraction

FOLD, CALL = -1, 0


def legal_chances(view, weights, totals=None):
    """The exact probability of each legal action that has any, for wishes to fold, call and raise."""
    totals = [view.min_raise_to] if totals is None else totals
    kinds = [("fold", None), ("call", None), *(("raise", total) for total in totals)]
    probabilities = {}
    for (kind, total), weight in zip(kinds, weights, strict=True):
        action = legal_action(view, kind, total)
        probabilities[action] = probabilities.get(action, 0) + Fraction(weight)
    whole = sum(probabilities.values())
    if whole == 0:
        return {CALL: Fraction(1)}
    return {action: chance / whole for action, chance in probabilities.items() if chance}


def legal_action(view, kind, total):
    """The legal action that is nearest to a wish."""
    if kind == "fold" and view.to_call > 0:
        return FOLD
    if kind == "raise" and view.max_raise_to > 0:
        return sorted([view.min_raise_to, total, view.max_raise_to])[1]
    return CALL
