"""What `holdmem reproduce --verify` says about new findings and stored ones."""

from textwrap import shorten
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from holdmem.papers.verification import Comparison

MOST = 10
"""Changed numbers named per finding."""


def as_plain(comparison: "Comparison") -> dict[str, Any]:
    """Return a comparison for JSON, with every change."""
    from dataclasses import asdict

    return {"verified": comparison.verified, **asdict(comparison)}


def report(comparisons: "Mapping[str, Comparison]", folder: "Path") -> list[str]:
    """Return the lines for comparisons by name of finding: changed numbers, changed words, the outcome."""
    failed = [name for name, comparison in comparisons.items() if not comparison.verified]
    lines = [line for name in failed for line in _changed_numbers(name, comparisons[name])]
    lines += _changed_words(comparisons)
    if failed:
        return [*lines, f"not as in {folder}: {', '.join(failed)}"]
    compared = sum(comparison.compared for comparison in comparisons.values())
    return [*lines, f"verified: all {compared:,} numbers are as in {folder}"]


def _changed_numbers(name: str, comparison: "Comparison") -> list[str]:
    lines = [f"{name}, {change}" for change in comparison.numbers[:MOST]]
    left = len(comparison.numbers) - MOST
    return [*lines, f"{name}: {left} more changes; --json lists all"] if left > 0 else lines


def _changed_words(comparisons: "Mapping[str, Comparison]") -> list[str]:
    changed = [f"{name}, {change}" for name, one in comparisons.items() for change in one.words]
    if not changed:
        return []
    texts = "1 text" if len(changed) == 1 else f"{len(changed):,} texts"
    return [f"words changed: {texts} (first: {shorten(changed[0], 200, placeholder=' …')})"]
