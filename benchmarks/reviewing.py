"""How long a review of six-seat hands takes, and how many decisions are in each state (docs/values.md).

    python -m benchmarks.reviewing --hands 600

Hands of six clones of the population are reviewed in one process, with the model of the others that a review
learns by itself. CPU time is given by stage. The stages up to all decisions grow with the hands; the dearest
hundred and the hands of the reference do not.
"""

from argparse import ArgumentParser
from dataclasses import replace
from time import process_time

import numpy as np

import holdmem as hm
from holdmem.agent import hand_ids, play
from holdmem.ev.review import LeakReport
from holdmem.history import Hands

SEATS = 6
BLINDS = (50, 100, 0, 0, 0, 0)


def hands_of_clones(count: int, seed: int) -> Hands:
    """Play six-seat no-limit hands with 100 big blinds, the button moving."""
    game = replace(
        hm.find_game("nolimit"), name="six", blinds=BLINDS, stacks=(100 * max(BLINDS),) * SEATS, first=()
    )
    rng, ids = hm.Streams.of(seed, "review"), hand_ids(count)
    seats = [hm.make_agent("clone").sit(game, count, rng.spawn("seat", k)) for k in range(SEATS)]
    lineup = (np.arange(SEATS)[None] + np.arange(count)[:, None]) % SEATS
    played = play(game, seats, rng.decks(ids, game.deck_cards), lineup=lineup, where=ids)
    return Hands.of(played, ["me", *(f"player {number}" for number in range(2, SEATS + 1))])


class Stages:
    """CPU time since the last stage ended."""

    def __init__(self) -> None:
        self.began = process_time()

    def end(self, name: str) -> None:
        """Print how long a stage took."""
        now = process_time()
        print(f"{name}: {now - self.began:.1f} s of a core", flush=True)
        self.began = now


def report(found: LeakReport) -> None:
    """Print the share of decisions in each state."""
    count = found.decisions
    print(f"{count:,} decisions; {found.precise:.1%} within the precision asked for")
    for title, states, whole in (
        ("all decisions", found.states, count),
        ("the dearest, valued again", found.dearest_states, sum(found.dearest_states.values())),
    ):
        shares = ", ".join(f"{name} {number / max(whole, 1):.1%}" for name, number in states.items())
        print(f"{title} ({whole:,}): {shares}")
    clear, compared = found.compared
    print(f"under both other models {clear} of {compared} lose more than 0.05 bb")


def main() -> None:
    """Review hands and print times and states."""
    parser = ArgumentParser("python -m benchmarks.reviewing", description="Times and states of a review.")
    parser.add_argument("--hands", type=int, default=600)
    parser.add_argument("--samples", type=int, default=2048)
    parser.add_argument("--again", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    warm = hands_of_clones(60, asked.seed + 1)
    hm.find_leaks(warm, others="population", samples=2, again=1)  # compiles or loads what is needed
    hands, stages = hands_of_clones(asked.hands, asked.seed), Stages()
    going_on = ["all decisions", "the dearest again and under other models"]

    def say(text: str) -> None:
        if not text.startswith("learning"):  # that is part of the first page
            stages.end(going_on.pop(0))

    found = hm.find_leaks(
        hands, samples=asked.samples, again=asked.again, say=say,
        first_page=lambda page: stages.end("model of the others and first page"),
    )  # fmt: skip
    stages.end("hands of the reference")
    report(found)


if __name__ == "__main__":
    main()
