"""ASCII replacements on stdout and stderr for terminals that cannot show every character."""

import codecs
import sys
from unicodedata import normalize

SPELLED = {
    "♠": "s", "♥": "h", "♦": "d", "♣": "c", "±": "+/-", "−": "-", "–": "-", "—": "-", "·": ".", "×": "x",
    "≥": ">=", "≤": "<=", "≈": "~", "→": "->", "●": "*", "█": "#", "∞": "inf", "§": "section ", "²": "^2",
}  # fmt: skip
"""ASCII replacements of characters that Unicode normalisation cannot replace; suits stay distinct."""


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: replace unencodable characters by ASCII (♣ by c, ± by +/-, é by e, else ?)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(character: str) -> str:
    plain = normalize("NFKD", character).encode("ascii", "ignore").decode()
    return SPELLED.get(character) or plain or "?"


def print_in_any_encoding() -> None:
    """Let stdout and stderr print any text in any encoding, also under `LC_ALL=C` and on Windows."""
    codecs.register_error("holdmem.spell_out", spell_out)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a captured stream may have none
        if reconfigure is not None:
            reconfigure(errors="holdmem.spell_out")
