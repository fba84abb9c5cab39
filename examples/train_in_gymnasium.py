"""Learn a value table against SimpleBot in a Gymnasium environment (pip install '.[rl]')."""

import sys
from collections import defaultdict

import numpy as np

from holdmem import TableEnv
from holdmem.strength import HandCards, e_hs  # the win probability of a hand; `equity` needs a range

HANDS = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
env, rng = TableEnv(opponents="simplebot", game="limit"), np.random.default_rng(1)
values = defaultdict(lambda: np.zeros(env.action_space.n))
visits = defaultdict(lambda: np.zeros(env.action_space.n))


def situation(seen):
    """Street, win probability in tenths, chips to call, players left: few enough to be visited often."""
    part = env.table.observation.named(seen["observation"])
    hole, board = np.flatnonzero(part["hole"]), np.flatnonzero(part["flop"] + part["turn"] + part["river"])
    bucket = int(10 * e_hs(HandCards([hole], [board]))[0])
    return int(part["street"].argmax()), bucket, float(part["to_call"][0]), int(part["live"].sum())


def play_hand(explore, seed=None):
    (seen, _), path, over = env.reset(seed=seed), [], False
    while not over:
        state, legal = situation(seen), np.flatnonzero(seen["action_mask"])
        best = legal[np.argmax(values[state][legal])]
        path.append((state, rng.choice(legal) if rng.random() < explore else best))
        seen, reward, over, _, _ = env.step(path[-1][1])
    for state, action in path if explore else []:  # each value is the mean of what followed
        visits[state][action] += 1
        values[state][action] += (reward - values[state][action]) / visits[state][action]
    return reward


for phase, explore, seed in (("learning", 0.2, 1), ("playing", 0.0, 2)):
    won = np.array([play_hand(explore, None if hand else seed) for hand in range(HANDS)])
    print(f"{phase}: {won.mean():+.3f} ± {1.96 * won.std() / np.sqrt(HANDS):.3f} small bets per hand")
