"""Review of a player's hands by value, as one HTML file without scripts or network access."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from holdmem.agent import describe_situation
from holdmem.cards.notation import name as card_name
from holdmem.core.atomic import write_atomically
from holdmem.core.statistics import Estimate
from holdmem.ev.review import Leak, LeakReport
from holdmem.ev.review.examples import example_of
from holdmem.ev.review.situations import TABLES
from holdmem.history.describe import describe_hand
from holdmem.plots.page import row, whole_page

STYLE = """
.card { border: 1px solid #8888; border-radius: .25rem; padding: 0 .3rem; margin-right: .2rem; }
.card.red { color: #d33; }
.bar { fill: #69c; } .loss { fill: #d66; } .whisker { stroke: currentColor; stroke-width: 1.5; }
.axis { stroke: currentColor; opacity: .4; }
svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
pre { overflow-x: auto; } td:first-child { white-space: normal; }
"""
WIDTH, LABEL, LINE = 900, 430, 26
"""Width of a plot, of the labels in it, and height of one bar."""


def hand_review_page(found: LeakReport, path: Path) -> None:
    """Write the page of a review to `path`."""
    write_atomically(path, page(found))


def page(found: LeakReport) -> str:
    """Return the complete page."""
    title = f"Review of {found.player}"
    leaks = [leak_part(found, one) for one in found.leaks]
    none = f"<p>None among {found.tests.tested} situation classes.</p>"
    parts = [
        f"<h1>{escape(title)}</h1>{head(found)}",
        "<h2>Leaks</h2><p>Situations whose cost is more than chance, with a false-discovery rate of 5%.</p>",
        bars([(one.name, one.cost) for one in found.leaks]) if leaks else none,
        *leaks,
        group("Better than the reference", found.tests.strengths),
        group("Differences of style, without a clear cost", found.tests.style),
        group("Open: too few hands to say", found.tests.open, found),
        *(division(found, name) for name in TABLES),
        "<h2>The dearest decisions</h2>",
        *(decision_part(found, place) for place in found.dearest(20)),
    ]
    return whole_page(title, parts, STYLE)


def interval(found: Estimate | None) -> str:
    """Return a rate with its interval."""
    if found is None or found.low is None or found.high is None:
        return "not known"
    return f"{found.mean:+.2f} {found.unit}<small>{found.low:+.2f} to {found.high:+.2f}</small>"


def head(found: LeakReport) -> str:
    """Return the overall results."""
    rows = [
        row(["win rate", interval(found.statistics.bb_per_100())]),
        row(["win rate, adjusted for all-ins", interval(found.statistics.all_in_adjusted())]),
        row(["loss against the best action of each decision", interval(found.loss)]),
        row([f"cost against {escape(found.reference)}", interval(found.cost)]),
        row(["decisions within the precision asked for", f"{found.precise:.0%}"]),
        *(row([f"decisions: {escape(name)}", f"{count:,}"]) for name, count in found.states.items()),
        *(row([f"dearest ones: {name}", f"{count:,}"]) for name, count in found.dearest_states.items()),
    ]
    about = f"{len(found.hands):,} hands, {found.decisions:,} decisions with known cards."
    return f"<p>{about} {escape(found.assumptions)}</p><table>{''.join(rows)}</table>"


def bars(costs: Sequence[tuple[str, Estimate]]) -> str:
    """Return a plot of costs with their intervals."""
    ends = [edge for _, one in costs for edge in (one.low or 0.0, one.high or 0.0, 0.0)]
    low, high = min(ends), max(ends)
    scale = (WIDTH - LABEL - 20) / max(high - low, 1e-9)

    def x(value: float) -> float:
        return LABEL + 10 + (value - low) * scale

    parts = [f"<line class='axis' x1='{x(0):.1f}' x2='{x(0):.1f}' y1='0' y2='{LINE * len(costs)}'/>"]
    for place, (name, one) in enumerate(costs):
        y = LINE * place
        left, right = sorted((x(0), x(one.mean)))
        kind = "loss" if one.mean > 0 else "bar"
        parts.append(f"<text x='0' y='{y + 17}'>{escape(name)}</text>")
        parts.append(
            f"<rect class='{kind}' x='{left:.1f}' y='{y + 5}' width='{right - left:.1f}'"
            f" height='{LINE - 10}'/>"
            f"<line class='whisker' x1='{x(one.low or 0.0):.1f}' x2='{x(one.high or 0.0):.1f}'"
            f" y1='{y + LINE / 2}' y2='{y + LINE / 2}'/>"
        )
    size = f"viewBox='0 0 {WIDTH} {LINE * len(costs)}' width='100%'"
    return f"<svg {size} role='img' aria-label='cost in bb per 100 hands'>{''.join(parts)}</svg>"


def leak_part(found: LeakReport, one: Leak) -> str:
    """Return one leak with typical decisions."""
    text = (
        f"<p>{escape(one.habit)}: {one.often:.0%} of {one.decisions:,} decisions, the reference"
        f" {one.reference:.0%}. Costs {interval(one.cost)}</p>"
    )
    examples = "".join(decision_part(found, place) for place in one.examples)
    return f"<h3>{escape(one.name)}</h3>{text}{examples}"


def group(title: str, leaks: Sequence[Leak], found: LeakReport | None = None) -> str:
    """Return situation classes as a table; with `found`, the hands that it would take to be sure."""
    if not leaks:
        return ""
    more = ["hands it would take"] if found else []
    rows = [row(["situation", "habit", "share", "reference", "cost", "decisions", *more], "th")]
    for one in leaks:
        needed = [f"{found.hands_needed(one) or 0:,}"] if found else []
        shares = [f"{one.often:.0%}", f"{one.reference:.0%}"]
        cells = [escape(one.name), escape(one.habit), *shares, interval(one.cost), f"{one.decisions:,}"]
        rows.append(row([*cells, *needed]))
    return f"<h2>{escape(title)}</h2><table>{''.join(rows)}</table>"


def division(found: LeakReport, name: str) -> str:
    """Return the loss and cost by the classes of a table, with a plot of the cost."""
    lines = found.by(name)
    rows = [row([name, "decisions", "loss against the best", "cost against the reference"], "th")]
    for label, decisions, loss, cost in lines:
        rows.append(row([escape(label), f"{decisions:,}", interval(loss), interval(cost)]))
    plot = bars([(label, cost) for label, _, _, cost in lines])
    return f"<h2>By {escape(name)}</h2>{plot}<table>{''.join(rows)}</table>"


def cards(numbers: Sequence[int]) -> str:
    """Return cards as HTML, red suits in red."""
    found = []
    for number in numbers:
        text = card_name(number)
        symbol = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[text[1]]
        red = " red" if text[1] in "dh" else ""
        found.append(f"<span class='card{red}'>{text[0]}{symbol}</span>")
    return "".join(found)


def decision_part(found: LeakReport, place: int) -> str:
    """Return one decision: cards, situation, what was done, what was best, and the whole hand."""
    one = example_of(found, place)
    hand = found.hands[int(found.columns["hand"][place])]
    cost = f"{one.loss:.2f} ± {one.reach:.2f} bb{one.money}"
    told = escape("\n".join(describe_hand(hand)))
    board = f" on {cards(one.view.board)}" if one.view.board else ""
    return (
        f"<h4>Hand {one.number}</h4><p>{cards(one.view.hole)}{board}</p>"
        f"<p>{escape(describe_situation(one.view))}</p>"
        f"<p>Did: {escape(one.did)}. Best: {escape(one.best)}. Lost {escape(cost)}.</p>"
        f"<details><summary>the whole hand</summary><pre>{told}</pre></details>"
    )
