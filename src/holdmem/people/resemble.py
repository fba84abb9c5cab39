"""Whose hands are these? Known people compared by how well each predicts what a player did.

The score of a known person is the log-likelihood of the player's public actions under the person's
frequencies, less the population's, plus a little for the habit of sitting with a stack of this size. A
stranger is somebody of the population whose habits are not known yet: its score is the log-likelihood of the
same actions when each is predicted from the population and the player's own actions before it (Dawid 1984
calls this prequential). `calibration` makes probabilities of the scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdmem.core.display import html_bar, html_shares, html_table
from holdmem.core.types import Floats, Ints
from holdmem.people.calibration import Calibration
from holdmem.people.kernels.resemble import likelihood_in_turn
from holdmem.people.kernels.situations import FEATURES, RAISES, VALUES
from holdmem.people.learn import NAMES, count_public, leaves_of_trees
from holdmem.people.memory import PersonMemory
from holdmem.people.node_words import node_words
from holdmem.people.observe import Observations
from holdmem.people.pooling import LEAST, pooled
from holdmem.people.tree import SituationTree, log_likelihood

if TYPE_CHECKING:
    import polars as pl

DEPTH = FEATURES.index("own_depth")
TOO_FEW = 50
"""Hands below which nothing is said."""
DEPTH_WEIGHT = 0.02
"""Weight of the stack in each hand: one choice of a buy-in shows in many hands."""
DEPTH_PRIOR = 30.0
"""Hands of the population that a person's habit is weighed against."""
LISTED = 5
"""Number of differences that are listed."""
NOTED = 20
"""Decisions from which a difference is listed."""
ANSWERS = ("fold", "check or call", "raise")


@dataclass(frozen=True)
class HabitDifference:
    """A kind of situation in which a player differs from the population."""

    situation: str
    decisions: int
    player: tuple[float, ...]
    """Frequencies of fold, check or call, and raise."""
    population: tuple[float, ...]
    nats: float
    """How much better the player's own frequencies describe it: log-likelihood over the population's."""


@dataclass(frozen=True)
class Resemblance:
    """Whom a player resembles.

    Attributes
    ----------
    hands, decisions : what was compared.
    population : whose hands the population was learned from.
    names, probabilities : the known people, most probable first.
    nobody : probability that it is none of them.
    too_few : whether there are too few hands to say anything; the probabilities are those before any hand.
    differences : where the player differs most from the population.
    """

    hands: int
    decisions: int
    population: str
    names: tuple[str, ...]
    probabilities: tuple[float, ...]
    nobody: float
    too_few: bool
    differences: tuple[HabitDifference, ...]

    @property
    def answer(self) -> str:
        """The most probable person, "none of them" or "too few hands"."""
        if self.too_few:
            return "too few hands"
        return self.names[0] if self.probabilities[0] > self.nobody else "none of them"

    def frame(self) -> "pl.DataFrame":
        """Return a polars data frame with the probability of each person, and of none of them."""
        import polars as pl  # noqa: PLC0415

        names, probabilities = (*self.names, "none of them"), (*self.probabilities, self.nobody)
        return pl.DataFrame({"who": names, "probability": probabilities})

    def __repr__(self) -> str:
        return f"Resemblance({self.answer}: {self.decisions:,} decisions in {self.hands:,} hands)"

    def _repr_html_(self) -> str:
        about = f"{self.answer}: {self.decisions:,} decisions in {self.hands:,} hands"
        probabilities = [*zip(self.names, self.probabilities, strict=True), ("none of them", self.nobody)]
        people = html_table(
            ("who", "probability"),
            [(who, html_bar(probability)) for who, probability in probabilities],
            about,
        )
        headings = ("where it differs", "decisions", "player", "population")
        rows = [
            (
                one.situation,
                one.decisions,
                html_shares(_answers(one.player)),
                html_shares(_answers(one.population)),
            )
            for one in self.differences
        ]
        return people + (html_table(headings, rows) if rows else "")


def _answers(frequencies: Sequence[float]) -> dict[str, float]:
    return dict(zip(ANSWERS, frequencies, strict=True))


def frequencies_of(person: PersonMemory) -> dict[str, Floats]:
    """Return a person's public frequencies by question and node, pooled with the population's."""
    if person.is_population:
        return dict(person.usual)
    return {
        name: pooled(person.trees[name], person.usual[name], person.public[name], person.weights[name])
        for name in NAMES
    }


def depth_habit(observed: Observations) -> list[int]:
    """Return in how many hands the player sat with a stack of each class."""
    classes = observed.features[observed.first[:-1], DEPTH]
    return [int(count) for count in np.bincount(classes, minlength=VALUES)]


def answers_of(
    trees: Mapping[str, SituationTree], observed: Observations
) -> dict[str, tuple[Ints, Ints, Ints]]:
    """Return by question which decisions it is about, their leaves and their answers."""
    leaves = leaves_of_trees(trees, observed)
    before, raised = observed.board < 0, observed.action >= RAISES
    found = {}
    for name in NAMES:
        which = before if name.endswith("pre") else ~before
        which = which if name.startswith("what") else which & raised
        taken = observed.action[which].astype(np.int64)
        node = (leaves.what if name.startswith("what") else leaves.size)[which]
        answer = np.minimum(taken, RAISES) if name.startswith("what") else taken - RAISES
        found[name] = np.flatnonzero(which), node, answer
    return found


def score(person: PersonMemory, population: PersonMemory, observed: Observations) -> float:
    """Return the log-likelihood of actions and stacks under a person's habits, over the population's."""
    mine, usual, total = frequencies_of(person), population.usual, 0.0
    for name, (_, node, answer) in answers_of(person.trees, observed).items():
        total += float(np.log(mine[name][node, answer] / usual[name][node, answer]).sum())
    return total + DEPTH_WEIGHT * _depth_score(person, population, observed)


def stranger_score(population: PersonMemory, observed: Observations) -> float:
    """Return the log-likelihood of actions for somebody whose habits are not known, over the population's."""
    return sum(
        stranger_part(population, name, node, answer)
        for name, (_, node, answer) in answers_of(population.trees, observed).items()
    )


def stranger_part(population: PersonMemory, name: str, node: Ints, answer: Ints) -> float:
    """Return what the answers to one question, in turn, add to the score of a stranger."""
    tree, usual = population.trees[name], population.usual[name]
    path = np.empty(int(tree.depths.max()) + 1, dtype=np.int64)
    found = likelihood_in_turn(tree.parent, usual, population.weights[name], node, answer, path)
    return float(found - np.log(usual[node, answer]).sum())


def _depth_score(person: PersonMemory, population: PersonMemory, observed: Observations) -> float:
    usual = np.array(population.about.get("depths", [1] * VALUES), dtype=np.float64) + 1
    usual /= usual.sum()
    own = np.array(person.about.get("depths", [0] * VALUES), dtype=np.float64)
    mine = (own + DEPTH_PRIOR * usual) / (own.sum() + DEPTH_PRIOR)
    return float(np.array(depth_habit(observed)) @ np.log(mine / usual))


def resemblance(
    known: Sequence[PersonMemory], population: PersonMemory, observed: Observations, calibration: Calibration
) -> Resemblance:
    """Compare a player's hands with known people."""
    scores = np.array([score(person, population, observed) for person in known])
    probabilities = calibration.probabilities(
        scores, stranger_score(population, observed), len(observed.action)
    )
    order = np.argsort(-probabilities[:-1], kind="stable")
    return Resemblance(
        hands=len(observed),
        decisions=len(observed.action),
        population=str(population.about.get("source", population.name)),
        names=tuple(known[place].name for place in order),
        probabilities=tuple(float(probabilities[place]) for place in order),
        nobody=float(probabilities[-1]),
        too_few=len(observed) < TOO_FEW,
        differences=tuple(differences(population, observed)),
    )


def differences(
    population: PersonMemory, observed: Observations, most: int = LISTED
) -> list[HabitDifference]:
    """Return kinds of situations in which the player differs most from the population, each apart."""
    leaves = leaves_of_trees(population.trees, observed)
    public, found = count_public(population.questions, observed, leaves), []
    for name in ("what_pre", "what_post"):
        tree, counts, usual = population.trees[name], public[name], population.usual[name]
        expected = (counts * np.log(np.maximum(usual, LEAST))).sum(axis=1)
        nats = log_likelihood(counts) - expected
        value = np.where(counts.sum(axis=1) >= NOTED, nats, 0) / (1 + tree.depths)  # wide ones first
        taken: set[int] = set()
        for node in np.argsort(-value).tolist()[: 20 * most]:
            if nats[node] > 3 and not taken & {*tree.path(node)} and not _inside(tree, taken, node):
                taken.add(node)
                found.append((float(nats[node]), name, node))
    found.sort(reverse=True)
    return [_difference(population, public, *one) for one in found[:most]]


def _inside(tree: SituationTree, taken: set[int], node: int) -> bool:
    return any(node in tree.path(other) for other in taken)


def _difference(
    population: PersonMemory, public: dict[str, Floats], nats: float, name: str, node: int
) -> HabitDifference:
    counts = public[name][node]
    return HabitDifference(
        situation=node_words(population.trees[name], node, name.endswith("post")),
        decisions=round(float(counts.sum())),
        player=tuple(float(share) for share in counts / counts.sum()),
        population=tuple(float(share) for share in population.usual[name][node]),
        nats=nats,
    )
