"""Train a masked PPO player at many tables at once (pip install '.[rl]' sb3-contrib)."""

import sys

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from holdmem import TableVectorEnv

STEPS, TABLES = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000, 256


class Tables(VecEnv):
    """HoldMem's vector environment under the interface of Stable-Baselines3."""

    def __init__(self, env):
        self.env, row = env, env.single_observation_space["observation"]
        scaled = spaces.Box(0, 1, row.shape, np.float32)
        self.most = np.where(np.isfinite(row.high), np.maximum(row.high, 1), 100)
        super().__init__(env.num_envs, scaled, env.single_action_space)

    def reset(self):
        seed = self._seeds[0]
        self._reset_seeds()
        return self.env.reset(seed=seed)[0]["observation"] / self.most

    def step_async(self, actions):
        self.found = self.env.step(actions)

    def step_wait(self):
        seen, rewards, over, _, _ = self.found
        return seen["observation"] / self.most, rewards, over, [{} for _ in rewards]

    def env_method(self, name, *args, indices=None, **kwargs):
        return list(getattr(self.env, name)(*args, **kwargs))

    def get_attr(self, name, indices=None):
        return [getattr(self.env, name, None)] * self.num_envs

    def set_attr(self, name, value, indices=None):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.env.close()


def measure(model, hands=20_000):
    """Play on with the learned probabilities; hands in progress at the end are left out."""
    tables = Tables(TableVectorEnv(TABLES, opponents="simplebot", game="limit"))
    tables.seed(2)
    seen, won = tables.reset(), []
    while len(won) < hands:
        actions, _ = model.predict(seen, action_masks=tables.env.action_masks())
        seen, rewards, over, _ = tables.step(actions)
        won.extend(rewards[over])
    return f"{np.mean(won):+.3f} ± {1.96 * np.std(won) / len(won) ** 0.5:.3f} sb/h over {len(won):,} hands"


learning = Tables(TableVectorEnv(TABLES, opponents="simplebot", game="limit"))
model = MaskablePPO("MlpPolicy", learning, n_steps=64, batch_size=2048, gamma=1.0, seed=1, device="cpu")
print(f"untrained: {measure(model)}")
model.learn(STEPS)
print(f"after {STEPS:,} decisions against simplebot: {measure(model)}")
