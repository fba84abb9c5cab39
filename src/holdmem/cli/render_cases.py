"""Case bases, explanations and reviews as plain values for JSON and as tables in the terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from holdmem.agent import Explanation
    from holdmem.cbr.case_base import CaseBase
    from holdmem.learning.review_result import Review


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False)


def _table(*headings: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    return table


def print_learning_result(header: dict[str, Any], folder: Path) -> None:
    """Print what was learned and how well it imitates the expert."""
    console = _console()
    about = f"{header['representation']} from {header['decisions']:,} decisions of {header['expert']}"
    console.print(
        f"{about} in {header['hands']:,} hands of {header['game']}, written to {folder}", markup=False
    )
    console.print(counts_table(header["counts"]))
    if header["imitation"]:
        _print_imitation(console, header)


def _print_imitation(console: Any, header: dict[str, Any]) -> None:
    console.print(f"\nimitation on {header['held_out_decisions']:,} decisions held out:")
    console.print(imitation_table(header["imitation"]))
    if "shrunk_log_loss" in header["imitation"][0]:
        console.print("shrunk: with policy=shrunk; otherwise the retrieved cases as published")


def counts_table(counts: dict[str, dict[str, int]]) -> "Table":
    """Return a table of cases and decisions by street."""
    table = _table("street", "cases", "decisions", "seen on average")
    for street, row in counts.items():
        mean = row["decisions"] / max(row["cases"], 1)
        table.add_row(street, f"{row['cases']:,}", f"{row['decisions']:,}", f"{mean:.1f}")
    total = {name: sum(row[name] for row in counts.values()) for name in ("cases", "decisions")}
    mean = total["decisions"] / max(total["cases"], 1)
    table.add_row("all", f"{total['cases']:,}", f"{total['decisions']:,}", f"{mean:.1f}")
    return table


def imitation_table(rows: list[dict[str, Any]]) -> "Table":
    """Return a table of agreement and log-loss by street: as published, shrunk, and the baseline's.

    Case bases of earlier versions have no shrunk measures; these columns are then left out.
    """
    measures = [name for name in MEASURES if f"{name}log_loss" in rows[0]]
    table = _table(
        "street", "decisions", *_headings("agreement", measures), *_headings("log-loss", measures),
        "exact match", "similarity",
    )  # fmt: skip
    for row in rows:
        table.add_row(
            row["street"], f"{row['decisions']:,}",
            *(f"{row[f'{name}agreement']:.1%}" for name in measures),
            *(f"{row[f'{name}log_loss']:.3f}" for name in measures),
            f"{row['exact']:.1%}", f"{row['similarity']:.3f}",
        )  # fmt: skip
    return table


MEASURES = {"": "", "shrunk_": "shrunk", "baseline_": "baseline"}
"""Prefixes of the measures of imitation in a header, and their headings."""


def _headings(first: str, measures: list[str]) -> list[str]:
    return [MEASURES[name] or first for name in measures]


def described(base: "CaseBase", most: int) -> dict[str, Any]:
    """Return the header, the redundancy and coverage by street, and the `most` most used cases per street."""
    from dataclasses import asdict

    import numpy as np

    from holdmem.cbr.maintain import report
    from holdmem.engine import STREET_NAMES

    often: dict[str, list[dict[str, Any]]] = {}
    for street, cases in zip(STREET_NAMES, base.streets, strict=True):
        seen = cases.solutions.seen
        often[street] = []
        for place in np.lexsort((np.arange(len(cases)), -seen))[:most].tolist():
            one = cases.solutions[np.array([place])]
            features = cases.features.words({name: column[place] for name, column in cases.values.items()})
            outcomes = [round(value, 3) if np.isfinite(value) else None for value in one.outcomes[0].tolist()]
            actions = [round(value, 4) for value in one.probabilities[0].tolist()]
            often[street].append(
                {**features, "seen": int(seen[place]), "actions": actions, "outcomes": outcomes}
            )
    return {**base.about, "report": [asdict(row) for row in report(base)], "most_used": often}


def print_described(answer: dict[str, Any], folder: Path) -> None:
    """Print the description of a case base."""
    console = _console()
    expert = answer.get("expert", "several experts" if "merged" in answer else "unknown expert")
    console.print(f"{folder}: {answer['representation']}, learned from {expert}", markup=False)
    if "hands" in answer:
        unseen = f"; hole cards unknown in {answer['unseen']:.1%}" if answer.get("unseen") else ""
        console.print(f"{answer['hands']:,} hands of {answer['game']}{unseen}", markup=False)
    for decks in answer.get("decks", ()):
        count = decks["matches"] * decks["hands"]
        console.print(f"decks: {count:,} of purpose {decks['purpose']}, seed {decks['seed']}")
    if answer.get("showdowns_only"):
        console.print("learned from showdowns only: folded hands are missing")
    table = _table("street", "cases", "decisions", "redundancy", "seen once", "next one unknown")
    for row in answer["report"]:
        shares = [f"{row[name]:.1%}" for name in ("redundancy", "seen_once", "surprise")]
        table.add_row(row["street"], f"{row['cases']:,}", f"{row['decisions']:,}", *shares)
    console.print(table)
    if answer.get("imitation"):
        _print_imitation(console, answer)
    for street, rows in answer["most_used"].items():
        if rows:
            console.print(f"\nmost used on the {street}:" if street != "preflop" else "\nmost used preflop:")
            console.print(_most_used(rows, answer["actions"]))


def _most_used(rows: list[dict[str, Any]], actions: list[str]) -> "Table":
    features = [name for name in rows[0] if name not in ("seen", "actions", "outcomes")]
    table = _table(*features, "seen", *actions, *(f"{action} earned" for action in actions))
    for row in rows:
        outcomes = ["–" if value is None else f"{value:+.2f}" for value in row["outcomes"]]
        cells = [row[name] for name in features]
        table.add_row(*cells, f"{row['seen']:,}", *(f"{value:.2f}" for value in row["actions"]), *outcomes)
    return table


def compared(one: "CaseBase", other: "CaseBase") -> dict[str, Any]:
    """Return the experts and counts of two case bases and their differences by street, for `--json`."""
    from dataclasses import asdict

    from holdmem.cbr.maintain import compare

    return {
        "one": {"expert": one.about.get("expert"), "counts": one.counts},
        "other": {"expert": other.about.get("expert"), "counts": other.counts},
        "streets": [asdict(row) for row in compare(one, other)],
    }


def print_compared(answer: dict[str, Any], folders: list[Path]) -> None:
    """Print the differences between two case bases."""
    console = _console()
    console.print(
        f"{folders[0]} compared with {folders[1]}, weighted by the decisions of the first", markup=False
    )
    table = _table("street", "cases", "cases of the other", "shared", "same majority", "distance of triples")
    for row in answer["streets"]:
        counts = [f"{answer[which]['counts'][row['street']]['cases']:,}" for which in ("one", "other")]
        shares = [f"{row['shared']:.1%}", f"{row['agreement']:.1%}", f"{row['distance']:.3f}"]
        table.add_row(row["street"], *counts, *shares)
    console.print(table)


def explained(agent: str, found: "Explanation") -> dict[str, Any]:
    """Return an explanation as plain values."""
    from dataclasses import asdict

    from holdmem.history.describe import as_json

    return {
        "agent": agent,
        "situation": found.situation,
        "decision": found.decision,
        "reasons": list(found.reasons),
        "actions": [asdict(action) for action in found.actions],
        "measure": found.measure,
        "hands": [
            {"words": hand.words, "seat": hand.seat, "decision": hand.decision, "hand": as_json(hand.hand)}
            for hand in found.hands
        ],
        "details": [
            {"what": detail.what, "weight": detail.weight, "facts": dict(detail.facts)}
            for detail in found.details
        ],
        "grids": [{"title": title, "rows": list(rows)} for title, rows in getattr(found, "grids", ())],
    }


def print_explained(found: "Explanation", details: bool) -> None:
    """Print an explanation: the text, the actions, and the details if they are wanted."""
    console = _console()
    for line in found.paragraphs:
        console.print(line, markup=False)
    console.print(_actions_table(found))
    for title, rows in getattr(found, "grids", ()):  # of agents that follow ranges
        console.print(f"\n{title}", markup=False)
        for row in rows:
            console.print(row, markup=False, soft_wrap=True)
    for detail in found.details if details else ():
        console.print(f"\n{detail.weight:.4f}  {detail.what}", markup=False)
        facts = _table("", "")
        for name, value in detail.facts.items():
            facts.add_row(f"  {name}", str(value))
        console.print(facts)


def _actions_table(found: "Explanation") -> "Table":
    headings, rows = found.table
    table = _table(*headings)
    for row in rows:
        table.add_row(*("" if value is None else value for value in row))
    return table


def print_review(found: "Review") -> None:
    """Print a review."""
    from holdmem.engine import STREET_NAMES

    console = _console()
    console.print(
        f"{found.player} compared with {found.expert}: {found.hands:,} hands, {found.total:,} decisions",
        markup=False,
    )
    for count, what in (
        (found.unseen, "with unknown cards"),
        (found.declined, "of games the expert does not play"),
    ):
        if count:
            console.print(f"{count:,} hands {what} are left out")
    table = _table("street", "decisions", "same", "expert's probability of it")
    for name in STREET_NAMES:
        count = max(found.decisions[name], 1)
        shares = [f"{found.agreed[name] / count:.1%}", f"{found.likelihood[name] / count:.1%}"]
        table.add_row(name, f"{found.decisions[name]:,}", *shares)
    console.print(table)
    console.print("\ndifferences by rank (what to look at first, not how much it cost):")
    for rank, one in enumerate(found.differences, 1):
        console.print(f"\n{rank}. {one.where}", markup=False)
        console.print(f"   {one.situation}", markup=False)
        console.print(f"   {one.compared}", markup=False)
