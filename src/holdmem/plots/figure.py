"""Figures: an empty one to draw on, and a figure as a PNG. They require the extra `plots`."""

from pathlib import Path
from typing import Any

from holdmem.core.atomic import atomic_file
from holdmem.core.extras import require


def new_figure(width: float, height: float) -> Any:
    """Return an empty matplotlib `Figure` of this size in inches, with its layout set."""
    require("plots", "a figure")
    from matplotlib.figure import Figure  # noqa: PLC0415

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write a figure as a PNG atomically."""
    with atomic_file(path) as temporary:
        figure.savefig(temporary, format="png", dpi=130)
