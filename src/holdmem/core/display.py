"""Short texts, and tables, cards and bars in HTML, for the `repr` of results and for notebooks.

Colours are half transparent or bring their own background, so that they read on light and dark pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
CARD = (
    "display:inline-block;min-width:1.6em;margin:1px;padding:1px 3px;border:1px solid #8888;"
    "border-radius:4px;background:#fff;font-weight:600;text-align:center;color:"
)
SHADES = ("#8a93a0", "#4d82d6", "#d07a30", "#b8559a", "#3d9a78", "#a8982d", "#7a6fd0", "#c05555")
"""Colours of the parts of a bar: fold, call, and raises."""


class Html(str):
    """Text that is HTML already, which `html_table` does not escape."""

    __slots__ = ()


def short(text: str, width: int = 40) -> str:
    """Return the text, with its middle replaced by an ellipsis if it is longer than `width` characters."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"


def short_list(texts: Sequence[str], most: int = 3, width: int = 36) -> str:
    """Join the first `most` texts, each shortened to `width`, and say how many are left out."""
    shown = ", ".join(short(text, width) for text in texts[:most])
    return shown if len(texts) <= most else f"{shown} and {len(texts) - most} more"


def html_table(headings: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """Return a table as HTML, with every value escaped; None becomes an empty cell."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return f"<td>{'' if value is None else value if isinstance(value, Html) else escape(str(value))}</td>"


def html_cards(names: str) -> Html:
    """Draw cards, given by their names without spaces ("AhKd"); "??" is a card face down."""
    return Html("".join(_card(names[place : place + 2]) for place in range(0, len(names), 2)))


def _card(name: str) -> str:
    if name[1:] not in SUITS:
        return f"<span style='{CARD}#999'>?</span>"
    colour = "#b3261e" if name[1] in "dh" else "#1c2430"
    return f"<span style='{CARD}{colour}'>{escape(name[0])}{SUITS[name[1]]}</span>"


def html_bar(share: float, text: str = "") -> Html:
    """Draw a share from 0 to 1 as a bar, with a text or the percentage on it."""
    filled = f"linear-gradient(90deg,#4d82d688 {100 * share:.1f}%,#8882 {100 * share:.1f}%)"
    style = f"min-width:7em;padding:1px 5px;text-align:left;background:{filled}"
    return Html(f"<div style='{style}'>{escape(text or f'{share:.1%}')}</div>")


def html_shares(counts: Mapping[str, float]) -> Html:
    """Draw how a whole is divided as one bar of several colours, with the names and shares below it."""
    whole = sum(counts.values())
    parts = [
        (name, count / whole, shade)
        for (name, count), shade in zip(counts.items(), _shades(len(counts)), strict=True)
        if count > 0
    ]
    bars = "".join(
        f"<span style='display:inline-block;height:.7em;width:{100 * share:.1f}%;background:{shade}'></span>"
        for _, share, shade in parts
    )
    words = ", ".join(f"{escape(name)} {share:.0%}" for name, share, _ in parts)
    return Html(f"<div style='min-width:12em;white-space:nowrap'>{bars}</div><small>{words}</small>")


def _shades(count: int) -> list[str]:
    return [SHADES[place % len(SHADES)] for place in range(count)]
