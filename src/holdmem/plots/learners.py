"""Figures of learners: winnings over time, what they know, and how buckets divide the hands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.learning.training_runs import TrainingReport
from holdmem.learning.value_table_report import ACTIONS, aggregate, labels
from holdmem.players.learners.value_table import ValueTable
from holdmem.plots.figure import new_figure, save

WINDOW = 1000
QUANTILES = (0.1, 0.9)


def draw_curve(
    axes: Any, report: TrainingReport, player: int = 0, label: str = "", window: int = WINDOW
) -> None:
    """Draw the moving average of a player's winnings.

    The line is the mean over all matches, the band spans their 10th to 90th percentile.
    """
    won = report.moving_average(player, window)
    hands = (np.arange(won.shape[1]) + max(window // report.block, 1)) * report.block
    line = axes.plot(hands, won.mean(axis=0), linewidth=0.8, label=label or None)
    if len(won) > 1:
        low, high = np.quantile(won, QUANTILES, axis=0)
        axes.fill_between(hands, low, high, alpha=0.25, color=line[0].get_color(), linewidth=0)
    for order in range(1, len(report.course.orders)):
        axes.axvline(order * report.course.hands, color="gray", linestyle=":", linewidth=0.6)
    axes.axhline(0, color="gray", linewidth=0.8)


def learning_curve(report: TrainingReport, path: Path) -> None:
    """Write the moving average of the learner's winnings as a PNG."""
    figure = new_figure(8, 4)
    axes = figure.subplots()
    draw_curve(axes, report)
    matches = len(report.blocks)
    band = f"; mean and 10% to 90% of {matches} matches" if matches > 1 else ""
    who = f"{report.course.learner} against {', '.join(report.course.opponents)}"
    swap = "; seats are swapped at the dotted line" if len(report.course.orders) == 2 else ""
    axes.set_title(f"{who}{band}{swap}", fontsize=9, parse_math=False)
    axes.set(xlabel="hands", ylabel=f"bb/h over the last {WINDOW:,} hands")
    save(figure, path)


def draw_knowledge(figure: Any, knowledge: ValueTable, by: str = "street") -> None:
    """Draw the probabilities of fold, call and raise by bucket and a second dimension.

    Cells where nothing was learned are blank.
    """
    found = aggregate(knowledge, "bucket", by)
    panels = figure.subplots(1, 3, sharey=True)
    names = labels(knowledge, by)
    picture = None
    for place, (axes, action) in enumerate(zip(panels, ACTIONS, strict=True)):
        picture = axes.imshow(
            found.triples[..., place], vmin=0, vmax=1, cmap="viridis", aspect="auto", origin="lower"
        )
        axes.set_title(action)
        axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=7)
    panels[0].set_ylabel("bucket")
    figure.colorbar(picture, ax=panels, label="probability")


def knowledge_map(knowledge: ValueTable, path: Path, by: str = "street") -> None:
    """Write the figure of `draw_knowledge` as a PNG."""
    figure = new_figure(9, 5)
    draw_knowledge(figure, knowledge, by)
    figure.suptitle(f"{knowledge.learner}, {knowledge.hands:,} hands", fontsize=9)
    save(figure, path)


def draw_bubbles(axes: Any, counts: NDArray[np.int64], shape: tuple[int, int], title: str) -> None:
    """Draw nested buckets as circles with area proportional to their number of hands (figures 5.2 to 5.5)."""
    grid = counts.reshape(shape)
    outer, inner = np.indices(shape)
    axes.scatter(inner + 1, outer + 1, s=2500 * grid / max(grid.max(), 1), alpha=0.6)
    for row, column, count in zip(outer.ravel(), inner.ravel(), grid.ravel(), strict=True):
        axes.annotate(f"{count:,}", (column + 1, row + 1), ha="center", va="center", fontsize=6)
    axes.set(
        title=title, xlabel="bucket by E[HS]", ylabel="bucket by E[HS²]", xticks=range(1, shape[1] + 1),
        yticks=range(1, shape[0] + 1), xlim=(0.4, shape[1] + 0.6), ylim=(0.4, shape[0] + 0.6),
    )  # fmt: skip


def draw_curves(figure: Any, reports: Sequence[TrainingReport], titles: Sequence[str]) -> None:
    """Draw moving averages side by side, one panel per report."""
    for axes, report, title in zip(
        np.atleast_1d(figure.subplots(1, len(reports))), reports, titles, strict=True
    ):
        draw_curve(axes, report)
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("hands")
    figure.supylabel(f"bb/h over the last {WINDOW:,} hands", fontsize=8)
