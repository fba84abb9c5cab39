"""plicas in learning matches: one match hand after hand, and many side by side, beside another learner."""

from benchmarks.arena import matches_of
from benchmarks.measure import Work

HANDS = 500
ENOUGH = 200_000 / 100
"""Hands a second with which 100,000 hands and the rematch take well under two minutes."""

LEARNING = Work(
    "learning match",
    "hands",
    {
        "plicas against dpp": matches_of("limit", 2, "plicas", "dpp", hands=HANDS),
        "plicas against eqm": matches_of("limit", 2, "plicas", "eqm", hands=HANDS),
        "plicas against dpp, 64 at once": matches_of("limit", 2, "plicas", "dpp", hands=100, matches=64),
    },
    {"whlbot against dpp": matches_of("limit", 2, "whlbot", "dpp", hands=HANDS)},
    bar=ENOUGH,
)
