"""Sentences that the rule-based players share: hand strength and the price of a call."""

from holdmem.agent import View
from holdmem.agent.words.english import percent, plain

EXTREME = 0.01
"""Starting hands within this share of either end are called the very best or the very worst."""
MOST_DIGITS = 2


def beats(share: float) -> str:
    """Say how strong a hand is after the flop, by the share of an opponent's holdings that it beats now."""
    return f"its hand beats {percent(share)} of the hands that an opponent could hold"


def apart(value: float, border: float, digits: int) -> tuple[str, str]:
    """Return two numbers with as many digits as tell them apart, at least `digits` and at most two."""
    while value != border and plain(value, digits) == plain(border, digits) and digits < MOST_DIGITS:
        digits += 1
    return plain(value, digits), plain(border, digits)


def no_raise(view: View) -> list[str]:
    """Say so where a rule speaks of raises and none is possible."""
    return [] if view.max_raise_to else ["No raise is possible here, so where the rule is to raise, it calls"]


def improves(share: float) -> str:
    """Say how likely the next card puts a hand ahead that is behind."""
    return f"where it is behind, the next card puts it ahead {percent(share)} of the time"


def needs(view: View) -> str:
    """Say how often a call has to win."""
    return f"a call has to win {percent(view.to_call / (view.pot + view.to_call))} of the time"


def among_best(share: float) -> str:
    """Say how strong two cards are before the flop, by the share of holdings that are as good or better."""
    if not EXTREME <= share <= 1 - EXTREME:
        return f"its cards are among the very {'best' if share < EXTREME else 'worst'} starting hands"
    return f"its cards are {'only ' if share > 0.5 else ''}among the best {percent(share)} of starting hands"
