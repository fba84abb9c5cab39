"""Friedrich and Schwind (2011): PLICAS. Examples, figure 4, the matches of §5.1 by unit, and a ranking."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from holdmem.arena import Design, Estimate
from holdmem.arena.design import DeckPurpose
from holdmem.arena.units import WorkUnit, plan, play_hands
from holdmem.cards import CLASSES, Range
from holdmem.cards.classes import COMBOS
from holdmem.core.statistics import estimate
from holdmem.engine import PARTS, find_game
from holdmem.papers import references, summaries
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Finding, Grid, Picture, Row, claim, shown
from holdmem.papers.pairing import difference
from holdmem.papers.plicas_sensitivity import sensitivity
from holdmem.papers.plicas_styles import styles
from holdmem.papers.plicas_verdicts import (
    OPPONENTS,
    PUBLISHED_5,
    PUBLISHED_UNITS,
    SMALL_BLINDS,
    STATIC,
    judge_figure5,
    judge_units,
    paired,
)
from holdmem.papers.ranking import crossing, ranked
from holdmem.papers.runner import ExperimentRunner
from holdmem.papers.verdicts import NOT_REPLICATED, REPLICATED, Verdict
from holdmem.players.plicas import UNITS, starting_classes
from holdmem.players.plicas.kernels.range_control import (
    PLAYED,
    PRINTED,
    choose_range,
    gain_of,
    nearest_range,
)
from holdmem.players.plicas.range_control import range_tables
from holdmem.plots.playable import plot_playable
from holdmem.strength import EQUITY_RANKING, playable_curves, range_equities

LIMIT = find_game("limit")


def both_units(found: Estimate) -> str:
    """Format a rate in small bets and in small blinds."""
    return f"{shown(found, unit=True)} = {shown(found.scaled(SMALL_BLINDS, 'small blinds/h'), unit=True)}"


# Table 1 and §4.1.2


def table1(runner: ExperimentRunner) -> Finding:
    """Show our eight classes, and what is known of the paper's."""
    classes = starting_classes()
    number = dict(zip(CLASSES, classes.tolist(), strict=True))
    ours = [[name for name in EQUITY_RANKING if number[name] == one] for one in range(1, 9)]
    remark = "by construction: the picture is not in the text; our classes are cut to fit what is known of it"
    rows = (
        Row("class one", "AA KK QQ JJ AKs", " ".join(ours[0]), remark=remark),
        Row("J8o is just playable", "a class before the last", f"class {number['J8o']}", remark=remark),
        Row("class eight is not playable", "the hands in gray", f"class {number['72o']}", remark=remark),
    )
    cells = tuple(
        (str(one), f"{COMBOS[classes <= one].sum() / COMBOS.sum():.1%}", " ".join(names))
        for one, names in enumerate(ours, 1)
    )
    return Finding(rows, (Grid("Classes of starting hands", ("class", "ends at", "hands"), cells),))


TIGHT = "88+, A9s+, KTs+, QTs+, AJo+, KQo"
LOOSE = "77+, A7s+, K9s+, QTs+, JTs, ATo+, KTo+, QJo"


def ranges(runner: ExperimentRunner) -> Finding:
    """Reproduce the examples of §4.1.2, and locate the maximum of f."""
    found = range_equities([Range.parse(TIGHT), Range.parse(LOOSE)])
    equity, alone = float(found.equity[0]), float(found.wins[0])
    shares, matrix = range_tables()
    cases = [(other, float(pot)) for other in range(169) for pot in range(3, 41)]
    aces = sum(choose_range(shares, matrix, other, pot, PRINTED) == 0 for other, pot in cases)
    folds = gain_of(0.5, 0.5, 0.6, 12.0, PRINTED)  # at an equity of one half the pot contributes nothing
    rows = (
        Row("EV of 10% against 15%, as the sets are written", "0.55", f"{equity:.4f}",
            verdict=_exact(abs(equity - 0.55) < 0.005), remark=f"{alone:.4f} without ties"),
        Row("r_p 0.5 against r_o 0.6: lost by folding", "−0.1 small blinds", f"{folds:+.1f} small blinds",
            verdict=_exact(abs(folds + 0.1) < 1e-9)),
        claim("f has its maximum where playing tighter no longer pays (algorithm 1)",
              f"as printed the maximum is at aces alone in {aces:,} of {len(cases):,} cases (pots of 3 to 40"
              " small blinds, all ranges of the opponent); weighted by r_p it lies between the ends",
              holds=aces < len(cases)),
    )  # fmt: skip
    others, sizes = (0.3, 0.5, 0.7, 0.85, 1.0), (4.0, 8.0, 12.0, 16.0, 20.0)
    cells = tuple((f"{other:.2f}", *(_best(shares, matrix, other, pot) for pot in sizes)) for other in others)
    header = ("opponent's range", *(f"pot {pot:g}" for pot in sizes))
    return Finding(rows, (Grid("The range that plicas plays, f weighted by r_p", header, cells),))


def _exact(holds: bool) -> Verdict:
    return REPLICATED if holds else NOT_REPLICATED


def _best(shares: Any, matrix: Any, other: float, pot: float) -> str:
    """Return the chosen range, as a share of all hands."""
    return f"{shares[choose_range(shares, matrix, nearest_range(shares, other), pot, PLAYED)]:.2f}"


# Figure 4


def figure4(runner: ExperimentRunner) -> Finding:
    """Reproduce figure 4: five curves, by exact counting."""
    curves = playable_curves()
    tight = int(np.abs(curves.share - 0.15).argmin())
    ends = {
        "a pair or better of any two cards": (curves.pair[-1], "as it must be: 1 − 1,302,540/2,598,960"),
        "playable of any two cards": (curves.playable[-1], ""),
        "playable of the best 15%": (curves.playable[tight], ""),
    }
    rows = tuple(
        Row(what, "a curve without numbers", f"{value:.2%}", against="all 25,989,600 hole cards and flops",
            remark=remark)
        for what, (value, remark) in ends.items()
    )  # fmt: skip
    places = [int(np.abs(curves.share - share).argmin()) for share in np.linspace(0.1, 1, 10)]
    cells = tuple(tuple(f"{curve[place]:.2%}" for curve in curves) for place in places)
    header = ("range", "pair or better", "two overcards", "flush draw", "straight draw", "playable")
    picture = Picture("Playable hand probabilities at the flop", lambda figure: plot_playable(curves, figure))
    return Finding(rows, (Grid("Figure 4 in numbers", header, cells),), (picture,))


# Figure 5 and §5.1


@dataclass(frozen=True)
class RematchPair:
    """One match and its rematch on the same cards; agents are reset in between."""

    agent: str
    opponent: str
    hands: int
    seed: int
    block: int
    purpose: DeckPurpose = "play"


def run_course(course: RematchPair) -> dict[str, list[int]]:
    """Return the agent's winnings per block of hands, in parts of a chip, in match and rematch."""
    agents = course.agent, course.opponent
    design = Design(LIMIT, agents, course.hands, seed=course.seed, purpose=course.purpose)
    planned = plan(design)
    won = np.zeros((2, course.hands), np.int64)
    for hands, _ in play_hands(WorkUnit(planned, 0, planned.total)):
        order = hands.hand_ids["table"].astype(np.int64)
        won[order, hands.hand_ids["hand"].astype(np.int64)] = hands.by_player(2)[:, 0]
    blocks = won.reshape(2, -1, course.block).sum(axis=2)
    return {"match": blocks[0].tolist(), "rematch": blocks[1].tolist()}


def figure5(runner: ExperimentRunner) -> Finding:
    """Reproduce figure 5: win rates with and without DPRC and DPAC in match and rematch, and the bankroll."""
    hands, block = runner.at(smoke=(100, 10), quick=(3_000, 100), full=(100_000, 1_000))
    courses = [
        RematchPair(agent, other, hands, runner.seed, block, runner.purpose)
        for other in OPPONENTS
        for agent in PUBLISHED_5
    ]
    found = runner.work(
        run_course, courses, "plicas, match and rematch", lambda one: [one.agent, one.opponent]
    )
    rates: dict[tuple[str, str], Estimate] = {}
    both: dict[tuple[str, str], list[int]] = {}
    rows = []
    for course, blocks in zip(courses, found, strict=True):
        parts = {**blocks, "both": blocks["match"] + blocks["rematch"]}
        for part, sums in parts.items():
            ours = _rate(sums, block)
            if part == "both":
                rates[course.agent, course.opponent] = ours
                both[course.agent, course.opponent] = sums
            rows.append(_row_of_course(course, part, ours, len(sums) * block))
    for other in OPPONENTS:
        pairs = zip(both["plicas", other], both[STATIC, other], strict=True)
        gain = _rate([mine - theirs for mine, theirs in pairs], block)
        rows.append(
            Row(
                paired(other), "+0.0625 sb/h", shown(gain, unit=True), 4 * hands, OPPONENTS[other],
                remark="same cards, block by block", samples=gain.samples, published_hands=400_000,
            )
        )  # fmt: skip
        rows.append(_dynamic_wins(rates, other, 4 * hands))

    def draw(figure: Any) -> None:
        for axes, part in zip(figure.subplots(1, 2, sharey=True), ("match", "rematch"), strict=True):
            for course, blocks in zip(courses, found, strict=True):
                chips = np.cumsum(blocks[part]) / (PARTS * LIMIT.unit[0])
                axes.plot(
                    block * np.arange(1, len(chips) + 1), chips, label=f"{course.agent}, {course.opponent}"
                )
            axes.set(title=part, xlabel="hands", ylabel="won, small bets")
            axes.axhline(0, color="gray", linewidth=0.8)
        axes.legend(fontsize=7)

    remark = (
        f"Intervals are over blocks of {block:,} hands, which are not quite independent while plicas learns."
    )
    return Finding(tuple(rows), pictures=(Picture("Figure 5: bankroll of plicas", draw),), remark=remark)


def _rate(blocks: list[int], block: int) -> Estimate:
    """Return the rate per hand with its interval over blocks of hands."""
    squares = sum(one * one for one in blocks)
    return estimate(len(blocks), sum(blocks), squares, 1 / (PARTS * LIMIT.unit[0] * block), "sb/h")


def _row_of_course(course: RematchPair, part: str, ours: Estimate, hands: int) -> Row:
    published = PUBLISHED_5[course.agent][part]
    what = f"{course.agent} against {course.opponent}, {'match and rematch' if part == 'both' else part}"
    paper = f"{published:+.3f} small blinds/h = {published / SMALL_BLINDS:+.4f} sb/h"
    if course.opponent != "dpp":
        paper = f"{paper} (against dpp)"
    return Row(what, paper, both_units(ours), hands, OPPONENTS[course.opponent],
               remark="the size can't be compared: the opponent differs", samples=ours.samples,
               published_hands=200_000 if part == "both" else 100_000)  # fmt: skip


def _dynamic_wins(rates: dict[tuple[str, str], Estimate], other: str, hands: int) -> Row:
    dynamic, static = rates["plicas", other], rates[STATIC, other]
    drop = f"{1 - static.mean / dynamic.mean:.0%}" if dynamic.mean > 0 else "no share of a loss"
    because = f"{shown(dynamic)} and {shown(static)} sb/h; without them {drop} less (published 37% less)"
    return claim(f"the dynamic units win more from {other}", because, hands)


def ablation(runner: ExperimentRunner) -> Finding:
    """Play with all units, without DPRC and DPAC, and with each unit switched off, all on the same cards."""
    hands, matches = runner.at(smoke=(20, 5), quick=(500, 6), full=(5_000, 20))
    agents = ["plicas", STATIC, *(f"plicas:off={unit}" for unit in UNITS)]
    if runner.scale == "smoke":
        agents = agents[:3]
    designs = [
        Design(LIMIT, (agent, other), hands, matches, seed=runner.seed)
        for other in OPPONENTS
        for agent in agents
    ]
    found = runner.matches(designs, "units of plicas")
    rows = []
    for place, one in enumerate(found):
        agent, other = one.design.agents
        ours, gain = one.estimates()[0], difference(one, found[place - place % len(agents)])
        paper = PUBLISHED_UNITS.get(agent) if other == "dpp" else None
        rows.append(
            Row(
                f"{agent} against {other}", f"{paper:+.3f} small blinds/h" if paper else "–",
                both_units(ours), one.hands, OPPONENTS[other], samples=ours.samples,
                remark="" if agent == "plicas" else f"{shown(gain, unit=True)} compared with all units",
                published_hands=200_000 if paper else 0,
            )
        )  # fmt: skip
    return Finding(tuple(rows))


# Tables 2 to 4: the competition of 2010

FIELD_2010 = (
    "plicas", "eqm", "eqm-aggressive", "eqm-passive", "sartre-2", "sartre-1", "poki", "simplebot", "megabot",
    "jagbot", "dpp", "whlbot", "always-call",
)  # fmt: skip


def table2(runner: ExperimentRunner) -> Finding:
    """Rank plicas in a field of thirteen."""
    hands, matches = runner.at(smoke=(50, 1), quick=(60, 5), full=(3_000, 5))
    field = runner.at(smoke=FIELD_2010[:3], quick=FIELD_2010[:6] + FIELD_2010[7:], full=FIELD_2010)
    found = runner.tournament(LIMIT, field, hands=hands, matches=matches)
    rows = ranked(found, {"plicas": ("10th of 12 as numbered, 11th of 13 listed", "11th of 13")})
    remark = (
        "The field differs from that of 2010, so places can't be compared. The published bankroll of PLICAS,"
        " −0.46 big blinds per hand, is out of order in its table: −0.320 and −0.144 are below it. Perhaps"
        " −0.046 is meant."
    )
    return Finding(rows, (crossing(found),), remark=remark)


PAPER = Paper(
    "plicas",
    references.PLICAS,
    "PLICAS: rules, cases and control of ranges and aggression",
    (
        Experiment("classes", "Table 1: classes of starting hands", table1),
        Experiment("ranges", "§4.1.2: range control", ranges),
        Experiment("figure4", "Figure 4: playable hands at the flop", figure4),
        Experiment(
            "figure5", "Figure 5: against dpp, with and without DPRC and DPAC", figure5, judge_figure5
        ),
        Experiment("units", "§6: each unit switched off", ablation, judge_units),
        Experiment(
            "styles",
            "Beyond the paper: the dynamic units against five styles, by two readings",
            styles,
            minutes=4,
        ),
        Experiment("sensitivity", "Beyond the paper: parameters that it leaves open", sensitivity, minutes=5),
        Experiment(
            "competition2010", "Tables 2 to 4: a competition in the manner of 2010", table2, minutes=10
        ),
    ),
    summaries.PLICAS,
    summaries.PLICAS_METHOD,
)
