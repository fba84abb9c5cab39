"""How well a memory predicts decisions that it was not learned from."""

from dataclasses import dataclass

import numpy as np

from holdmem.core.types import Flags, Floats
from holdmem.people.kernels.inference import predict
from holdmem.people.kernels.situations import CLASSES
from holdmem.people.learn import NAMES, Leaves, leaves_of_trees
from holdmem.people.memory import PersonMemory
from holdmem.people.observe import Observations


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a memory expected of observed decisions.

    Attributes
    ----------
    probabilities : of the eight classes of actions at each decision, shape (n, 8).
    log_range : log-probability of the holding that was shown, one per player-hand; nan where none was.
    percentile : shares of the predicted range that are weaker than the holding shown, and weaker or equal,
        on the final board, shape (player-hands, 2); nan where none was shown.
    """

    probabilities: Floats
    log_range: Floats
    percentile: Floats
    observed: Observations

    @property
    def losses(self) -> Floats:
        """Log-loss of each decision, in nats."""
        taken = self.probabilities[np.arange(len(self.probabilities)), self.observed.action]
        return -np.log(np.maximum(taken, 1e-12))

    @property
    def preflop(self) -> Flags:
        """Which decisions were made before the flop."""
        return self.observed.board < 0

    def log_loss(self) -> tuple[float, float]:
        """Return the mean log-loss before and after the flop; nan without decisions."""
        before, losses = self.preflop, self.losses
        return _mean(losses[before]), _mean(losses[~before])


def predicted(
    person: PersonMemory, observed: Observations, with_cards: bool = False, leaves: Leaves | None = None
) -> Prediction:
    """Predict each decision from the ones before it in the hand, and with the shown cards if asked to."""
    leaves = leaves or leaves_of_trees(person.trees, observed)
    out = np.zeros((len(observed.action), CLASSES))
    log_range, percentile = np.full(len(observed), np.nan), np.full((len(observed), 2), np.nan)
    what_pre, size_pre, what_post, size_post = (person.tables[name] for name in NAMES)
    predict(
        observed.first, observed.action, observed.board, leaves.what, leaves.size, observed.hole,
        observed.cards, observed.limit, observed.classes, what_pre, size_pre, what_post,
        size_post, with_cards, out, log_range, percentile,
    )  # fmt: skip
    return Prediction(out, log_range, percentile, observed)


def distance_from_uniform(percentile: Floats) -> float:
    """Return the Kolmogorov–Smirnov distance of shown holdings from what was predicted.

    Many holdings are equally strong, so a percentile is an interval, of those weaker to those weaker or
    equal, shape (n, 2). Taken as a point in its middle it would not be uniform even for the right range. Its
    distribution function is therefore spread over the interval: the non-randomised probability integral
    transform of Czado, Gneiting and Held (2009).
    """
    low, high = percentile.T
    at = np.unique(np.concatenate([low, high, [0.0, 1.0]]))
    share = np.array([np.clip((u - low) / np.maximum(high - low, 1e-12), 0, 1).mean() for u in at])
    return float(np.abs(share - at).max())


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")
