"""The results ledger as an HTML page; a script sorts its tables."""

from html import escape
from pathlib import Path

from holdmem.arena import Estimate, Ledger, default_ledger
from holdmem.core.errors import HoldMemError
from holdmem.plots.page import cell_html, match_table, row


def results_page(path: Path | None, design: str | None = None) -> str:
    """Return the page that lists all results, or shows the one with the hash `design`."""
    place = path or default_ledger()
    try:
        body = _empty(place) if not place.is_file() else _body(Ledger(place), design)
    except HoldMemError as error:
        body = f"<p role='alert'>{escape(str(error))}</p>"
    return _whole(body)


def _empty(place: Path) -> str:
    return (
        f"<p>Nothing has been played yet. <code>holdmem match simplebot always-call</code> plays a match"
        f" and keeps its result in {escape(str(place))}.</p>"
    )


def _body(ledger: Ledger, design: str | None) -> str:
    if design:
        plan = ledger.find(design)
        result = ledger.result(plan)
        what = match_table(result) if result else "<p>It is not finished yet.</p>"
        hands = f"<p><a href='/replay?match={plan.hash}&amp;number=1'>Replay its first hands</a></p>"
        return (
            f"<p><a href='/results'>All results</a></p><h2>{escape(', '.join(plan.design.agents))}</h2>"
            f"{_wide(what)}{hands}"
        )
    tables = "".join(_crosstable(game, cells) for game, cells in _pairs(ledger).items())
    rows = [row(["started", "game", "agents", "hands", "first agent won"], "th")]
    for plan, started in reversed(ledger.plans()):
        result = ledger.result(plan)
        won = f"{cell_html(result.estimates()[0])} {result.estimates()[0].unit}" if result else "unfinished"
        link = f"<a href='/results?design={plan.hash}'>{escape(', '.join(plan.design.agents))}</a>"
        hands = f"{plan.design.hands:,}" + (f" × {plan.design.matches:,}" if plan.design.matches > 1 else "")
        rows.append(row([started[:16].replace("T", " "), escape(plan.design.game.name), link, hands, won]))
    return f"{tables}<h2>Matches</h2>{_wide(_table(rows), 'Matches')}"


def _table(rows: list[str]) -> str:
    return f"<table class='sortable'><thead>{rows[0]}</thead><tbody>{''.join(rows[1:])}</tbody></table>"


def _wide(table: str, name: str = "Results") -> str:
    """Return a region in which a wide table can be scrolled, also by keyboard."""
    return f"<div class='wide' role='region' tabindex='0' aria-label='{escape(name)}'>{table}</div>"


Cells = dict[tuple[str, str], Estimate]


def _pairs(ledger: Ledger) -> dict[str, Cells]:
    """Return the latest finished heads-up match of each pair by game, as the estimates of both agents."""
    found: dict[str, Cells] = {}
    for plan, _ in ledger.plans():
        result = ledger.result(plan) if len(set(plan.design.agents)) == 2 else None
        if result is not None:
            one, other = plan.design.agents
            cells = found.setdefault(plan.design.game.name, {})
            cells[one, other], cells[other, one] = result.estimates()[:2]
    return found


def _crosstable(game: str, cells: Cells) -> str:
    """Return the cross table of a game as HTML; empty for a single pair."""
    names = sorted({name for pair in cells for name in pair})
    if len(names) < 3:
        return ""
    rows = [row(["", *map(escape, names)], "th")]
    for name in names:
        rows.append(row([escape(name), *(cell_html(cells.get((name, other))) for other in names)]))
    unit = next(iter(cells.values())).unit
    said = f"<h2>{escape(game)}</h2><p>Won by the agent on the left, in {unit} with 95% intervals.</p>"
    return f"{said}{_wide(_table(rows), game)}"


def _whole(body: str) -> str:
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>HoldMem results</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<meta name='color-scheme' content='light dark'><link rel='icon' href='/page/icon.svg'>"
        "<link rel='stylesheet' href='/page/style.css'>"
        "<script type='module' src='/page/results.js'></script></head>"
        "<body class='plain'><header><h1>HoldMem</h1>"
        "<nav aria-label='Pages'><a href='/'>Play</a> <a href='/watch'>Watch</a> <a href='/replay'>Replay</a>"
        " <a href='/results' aria-current='page'>Results</a></nav></header>"
        f"<main>{body}</main></body></html>\n"
    )
