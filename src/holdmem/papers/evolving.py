"""Rubin (2007), chapter 4: both evolutions of CASPER's weights, and their convergence.

Intervals use Student's t over the nine first-level algorithms, which are independent.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from holdmem.arena import Estimate
from holdmem.core.parallel import WorkerPool
from holdmem.core.statistics import estimate
from holdmem.engine import PARTS, STREET_NAMES
from holdmem.learning.evolve.evolution import Evolution, Generation
from holdmem.learning.evolve.evolution_files import contents_of, load_or_start, resume, source_digest
from holdmem.learning.evolve.task import FINAL, SCHEMES, EvolutionTask
from holdmem.papers.findings import Finding, Grid, Picture, Row, claim
from holdmem.papers.judging import Rows, judged, measured
from holdmem.papers.runner import ExperimentRunner
from holdmem.papers.verdicts import Measurement, VerdictTest, same_value, same_winner
from holdmem.players.casper import STREETS, WEIGHTS
from holdmem.plots.convergence import average_error, figures, spread_by_luck

SPREADS = {0: 9_655.95, -1: 6_518.19}
"""§4.2.6.1: mean spread of the first nine algorithms in their first and last generation, in dollars."""


MARGIN = 1_000.0
"""Dollars by which two spreads may differ and still count as the same."""
FALLS = "the spread falls from the first to the last generation"


def judge(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge the spreads; a published mean over nine algorithms has the error that ours has."""
    names = {number: f"spread, {NTH[number]} generation" for number in SPREADS}

    def published(there: Rows, number: int) -> Measurement:
        ours = measured(there[names[number]])
        return Measurement(SPREADS[number], ours.error, ours.freedom)

    def spread(number: int) -> Callable[[Rows], VerdictTest]:
        return lambda there: same_value(
            published(there, number), measured(there[names[number]]), MARGIN, "dollars"
        )

    def falls(there: Rows) -> VerdictTest:
        fall = published(there, -1).less(published(there, 0))
        return same_winner(fall, measured(there[FALLS], there[FALLS].remark))

    return judged(rows, {names[0]: spread(0), names[-1]: spread(-1), FALLS: falls})


def general_task(runner: ExperimentRunner) -> EvolutionTask:
    """Return the task of §4.2; the full scale is the thesis's own size."""
    hands, generations = runner.at(smoke=(9, 2), quick=(200, 10), full=(5_000, 10))
    return replace(SCHEMES["self-play"], hands=hands, generations=generations, seed=runner.seed + 42)


def larger_task(runner: ExperimentRunner) -> EvolutionTask:
    """Return the task of §4.2 with more hands (four times as many at full scale) and each deck in all seats.

    Both reduce the influence of luck.
    """
    return replace(general_task(runner), cards="rotated", hands=runner.at(smoke=9, quick=400, full=20_000))


def opponent_task(runner: ExperimentRunner) -> EvolutionTask:
    """Return the task of §4.3; the full scale has the thesis's number of hands.

    They are dealt at several tables at once for speed, so that a Poki has seen only the hands of its table:
    a fifth of them at full scale.
    """
    hands, generations, tables = runner.at(smoke=(6, 2, 6), quick=(200, 5, 50), full=(5_000, 5, 5))
    usual = SCHEMES["opponents"]
    return replace(usual, hands=hands, generations=generations, tables=tables, seed=runner.seed + 43)


def evolved(runner: ExperimentRunner, task: EvolutionTask) -> Evolution:
    """Run the evolution to its end.

    With a ledger its state is stored next to the ledger, and an interrupted evolution resumes.
    """
    text = json.dumps([task.as_json(), contents_of(task), source_digest()], sort_keys=True)
    name = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    runner.note_files((task.player, *task.opponents))
    runner.used[name] = f"evolution by {task.scheme}, {task.all_hands:,} hands"
    place = runner.place(f"evolution-{name}")
    with (
        runner.shown(f"evolution by {task.scheme}") as progress,
        WorkerPool(runner.workers, runner.on) as crew,
    ):
        if place is None:
            evolution = Evolution(task)
            reports = evolution.run(crew, progress=progress)
        else:
            evolution, _ = load_or_start(task, place)
            reports = resume(evolution, place, crew, progress=progress)
        for _ in reports:
            pass
    return evolution


def player_of(evolution: Evolution) -> str:
    """Return the agent text of CASPER with the evolved weights."""
    return f"casper:weights=[{';'.join(map(str, evolution.best_of(FINAL)))}]"


def self_play(runner: ExperimentRunner) -> Finding:
    """Reproduce figures 4.6 to 4.9: general weights, and the spread of bankrolls by generation."""
    evolution = evolved(runner, general_task(runner))
    first, hands = first_algorithms(evolution), 9 * evolution.task.hands
    rows = []
    for number, published in SPREADS.items():
        ours = over_algorithms(first, number, lambda one: one.spread)
        luck = over_algorithms(first, number, lambda one: spread_by_luck(one, evolution.task.seats))
        remark = f"nine equally strong players would have {luck.mean:,.0f} on average"
        rows.append(
            Row(f"spread, {NTH[number]} generation", f"${published:,.2f}", dollars(ours), hands, "each other",
                remark=remark, samples=ours.samples, published_hands=45_000)
        )  # fmt: skip
    fall = apart(first, lambda one: one.spread)
    rows.append(
        replace(
            claim(FALLS, f"last less first: {dollars(fall)}; a smaller spread may also be calmer play",
                  2 * hands),
            samples=fall.samples, published_hands=90_000,
        )
    )  # fmt: skip
    rows.append(_beyond_luck(first, evolution))
    return Finding(
        tuple(rows), (weights_grid(evolution, "general", "4.6"),), pictures(evolution, "spread", 7)
    )


def _beyond_luck(first: Sequence[list[Generation]], evolution: Evolution) -> Row:
    """Return a row on whether hypotheses differ by more than luck, which selection depends on."""
    seats = evolution.task.seats
    means = [
        sum(one.spread / spread_by_luck(one, seats) for one in generations) / len(generations)
        for generations in first
    ]
    ratio = over(means)
    hands = sum(one.hands for generations in first for one in generations)
    ours = f"{ratio.mean:.3f} ± {half(ratio):.3f}"
    remark = "1 would mean equally strong players, whose selection is a lottery"
    return Row("spread over that of equally strong players", "–", ours, hands, "each other", remark=remark)


def selection(runner: ExperimentRunner) -> Finding:
    """Compare the task of §4.2 with one whose ranks are shuffled, and with one in which luck is smaller.

    Without selection, crossover alone makes hypotheses alike: what falls with shuffled ranks is no
    convergence to better weights.
    """
    plain = general_task(runner)
    tasks = {
        "as published": plain,
        "ranks shuffled": replace(plain, operators=replace(plain.operators, shuffled=True)),
        "more hands, each deck in all seats": larger_task(runner),
    }
    rows = []
    for said, task in tasks.items():
        evolution = evolved(runner, task)
        first, hands = first_algorithms(evolution), 2 * 9 * evolution.task.hands
        fall = apart(first, lambda one: one.spread / one.hands)
        shown_as = f"{fall.mean:+.3f} ± {half(fall):.3f}"
        remark = "chips per hand, last less first generation"
        rows.append(Row(f"spread, {said}", "–", shown_as, hands, "each other", remark=remark))
        beyond = _beyond_luck(first, evolution)
        rows.append(replace(beyond, what=f"{beyond.what}, {said}"))
    return Finding(tuple(rows), remark="Not in the thesis: controls of its evolution by self-play.")


def against_pokis(runner: ExperimentRunner) -> Finding:
    """Reproduce figures 4.11 to 4.14: weights against Poki, and the average profit by generation."""
    evolution = evolved(runner, opponent_task(runner))
    first, hands = first_algorithms(evolution), 9 * evolution.task.hands
    who = "HoldMem's Poki in place of Alberta's"
    rows = [
        Row(f"average profit, {NTH[number]} generation", "a loss" if number == 0 else "a smaller loss",
            dollars(over_algorithms(first, number, lambda one: one.average)), hands, who)
        for number in (0, -1)
    ]  # fmt: skip
    rise = apart(first, lambda one: one.average)
    rows.append(
        claim("the average profit rises from the first to the last generation",
              f"last less first: {dollars(rise)}", 2 * hands, who)
    )  # fmt: skip
    last = evolution.played[FINAL][-1]
    reach = 1.96 * average_error(last, evolution.task.seats)
    rows.append(
        Row("average profit, last generation of the final algorithm", "just under $0",
            f"{last.average:+,.0f} ± {reach:,.0f}", last.hands, who, remark="interval from the luck of hands")
    )  # fmt: skip
    grid = weights_grid(evolution, "opponent", "4.11")
    return Finding(tuple(rows), (grid,), pictures(evolution, "average", 12))


NTH = {0: "first", -1: "last"}


def first_algorithms(evolution: Evolution) -> list[list[Generation]]:
    """Return the generations of the algorithms that started from random weights."""
    return [evolution.played[name] for name in evolution.task.algorithms[0]]


def over(values: Sequence[float]) -> Estimate:
    """Estimate the mean of the values by Student's t."""
    whole = [round(value * PARTS) for value in values]
    return estimate(len(whole), sum(whole), sum(value * value for value in whole), 1 / PARTS, "chips")


def over_algorithms(
    first: Sequence[list[Generation]], number: int, measure: Callable[[Generation], float]
) -> Estimate:
    """Estimate the mean of a measure over algorithms in one generation."""
    return over([measure(generations[number]) for generations in first])


def apart(first: Sequence[list[Generation]], measure: Callable[[Generation], float]) -> Estimate:
    """Estimate by how much a measure is larger in the last generation than in the first."""
    return over([measure(generations[-1]) - measure(generations[0]) for generations in first])


def half(found: Estimate) -> float:
    """Return half the width of the interval."""
    return 0.0 if found.low is None or found.high is None else (found.high - found.low) / 2


def dollars(found: Estimate) -> str:
    """Format a mean of bankrolls with its 95% interval; a chip is a dollar."""
    return f"{found.mean:+,.0f} ± {half(found):,.0f}"


def weights_grid(evolution: Evolution, published: str, figure: str) -> Grid:
    """Return a grid of our evolved weights next to the thesis's evolved and hand-picked ones."""
    names = [
        (street, name)
        for street, features in zip(STREET_NAMES, STREETS, strict=True)
        for name in features.names
    ]
    columns = (WEIGHTS["hand-picked"].vector, WEIGHTS[published].vector, evolution.best_of(FINAL))
    rows = zip(names, zip(*columns, strict=True), strict=True)
    return Grid(
        f"Weights: picked by hand (figure 4.1), evolved in the thesis (figure {figure}), evolved here",
        ("street", "feature", "figure 4.1", f"figure {figure}", "ours"),
        tuple((street, name, *(f"{weight:g}" for weight in weights)) for (street, name), weights in rows),
    )


def pictures(evolution: Evolution, measure: str, first: int) -> tuple[Picture, ...]:
    """Return three consecutive figures of the thesis, numbered from 4.`first`."""
    parts = ("some", "mean", "final")
    said = {"some": "four of the first algorithms", "mean": "mean of the first algorithms", "final": FINAL}
    found = {one.name: one for one in figures(evolution)}
    return tuple(
        Picture(f"Figure 4.{number}: {found[f'{measure}-{part}'].measure.title}, {said[part]}",
                found[f"{measure}-{part}"].draw)
        for number, part in enumerate(parts, start=first)
    )  # fmt: skip
