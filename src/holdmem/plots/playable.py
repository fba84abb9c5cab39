"""Figure 4 of plicas: probability of a playable hand on the flop by preflop range."""

from pathlib import Path
from typing import Any

from holdmem.plots.figure import new_figure, save
from holdmem.strength import Curves

LINES = {
    "playable": ("playable: any of these", "tab:blue"),
    "pair": ("a pair or better", "tab:red"),
    "straight_draw": ("a straight draw", "tab:purple"),
    "overcards": ("two overcards", "tab:cyan"),
    "flush_draw": ("a flush draw", "tab:green"),
}
"""Label and colour of each curve; the colours are the paper's."""


def draw_playable(curves: Curves, path: Path) -> None:
    """Write the five curves as a PNG."""
    figure = new_figure(7, 4.5)
    plot_playable(curves, figure)
    save(figure, path)


def plot_playable(curves: Curves, figure: Any) -> None:
    """Draw the five curves into an empty figure."""
    axes = figure.subplots()
    for name, (label, colour) in LINES.items():
        values = getattr(curves, name)
        axes.plot(100 * curves.share, 100 * values, color=colour, label=f"{label} ({values[-1]:.1%} at 100%)")
    axes.set_xlabel("hands played before the flop, best by equity, in percent of all")
    axes.set_ylabel("probability on the flop in percent")
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper right", fontsize=8)
