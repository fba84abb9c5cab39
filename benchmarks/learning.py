"""Learners at the table: both with both bucketings against the five test bots, as in document 003."""

from benchmarks.measure import Chunk, Work
from holdmem.papers.learners import BANKROLLS, BOTS
from holdmem.training.lessons import Classroom, Course, learning_game

MATCHES, ROUNDS, LONG = 5, 20, 1_000_000


def grid() -> Chunk:
    """Half of the grid's matches: twenty courses, five matches each, as the tables of one batch."""
    names = [f"{learner}:bucketing={bucketing}" for learner, bucketing in BANKROLLS]
    game = learning_game()
    room = Classroom([Course(game, name, (bot,), LONG, MATCHES) for name in names for bot in BOTS])
    room.play(ROUNDS)

    def chunk() -> int:
        room.play(ROUNDS)
        return ROUNDS * len(room.matches)

    return chunk


GRID = Work("learners against five bots, all they learn included", "hands", {"holdmem": grid}, bar=17_000)
"""The bar: 40 million hands in 20 minutes on two cores."""
