"""Learn a player from its hand history, and let the learned case base play in its place."""

from pathlib import Path
from tempfile import TemporaryDirectory

from holdmem import find_game, match
from holdmem.arena import Design
from holdmem.cbr import find_representation, write_cases
from holdmem.history import read_hands
from holdmem.learning.learn import learn
from holdmem.learning.record import record

limit = find_game("limit")
with TemporaryDirectory() as folder:
    hands, cases = Path(folder, "hands"), Path(folder, "cases")
    # Any history that `holdmem hands` reads will do: logs, PHH, PokerStars. Here two agents play one.
    record(Design(limit, ("jagbot", "simplebot"), hands=4_000, kind="ring", seed=1), hands)

    lesson = learn(read_hands([hands]), "jagbot", find_representation("sartre-2"))
    for found in lesson.imitation:
        print(f"{found.street}: the same action in {found.agreement:.0%} of {found.decisions} decisions")
    write_cases(lesson.base, cases)

    for player in ("jagbot", f"sartre-2:cases={cases}"):
        won = match(limit, player, "always-call", hands=2_000, seed=2).estimates()[0]
        print(f"{player.partition(':')[0]}: {won.mean:+.3f} ({won.low:+.3f} to {won.high:+.3f}) {won.unit}")
