"""Why a clone acts as it does, in sentences: what the person did, how often, and what is only inferred."""

from collections.abc import Sequence

import numpy as np

from holdmem.agent import View
from holdmem.agent.words.english import counted, joined, often, percent
from holdmem.core.types import Floats
from holdmem.people.choose import classes_at
from holdmem.people.holdings import MADE, preflop_groups
from holdmem.people.kernels.holdings import CUTS
from holdmem.people.kernels.situations import FEATURES
from holdmem.people.memory import PersonMemory
from holdmem.people.node_words import LABELS
from holdmem.people.situations import features_of

NAMED = 6
"""Number of features that a sentence names."""
SEEN = 0.5
"""Fewest decisions, rounded up, that count as seen; inferred ones are fractions."""


def reasons_for(person: PersonMemory, view: View) -> list[str]:
    """Return what a clone's probabilities at this view rest on."""
    alone = view.alone
    question = "what_post" if view.street else "what_pre"
    leaf = int(person.trees[question].leaf_of(features_of(alone))[0])
    held = int(classes_at(alone)[0])
    verbs = ("folded", "called", "raised") if view.to_call else ("folded", "checked", "bet or raised")
    seen = person.public[question][leaf].sum() >= SEEN
    return [
        _public(person, question, leaf, verbs),
        *([_with_holdings(person, question, leaf, held, verbs)] if seen else []),
        _compared(person, question, leaf),
        _source(person, question, leaf, verbs),
    ]


def _who(person: PersonMemory) -> str:
    """Return whom the memory is of."""
    if person.is_population:
        return "people"
    return f"players of the style “{person.name}”" if _is_style(person) else person.name


def _is_style(person: PersonMemory) -> bool:
    return "style" in person.about


def _are_many(person: PersonMemory) -> bool:
    """Whether the memory is of several people, so that its verb is in the plural."""
    return person.is_population or _is_style(person)


def _public(person: PersonMemory, question: str, leaf: int, verbs: Sequence[str]) -> str:
    counts = person.public[question][leaf]
    times = round(float(counts.sum()))
    if not times:
        return f"{_who(person)} {'were' if _are_many(person) else 'was'} never seen in a situation like this"
    return f"In {counted(times, 'situation')} like this {_who(person)} {_shares(counts, verbs)}"


def _with_holdings(person: PersonMemory, question: str, leaf: int, held: int, verbs: Sequence[str]) -> str:
    same_class = np.array([held])
    if question == "what_pre":
        group = preflop_groups()
        same_class = np.flatnonzero(group == group[held])
    seen = person.shown, person.inferred
    shown, inferred = (part[question][leaf][same_class].sum(axis=0) for part in seen)
    total = shown + inferred
    kind = "hole cards of about this rank" if question == "what_pre" else _strength(held)
    if total.sum() < SEEN:
        return f"None of these decisions is known to have been made with {kind}"
    return f"With {kind} they {_shares(total, verbs)} ({_known(float(shown.sum()), float(inferred.sum()))})"


def _known(shown: float, inferred: float) -> str:
    """Say how often cards were seen, and how often they are only inferred."""
    parts = [f"{often(round(shown))} with cards that were shown"] if shown >= SEEN else []
    if inferred >= SEEN or not parts:
        parts.append(f"about {often(max(round(inferred), 1))} with cards inferred from the play")
    return joined(parts)


def _strength(held: int) -> str:
    """Return what a class after the flop holds: the share of hands that it beats, or a draw."""
    if held >= MADE:
        return ("a weak hand and a strong draw", "a fair hand and a strong draw", "a weak draw")[held - MADE]
    low, high = (round(100 * cut) for cut in ([0.0, *CUTS][held], [*CUTS, 1.0][held]))
    if not low:
        return f"a hand that beats less than {high}% of others"
    return f"a hand that beats {low} to {high}% of others" if high < 100 else "one of the best 2% of hands"


def _shares(counts: Floats, verbs: Sequence[str]) -> str:
    shares = zip(verbs, counts / counts.sum(), strict=True)
    named = [(verb, float(share)) for verb, share in shares if share >= 0.005]
    if len(named) == 1:
        return named[0][0] + " every time" * (round(float(counts.sum())) > 1)
    return f"{joined([f'{verb} {percent(share)}' for verb, share in named])} of the time"


def _compared(person: PersonMemory, question: str, leaf: int) -> str:
    tree = person.trees[question]
    splits = [FEATURES[tree.split[node]] for node in tree.path(leaf)[:-1]]
    labels = [LABELS[name] for name in dict.fromkeys(splits)]
    more = ["other things"] if len(labels) > NAMED else []
    return (
        f"It compares {joined([*labels[:NAMED], *more])}"
        if labels
        else "It makes no difference between situations here"
    )


def _source(person: PersonMemory, question: str, leaf: int, verbs: Sequence[str]) -> str:
    if person.is_population:
        return f"The hands are from {person.about.get('source', person.name)}"
    counts, weight = person.public[question][leaf].sum(), person.weights[question][leaf]
    share = float(weight / (counts + weight))
    much = "All" if share > 0.995 else percent(share)
    source = person.about.get("population", "the population")
    differ = "differ" if _are_many(person) else "differs"
    usual = _shares(100 * person.usual[question][leaf], verbs)
    return (
        f"{much} of its probabilities come from how people in general play ({source}), who {usual} in such"
        f" situations, adjusted for how {_who(person)} {differ} from them"
    )
