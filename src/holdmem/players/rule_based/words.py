"""Sentences that the rule-based players share: hand strength and the price of a call."""

from holdmem.agent import View
from holdmem.agent.words.english import percent

EXTREME = 0.01
"""Starting hands within this share of either end are called the very best or the very worst."""


def beats(share: float) -> str:
    """Say how strong a hand is after the flop, by the share of an opponent's holdings that it beats now."""
    return f"its hand beats {percent(share)} of the hands that an opponent could hold"


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
