"""Courses of learners against their opponents (Marques n.d., chapter 6), played in parallel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from holdmem.learning.training_batch import train
from holdmem.learning.training_runs import TrainingReport, TrainingRun, learning_game
from holdmem.papers.runner import ExperimentRunner

POINTS = 400
"""Number of blocks of hands stored per course."""


@dataclass(frozen=True)
class TrainingJob:
    """Courses of one game and length, played as the tables of one batch."""

    courses: tuple[TrainingRun, ...]


def attend(lesson: TrainingJob) -> list[dict[str, Any]]:
    """Play the courses and return their results as JSON values."""
    found = []
    for report in train(lesson.courses):
        coarse = report.coarser(POINTS)
        seen = [one.states_seen for one in report.knowledge]
        found.append(
            {"blocks": coarse.blocks.tolist(), "block": coarse.block, "hands": coarse.hands, "states": seen}
        )
    return found


WEIGHING = ("simplebot", "megabot")
"""Bots that evaluate their hands, which is slow; their courses form a separate unit of work."""


def courses(
    runner: ExperimentRunner, players: Sequence[tuple[str, tuple[str, ...]]], hands: int, matches: int
) -> list[TrainingReport]:
    """Return a report for each learner and its opponents."""
    game = learning_game(1 + len(players[0][1]))
    wanted = [
        TrainingRun(game, learner, others, hands, matches, runner.seed, purpose=runner.purpose)
        for learner, others in players
    ]
    slow = [course for course in wanted if set(course.players) & set(WEIGHING)]
    parts = [slow, [course for course in wanted if course not in slow]]
    lessons = [TrainingJob(tuple(part)) for part in parts if part]
    found = runner.work(
        attend, lessons, f"{len(players)} courses of {hands:,} hands in each order",
        lambda lesson: [name for course in lesson.courses for name in course.players],
    )  # fmt: skip
    reports = {
        course: _report(course, curve)
        for lesson, curves in zip(lessons, found, strict=True)
        for course, curve in zip(lesson.courses, curves, strict=True)
    }
    return [reports[course] for course in wanted]


def _report(course: TrainingRun, curve: dict[str, Any]) -> TrainingReport:
    return TrainingReport(course, np.array(curve["blocks"]), curve["hands"], [], curve["block"])


def total_hands(report: TrainingReport) -> int:
    """Return the number of hands in all matches."""
    return report.hands * len(report.blocks)
