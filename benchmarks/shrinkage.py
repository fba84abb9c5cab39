"""Held-out log-loss of every shipped memory: the street's frequencies, plain frequencies, shrunk ones.

    python -m benchmarks.shrinkage build/shrinkage

Hands are recorded on seeds that no memory was learned from. The weights of `Shrinkage` were chosen among
near = 1, 2, 4, 8 and wide = 2, 4, 8 on the hands of `CHOOSING`; the docs report those of `REPORTING`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from holdmem.arena import Design
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.store import read_cases
from holdmem.core.data import DATA
from holdmem.engine import STREET_NAMES, find_game
from holdmem.history import StoredHands
from holdmem.learning.imitation import HeldOutDecisions, measure, plain_loss
from holdmem.learning.learn import CaseLearner
from holdmem.learning.record import record
from holdmem.players.imitators.imitator import LIMIT_EXPERTS, NO_LIMIT_EXPERTS

CHOOSING, REPORTING = 910_001, 910_011
SIMBOT = "simbot:rollouts=16"
NINE = ("poki", SIMBOT) * 4 + ("poki",)


def designs(seed: int) -> dict[str, tuple[Design, tuple[str, ...]]]:
    """Return, by memory, hands of its experts and the experts' names."""
    limit, nolimit = find_game("limit"), find_game("nolimit")
    found = {
        name: (Design(limit, ("eqm", "eqm"), 4_000, kind="ring", seed=seed + 20), ("eqm",))
        for name in ("sartre-1", "sartre-2")
    }
    for game, experts, hands in ((limit, LIMIT_EXPERTS, 2_500), (nolimit, NO_LIMIT_EXPERTS, 3_000)):
        for expert in experts:
            other = "simplebot" if seed == CHOOSING else experts[-1] if game is limit else experts[0]
            design = Design(game, (expert, other), hands, kind="ring", seed=seed)
            found[f"imitator-{expert}"] = design, (expert,)
    nine = Design(find_game("casper"), NINE, 99, 9, kind="ring", seed=seed + 30)
    return found | {"casper": (nine, ("poki", SIMBOT))}


def held_out(base: CaseBase, design: Design, experts: Sequence[str], folder: Path) -> list[HeldOutDecisions]:
    """Record hands and return the experts' decisions in them."""
    record(design, folder)
    learner = CaseLearner(base.representation, experts)
    for hands in StoredHands(folder):
        learner.test(hands)
    return learner.held()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line per memory and street."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="new folder for the recorded hands")
    parser.add_argument("--seed", type=int, default=REPORTING)
    chosen = parser.parse_args(arguments)
    print("memory, street: decisions, street's frequencies, plain, shrunk")
    for name, (design, experts) in designs(chosen.seed).items():
        base = read_cases(DATA / name)
        held = held_out(base, design, experts, chosen.folder / name)
        plain = [plain_loss(base, cases, one) for cases, one in zip(base.streets, held, strict=True)]
        for row in measure(base, held)[:-1]:
            usual, mine = row.baseline_log_loss, float(np.mean(plain[STREET_NAMES.index(row.street)]))
            losses = f"{usual:.3f}, {mine:.3f}, {row.shrunk_log_loss:.3f}"
            print(f"{name}, {row.street}: {row.decisions:,}, {losses}")


if __name__ == "__main__":
    main()
