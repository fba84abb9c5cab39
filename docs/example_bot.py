"""An agent in ten lines; play against it with: holdmem play ./docs/example_bot.py:cautious:patience=3"""

from holdmem import CALL, FOLD, bot


@bot
def cautious(view, patience=4):
    """Gives up when the price is high, raises now and then."""
    if view.to_call * patience > view.pot:
        return FOLD
    if view.max_raise_to and view.random() < 0.2:
        return view.min_raise_to
    return CALL
