"""Many tables in one batch: each is a table of `TableEnv`, and Gymnasium's own wrappers accept them."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from holdmem.core.errors import AgentError, GameError, IllegalAction
from holdmem.rl import TableEnv, TableVectorEnv

TABLES = [
    ("limit", 2, "always-call"),
    ("limit", 2, "action-learner"),
    ("nolimit", 2, "random"),
    ("limit", 3, "simplebot"),
    ("nolimit", 6, "random"),
]
tables = pytest.mark.parametrize(("game", "seats", "opponents"), TABLES)


def drawn(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """Draw one legal choice per table."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@tables
def test_the_first_table_is_a_single_environment_of_the_same_seed(
    game: str, seats: int, opponents: str
) -> None:
    many, one = (make(game=game, seats=seats, opponents=opponents) for make in (Three, TableEnv))
    rng = np.random.default_rng(4)
    (seen, info), (alone, told) = many.reset(seed=11), one.reset(seed=11)
    for _ in range(60):
        for part in ("observation", "action_mask"):
            np.testing.assert_array_equal(seen[part][0], alone[part])
        assert {name: info[name][0] for name in told} == told
        choices = drawn(rng, seen["action_mask"])
        seen, rewards, over, cut, info = many.step(choices)
        alone, reward, ended, _, told = one.step(int(choices[0]))
        assert (rewards[0], over[0], cut.any()) == (reward, ended, False)
        if ended:
            np.testing.assert_array_equal(info["final_obs"][0]["observation"], alone["observation"])
            alone, told = one.reset()


def Three(**options: object) -> TableVectorEnv:  # noqa: N802
    return TableVectorEnv(3, **options)


@tables
def test_results_do_not_depend_on_the_number_of_tables(game: str, seats: int, opponents: str) -> None:
    few, several = (TableVectorEnv(count, opponents, game, seats) for count in (2, 5))
    (seen, _), (others, _) = few.reset(seed=3), several.reset(seed=3)
    for step in range(25):
        np.testing.assert_array_equal(seen["observation"], others["observation"][:2])
        choices = drawn(np.random.default_rng(step), others["action_mask"])
        seen, rewards, *_ = few.step(choices[:2])
        others, paid, *_ = several.step(choices)
        assert rewards.tolist() == paid[:2].tolist()


@tables
def test_what_is_returned_is_in_the_spaces(game: str, seats: int, opponents: str) -> None:
    env = TableVectorEnv(4, opponents, game, seats)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        assert env.observation_space.contains(seen)
        choices = drawn(rng, seen["action_mask"])
        assert env.action_space.contains(choices)
        seen, rewards, over, cut, info = env.step(choices)
        assert rewards.shape == over.shape == cut.shape == (4,)
        assert not rewards[~over].any()
        for table in np.flatnonzero(over):
            assert env.single_observation_space.contains(info["final_obs"][table])


def test_gymnasium_makes_it_and_counts_its_episodes() -> None:
    env = RecordEpisodeStatistics(gymnasium.make_vec("HoldMemVector-v0", num_envs=8, opponents="always-call"))
    seen, _ = env.reset(seed=2)
    total = episodes = 0.0
    for _ in range(40):
        seen, rewards, over, _, _ = env.step(drawn(np.random.default_rng(0), seen["action_mask"]))
        total, episodes = total + rewards.sum(), episodes + over.sum()
    assert env.episode_count == episodes > 8
    assert sum(env.return_queue) == pytest.approx(total, rel=1e-5)


def test_mistakes_are_named() -> None:
    env = TableVectorEnv(2, "always-call", illegal="refuse", seat=0)
    with pytest.raises(IllegalAction, match="call reset"):
        env.step([1, 1])
    env.reset(seed=0)  # in the big blind after a call, where a fold is illegal
    with pytest.raises(IllegalAction, match=r"expected one of 1 \(call\), 2 \(raise\), got 0 \(fold\)"):
        env.step([1, 0])
    with pytest.raises(IllegalAction, match="expected an action from 0 to 2, got 3"):
        env.step([1, 3])
    with pytest.raises(IllegalAction, match=r"expected 2 ints as actions, got int64 of shape \(3,\)"):
        env.step([1, 1, 1])
    with pytest.raises(GameError, match="at least one table"):
        TableVectorEnv(0)
    with pytest.raises(AgentError, match="expected 1 or 1 opponents, got 2"):
        TableVectorEnv(2, ["random", "random"])
