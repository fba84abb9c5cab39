"""The decisions of plicas in sentences: class of the hand, rule, and what each unit adds."""

import numpy as np

from holdmem.agent import View
from holdmem.agent.words.english import counted, percent, plain
from holdmem.opponents.profiles import Profile
from holdmem.players.plicas.kernels.starting_hands import UNPLAYABLE


def plicas_reasons(view: View, found: np.record, settings: np.record, known: Profile) -> list[str]:
    """Say the class of the hand, the rule for it, and what the other units add."""
    return _before(view, found, settings, known) if view.street == 0 else _after(view, found, settings, known)


def _before(view: View, found: np.record, settings: np.record, known: Profile) -> list[str]:
    if not settings.preflop:
        return ["its rules before the flop are switched off, so it calls"]
    number = int(found.number)
    played = f"it plays the best {percent(float(found.range))} of hands here"
    why = _range(settings, known, float(found.other_range))
    if number == UNPLAYABLE:
        return [f"{played}, and this one is not among them", why, "Such a hand is folded to a bet"]
    return [
        f"{played}, and this one is in class {number + 1} of {UNPLAYABLE}, the first being the best",
        why,
        _opening(view),
    ]


def _range(settings: np.record, known: Profile, other: float) -> str:
    if settings.dprc and known.hands > settings.n_hands:
        return f"It chose that share against an opponent that plays {percent(other)} of its hands"
    return f"That is the share it starts with; it knows {counted(known.hands, 'hand')} of the opponent"


def _opening(view: View) -> str:
    if view.raises >= 2:
        when = "after two raises or more"
    elif view.raises == 1:
        when = "after a raise"
    else:
        when = "when it is first to act" if view.to_call else "when the opponent only called"
    return f"Its rule {when} is to raise more often the better the class, and to call otherwise"


def _after(view: View, found: np.record, settings: np.record, known: Profile) -> list[str]:
    level = f"its hand is of strength {int(found.bucket) + 1} on a scale from 1 to {int(settings.buckets)}"
    if found.bluff >= 0:
        rule = (
            f"It missed the flop and nobody has bet, so it bluffs {percent(float(found.bluff))} of the time"
        )
    elif not settings.postflop:
        rule = "Its rules after the flop are switched off, so it checks and calls"
    elif view.to_call:
        rule = (
            "Its rule facing a bet is to raise with the strongest hands and to call where the price is right"
        )
    else:
        rule = "Its rule where nobody has bet is to bet more often the stronger the hand, and with good draws"
    return [level, rule, *_control(float(found.shift)), *_cases(found, settings)]


def _control(shift: float) -> list[str]:
    if abs(shift) < 0.05:
        return []
    how = (
        "passive, so it bets as if its hand were"
        if shift > 0
        else "aggressive, so it bets as if its hand were"
    )
    return [
        f"The opponent is {how} {plain(abs(shift))} {'stronger' if shift > 0 else 'weaker'} on that scale"
    ]


def _cases(found: np.record, settings: np.record) -> list[str]:
    if not found.similar:
        return []
    says = " ".join(
        f"{name} {percent(float(share))},"
        for name, share in zip(("fold", "call", "raise"), found.cases, strict=True)
    )
    return [
        f"It has seen {counted(int(found.similar), 'showdown')} after betting like this; by those it would"
        f" {says} and they count for {percent(float(settings.merge))} of the decision"
    ]
