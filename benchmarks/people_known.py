"""Known cards for `benchmarks.people`: memories against how often each action is taken on the street."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from holdmem import record
from holdmem.cbr.store import read_cases
from holdmem.core.data import DATA
from holdmem.engine import STREET_NAMES
from holdmem.history import Hands, StoredHands
from holdmem.learning.imitation import Imitation
from holdmem.learning.learn import learn, measure_imitation
from holdmem.people.imitate import remember_person
from holdmem.people.kernels.situations import CLASSES, FEATURES
from holdmem.people.observe import Observations, observe
from holdmem.people.quality import predicted
from holdmem.players.imitators.imitator import NO_LIMIT, NO_LIMIT_RING

EXPERT = "eqm-nl"
AGAINST = ("eqm-nl-aggressive", "eqm-nl-passive", "simplebot", "jagbot", "random")
HANDS = 20_000
"""Hands that the expert plays against each of these, from a seed that no memory was learned from."""
SEED = 940_001
STREET = FEATURES.index("street")


def known(study: Any, args: Namespace) -> dict[str, Any]:
    """Measure what is learned from known cards: Pluribus by both memories, and our expert by its cases."""
    from benchmarks.people import pluribus  # noqa: PLC0415

    early, late = pluribus(args.source)
    lesson = learn([early], "Pluribus", NO_LIMIT_RING, held_out=0, tests=[late])
    found = {
        "Pluribus, cases": _lines(lesson.imitation),
        "Pluribus, memory of people": _by_people(study, early, late),
    }
    with TemporaryDirectory() as folder:
        blocks = list(_recorded(Path(folder)))
    found[f"{EXPERT}, cases of these hands"] = _lines(learn(blocks, EXPERT, NO_LIMIT).imitation)
    shipped = read_cases(DATA / f"imitator-{EXPERT}")
    found[f"{EXPERT}, shipped cases"] = _lines(measure_imitation(shipped, blocks, EXPERT))
    return found


def _recorded(folder: Path) -> Iterator[Hands]:
    for other in AGAINST:
        record("nolimit", EXPERT, other, folder=folder / other, hands=HANDS, seed=SEED)
        yield from StoredHands(folder / other)


def _lines(found: list[Imitation]) -> dict[str, Any]:
    return {
        one.street: {
            "decisions": one.decisions, "street": one.baseline_log_loss,
            "as published": one.log_loss, "shrunk": one.shrunk_log_loss,
        }
        for one in found
    }  # fmt: skip


def _by_people(study: Any, early: Hands, late: Hands) -> dict[str, Any]:
    past, rest = (observe([hands], ["Pluribus"]) for hands in (early, late))
    person = remember_person(study.population, past, "Pluribus", {})
    losses, streets = predicted(person, rest, with_cards=True).losses, rest.features[:, STREET]
    usual = -np.log(_frequencies(past)[streets, rest.action])
    return {
        name: {
            "decisions": int((streets == street).sum()),
            "street": float(usual[streets == street].mean()),
            "memory": float(losses[streets == street].mean()),
        }
        for street, name in enumerate(STREET_NAMES)
    }


def _frequencies(past: Observations) -> np.ndarray:
    """Return how often each class of actions was taken on each street, one half added to every count."""
    counts = np.full((len(STREET_NAMES), CLASSES), 0.5)
    np.add.at(counts, (past.features[:, STREET], past.action), 1)
    return counts / counts.sum(axis=1, keepdims=True)
