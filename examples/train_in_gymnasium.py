"""Learn a value table against SimpleBot in a Gymnasium environment (pip install 'holdmem[rl]')."""

import sys
from collections import defaultdict

import numpy as np

from holdmem.rl import TableEnv
from holdmem.strength import e_hs

HANDS = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
env, rng = TableEnv(opponents="simplebot", game="limit"), np.random.default_rng(1)
values, visits = (defaultdict(lambda: np.zeros(env.action_space.n)) for _ in range(2))


def situation():
    """Street, win probability in tenths, and chips to call: few enough states to be visited often."""
    views = env.table.hand.views()
    return int(views.street[0]), int(10 * e_hs(views)[0]), int(views.to_call[0])


def play_hand(explore, seed=None):
    (seen, info), path, over = env.reset(seed=seed), [], False
    while not over:
        state, legal = situation(), np.flatnonzero(seen["action_mask"])
        best = legal[np.argmax(values[state][legal])]
        path.append((state, rng.choice(legal) if rng.random() < explore else best))
        seen, reward, over, _, _ = env.step(path[-1][1])
    for state, action in path if explore else []:  # each value is the mean of what followed
        visits[state][action] += 1
        values[state][action] += (reward - values[state][action]) / visits[state][action]
    return reward + info["passed"]  # add what it won in hands that ended before it had to act


for phase, explore, seed in (("learning", 0.2, 1), ("playing", 0.0, 2)):
    won = np.array([play_hand(explore, None if hand else seed) for hand in range(HANDS)])
    dealt = env.table.number + 1
    mean, error = won.sum() / dealt, 1.96 * won.std() * np.sqrt(HANDS) / dealt
    print(f"{phase}: {mean:+.3f} ± {error:.3f} small bets per hand in {dealt:,} hands")
