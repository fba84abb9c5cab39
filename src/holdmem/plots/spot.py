"""A solved spot as one HTML file without scripts or network access: each decision as a grid of strategies."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from holdmem.api.spot_solution import SpotAction, SpotDecision, SpotSolution
from holdmem.cards.classes import CLASSES
from holdmem.core.atomic import write_atomically
from holdmem.engine import CALL, FOLD
from holdmem.plots.page import row, whole_page

MOST_DECISIONS = 40
"""Decisions shown, those with the least betting first."""
PLAYERS = ("First to act", "Second to act")
FOLDING, CALLING = "#8fa9c9", "#8fc79b"
RAISING = ("#f0c078", "#e89a70", "#dd7b74", "#c9688f", "#a76fb5", "#8a6fc0")
STYLE = """
.scroll { overflow-x: auto; }
.grid { border-collapse: separate; border-spacing: 1px; table-layout: fixed; width: 100%; min-width: 21rem;
  max-width: 46rem; margin: .5rem 0; }
.grid th, .grid td { padding: 0; border: 0; text-align: center; height: 1.9rem;
  font-size: clamp(.56rem, 1.8vw, .72rem); }
.grid th:first-child, .grid td:first-child { text-align: center; }
.grid td { color: #14201b; border-radius: 2px; }
.grid td.none { color: inherit; opacity: .35; background: #8882; }
.key { display: inline-block; width: .9em; height: .9em; margin-right: .4em; vertical-align: -.1em; }
summary { cursor: pointer; font-weight: 600; margin: .6rem 0; }
"""


def spot_page(found: SpotSolution, path: Path) -> None:
    """Write the page of a solved spot to `path`."""
    write_atomically(path, page(found))


def page(found: SpotSolution) -> str:
    """Return the complete page."""
    title = f"Solved spot on {found.board}"
    behind = "limit" if found.subgame.fixed else f"{found.subgame.stack:,} chips behind"
    about = (
        f"Pot {found.subgame.pot:,g}, {behind}. A best response wins {found.exploitability:.3%} of the pot"
        f" within the spot, the mean of both players, after {found.iterations:,} iterations."
    )
    shown = list(decisions(found))
    parts = [f"<h1>{escape(title)}</h1><p>{about}</p>", players(found)]
    parts += [part(decision, place == 0) for place, decision in enumerate(shown)]
    if len(shown) == MOST_DECISIONS:
        parts.append(f"<p>The first {MOST_DECISIONS} decisions are shown.</p>")
    return whole_page(title, parts, STYLE)


def players(found: SpotSolution) -> str:
    """Return what both players hold and win."""
    rows = [row(["", "combinations", "equity", "wins of the pot"], "th")]
    for name, one, equity, value in zip(PLAYERS, found.ranges, found.equities, found.values, strict=True):
        rows.append(row([name, f"{one.combinations:g}", f"{equity:.1%}", f"{value:,.2f}"]))
    return f"<div class='scroll'><table>{''.join(rows)}</table></div>"


def decisions(found: SpotSolution) -> Iterator[SpotDecision]:
    """Yield the decisions of the spot's first street that a range reaches, those with least betting first."""
    tree, shown = found.solver.trees[0], 0
    for node in range(len(tree)):
        if tree.turn[node] < 2 and shown < MOST_DECISIONS:
            decision = found.decision("".join(letter(code) for code in tree.path(node)))
            if decision.range.any():
                shown += 1
                yield decision


def letter(code: int) -> str:
    """Return an action as `decision` reads it."""
    return "f" if code == FOLD else "c" if code == CALL else f"r{code}"


def part(decision: SpotDecision, opened: bool) -> str:
    """Return one decision: how often the range takes each action, and the grid."""
    after = f" after {decision.betting}" if decision.betting else ""
    colours = colours_of(decision)
    rows = [row(["action", "frequency"], "th")]
    for action, colour in zip(decision.actions, colours, strict=True):
        key = f"<span class='key' style='background:{colour}'></span>"
        rows.append(row([key + escape(action.words), f"{action.frequency:.1%}"]))
    title = f"<summary>{PLAYERS[decision.seat]}{escape(after)}</summary>"
    body = f"<table>{''.join(rows)}</table>{grid(decision, colours)}"
    return f"<details{' open' if opened else ''}>{title}{body}</details>"


def colours_of(decision: SpotDecision) -> list[str]:
    """Return a colour for each action; raises get warmer with their size."""
    raises = [action.code for action in decision.actions if action.code > 0]
    return [_colour(action, raises) for action in decision.actions]


def _colour(action: SpotAction, raises: list[int]) -> str:
    if action.code <= 0:
        return FOLDING if action.code == FOLD else CALLING
    return RAISING[min(raises.index(action.code), len(RAISING) - 1)]


def grid(decision: SpotDecision, colours: list[str]) -> str:
    """Return the 169 classes, each filled with its actions in proportion to their frequencies."""
    known = decision.classes
    cells = [cell(name, known.get(name), colours) for name in CLASSES]
    lines = ["<tr>" + "".join(cells[13 * line : 13 * line + 13]) + "</tr>" for line in range(13)]
    label = "strategy by class; suited above the diagonal"
    return f"<div class='scroll'><table class='grid' aria-label='{label}'>{''.join(lines)}</table></div>"


def cell(name: str, shares: dict[str, float] | None, colours: list[str]) -> str:
    """Return the cell of one class; its title has the frequencies."""
    if shares is None:
        return f"<td class='none'>{name}</td>"
    stops, start = [], 0.0
    for share, colour in zip(shares.values(), colours, strict=True):
        stops.append(f"{colour} {100 * start:.1f}% {100 * (start + share):.1f}%")
        start += share
    listed = ", ".join(f"{escape(words)} {share:.0%}" for words, share in shares.items())
    return (
        f"<td style='background:linear-gradient(90deg,{','.join(stops)})' "
        f"title='{name}: {listed}'>{name}</td>"
    )
