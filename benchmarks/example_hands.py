"""Deal the example of the page of hands: 2,000 six-seat no-limit hands of a Hero with two planted leaks.

    python -m benchmarks.example_hands src/holdmem/data

It also reviews them, since that takes a minute or two and the page opens them with one click: the review that
is shipped is the one that anybody gets from these hands.

Hero is the shipped tight-aggressive style with two of the planted habits at full dose: it cold-calls raises
that it should fold, and it folds to continuation bets. The others are shipped styles. Everything is
dealt and played by HoldMem: no hand of a person is in it. Dates and stakes are made up, so that it reads like
a history from a site.
"""

import gzip
import io
import sys
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import numpy as np

import holdmem as hm
from benchmarks.leak_habits import HABITS, HabitSeat, WithHabit
from benchmarks.leaks import game_of
from holdmem.agent import Policy, Views, hand_ids, play
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.core.atomic import write_atomically
from holdmem.engine import PARTS
from holdmem.history import Hands
from holdmem.history.formats import FORMATS
from holdmem.history.formats.format import WriteOptions
from holdmem.web.library_values import packed_values
from holdmem.web.review_text import as_text, digest, places_of, review_json

HANDS = 2000
DEALT = 2200
"""Pots that split into half cents are left out, as no site pays them."""
SEED = 20261118
OTHERS = ("tight-aggressive", "loose-aggressive", "calling-station", "tight-passive", "passive")
PLANTED = ("cold-calls too much", "folds to c-bets")
MORE = ("hand", "cost", "cost_error", "by_kind", "often", "kind", "is_best", "precise", "samples", "again")
"""Columns stored besides those that the replayer shows: with them a test makes the review again."""
PER_EVENING = 250
FIRST_EVENING = datetime(2026, 9, 1, 19, 30, tzinfo=UTC)
SECONDS_PER_HAND = 41


class TwoHabits(SamplingSeat):
    """A seat with one habit before the flop and another after it."""

    def __init__(self, before: HabitSeat, after: HabitSeat, rng: hm.Streams) -> None:
        super().__init__(rng)
        self.before, self.after = before, after

    def policy(self, views: Views) -> Policy:
        """Return the policy with the habit of the street."""
        early, late = self.before.policy(views), self.after.policy(views)
        dealt = (views.street > 0)[:, None]
        return Policy(
            np.where(dealt, late.probabilities, early.probabilities),
            np.where(dealt, late.codes, early.codes),
        )


def example() -> Hands:
    """Deal and play the hands."""
    game, rng = game_of(10_000), hm.Streams.of(SEED, "example")
    numbers = [[habit.name for habit in HABITS].index(name) for name in PLANTED]
    hero = TwoHabits(
        *(WithHabit(n).sit(game, DEALT, rng.spawn("hero", n)) for n in numbers), rng.spawn("hero")
    )
    others = [
        hm.make_agent(f"clone:style={style}").sit(game, DEALT, rng.spawn("villain", k))
        for k, style in enumerate(OTHERS)
    ]
    ids = hand_ids(DEALT)
    lineup = (np.arange(6)[None] + np.arange(DEALT)[:, None]) % 6
    played = play(game, [hero, *others], rng.decks(ids, game.deck_cards), lineup=lineup, where=ids)
    found = Hands.of(played, ["Hero", *(f"Villain {k + 1}" for k in range(5))], chip=Fraction(1, 100))
    found = found[(found.rows["net"] % PARTS == 0).all(axis=1)][:HANDS].packed()
    found.rows["number"] += 250_000_000_001
    found.rows["time"] = times()
    found = replace(found, tables=("Example",))
    found.rows["table"] = 0
    return replace(found, terms=tuple(replace(terms, currency="$") for terms in found.terms))


def times() -> np.ndarray:
    """Return when each hand is said to have been played."""
    hand = np.arange(HANDS)
    evening = FIRST_EVENING.timestamp() + (hand // PER_EVENING) * 2 * 86_400
    return (evening + hand % PER_EVENING * SECONDS_PER_HAND).astype(np.int64)


def main() -> None:
    """Write the file that the arguments name."""
    text, write = io.StringIO(), FORMATS["pokerstars"].write_lines
    assert write is not None
    count = write([example()], text, WriteOptions(".txt", hero="Hero"))
    packed = gzip.compress(text.getvalue().encode(), compresslevel=9, mtime=0)
    folder = Path(sys.argv[1])
    write_atomically(folder / "example-hands.txt.gz", packed)
    print(f"{count:,} hands, {len(packed):,} bytes")
    hands = hm.read_hands(folder / "example-hands.txt.gz").collect()
    found = hm.find_leaks(hands, "Hero", workers=2)
    told, values = review_json(found, hands), packed_values(found, places_of(hands, "Hero"), MORE)
    write_atomically(folder / "example-values.npz", values)
    print(f"{found.decisions:,} decisions valued, {len(values):,} bytes")
    write_atomically(folder / "example-review.json", as_text(told | {"of": digest(packed)}))
    print(f"{len(told['leaks'])} leaks: {', '.join(leak['situation'] for leak in told['leaks'])}")


if __name__ == "__main__":
    main()
