"""A decision in poker words, from a view alone: cards, board, position, betting, price and stacks."""

from collections.abc import Sequence
from itertools import groupby

from holdmem.agent.views import View
from holdmem.agent.words.actions import ActionTaken, actions_taken
from holdmem.agent.words.cards import board_words, card_words, hole_words, made_words
from holdmem.agent.words.english import counted, joined, percent, plain, sentence
from holdmem.engine.game import Game
from holdmem.engine.state import UNLIMITED

STREETS = ("before the flop", "on the flop", "on the turn", "on the river")
TITLES = ("Before the flop", "Flop", "Turn", "River")
MIDDLE = ("under the gun", *(f"under the gun plus {more}" for more in ("one", "two", "three", "four")))


def describe_situation(view: View, names: Sequence[str] | None = None) -> str:
    """Describe a decision in sentences.

    Parameters
    ----------
    view : the decision.
    names : the players by seat, such as ["you", "sartre-2"]; by default the player to act is "you" and the
        others are "the opponent" or called by their positions.
    """
    called = list(names) if names is not None else usual_names(view)
    board = board_words(view.board) if view.board else ""
    parts = [cards_sentence(view, called), board, *betting_sentences(view, called), price_sentence(view)]
    return " ".join(filter(None, [*parts, *stack_sentence(view)]))


def position_names(game: Game) -> list[str]:
    """Return the position of each seat: "the small blind", "under the gun", "the button"."""
    if game.seats == 2:
        return ["the big blind", "the button"]
    middle = game.seats - 3
    late = ["the hijack", "the cutoff"][max(0, 3 - middle) :] if middle > 1 else []
    return ["the small blind", "the big blind", *MIDDLE[: middle - len(late)], *late, "the button"]


def usual_names(view: View) -> list[str]:
    """Return "you" for the player to act, and "the opponent" or positions for the others."""
    names = ["the opponent"] * 2 if view.game.seats == 2 else position_names(view.game)
    return ["you" if seat == view.seat else name for seat, name in enumerate(names)]


def cards_sentence(view: View, names: Sequence[str]) -> str:
    """Say street, position, cards and what they make."""
    where = position_names(view.game)[view.seat]
    place = where if where.startswith("under") else f"{'on' if where == 'the button' else 'in'} {where}"
    start = (
        f"{TITLES[view.street]}, {names[view.seat] + ' ' if names[view.seat] != 'you' else ''}{place} with"
    )
    if not view.board:
        return sentence(f"{start} {card_words(view.hole)}, {hole_words(view.hole)}")
    cards = f"{card_words(view.hole)} on {card_words(view.board)}"
    return sentence(f"{start} {cards}: {made_words(view.hole, view.board)}")


def betting_sentences(view: View, names: Sequence[str]) -> list[str]:
    """Say what was done on each street."""
    taken = list(actions_taken(view))
    streets = [
        _street(list(actions), STREETS[street] if view.street else "", names, view.seat)
        for street, actions in groupby(taken, key=lambda action: action.street)
    ]
    sentences = [sentence(said) for said in _checked_together(streets)]
    if not taken or taken[-1].street < view.street:
        who = f"{names[view.seat]} {'are' if names[view.seat] == 'you' else 'is'}"
        sentences.append(sentence(f"{who} first to act"))
    return sentences


def _checked_together(streets: Sequence[str]) -> list[str]:
    """Join streets in a row on which the same players all checked: "… on the flop and on the turn"."""
    said = list[str]()
    for street in streets:
        who, checked, when = street.partition(" checked on ")
        if said and checked and "," not in street and said[-1].startswith(f"{who} checked on "):
            said[-1] += f" and on {when}"
        else:
            said.append(street)
    return said


def _street(actions: Sequence[ActionTaken], when: str, names: Sequence[str], own: int) -> str:
    """Retell one street; players in a row who did the same are taken together."""
    if len(actions) > 1 and all(action.name == "check" for action in actions):
        return f"{_everyone([action.seat for action in actions], names, own)} checked {when}"
    parts = [
        f"{_together([action.seat for action in same], names, own)} {words}"
        for words, same in groupby(actions, key=lambda action: action.words)
    ]
    return f"{when}, {joined(parts)}" if when else joined(parts)


def _everyone(seats: Sequence[int], names: Sequence[str], own: int) -> str:
    """Name all who acted on a street, with or without the player to act."""
    if len(seats) == 2 and own not in seats and names[own] != "you":
        return _together(seats, names, own)  # whose opponents they are would not be clear
    if len(seats) == 2:
        return "both players" if own in seats else "both opponents"
    return "everyone" if own in seats else "everyone else"


def _together(seats: Sequence[int], names: Sequence[str], own: int) -> str:
    """Name one or two players, "you" first, and count more; the player to act is always named."""
    if len(seats) < 3:
        return joined(sorted((names[seat] for seat in seats), key="you".__ne__))
    if own not in seats:
        return counted(len(seats), "player")
    return f"{names[own]} and {counted(len(seats) - 1, 'other player')}"


def price_sentence(view: View) -> str:
    """Say the pot and, facing a bet, how often a call has to win."""
    if not view.to_call:
        return f"The pot is {view.pot:,} and checking is free."
    price = min(view.to_call, view.stacks[view.seat])
    share = price / (view.pot + price)
    cost = f"It costs {price:,} to call for a pot of {view.pot:,}"
    return f"{cost}, so a call has to win {percent(share)} of the time."


def stack_sentence(view: View) -> list[str]:
    """Say how much can still be bet, in games with limited stacks."""
    if min(view.game.stacks) >= UNLIMITED:
        return []
    others = [stack for seat, stack in enumerate(view.stacks) if view.live[seat] and seat != view.seat]
    blinds = plain(min(view.stacks[view.seat], max(others)) / view.game.big_blind)
    if not max(others):
        return ["The opponent is all-in." if len(others) == 1 else "The other players are all-in."]
    if view.to_call >= view.stacks[view.seat]:
        return []
    return [f"There are {counted_blinds(blinds)} left to bet."]


def counted_blinds(blinds: str) -> str:
    """Return an amount with its unit: "1 big blind", "98.5 big blinds"."""
    return f"{blinds} big blind{'' if blinds == '1' else 's'}"


__all__ = ["describe_situation", "position_names", "usual_names"]
