"""Checked access to the fields of an Open Hand History object, whose numbers are kept as text."""

import re
from dataclasses import dataclass
from typing import Any

from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.terms_json import read_terms
from holdmem.history.hands import Terms

OURS = "_holdmem_game"
"""Field with our own game, where the fields of the format do not describe it in full."""
UNLIMITED_PLAYERS = "_holdmem_unlimited"
"""Field with the ids of players whose stack has no limit."""
BAD_FIELD = "a field that is missing or of the wrong type"
CODES = {"$": "USD", "€": "EUR", "£": "GBP"}
"""Currency codes by sign."""

_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,20})?").fullmatch
_WHOLE = re.compile(r"[0-9]{1,9}(?:\.0+)?").fullmatch


@dataclass(frozen=True)
class JsonFields:
    """One object of a hand that begins on `line`."""

    fields: dict[str, Any]
    line: int

    def __post_init__(self) -> None:
        if not isinstance(self.fields, dict):
            raise UnreadableHand(self.line, f"expected an object, got {str(self.fields)[:40]!r}", BAD_FIELD)

    def get(self, name: str) -> Any:
        """Return a field, or None if it is missing."""
        return self.fields.get(name)

    def value(self, name: str) -> str:
        """Return a field that must be there, as text."""
        if self.fields.get(name) is None:
            raise UnreadableHand(self.line, f"expected a field {name}", BAD_FIELD)
        return str(self.fields[name])

    def text(self, name: str) -> str:
        """Return a text field, empty if it is missing."""
        found = self.fields.get(name)
        return "" if found is None else str(found)

    def whole(self, name: str) -> int:
        """Return a whole number."""
        text = self.value(name)
        if not _WHOLE(text):
            reason = f"expected a whole number as {name}, got {text[:40]!r}"
            raise UnreadableHand(self.line, reason, BAD_FIELD)
        return int(text.partition(".")[0])

    def objects(self, name: str) -> "list[JsonFields]":
        """Return a list of objects, empty if it is missing."""
        return [JsonFields(one, self.line) for one in self.fields.get(name) or []]


def amount(text: HandText, number: str) -> int:
    """Parse an amount in chips; a remainder as binary fractions leave it is rounded off."""
    if not _NUMBER(number):
        text.stop(f"expected an amount, got {number[:40]!r}", "an amount that cannot be read")
    if len(number.partition(".")[2]) > 2:
        number = f"{float(number):.6f}".rstrip("0")
    return text.chips(number)


def stored_terms(fields: JsonFields) -> Terms | None:
    """Return the terms in our own field, if there is one."""
    found = fields.get(OURS)
    return None if found is None else read_terms(str(found), f"line {fields.line}")
