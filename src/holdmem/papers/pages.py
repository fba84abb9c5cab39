"""Findings as HTML: a self-contained page per publication, like its supplement, and an index."""

import base64
import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from holdmem.core.atomic import write_atomically
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Grid, Row
from holdmem.papers.pictured import plots
from holdmem.papers.status import statement
from holdmem.papers.storage import StoredFinding
from holdmem.papers.verdicts import INCONCLUSIVE, NOT_REPLICATED, REPLICATED, UNJUDGED
from holdmem.plots.page import row, whole_page

HEADER = ("what", "published", "ours (95%)", "verdict")
MORE_STYLE = """
body { max-width: 62rem; }
h2 { margin-top: 2.5rem; } section { border-top: 1px solid #8884; margin-top: 2rem; }
img, svg { max-width: 100%; height: auto; } img { background: white; border-radius: 4px; }
svg.forest { width: 30rem; display: block; margin: 1rem 0; }
figure { margin: 1rem 0; } figcaption { font-size: 85%; opacity: .8; }
.wide { overflow-x: auto; }
nav ol { padding-left: 1.4rem; } nav small { opacity: .8; }
table.rows { width: 100%; }
.rows th { text-align: left; }
.rows td { text-align: left; white-space: normal; vertical-align: top; overflow-wrap: anywhere; }
.rows td:nth-child(1) { width: 34%; } .rows td:nth-child(4) { width: 28%; }
.replicated { color: #187a18; } .refuted { color: #b3261e; } .open { opacity: .85; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .5rem .7rem; background: #8882; border-radius: 4px; }
pre code { overflow-wrap: normal; }
details li { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { .replicated { color: #6fd06f; } .refuted { color: #ff8a80; } }
@media (max-width: 40rem) {
  .rows tr:first-child { display: none; }
  .rows tr { display: block; border-bottom: 1px solid #8886; padding: .5rem 0; }
  .rows td { display: block; border: 0; padding: .1rem 0; }
  .rows td:nth-child(1), .rows td:nth-child(4) { width: auto; }
  .rows td::before { content: attr(data-label) ": "; opacity: .75; font-size: 85%; }
  .rows td:first-child { font-weight: 600; } .rows td:first-child::before { content: none; }
}
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
PLAYED_BEFORE = "Decks, if any, are of purpose play."
"""Of findings made before decks were stored."""
MOST_DECKS = 3
LEGEND = (
    "Blue dots: ours with 95% intervals. Diamonds: as published, with the published interval if there is one."
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
    table = f"<div class='wide'><table>{''.join(rows)}</table></div>"
    return whole_page(title, [f"<h1>{title}</h1><p>{about}</p>{table}"], MORE_STYLE)


def verdicts(kept: Sequence[StoredFinding]) -> Counter[str]:
    """Count the rows by verdict."""
    return Counter(one.verdict for finding in kept for one in finding.rows)


def paper_page(folder: Path, paper: Paper, kept: Sequence[StoredFinding]) -> str:
    """Return the page of one paper with all its stored findings."""
    experiments = {one.name: one for one in paper.experiments}
    parts = [
        f"<h1>{escape(paper.title)}</h1><p>{escape(paper.reference)}</p>",
        f"<h2>Abstract</h2><p>{_text(paper.abstract)}</p>" if paper.abstract else "",
        f"<p>{_results(kept)}</p>{_links(folder, paper)}",
        contents(kept),
        f"<h2>Method and deviations</h2>{_listed(paper.method)}<p>{MEANINGS}</p>",
        *(section(folder / paper.name, one, experiments[one.experiment]) for one in kept),
    ]
    return whole_page(paper.title, parts, MORE_STYLE)


def _results(kept: Sequence[StoredFinding]) -> str:
    """Say how many rows have which verdict."""
    counts = verdicts(kept)
    return f"Rows: {', '.join(f'{counts[verdict]} {verdict}' for verdict in COUNTED)}."


def _links(folder: Path, paper: Paper) -> str:
    """Link to the discussion of the findings where it lies beside the folder, as in the repository."""
    file = Path("docs") / "papers" / f"{paper.name}.md"
    if not (folder / ".." / file).is_file():
        return ""
    return f"<p><a href='../{file.as_posix()}'>What follows from these findings</a></p>"


def contents(kept: Sequence[StoredFinding]) -> str:
    """Return a list of the experiments with links, scales and counts of verdicts."""
    items = []
    for one in kept:
        counts = verdicts([one])
        found = [f"{counts[verdict]} {verdict}" for verdict in COUNTED[:3] if counts[verdict]]
        about = escape(", ".join([one.scale, *found]))
        link = f"<a href='#{anchor(one.experiment)}'>{escape(one.title)}</a>"
        items.append(f"<li>{link} <small>{about}</small></li>")
    return f"<nav><h2>Contents</h2><ol>{''.join(items)}</ol></nav>"


def anchor(name: str) -> str:
    """Return an experiment's name as an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def section(place: Path, kept: StoredFinding, experiment: Experiment) -> str:
    """Return the section of one experiment."""
    forests = "".join(plots(kept.rows))
    parts = [
        f"<section id='{anchor(kept.experiment)}'><h2>{escape(kept.title)}</h2>",
        f"<p>{escape(kept.remark)}</p>" if kept.remark else "",
        f"<figure>{forests}<figcaption>{LEGEND}</figcaption></figure>" if forests else "",
        rows_table(kept.rows) if kept.rows else "",
        *(grid_table(grid) for grid in kept.grids),
        *(picture(title, place / file) for title, file in kept.pictures),
        made(kept, experiment),
    ]
    return "".join(parts) + "</section>"


def made(kept: StoredFinding, experiment: Experiment) -> str:
    """Return how a finding was made, by which command, and what has changed since."""
    about = (
        f"Scale {kept.scale}, seed {kept.seed}, {kept.seconds:,.0f} s"
        f"{f' with {kept.workers} processes' if kept.workers else ''}, source {kept.source[:12]}."
    )
    command = f"holdmem reproduce {kept.paper} --only {kept.experiment} --scale {kept.scale}"
    command += f" --seed {kept.seed}" if kept.seed else ""
    parts = "".join(f"<li>{escape(name)}: {digest}</li>" for name, digest in kept.parts.items())
    used = "".join(f"<li>{name}: {escape(what)}</li>" for name, what in kept.used.items())
    dealt = " ".join(f"Decks: {escape(str(one))}." for one in kept.decks[:MOST_DECKS])
    more = len(kept.decks) - MOST_DECKS
    about += (
        f" {dealt}{f' And {more} more.' if more > 0 else ''}"
        if dealt
        else ""
        if kept.parts
        else f" {PLAYED_BEFORE}"
    )
    return (
        f"<p>{escape(statement(kept, experiment))} {about}</p><pre><code>{escape(command)}</code></pre>"
        + _folded(f"{len(kept.parts)} parts by digest", parts)
        + _folded(f"{len(kept.used)} results by hash", used)
    )


def _folded(title: str, items: str) -> str:
    return f"<details><summary>{title}</summary><ul>{items}</ul></details>" if items else ""


def rows_table(rows: Sequence[Row]) -> str:
    """Return rows as a table, whose rows become blocks on a narrow screen; shared opponents stand above."""
    shared = {one.against for one in rows}
    about = f"<p>Opponents: {escape(rows[0].against)}.</p>" if len(shared) == 1 and rows[0].against else ""
    body = "".join(_labelled(row_cells(one, not about)) for one in rows)
    return f"{about}<div class='wide'><table class='rows'>{row(list(HEADER), 'th')}{body}</table></div>"


def _labelled(cells: Sequence[str]) -> str:
    """Return a table row whose cells carry the heading of their column, for narrow screens."""
    named = zip(HEADER, cells, strict=True)
    return "<tr>" + "".join(f"<td data-label='{label}'>{cell}</td>" for label, cell in named) + "</tr>"


def row_cells(one: Row, with_opponents: bool = True) -> list[str]:
    """Return the cells of a row as HTML."""
    against = one.against if with_opponents else ""
    samples = f"{one.samples:,} samples" if one.samples else ""
    verdict = f"<span class='{CLASSES[one.verdict]}'>{escape(one.verdict)}</span>"
    return [
        escape(one.what) + _small(against, one.remark),
        escape(one.paper) + _small(_hands(one.published_hands)),
        escape(one.ours) + _small(_hands(one.hands), samples),
        verdict + _small(one.reason),
    ]


def _hands(count: int) -> str:
    return f"{count:,} hands" if count else ""


def _small(*texts: str) -> str:
    said = "; ".join(filter(None, texts))
    return f"<small>{escape(said)}</small>" if said else ""


def _text(text: str) -> str:
    """Escape a text, with `code` in backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _listed(items: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{_text(item)}</li>' for item in items)}</ul>" if items else ""


def grid_table(grid: Grid) -> str:
    """Return a grid as an HTML table."""
    body = "".join(row([escape(cell) for cell in cells]) for cells in grid.rows)
    head = row([escape(cell) for cell in grid.header], "th")
    return f"<h3>{escape(grid.title)}</h3><div class='wide'><table>{head}{body}</table></div>"


def picture(title: str, path: Path) -> str:
    """Return a picture embedded in the page."""
    data = base64.b64encode(path.read_bytes()).decode()
    return f"<figure><img alt='{escape(title, quote=True)}' src='data:image/png;base64,{data}'></figure>"
