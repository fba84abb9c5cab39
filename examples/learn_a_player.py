"""Learn a player from its hand history, and let the learned case base play in its place."""

from pathlib import Path
from tempfile import TemporaryDirectory

from holdmem import Situation, learn, match, record

with TemporaryDirectory() as folder:
    # Any history that `read_hands` reads will do: logs, PHH, PokerStars. Here two agents play one.
    hands = record("limit", "jagbot", "simplebot", folder=Path(folder, "hands"), hands=4_000, seed=1)
    cases = learn(hands, "jagbot", representation="sartre-2")  # cases.save(folder) would keep it

for found in cases.about["imitation"]:
    print(f"{found['street']}: the same action in {found['agreement']:.0%} of {found['decisions']} decisions")

similarities, indices = cases.neighbors(Situation(hole="AhKd", board="Kc8s2d", betting="rc/r").views, k=3)
print(f"most similar cases of top pair facing a bet: {indices[0]}, similarity {similarities[0].round(2)}")

for name, player in (("jagbot", "jagbot"), ("its cases", cases.player())):
    won = match("limit", player, "always-call", hands=2_000, seed=2).estimates()[0]
    print(f"{name}: {won.mean:+.3f} ({won.low:+.3f} to {won.high:+.3f}) {won.unit}")
