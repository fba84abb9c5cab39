"""Learners at the table: both with both bucketings against the five test bots, as in Marques (n.d.)."""

from benchmarks.measure import Chunk, Prepare, Work
from holdmem.learning.training_batch import TrainingBatch
from holdmem.learning.training_runs import TrainingRun, learning_game
from holdmem.papers.learners_courses import WEIGHING
from holdmem.papers.learners_published import BANKROLLS, BOTS

MATCHES, ROUNDS, LONG = 10, 20, 1_000_000


def unit(bots: tuple[str, ...]) -> Prepare:
    """All courses against these bots, ten matches each, as the tables of one batch."""

    def prepare() -> Chunk:
        names = [f"{learner}:bucketing={bucketing}" for learner, bucketing in BANKROLLS]
        game = learning_game()
        room = TrainingBatch(
            [TrainingRun(game, name, (bot,), LONG, MATCHES) for name in names for bot in bots]
        )
        room.play(ROUNDS)

        def chunk() -> int:
            room.play(ROUNDS)
            return ROUNDS * len(room.matches)

        return chunk

    return prepare


GRID = Work(
    "learners, all they learn included",
    "hands",
    {
        "against simplebot and megabot": unit(WEIGHING),
        "against the three others": unit(tuple(bot for bot in BOTS if bot not in WEIGHING)),
    },
    bar=16_000_000 / 1200,
)
"""The grid of the thesis is 40 million hands, 16 of them in the first unit: in 20 minutes on two cores."""
