"""The results ledger as an HTML page; a script sorts its tables."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from holdmem.agent.describe import numbered
from holdmem.agent.words.english import joined
from holdmem.arena import Estimate, Ledger, default_ledger
from holdmem.arena.units import MatchPlan
from holdmem.core.errors import HoldMemError
from holdmem.plots.page import cell_html, match_table, row
from holdmem.web.graphs import course, intervals
from holdmem.web.serialize import game_words


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
    return _one_match(ledger, ledger.find(design)) if design else _all_matches(ledger)


def _one_match(ledger: Ledger, plan: MatchPlan) -> str:
    """Return a match with its graphs, the playing styles and a link to its hands."""
    result, names = ledger.result(plan), escape(_who(plan.design.agents))
    back, about = "<p><a href='/results'>All results</a></p>", escape(game_words(plan.design.game))
    head = f"{back}<h2>{names}</h2><p>{about}</p>"
    hands = f"<p><a href='/replay?match={plan.hash}&amp;number=1'>Replay its first hands</a></p>"
    if result is None:
        return f"{head}<p>It is not finished yet.</p>{hands}"
    rows = list(zip(numbered(plan.design.agents), result.estimates(), strict=True))
    graph = f"<figure>{intervals(rows)}<figcaption>Won per hand, with 95% intervals</figcaption></figure>"
    drawn = course(result)
    first = escape(plan.design.agents[0])
    if drawn:
        caption = f"What {first} won per hand as hands were added, with its 95% interval"
        graph += f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"
    return f"{head}{_wide(graph, 'Graphs')}{_wide(match_table(result))}{hands}"


def _all_matches(ledger: Ledger) -> str:
    tables = "".join(_crosstable(game, cells) for game, cells in _pairs(ledger).items())
    rows = [row(["agents", "first agent won", "hands played", "game", "started", "hands to see"], "th")]
    for plan, started in reversed(ledger.plans()):
        result = ledger.result(plan)
        first = result.estimates()[0] if result else None
        won = cell_html(first, first.unit) if first else "unfinished"
        link = f"<a href='/results?design={plan.hash}'>{escape(', '.join(plan.design.agents))}</a>"
        hands = f"{result.hands:,}" if result else ""
        replay = f"<a href='/replay?match={plan.hash}&amp;number=1'>Replay</a>"
        words, when = escape(game_words(plan.design.game)), started[:16].replace("T", " ")
        rows.append(row([link, won, hands, words, when, replay]))
    return f"{tables}<h2>Matches</h2>{_wide(_table(rows), 'Matches')}"


def _who(agents: Sequence[str]) -> str:
    """Return who plays: "eqm against simplebot", or all of several."""
    return " against ".join(agents) if len(agents) == 2 else joined(agents)


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
            cells = found.setdefault(game_words(plan.design.game), {})
            cells[one, other], cells[other, one] = result.estimates()[:2]
    return found


def _crosstable(game: str, cells: Cells) -> str:
    """Return the cross table of a game as HTML; empty for a single pair."""
    names = sorted({name for pair in cells for name in pair})
    if len(names) < 3:
        return ""
    rows = [row(["agent", *map(escape, names)], "th")]
    for name in names:
        rows.append(row([escape(name), *(cell_html(cells.get((name, other))) for other in names)]))
    unit = next(iter(cells.values())).unit
    title = escape(game[:1].upper() + game[1:])
    said = f"<h2>{title}</h2><p>Won by the agent on the left, in {unit} with 95% intervals.</p>"
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
        " <a href='/hands'>Hands</a> <a href='/train'>Train</a>"
        " <a href='/results' aria-current='page'>Results</a></nav></header>"
        f"<main>{body}</main></body></html>\n"
    )
