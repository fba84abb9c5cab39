"""Environments of learning libraries: decisions a second with an observation and a mask before each."""

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
from gymnasium.vector import SyncVectorEnv, VectorEnv
from numpy.typing import NDArray

from benchmarks.measure import Chunk, Line, Prepare, Work
from holdmem.rl import TableAEC, TableEnv, TableVectorEnv

DECISIONS = 200
TABLES = 1024


def any_legal(rng: Random, mask: NDArray[np.int8]) -> int:
    """One of the choices that a mask allows, all alike."""
    return rng.choice([choice for choice, legal in enumerate(mask.tolist()) if legal])


def in_turn(make: Callable[[], TableAEC]) -> Prepare:
    """Every seat plays at random in a PettingZoo environment."""

    def prepare() -> Chunk:
        env, rng = make(), Random(7)
        env.reset(seed=7)

        def chunk() -> int:
            done = 0
            while done < DECISIONS:
                for _ in env.agent_iter():
                    seen, _, over, _, _ = env.last()
                    env.step(None if over else any_legal(rng, seen["action_mask"]))
                    done += not over
                env.reset()
            return done

        return chunk

    return prepare


def against(opponent: str) -> Prepare:
    """The learner plays at random in a Gymnasium environment; only its own decisions count."""

    def prepare() -> Chunk:
        env, rng = TableEnv(opponent), Random(7)

        def chunk() -> int:
            (seen, info), done = env.reset(seed=7), 0
            while done < DECISIONS:
                done += not info["idle"]
                seen, _, over, _, info = env.step(any_legal(rng, seen["action_mask"]))
                if over:
                    seen, info = env.reset()
            return done

        return chunk

    return prepare


def many(opponent: str, game: str = "limit", seats: int = 2) -> Prepare:
    """The learner plays at random at 1,024 tables of one vector environment; only its decisions count."""
    return vector(lambda: TableVectorEnv(TABLES, opponent, game, seats))


def one_after_another() -> Chunk:
    """Gymnasium's own vector of single environments, which steps one table after another."""
    return vector(lambda: SyncVectorEnv([lambda: TableEnv("simplebot")] * 64))()


def vector(make: Callable[[], VectorEnv]) -> Prepare:
    """Random legal play in any vector environment of ours."""

    def prepare() -> Chunk:
        env, rng = make(), np.random.default_rng(7)
        seen, info = env.reset(seed=7)
        numbers = [rng.random(seen["action_mask"].shape) for _ in range(16)]

        def chunk() -> int:
            nonlocal seen, info
            done = 0
            for random in numbers:
                done += int((~info["idle"]).sum())
                seen, _, _, _, info = env.step((random * seen["action_mask"]).argmax(axis=1))
            return done

        return chunk

    return prepare


def rlcard() -> Chunk:
    """rlcard's own environment, which is what PettingZoo's Texas Hold'em wraps."""
    import rlcard  # noqa: PLC0415

    env, rng = rlcard.make("limit-holdem", config={"seed": 7}), Random(7)

    def chunk() -> int:
        done = 0
        while done < DECISIONS:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                done += 1
        return done

    return chunk


ENVIRONMENTS = Work(
    "environments, limit, 2 seats",
    "decisions",
    ours={
        "TableAEC": in_turn(TableAEC),
        "TableEnv against always-call": against("always-call"),
        "TableEnv against simplebot": against("simplebot"),
        "TableAEC, no-limit, 6 seats": in_turn(lambda: TableAEC("nolimit", 6)),
    },
    peers={"rlcard": rlcard},
)

VECTOR_LIMIT = Work(
    "1,024 tables, limit, 2 seats",
    "decisions",
    ours={"TableVectorEnv against simplebot": many("simplebot"), "against always-call": many("always-call")},
    peers={"Gymnasium, 64 TableEnv": one_after_another, "rlcard": rlcard},
    bar=300e3,
)
VECTOR_RING = Work(
    "1,024 tables, no-limit, 6 seats",
    "decisions",
    ours={
        "TableVectorEnv against simplebot": many("simplebot", "nolimit", 6),
        "against random": many("random", "nolimit", 6),
    },
    bar=150e3,
)


def measure(seconds: float) -> Iterator[Line]:
    """Single tables, then many at once."""
    for work in (ENVIRONMENTS, VECTOR_LIMIT, VECTOR_RING):
        yield from work.measure(seconds)
