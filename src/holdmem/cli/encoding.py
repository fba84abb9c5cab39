"""Standard output and error in terminals that cannot show every character."""

import codecs
import sys
from unicodedata import normalize

SPELLED = {
    "♠": "s", "♥": "h", "♦": "d", "♣": "c", "±": "+/-", "−": "-", "–": "-", "—": "-", "·": ".", "×": "x",
    "≥": ">=", "≤": "<=", "≈": "~", "→": "->", "●": "*", "█": "#", "∞": "inf", "§": "section ", "²": "^2",
}  # fmt: skip
"""Characters that plain ASCII has no likeness of, and what to write instead: suits must stay apart."""


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks in ASCII: ♣ as c, ± as +/-, é as e, and ? for what has no likeness."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(character: str) -> str:
    alike = normalize("NFKD", character).encode("ascii", "ignore").decode()
    return SPELLED.get(character) or alike or "?"


def print_in_any_encoding() -> None:
    """Let both streams print any text, whatever their encoding: under `LC_ALL=C` and on Windows too."""
    codecs.register_error("holdmem.spell_out", spell_out)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a captured stream may have none
        if reconfigure is not None:
            reconfigure(errors="holdmem.spell_out")
