"""Explain a decision from memory: what the expert did in such situations, what it earned, what differs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.agent import Detail, Explanation, View, explained
from holdmem.agent.words.english import joined
from holdmem.cbr.cases import Cases
from holdmem.cbr.explain_memory import MemoryWords, Relation, Verbs
from holdmem.cbr.feature_words import BETTING, more_raises, words_of
from holdmem.cbr.hand_words import example_hands
from holdmem.cbr.kernels.retrieve import FIXED
from holdmem.cbr.solutions import Solutions

if TYPE_CHECKING:
    from holdmem.cbr.seat import CaseBasedSeat

SHOWN = 10
"""Number of cases that the details list individually."""
NAMED = 3
"""Number of differences, and of features, that a sentence names."""
NOTICEABLE = 0.002
"""Share of the similarity that a feature must cost to be named as a difference."""


@dataclass(frozen=True, eq=False)
class RetrievedCases:
    """The cases used at one view, most similar first."""

    cases: Cases
    target: Mapping[str, Any]
    places: Sequence[int]
    similar: Sequence[int]

    @classmethod
    def of(cls, seat: "CaseBasedSeat", view: View, cases: Cases) -> "RetrievedCases":
        """Retrieve the cases that the seat uses at this view."""
        target = cases.features.of(view.alone)
        if not len(cases):
            return cls(cases, target, (), ())
        found = seat.base.representation.retrieval.retrieve(cases.memory, target)
        places = [place for place in found.places[0].tolist() if place >= 0]
        return cls(cases, target, places, found.similar[0, : len(places)].tolist())

    @cached_property
    def solution(self) -> Solutions:
        """The sum of the solutions of all cases used, as one row."""
        return self.cases.solutions.over(np.array([list(self.places) or [-1]]))

    @property
    def exact(self) -> bool:
        """Whether every case used agrees in everything that is compared."""
        return all(similar == FIXED for similar in self.similar)

    def similarity_words(self) -> list[str]:
        """Say what is compared and in what the cases differ."""
        if not self.places:
            return []
        features = self.cases.features
        order = sorted(range(len(features.names)), key=lambda place: -features.weights[place])
        used = [place for place in order if features.weights[place] > 0]
        compared = self._compared(used)
        if self.exact:
            return [f"The remembered decisions agree with this one in all that it compares: {compared}"]
        differences = self.differences()
        if not differences:
            return [f"The remembered decisions nearly agree with this one in what it compares: {compared}"]
        return [
            f"No remembered decision is exactly like this: in the nearest, {joined(differences)}",
            f"It compares {compared}",
        ]

    def _compared(self, used: Sequence[int]) -> str:
        """Name the features at these places, with what they are here where the cases agree in them."""
        features = self.cases.features
        labels = dict[str, None]()
        for place in used:
            words, value = words_of(features.computed[place]), float(self.target[features.names[place]][0])
            labels[words.labelled(value) if self.exact else words.label] = None
        more = ["other things"] if len(labels) > 2 * NAMED else []
        return joined([*list(labels)[: 2 * NAMED], *more])

    def relation(self, view: View) -> Relation:
        """Say how the cases used relate to this view; their betting is known where it is compared."""
        verbs, more, classes = Verbs.at(view), 0, self.cases.values.get("hand_class")
        same = classes is not None and bool(
            (classes[list(self.places)] == self.target["hand_class"][0]).all()
        )
        for name in BETTING.keys() & self.cases.values.keys():
            then = self._nearest(name)
            verbs = Verbs.after(BETTING[name](then), view.street) or verbs
            more = more_raises(name, float(self.target[name][0]), then)
        return Relation(verbs, self.exact, same, more)

    def _nearest(self, name: str) -> float:
        """Return the value of a feature in the most similar case."""
        return float(self.cases.values[name][self.places[0]])

    def differences(self) -> list[str]:
        """Say in what the cases used differ from the target, the costliest difference first."""
        features, places = self.cases.features, np.array(self.places)
        seen = self.cases.solutions.seen[places]
        total, found = sum(features.weights), []
        for (name, local), feature, weight in zip(
            features.similarities, features.computed, features.weights, strict=True
        ):
            values = self.cases.values[name][places]
            lost = weight * float(np.average(1.0 - local(self.target[name], values), weights=seen)) / total
            if lost > NOTICEABLE:
                then = float(np.average(values, weights=seen)) if local.kind else float(values[0])
                found.append((lost, words_of(feature).differs(float(self.target[name][0]), then)))
        return [words for _, words in sorted(found, key=lambda pair: -pair[0]) if words][:NAMED]

    def details(self, actions: Sequence[str]) -> list[Detail]:
        """Return the cases with their feature values, local similarities, frequencies and outcomes."""
        return [
            self._detail(place, similar / FIXED, actions)
            for place, similar in list(zip(self.places, self.similar, strict=True))[:SHOWN]
        ]

    def _detail(self, place: int, similarity: float, actions: Sequence[str]) -> Detail:
        cases, facts = self.cases, dict[str, float | str]()
        said = cases.features.words({name: column[place] for name, column in cases.values.items()})
        for name, local in cases.features.similarities:
            local_similarity = float(local(self.target[name], cases.values[name][[place]])[0])
            facts[name] = f"{said[name]} (similarity {local_similarity:g})"
        one = cases.solutions[np.array([place])]
        for kind, action in enumerate(actions):
            if one.counts[0, kind]:
                earned = outcome_words(one.outcomes[0, kind])
                facts[action] = f"{one.probabilities[0, kind]:.1%} (earned {earned})"
        return Detail(f"case {place}, seen {int(one.seen[0]):,} times", similarity, facts)


def outcome_words(value: float) -> str:
    """Format an outcome in small bets; "unknown" if it is."""
    return f"{value:+.2f}" if np.isfinite(value) else "unknown"


def explain_cases(seat: "CaseBasedSeat", view: View, cases: Cases) -> Explanation:
    """Explain why a seat decides as it does at one view, given these cases."""
    found = RetrievedCases.of(seat, view, cases)
    policy = seat.policy(view.alone)
    target = cases.features.words({name: column[0] for name, column in found.target.items()})
    here = Detail(f"this decision, {len(cases):,} cases on this street", 1.0, dict(target))
    if not found.places:
        then = "checks or calls" if seat.base.representation.default[1] == 1 else "falls back on its default"
        reason = f"it remembers nothing like this, so it {then}"
        return explained(view, policy, [reason], details=[here])
    memory = MemoryWords(seat, view, found.solution, policy, found.relation(view))
    hands = example_hands(cases, found.places)
    return explained(
        view,
        policy,
        [*memory.sentences(), *found.similarity_words(), *memory.caution()],
        remembered=memory.shares,
        worth=memory.results,
        measure=f"mean result in {memory.unit}s",
        hands=hands,
        details=[here, *found.details(seat.base.representation.actions.names)],
    )
