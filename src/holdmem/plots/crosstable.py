"""Cross table of a tournament as a figure."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdmem.arena import Estimate, Tournament
from holdmem.core.errors import GameError
from holdmem.plots.figure import new_figure, save


def means(found: Tournament) -> NDArray[np.float64]:
    """Return what each agent (row) won from each other agent (column) per hand; NaN if they had no match."""
    everybody = range(len(found.agents))
    cells = [[found.cell(one, other) for other in everybody] for one in everybody]
    return np.array([[np.nan if cell is None else cell.mean for cell in row] for row in cells])


def heat_map(found: Tournament, path: Path) -> None:
    """Write the cross table as a PNG: blue where the agent on the left wins, red where it loses."""
    if found.game.seats != 2:
        raise GameError(
            f"{found.game.name}: a cross table needs a heads-up game, got {found.game.seats} seats"
        )
    values = means(found)
    size = 1.3 * len(found.agents) + 2.5
    figure = new_figure(size, size * 0.8)
    axes = figure.subplots()
    reach = float(np.nanmax(np.abs(values), initial=1e-9))
    picture = axes.imshow(values, cmap="RdBu", vmin=-reach, vmax=reach)
    everybody = range(len(found.agents))
    # parse_math=False shows names verbatim: a dollar sign must not start a formula.
    axes.set_xticks(everybody, found.agents, rotation=30, ha="right", parse_math=False)
    axes.set_yticks(everybody, found.agents, parse_math=False)
    for one in everybody:
        for other in everybody:
            cell = found.cell(one, other)
            if cell is not None:
                strong = abs(cell.mean) > 0.6 * reach
                axes.text(
                    other, one, label(cell), ha="center", va="center", color="white" if strong else "black"
                )
    hands = max((result.hands for result in found.results.values()), default=0)
    axes.set_title(
        f"{found.game.name}\nwon by the agent on the left, with 95% intervals;"
        f" up to {hands:,} hands per match"
    )
    axes.title.set_fontsize(9)
    figure.colorbar(picture, label=found.unit, shrink=0.8)
    save(figure, path)


def label(cell: Estimate) -> str:
    """Return a cell's text: the mean above its interval."""
    if cell.low is None or cell.high is None:
        return f"{cell.mean:+.3f}\n(no interval)"
    return f"{cell.mean:+.3f}\n± {(cell.high - cell.low) / 2:.3f}"
