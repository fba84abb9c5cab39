"""Findings as HTML: one self-contained page per publication, and an index."""

import base64
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from holdmem.core.atomic import write_atomically
from holdmem.papers.catalogue import Paper
from holdmem.papers.findings import Grid, Row
from holdmem.papers.storage import StoredFinding
from holdmem.papers.verdicts import INCONCLUSIVE, NOT_REPLICATED, REPLICATED, UNJUDGED
from holdmem.plots.page import row, whole_page

HEADER = ["what", "paper", "their hands", "ours (95%)", "our hands", "verdict", "why", "against", "remark"]
MORE_STYLE = """
body { max-width: 90rem; }
img { max-width: 100%; background: white; }
.wide { overflow-x: auto; }
.rows th { text-align: left; }
.rows td { text-align: left; white-space: normal; vertical-align: top; }
.rows td:nth-child(1) { min-width: 12rem; }
.rows td:nth-child(3), .rows td:nth-child(5) { text-align: right; white-space: nowrap; }
.rows td:nth-child(n+7) { min-width: 12rem; font-size: 85%; opacity: .85; }
.replicated { color: #2a2; } .refuted { color: #c33; } .open { opacity: .75; }
"""
COUNTED = (REPLICATED, NOT_REPLICATED, INCONCLUSIVE, UNJUDGED)
CLASSES = {REPLICATED: "replicated", NOT_REPLICATED: "refuted", INCONCLUSIVE: "open", UNJUDGED: "open"}
MEANINGS = (
    "Verdicts weigh both uncertainties, the published one and ours. Where sizes can be compared, a figure is"
    " replicated if it is the published one within a stated margin, and not replicated if it differs for"
    " certain; where opponents differ too much, the question is who wins. Inconclusive is what neither can be"
    " said of, such as a match of signs with a figure that is itself zero within its error. Each table is"
    " corrected for its number of rows (Holm 1979): at most 5% of tables have a false verdict of either kind."
    " Rows without a published figure, or with parameters chosen in view of it, and runs that are too small"
    " have no verdict."
)


def write_pages(folder: Path, papers: Sequence[tuple[Paper, Sequence[StoredFinding]]]) -> Path:
    """Write a page per paper and an index, and return the path of the index."""
    for paper, kept in papers:
        write_atomically(folder / f"{paper.name}.html", paper_page(folder, paper, kept))
    index = folder / "index.html"
    write_atomically(index, index_page(papers))
    return index


def index_page(papers: Sequence[tuple[Paper, Sequence[StoredFinding]]]) -> str:
    """Return the index of all papers with the number of verdicts of each kind."""
    rows = [row(["publication", "tables and figures", *COUNTED, "scale", "date"], "th")]
    for paper, kept in papers:
        counts = verdicts(kept)
        link = f"<a href='{paper.name}.html'>{escape(paper.title)}</a>"
        numbers = [str(len(kept)), *(str(counts[verdict]) for verdict in COUNTED)]
        scales = ", ".join(sorted({one.scale for one in kept}))
        rows.append(row([link, *numbers, scales, max((one.date for one in kept), default="–")]))
    about = (
        "Published figures next to ours. The opponents are HoldMem's and stand in for the originals, which"
        f" are not available; each row says for whom. {MEANINGS}"
    )
    title = "What the publications report, and what we found"
    return whole_page(title, [f"<h1>{title}</h1><p>{about}</p><table>{''.join(rows)}</table>"])


def verdicts(kept: Sequence[StoredFinding]) -> Counter[str]:
    """Count the rows by verdict."""
    return Counter(one.verdict for finding in kept for one in finding.rows)


def paper_page(folder: Path, paper: Paper, kept: Sequence[StoredFinding]) -> str:
    """Return the page of one paper with all its stored findings."""
    counts = verdicts(kept)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in COUNTED)
    parts = [
        f"<h1>{escape(paper.title)}</h1><p>{escape(paper.reference)} Rows: {said}.</p><p>{MEANINGS}</p>",
        *(section(folder / paper.name, one) for one in kept),
    ]
    return whole_page(paper.title, parts, MORE_STYLE)


def section(place: Path, kept: StoredFinding) -> str:
    """Return the section of one experiment."""
    parts = [f"<h2>{escape(kept.title)}</h2>"]
    if kept.remark:
        parts.append(f"<p>{escape(kept.remark)}</p>")
    if kept.rows:
        rows = "".join(row(row_cells(one)) for one in kept.rows)
        parts.append(f"<div class='wide'><table class='rows'>{row(HEADER, 'th')}{rows}</table></div>")
    parts += [grid_table(grid) for grid in kept.grids]
    parts += [picture(title, place / file) for title, file in kept.pictures]
    about = (
        f"Scale {kept.scale}, seed {kept.seed}, {kept.date}, {kept.seconds:,.0f} s, source {kept.source[:12]}"
    )
    used = "".join(f"<li>{name}: {escape(what)}</li>" for name, what in kept.used.items())
    hashes = f"<details><summary>{len(kept.used)} results by hash</summary><ul>{used}</ul></details>"
    parts.append(f"<p><small>{escape(about)}</small></p>{hashes if used else ''}")
    return "".join(parts)


def row_cells(one: Row) -> list[str]:
    """Return the cells of a row as HTML."""
    theirs, hands = (f"{number:,}" if number else "–" for number in (one.published_hands, one.hands))
    samples = f" <small>({one.samples:,} samples)</small>" if one.samples else ""
    verdict = f"<span class='{CLASSES[one.verdict]}'>{escape(one.verdict)}</span>"
    figures = [escape(one.what), escape(one.paper), theirs, escape(one.ours) + samples, hands]
    return [*figures, verdict, *map(escape, (one.reason, one.against, one.remark))]


def grid_table(grid: Grid) -> str:
    """Return a grid as an HTML table."""
    body = "".join(row([escape(cell) for cell in cells]) for cells in grid.rows)
    head = row([escape(cell) for cell in grid.header], "th")
    return f"<h3>{escape(grid.title)}</h3><div class='wide'><table>{head}{body}</table></div>"


def picture(title: str, path: Path) -> str:
    """Return a picture embedded in the page."""
    data = base64.b64encode(path.read_bytes()).decode()
    return f"<figure><img alt='{escape(title, quote=True)}' src='data:image/png;base64,{data}'></figure>"
