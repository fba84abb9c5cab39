"""Tournament report as one self-contained HTML file, without scripts or network access."""

from collections.abc import Sequence
from html import escape
from math import floor, log10
from pathlib import Path

from holdmem.arena import Estimate, MatchResult, Tournament
from holdmem.arena.ranking import Standing
from holdmem.arena.style import Style
from holdmem.core.atomic import write_atomically

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .35rem .7rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td small { opacity: .75; display: block; }
.failed { color: #c33; }
.wide { overflow-x: auto; }
.wide svg { min-width: 50rem; }
"""


def html_report(found: Tournament, path: Path) -> None:
    """Write the tournament report to `path`."""
    write_atomically(path, page(found))


def whole_page(title: str, parts: Sequence[str], style: str = "") -> str:
    """Return a complete HTML page from body parts that are already HTML."""
    head = f"<meta charset='utf-8'><title>{escape(title)}</title><style>{STYLE}{style}</style>"
    view = "<meta name='viewport' content='width=device-width, initial-scale=1'>"
    body = f"<body><main>{''.join(parts)}</main></body>"
    return f"<!doctype html><html lang='en'><head>{head}{view}</head>{body}</html>\n"


def wide(content: str, label: str) -> str:
    """Return a plot or table in a region of its own, which scrolls on a screen that is narrower."""
    return f"<div class='wide' role='region' tabindex='0' aria-label='{escape(label)}'>{content}</div>"


def page(found: Tournament) -> str:
    """Return the complete tournament page."""
    title = f"Tournament, {found.game.name}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{len(found.agents)} agents, {len(found.results)} matches. Won by the agent on the left, in "
        f"{found.unit} with 95% intervals.</p>",
        crosstable(found) if found.game.seats == 2 else "",
        rankings(found),
        "<h2>Matches</h2>",
        *(match_table(result) for result in found.results.values()),
        *(failure(found, table, reason) for table, reason in found.failures.items()),
    ]
    return whole_page(title, parts)


def row(cells: list[str], kind: str = "td") -> str:
    """Return a table row from cells that are already HTML."""
    return "<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in cells) + "</tr>"


def crosstable(found: Tournament) -> str:
    """Return the cross table of all agents against one another."""
    everybody = range(len(found.agents))
    rows = [row(["", *(escape(name) for name in found.agents), "mean"], "th")]
    for one in everybody:
        cells = [cell_html(found.cell(one, other)) for other in everybody]
        rows.append(row([escape(found.agents[one]), *cells, cell_html(found.overall(one))]))
    return f"<h2>Cross table</h2><table>{''.join(rows)}</table>"


def cell_html(cell: Estimate | None, unit: str = "") -> str:
    """Return the mean, with its unit if given, above its interval."""
    if cell is None:
        return ""
    mean = f"{with_sign(cell.mean, digits_of(cell))} {unit}".rstrip()
    if cell.low is None or cell.high is None:
        return f"{mean}<small>no interval</small>"
    low, high = (with_sign(end, digits_of(cell)) for end in (cell.low, cell.high))
    return f"{mean}<small>{low} to {high}</small>"


def digits_of(found: Estimate) -> int:
    """Return the decimals that an estimate is worth: two digits of its interval, at most four."""
    if found.low is None or found.high is None or found.high == found.low:
        return 4
    return min(max(1 - floor(log10((found.high - found.low) / 2)), 1), 4)


def with_sign(value: float, digits: int = 4) -> str:
    """Return a rate with its sign, as printed: a minus sign, not a hyphen, and none for zero."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else "0"


def rankings(found: Tournament) -> str:
    """Return the bankroll and run-off rankings, best first, with the agents that cannot be separated."""
    bankroll = ranking(found.bankroll_places(), found.agents)
    runoff = ranking(found.runoff_places(), found.agents)
    how = "The lowest mean is removed repeatedly; each agent has its mean among those left at that point."
    level = "Agents whose 95% intervals overlap are not distinguished."
    return f"<h2>Bankroll</h2><p>{level}</p>{bankroll}<h2>Run-off</h2><p>{how}</p>{runoff}"


def ranking(places: Sequence[Standing], names: Sequence[str]) -> str:
    """Return one ranking as a table."""
    rows = [row(["place", "agent", "mean", "not distinguished from"], "th")]
    for number, place in enumerate(places, 1):
        level = ", ".join(names[other] for other in place.level_with) or "–"
        mean = cell_html(place.mean) or "–"
        rows.append(row([str(number), escape(names[place.agent]), mean, escape(level)]))
    return f"<table>{''.join(rows)}</table>"


def match_table(result: MatchResult) -> str:
    """Return one match as a table, with the playing style of each agent."""
    rows = [
        row(
            ["agent", result.estimates()[0].unit, "VPIP", "PFR", "aggression", "to showdown", "won there"],
            "th",
        )
    ]
    for name, found, style in zip(result.design.agents, result.estimates(), result.styles(), strict=True):
        rows.append(row([escape(name), cell_html(found), *_style_cells(style)]))
    about = f"{result.hands:,} hands, seed {result.design.seed}, result {result.hash}"
    return f"<table>{''.join(rows)}</table><p><small>{escape(about)}</small></p>"


def _style_cells(style: Style) -> list[str]:
    """Return the statistics of a player: shares in per cent, aggression as a ratio."""
    shares = [style.vpip, style.pfr, style.went_to_showdown, style.won_at_showdown]
    texts = ["–" if share is None else f"{share:.1%}" for share in shares]
    ratio = "–" if style.aggression is None else f"{style.aggression:.2f}"
    return [*texts[:2], ratio, *texts[2:]]


def failure(found: Tournament, table: tuple[int, ...], reason: str) -> str:
    """Return a paragraph on a match that could not be played, with the reason."""
    names = " against ".join(found.agents[agent] for agent in table)
    return f"<p class='failed'>{escape(names)}: {escape(reason)}</p>"
