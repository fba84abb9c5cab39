"""Reviews and values of actions in the terminal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from holdmem.core.statistics import Estimate
    from holdmem.ev import DecisionValue
    from holdmem.ev.review import Leak, LeakReport


def console() -> Any:
    """Return a console for results."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def table(*headings: str) -> "Table":
    """Return a table with names on the left and numbers on the right."""
    from rich.table import Table

    found = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        found.add_column(heading, justify="right" if place else "left")
    return found


def print_values(hand: int, found: "Sequence[DecisionValue]") -> None:
    """Print what every action was worth at each decision of a hand."""
    out = console()
    for number, one in enumerate(found, 1):
        out.print(f"\nHand {hand}, decision {number} of {len(found)}", markup=False, highlight=False)
        for line in str(one).splitlines():
            out.print(f"  {line}", markup=False, highlight=False)


def interval(found: "Estimate | None") -> str:
    """Return a rate with its interval."""
    if found is None:
        return "not known"
    if found.low is None or found.high is None:
        return f"{found.mean:+.1f} {found.unit} (no interval)"
    return f"{found.mean:+.1f} {found.unit} ({found.low:+.1f} to {found.high:+.1f})"


def print_hand_review(found: "LeakReport", show: int) -> None:
    """Print a review by value."""
    from holdmem.ev.review.situations import TABLES

    out = console()

    def say(text: str = "") -> None:
        out.print(text, markup=False, highlight=False)

    for line in summary(found):
        say(line)
    for name in TABLES:
        rows = table(name, "decisions", "loss against the best", "cost against the reference")
        for label, decisions, loss, cost in found.by(name):
            rows.add_row(label, f"{decisions:,}", interval(loss), interval(cost))
        out.print(rows)
    say("\nleaks (cost beyond chance, false-discovery rate 5%):")
    for one in found.leaks:
        _say_leak(found, one, say)
    if not found.leaks:
        say(f"  none among {found.tests.tested} situation classes")
    for title, group in (("better than the reference", found.tests.strengths), ("open", found.tests.open)):
        for one in group:
            needed = found.hands_needed(one) if title == "open" else None
            more = "" if needed is None else f"; about {needed:,} hands would show it"
            say(f"{title}: {one.name}: {one.habit}, {interval(one.cost)}{more}")
    for one in found.tests.style[:show]:
        say(f"difference of style: {one.name}: {share(one)}, cost {interval(one.cost)}")
    say("\nthe dearest decisions:")
    for place in found.dearest(show):
        say(f"  {decision_line(found, place)}")


def summary(found: "LeakReport") -> list[str]:
    """Return the first lines of a review."""
    rate, adjusted = found.statistics.bb_per_100(), found.statistics.all_in_adjusted()
    states = ", ".join(f"{count:,} {name}" for name, count in found.states.items())
    again = ", ".join(f"{count:,} {name}" for name, count in found.dearest_states.items()) or "none"
    return [
        f"{found.player}: {len(found.hands):,} hands, {found.decisions:,} decisions with known cards",
        f"win rate {interval(rate)}, adjusted for all-ins {interval(adjusted)}",
        f"loss against the best action of each decision {interval(found.loss)}",
        f"cost against {found.reference} {interval(found.cost)}",
        f"{found.precise:.0%} of the decisions within the precision asked for; {states}",
        f"of the dearest decisions, valued again: {again}",
        *_other_models(found),
        found.assumptions,
    ]


def _other_models(found: "LeakReport") -> list[str]:
    clear, compared = found.compared
    if not compared:
        return []
    return [f"{clear} of these {compared} lose more than 0.05 bb under both other models of the opponents"]


def share(one: "Leak") -> str:
    """Format how often the player takes an action, and how often the reference does."""
    return f"{one.habit} ({one.often:.0%}, the reference {one.reference:.0%})"


def _say_leak(found: "LeakReport", one: "Leak", say: "Callable[[str], None]") -> None:
    say(f"  {one.name}: {share(one)}")
    say(f"    costs {interval(one.cost)} in {one.decisions:,} decisions")
    for place in one.examples:
        say(f"    {decision_line(found, place)}")
    for hand in found.reference_hands.get((one.family, one.name), ()):
        say(f"    {hand.line}")


def decision_line(found: "LeakReport", place: int) -> str:
    """Return one decision in a line: the hand, what was done, what was best, and the loss in bb and money."""
    from holdmem.ev.review.examples import example_of

    return example_of(found, place).line
