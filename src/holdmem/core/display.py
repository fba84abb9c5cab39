"""Short texts and HTML tables, for the `repr` of results and for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


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
    return f"<td>{'' if value is None else escape(str(value))}</td>"
