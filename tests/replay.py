"""Playing recorded actions again; run as a script it prints a digest of random play, compiled or not."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from holdmem.engine import Batch, Game, find_game
from random_play import decks, play_out

GAMES = (
    find_game("limit"),
    find_game("casper", 10),
    replace(find_game("nolimit"), reopening="full-raise", after_short="full-raise"),
    replace(find_game("holdem.nolimit.3p"), odd_chips="first-seat", cap_counts="full-raises"),
)


def actions_of(batch: Batch) -> list[list[int]]:
    """The actions of each hand so far, in their order."""
    return [batch.history["to"][table, :count].tolist() for table, count in enumerate(batch.hands["actions"])]


def replay(
    game: Game, dealt: ArrayLike, actions: Sequence[Sequence[int]], stacks: ArrayLike | None = None
) -> Batch:
    """Hands from these decks in which these actions were taken, all tables in step."""
    batch = Batch(game, dealt, stacks)
    for step in range(max(map(len, actions), default=0)):
        tables = np.array([table for table, done in enumerate(actions) if step < len(done)])
        batch.act(tables, np.array([actions[table][step] for table in tables]))
    return batch


def digest_of_random_play(hands: int = 40) -> str:
    """A hash of every byte of the state after random play of several games with short and long stacks."""
    rng = np.random.default_rng(20)
    digest = hashlib.sha256()
    for game in GAMES:
        stacks = rng.integers(1, 400, (hands, game.seats))
        batch = play_out(Batch(game, decks(rng, game, hands), stacks), rng)
        for field in batch.hands.dtype.names:
            digest.update(np.ascontiguousarray(batch.hands[field]).tobytes())
        digest.update(repr(actions_of(batch)).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(digest_of_random_play())
