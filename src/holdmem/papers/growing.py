"""Memories of more and more hands of one recording, for learning curves."""

from dataclasses import replace
from pathlib import Path

from holdmem.arena import Design
from holdmem.cbr import Representation
from holdmem.cbr.store import read_cases, write_cases
from holdmem.history import StoredHands
from holdmem.learning.decks import DeckRange
from holdmem.learning.learn import CaseLearner, measure_imitation
from holdmem.learning.record import record
from holdmem.papers.findings import Row
from holdmem.papers.runner import ExperimentRunner


def memories(
    runner: ExperimentRunner,
    design: Design,
    representation: Representation,
    steps: tuple[int, ...],
    place: Path,
) -> dict[int, int]:
    """Record a design and write a memory of its first player for each number of hands; return their cases.

    The memory of the first 300 hands is the folder `300` in `place`.
    """
    design = runner.recording(design)
    record(design, place / "hands", workers=runner.workers, on=runner.on)
    found, learner = {}, CaseLearner(representation, design.agents[0], held_out=0)
    for block in StoredHands(place / "hands"):
        start = 0
        for step in [one for one in steps if learner.hands < one <= learner.hands + len(block)]:
            until = start + step - learner.hands
            learner.read(block[start:until])
            start = until
            base = learner.so_far()
            found[step] = len(base)
            about = {"expert": design.agents[0], "game": design.game.name, "hands": step}
            write_cases(replace(base, about=about), place / str(step))
        if start < len(block):
            learner.read(block[start:])
    return found


def agreement_rows(
    runner: ExperimentRunner, design: Design, steps: tuple[int, ...], place: Path, hands: int
) -> list[Row]:
    """Return the agreement of each of these memories with its player, in hands that none has seen."""
    asked = replace(design, hands=hands, seed=int(design.seed) + 1, purpose=runner.purpose)
    runner.decks.add(DeckRange.of(asked))
    record(asked, place / "held out", workers=runner.workers, on=runner.on)
    expert, rows = design.agents[0], []
    for step in steps:
        whole = measure_imitation(read_cases(place / str(step)), StoredHands(place / "held out"), expert)[-1]
        rows.append(
            Row(
                f"memory of {expert}, {step:,} hands, agreement", "–",
                f"{whole.agreement:.1%}, log-loss {whole.log_loss:.3f}", hands,
                remark=f"baseline {whole.baseline_agreement:.1%}, log-loss {whole.baseline_log_loss:.3f};"
                f" {whole.decisions:,} decisions",
            )
        )  # fmt: skip
    return rows
