"""The tables of Rubin and Watson (2010) with our players: python -m benchmarks.sartre_tables --help

Table 2 (cases by hands observed), table 4 (policies), table 5 (SARTRE-2 against SARTRE-1), and what the
imitation loses to its teacher and wins from others. Prints Markdown with the published figures beside ours.
"""

import argparse
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from holdmem import Ledger, find_game, match
from holdmem.arena import Design
from holdmem.core.statistics import Estimate, estimate
from holdmem.history import StoredHands
from holdmem.learning.learn import CaseLearner
from holdmem.learning.record import record
from holdmem.players.sartre import SARTRE_2

LIMIT = find_game("limit")
POLICIES = ("majority", "probabilistic", "best-outcome")
PUBLISHED_4 = {("majority", "probabilistic"): 0.011, ("majority", "best-outcome"): 0.076,
               ("probabilistic", "best-outcome"): 0.036}  # fmt: skip
PUBLISHED_2 = {"preflop": 857, "flop": 6_743, "turn": 35_464, "river": 52_088}
STEPS = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)


def shown(found: Estimate) -> str:
    """A mean with its interval."""
    if found.low is None or found.high is None:
        return f"{found.mean:+.4f}"
    return f"{found.mean:+.4f} ± {(found.high - found.low) / 2:.4f}"


def table_2(expert: str, hands: int, seed: int, workers: int) -> None:
    """Cases of SARTRE-2 by the number of hands observed."""
    folder = Path(mkdtemp(prefix="holdmem-sartre-")) / "hands"
    record(Design(LIMIT, (expert, expert), hands=hands, kind="ring", seed=seed), folder, workers=workers)
    learner, steps = CaseLearner(SARTRE_2, expert, held_out=0), [step for step in STEPS if step <= hands]
    print(f"\n| hands of {expert} against itself | decisions | {' | '.join(PUBLISHED_2)} | all |")
    print("| --: | --: | --: | --: | --: | --: | --: |")
    for block in StoredHands(folder):
        learner.read(block)
        if steps and learner.hands >= steps[0]:
            counts = learner.so_far().counts.values()
            cases, decisions = ([row[name] for row in counts] for name in ("cases", "decisions"))
            cells = " | ".join(f"{count:,}" for count in [sum(decisions), *cases, sum(cases)])
            print(f"| {learner.hands:,} | {cells} |", flush=True)
            steps = [step for step in steps if step > learner.hands]
    published = [*PUBLISHED_2.values(), sum(PUBLISHED_2.values())]
    print(f"| published | – | {' | '.join(f'{count:,}' for count in published)} |")


def table_4(hands: int, matches: int, seed: int, workers: int) -> None:
    """The three policies against each other."""
    print("\n| SARTRE-2 | against | paper sb/h | ours sb/h (95%) | hands |\n| --- | --- | --: | --: | --: |")
    for (one, other), published in PUBLISHED_4.items():
        names = [f"sartre-2:policy={policy}" for policy in (one, other)]
        found = match(
            LIMIT, *names, hands=hands, matches=matches, seed=seed, workers=workers, ledger=Ledger()
        )
        print(f"| {one} | {other} | {published:+.3f} | {shown(found.estimates()[0])} | {found.hands:,} |")


def table_5(hands: int, matches: int, seed: int, workers: int) -> None:
    """SARTRE-2 against SARTRE-1, match by match, with both intervals."""
    means, total = [], 0
    for number in range(matches):
        found = match(
            LIMIT, "sartre-2", "sartre-1", hands=hands, seed=seed + number, workers=workers, ledger=Ledger()
        )
        means.append(found.estimates()[0].mean)
        total += found.hands
    values = np.array(means)
    whole_numbers = [round(mean * 1e9) for mean in means]
    squares = sum(number * number for number in whole_numbers)
    over = estimate(len(means), sum(whole_numbers), squares, 1e-9, "sb/h")
    whole = match(
        LIMIT, "sartre-2", "sartre-1", hands=hands * matches, seed=seed, workers=workers, ledger=Ledger()
    )
    print("\n| SARTRE-2 against SARTRE-1 | sb/h | hands |\n| --- | --: | --: |")
    print("| paper, ten matches | +0.0286, 95% −0.040 to 0.098 | 60,000 |")
    print(f"| ours, by match | {', '.join(f'{mean:+.3f}' for mean in means)} | {total:,} |")
    print(f"| mean, standard deviation | {values.mean():+.4f}, {values.std(ddof=1):.4f} | {total:,} |")
    print(f"| Student's t over matches | {shown(over)} | {total:,} |")
    print(f"| over pairs of other hands | {shown(whole.estimates()[0])} | {whole.hands:,} |")


def table_teacher(expert: str, others: list[str], hands: int, seed: int, workers: int) -> None:
    """What each memory loses to its teacher and wins from others."""
    print("\n| player | against | sb/h (95%) | hands |\n| --- | --- | --: | --: |")
    memories = ["sartre-2", "sartre-2:policy=probabilistic", "sartre-2:policy=best-outcome", "sartre-1"]
    for player in [*memories, expert]:
        for other in [expert, *others]:
            if player != other:
                found = match(LIMIT, player, other, hands=hands, seed=seed, workers=workers, ledger=Ledger())
                print(f"| {player} | {other} | {shown(found.estimates()[0])} | {found.hands:,} |")


def main() -> None:
    """The tables that are asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("tables", nargs="*", default=["2", "4", "5", "teacher"], help="2, 4, 5, teacher")
    asked.add_argument("--hands", type=int, default=3000, help="hands for each direction of a match")
    asked.add_argument("--matches", type=int, default=None, help="matches (3 for table 4, 10 for table 5)")
    asked.add_argument("--observed", type=int, default=1_000_000, help="hands observed for table 2")
    asked.add_argument("--expert", default="eqm")
    asked.add_argument("--others", nargs="*", default=["always-call", "always-raise", "random"])
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--workers", type=int, default=1)
    said = asked.parse_args()
    if "2" in said.tables:
        table_2(said.expert, said.observed, said.seed, said.workers)
    if "4" in said.tables:
        table_4(said.hands, said.matches or 3, said.seed, said.workers)
    if "5" in said.tables:
        table_5(said.hands, said.matches or 10, said.seed, said.workers)
    if "teacher" in said.tables:
        table_teacher(said.expert, said.others, said.hands, said.seed, said.workers)


if __name__ == "__main__":
    main()
