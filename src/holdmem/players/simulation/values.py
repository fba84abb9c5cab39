"""Explanations of players that estimate the value of each action."""

from collections.abc import Sequence

from holdmem.agent import FOLD, Detail, Explanation, View, explained
from holdmem.agent.words.actions import action_words
from holdmem.agent.words.english import joined, money, plain, unit_name


def value_explanation(
    view: View,
    chosen: int,
    values: Sequence[tuple[int, float, float]],
    how: Sequence[str],
    details: Sequence[Detail],
) -> Explanation:
    """Explain a choice by the estimated gain of each action over a fold.

    `values` are (action, gain, standard error) in chips; an error of 0 is not shown.
    """
    unit, label = view.game.unit[0], unit_name(view.game)
    worth = {code: value / unit for code, value, _ in values}
    errors = {code: error / unit for code, _, error in values}
    digits = 1 if max(map(abs, worth.values()), default=0) >= 1 else 2
    best_first = sorted((code for code in worth if code != FOLD), key=lambda code: -worth[code])
    said = [
        f"{action_words(view, code, 'gerund')} {_gains(worth[code], label, digits)}"
        f"{_about(errors[code], digits)}"
        for code in best_first
    ]
    compared = f"compared with {'folding' if view.to_call else 'giving up the pot'}, {joined(said)}"
    measure = f"estimated gain over folding, in {label}s"
    return explained(view, [(chosen, 1.0)], [compared, *how], worth=worth, measure=measure, details=details)


def _gains(value: float, label: str, digits: int) -> str:
    if plain(abs(value), digits) == "0":
        return "makes no difference"
    return f"{'gains' if value > 0 else 'loses'} {money(abs(value), label, digits)}"


def _about(error: float, digits: int) -> str:
    return f" (give or take {plain(error, digits)})" if plain(error, digits) != "0" else ""
