"""From scores to probabilities: whose hands these are, and whether they are anybody's that is known.

Decisions of one hand and session depend on each other, and people change with time, so scores say less than
their size. They are scaled down, the more the longer the hands are. Whether the player is known at all is a
question of its own: how well the best of the known people describes the hands, how well somebody would whose
habits are learned along the way, and how far one of the known stands out. Both answers are fitted on people,
so that what is stated is right as often as it says (Platt 1999 does so for one question).
"""

from dataclasses import dataclass

import numpy as np

from holdmem.core.types import Floats

USUAL = 100
"""Decisions at which `Calibration.scale` holds."""


@dataclass(frozen=True)
class Calibration:
    """How scores become probabilities.

    Among the known people they are proportional to exp(s · score), with
    s = `scale` · (decisions / 100) ** −`power`. The log-odds that it is none of them are `offset` +
    `best` · b + `stranger` · u + `top` · p, where b and u are the best score and that of a stranger, both
    over the root of the number of decisions, and p is the probability of the likeliest person. Before any
    hand is seen, half of all players count as strangers.
    """

    scale: float
    power: float
    offset: float
    best: float
    stranger: float
    top: float

    def probabilities(self, scores: Floats, stranger: float, decisions: int) -> Floats:
        """Return the probabilities of the people scored, and of nobody as the last entry."""
        among = self.among(scores, decisions)
        weights = (self.offset, self.best, self.stranger, self.top)
        odds = float(np.dot(weights, nobody_facts(scores, stranger, decisions, among)))
        nobody = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
        return np.append(among * (1 - nobody), nobody)

    def among(self, scores: Floats, decisions: int) -> Floats:
        """Return the probabilities of the people if it is one of them."""
        scaled = self.scale * (max(decisions, 1) / USUAL) ** -self.power * scores
        found = np.exp(scaled - scaled.max())
        return found / found.sum()  # type: ignore[no-any-return]


def nobody_facts(scores: Floats, stranger: float, decisions: int, among: Floats) -> Floats:
    """Return what tells whether a player is known: 1, best score, score of a stranger, largest chance."""
    root = max(decisions, 1) ** 0.5
    return np.array([1.0, scores.max() / root, stranger / root, among.max()])


STYLES = Calibration(0.201, 0.721, -3.07, -3.02, 0.559, 6.65)
"""Fitted for the shipped styles: `python -m benchmarks.people style-odds`."""
PEOPLE = Calibration(0.472, 0.526, 2.17, -2.22, 2.15, -2.09)
"""Fitted for 1 to 99 people with 700 hands or more each: `python -m benchmarks.people strangers`."""
