"""Competitions as rows and grids: places by bankroll and by run-off."""

from collections.abc import Mapping

from holdmem.arena import Tournament
from holdmem.papers.findings import Grid, Row, shown
from holdmem.plots.crosstable import label


def ranked(found: Tournament, published: Mapping[str, tuple[str, str]] | None = None) -> tuple[Row, ...]:
    """Return each agent's bankroll place and mean, and its run-off place.

    `published` maps agents to their published bankroll and run-off places.
    """
    runoff, rows = found.runoff(), []
    field = f"{len(found.agents)} agents of HoldMem"
    for place, (agent, _) in enumerate(found.bankroll(), 1):
        name, mean = found.agents[agent], found.overall(agent)
        said = (published or {}).get(name)
        ours = f"{ordinal(place)}, {shown(mean, unit=True) if mean else 'no match'}"
        rows.append(
            Row(
                name, f"bankroll {said[0]}; run-off {said[1]}" if said else "–", ours, _hands(found, agent),
                field, remark=f"run-off: {ordinal(runoff.index(agent) + 1)} of {len(found.agents)}",
            )
        )  # fmt: skip
    return tuple(rows)


def _hands(found: Tournament, agent: int) -> int:
    return sum(result.hands for table, result in found.results.items() if agent in table)


def crossing(found: Tournament) -> Grid:
    """Return the cross table of a heads-up game, otherwise the number of tables each agent played at."""
    everybody = range(len(found.agents))
    if found.game.seats == 2:
        cells = [[found.cell(one, other) for other in everybody] for one in everybody]
        rows = tuple(
            (
                found.agents[one],
                *("–" if cell is None else label(cell).replace("\n", " ") for cell in cells[one]),
            )
            for one in everybody
        )
        return Grid(f"Won by the player on the left, {found.unit}", ("", *found.agents), rows)
    tables = [sum(agent in table for table in found.results) for agent in everybody]
    counts = tuple((name, str(count)) for name, count in zip(found.agents, tables, strict=True))
    return Grid("Tables played", ("player", "tables"), counts)


def ordinal(place: int) -> str:
    """Return 1st, 2nd, 3rd, 4th …"""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th') }"
