"""Review of a player's hands by value, as one HTML file without scripts or network access."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from holdmem.agent import View, describe_situation
from holdmem.agent.words import action_words
from holdmem.core.atomic import write_atomically
from holdmem.core.statistics import NORMAL, Estimate
from holdmem.ev.candidates import NONE
from holdmem.ev.review import Leak, LeakReport
from holdmem.ev.review.examples import example_of
from holdmem.ev.review.reference_hands import ReferenceHand
from holdmem.ev.review.report import LISTED
from holdmem.ev.review.situations import TABLES
from holdmem.plots.hand_steps import cards, replayable
from holdmem.plots.page import row, whole_page, wide
from holdmem.plots.player_overview import overview

STYLE = """
.card { border: 1px solid #8888; border-radius: .25rem; padding: 0 .3rem; margin-right: .2rem; }
.card.red { color: #d33; }
.bar { fill: #69c; } .loss { fill: #d66; } .whisker { stroke: currentColor; stroke-width: 1.5; }
.axis { stroke: currentColor; opacity: .4; }
svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
td:first-child { white-space: normal; } .wide td:first-child { min-width: 9rem; }
.steps { border-left: 3px solid #8884; padding-left: .8rem; margin: .4rem 0; }
.step ul, .step p { margin: .2rem 0; } .step ul { padding-left: 1.2rem; } .step summary { cursor: pointer; }
.won, .adjusted { fill: none; stroke: #2a9d6f; stroke-width: 2; }
.adjusted { stroke: #d1495b; stroke-dasharray: 5 3; }
.band { fill: #2a9d6f; opacity: .15; }
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
        overview(found.hands, found.player),
        "<h2>Leaks</h2><p>Situations whose cost is more than chance, with a false-discovery rate of 5%.</p>",
        bars([(one.name, one.cost) for one in found.leaks], "Cost of leaks") if leaks else none,
        *leaks,
        group("Better than the reference", found.tests.strengths),
        group("Differences of style, without a clear cost", found.tests.style),
        group("Open: too few hands to say", found.tests.open, found),
        *(division(found, name) for name in TABLES),
        "<h2>The dearest decisions</h2>",
        *(decision_part(found, place, "h3") for place in found.dearest(LISTED)),
    ]
    return whole_page(title, parts, STYLE)


def interval(found: Estimate | None) -> str:
    """Return a rate with its interval."""
    if found is None or found.low is None or found.high is None:
        return "not known"
    ends = f"{found.low:+.2f} to {found.high:+.2f}"
    return f"{found.mean:+.2f} {found.unit}<small>{ends}</small>".replace("-", "−")


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
    blinds = " or ".join(f"{chips:,}" for chips in sorted({one.game.big_blind for one in found.hands.terms}))
    about = (
        f"{len(found.hands):,} hands, {found.decisions:,} decisions with known cards. Bets are in chips; the"
        f" big blind is {blinds}."
    )
    return f"<p>{about} {escape(found.assumptions)}</p><table>{''.join(rows)}</table>"


def bars(costs: Sequence[tuple[str, Estimate]], label: str) -> str:
    """Return a plot of costs with their intervals; `label` tells it from others."""
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
    plot = f"<svg {size} role='img' aria-label='cost in bb per 100 hands'>{''.join(parts)}</svg>"
    return wide(plot, label)


def leak_part(found: LeakReport, one: Leak) -> str:
    """Return one leak with typical decisions."""
    text = (
        f"<p>{escape(capital(one.habit))}: {one.often:.0%} of {one.decisions:,} decisions, the reference"
        f" {one.reference:.0%}. Cost: {interval(one.cost).replace('<small>', ' <small>')}</p>"
    )
    examples = "".join(decision_part(found, place) for place in one.examples)
    shown = found.reference_hands.get((one.family, one.name), ())
    others = "".join(
        reference_part(hand, f"{one.family}-{one.name}-{place}") for place, hand in enumerate(shown)
    )
    return f"<h3>{escape(capital(one.name))}</h3>{text}{examples}{others}"


def reference_part(one: ReferenceHand, group: str) -> str:
    """Return a hand of the reference: cards, situation, what it did, and the whole hand."""
    board = f" on {cards(one.view.board)}" if one.view.board else ""
    return (
        f"<h4>A hand {escape(one.origin)}</h4><p>{cards(one.view.hole)}{board}</p>"
        f"<p>{escape(describe_situation(one.view))}</p><p>Did: {escape(one.did)}.</p>"
        f"<details><summary>the whole hand</summary>"
        f"{replayable(one.hand, escape(group, quote=True), one.view.actions)}</details>"
    )


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


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
    return f"<h2>{escape(title)}</h2>" + wide(f"<table>{''.join(rows)}</table>", title)


def division(found: LeakReport, name: str) -> str:
    """Return a section of HTML: loss and cost by the classes of a table, such as position, with a plot."""
    lines = found.by(name)
    rows = [row([name, "decisions", "loss against the best", "cost against the reference"], "th")]
    for label, decisions, loss, cost in lines:
        rows.append(row([escape(label), f"{decisions:,}", interval(loss), interval(cost)]))
    plot = bars([(label, cost) for label, _, _, cost in lines], f"Cost by {name}")
    return f"<h2>By {escape(name)}</h2>{plot}" + wide(f"<table>{''.join(rows)}</table>", f"By {name}")


def values_table(found: LeakReport, place: int, view: View) -> str:
    """Return what every action of a decision was worth, in big blinds."""
    columns = found.columns
    compared = found.spread(place) is not None
    spreads = (columns["values_low"], columns["values_high"]) if compared else ()
    rows = [row(["action", "worth (bb)", "95%", *(["other models"] if compared else [])], "th")]
    codes, taken, best = columns["codes"][place], columns["taken"][place], columns["best"][place]
    for column in np.argsort(codes, kind="stable").tolist():
        code = int(codes[column])
        if code == NONE:
            continue
        marks = [word for word, other in (("taken", taken), ("best", best)) if other == code]
        reach = NORMAL * float(columns["errors"][place, column])
        said = " ".join([action_words(view, code), *(f"({mark})" for mark in marks)])
        worth = f"{columns['values'][place, column]:+.2f}".replace("-", "−")
        cells = [escape(said), worth, f"± {reach:.2f}"]
        if compared:
            cells.append(" to ".join(f"{end[place, column]:+.2f}".replace("-", "−") for end in spreads))
        rows.append(row(cells))
    return f"<table>{''.join(rows)}</table>"


def decision_part(found: LeakReport, place: int, heading: str = "h4") -> str:
    """Return one decision: cards, situation, what was done, what was best, and the whole hand."""
    one = example_of(found, place)
    hand = found.hands[int(found.columns["hand"][place])]
    cost = f"{one.loss:.2f} ± {one.reach:.2f} bb{one.money}"
    board = f" on {cards(one.view.board)}" if one.view.board else ""
    return (
        f"<{heading}>Hand {one.number}</{heading}><p>{cards(one.view.hole)}{board}</p>"
        f"<p>{escape(describe_situation(one.view))}</p>"
        f"<p>Did: {escape(one.did)}. Best: {escape(one.best)}. Lost {escape(cost)}. {one.other_models}</p>"
        f"{values_table(found, place, one.view)}"
        f"<details><summary>the whole hand</summary>"
        f"{replayable(hand, f'hand-{place}', one.view.actions)}</details>"
    )
