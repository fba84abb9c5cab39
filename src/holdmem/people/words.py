"""Why a clone acts as it does, in sentences: what the person did, how often, and what is only inferred."""

import numpy as np

from holdmem.agent import View
from holdmem.agent.words.english import counted, joined, percent
from holdmem.core.types import Floats
from holdmem.people.choose import classes_at
from holdmem.people.holdings import MADE, preflop_groups
from holdmem.people.kernels.situations import FEATURES
from holdmem.people.memory import PersonMemory
from holdmem.people.node_words import LABELS
from holdmem.people.situations import features_of

NAMED = 6
"""Number of features that a sentence names."""
VERBS = ("folded", "checked or called", "bet or raised")


def reasons_for(person: PersonMemory, view: View) -> list[str]:
    """Return what a clone's probabilities at this view rest on."""
    alone = view.alone
    question = "what_post" if view.street else "what_pre"
    leaf = int(person.trees[question].leaf_of(features_of(alone))[0])
    held = int(classes_at(alone)[0])
    return [
        _public(person, question, leaf),
        _with_holdings(person, question, leaf, held),
        _compared(person, question, leaf),
        _source(person, question, leaf),
    ]


def _public(person: PersonMemory, question: str, leaf: int) -> str:
    counts = person.public[question][leaf]
    times = round(float(counts.sum()))
    if not times:
        return f"{person.name} was never seen in a situation like this"
    return f"In {counted(times, 'situation')} like this {person.name} {_shares(counts)}"


def _with_holdings(person: PersonMemory, question: str, leaf: int, held: int) -> str:
    alike = np.array([held])
    if question == "what_pre":
        group = preflop_groups()
        alike = np.flatnonzero(group == group[held])
    shown, inferred = (part[question][leaf][alike].sum(axis=0) for part in (person.shown, person.inferred))
    many = f"{round(float(shown.sum())):,} shown, {round(float(inferred.sum())):,} inferred"
    total = shown + inferred
    kind = "hole cards of about this rank" if question == "what_pre" else _strength(held)
    if total.sum() < 0.5:
        return f"With {kind} there is nothing of its own to go by ({many})"
    return f"With {kind} it {_shares(total)} ({many})"


def _strength(held: int) -> str:
    if held >= MADE:
        return ("a weak hand and a strong draw", "a fair hand and a strong draw", "a weak draw")[held - MADE]
    return "a hand of this strength"


def _shares(counts: Floats) -> str:
    parts = [
        f"{verb} {percent(float(share))}"
        for verb, share in zip(VERBS, counts / counts.sum(), strict=True)
        if share >= 0.005
    ]
    return joined(parts)


def _compared(person: PersonMemory, question: str, leaf: int) -> str:
    tree = person.trees[question]
    splits = [FEATURES[tree.split[node]] for node in tree.path(leaf)[:-1]]
    labels = [LABELS[name] for name in dict.fromkeys(splits)]
    more = ["other things"] if len(labels) > NAMED else []
    return f"Alike means: {joined([*labels[:NAMED], *more])}" if labels else "All situations count as alike"


def _source(person: PersonMemory, question: str, leaf: int) -> str:
    if person.is_population:
        return f"The population: {person.about.get('source', person.name)}"
    counts, weight = person.public[question][leaf].sum(), person.weights[question][leaf]
    share = float(weight / (counts + weight))
    source = person.about.get("population", "the population")
    others = f"{percent(share)} of this rests on how others play ({source})"
    return f"{others}, moved as {person.name} differs from them elsewhere"
