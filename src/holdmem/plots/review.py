"""Review of a person's hands as one HTML file."""

from html import escape
from pathlib import Path

from holdmem.core.atomic import write_atomically
from holdmem.engine import STREET_NAMES
from holdmem.learning.review_result import Difference, Review
from holdmem.plots.page import row, whole_page


def review_page(found: Review, path: Path) -> None:
    """Write the review page to `path`."""
    write_atomically(path, page(found))


def page(found: Review) -> str:
    """Return the complete review page."""
    title = f"{found.player} compared with {found.expert}"
    about = f"{found.hands:,} hands, {found.total:,} decisions with known cards."
    how = (
        "Ranked by the remembered outcomes of both actions, where few outcomes have less weight; without any,"
        " by the pot and how much more likely the expert's action is. The rank shows what to look at first,"
        " not how much money was lost."
    )
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(about)}</p>",
        agreement(found),
        f"<h2>Differences by rank</h2><p>{how}</p>",
        *(difference(rank, one) for rank, one in enumerate(found.differences, 1)),
    ]
    return whole_page(title, parts)


def agreement(found: Review) -> str:
    """Return a table of how often player and expert agree, by street."""
    rows = [row(["street", "decisions", "same as the expert", "expert's probability of your action"], "th")]
    for name in STREET_NAMES:
        count = max(found.decisions[name], 1)
        shares = [f"{found.agreed[name] / count:.1%}", f"{found.likelihood[name] / count:.1%}"]
        rows.append(row([name, f"{found.decisions[name]:,}", *shares]))
    return f"<table>{''.join(rows)}</table>"


def difference(rank: int, one: Difference) -> str:
    """Return one decision: the situation, the player's and the expert's action, and how certain that is."""
    basis = "Ranked by remembered results." if one.by_memory else "Ranked by the size of the pot."
    text = "".join(f"<p>{escape(line)}</p>" for line in (one.situation, one.compared, basis))
    return f"<h3>{rank}. {escape(one.where)}</h3>{text}"
