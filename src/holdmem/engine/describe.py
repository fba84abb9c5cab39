"""Actions in words."""

from collections.abc import Callable

from holdmem.engine.state import CALL, FOLD


def action_verb(action: int, to_call: int, highest: int) -> str:
    """Return the verb for an action where `to_call` chips call and the highest bet is `highest`."""
    if action in (FOLD, CALL):
        return "fold" if action == FOLD else "call" if to_call else "check"
    return "raise" if highest else "bet"


def describe_action(
    action: int,
    to_call: int | None = None,
    highest: int | None = None,
    *,
    all_in: bool = False,
    amount: Callable[[int], str] = str,
) -> str:
    """Return an action in words: fold, check, call 10, bet 20, raise to 40.

    Parameters
    ----------
    action : FOLD, CALL or the total of a raise.
    to_call : chips needed to call; without it, CALL is "check or call".
    highest : the highest bet on this street; without it, a bet is "raise to", too.
    all_in : whether to add "all-in".
    amount : how to write chips.
    """
    if action == CALL and to_call is None:
        return "check or call"
    verb = action_verb(action, to_call or 0, 1 if highest is None else highest)
    chips = {"call": to_call or 0, "bet": action, "raise": action}.get(verb)
    words = verb if chips is None else f"{verb}{' to' * (verb == 'raise')} {amount(chips)}"
    return f"{words} all-in" if all_in else words


def third_person(words: str) -> str:
    """Return an action as said of another player: "raise to 20" becomes "raises to 20"."""
    verb, space, rest = words.partition(" ")
    return f"{verb}s{space}{rest}"
