"""Name the language of a PokerStars hand that is not in English, from its words for hand, table and seat."""

import re
from collections.abc import Sequence

LANGUAGES = {
    "French": r"Main PokerStars|Siège \d|en jetons\)",
    "Spanish": r"Mano n\.|Asiento \d|Asiento n\.",
    "Portuguese": r"Mão (?:Zoom )?(?:do )?PokerStars|Lugar \d|em fichas\)",
    "Italian": r"Mano #|Posto \d|Tavolo '",
    "German": r"PokerStars - Hand #|PokerStars-Hand|Sitz \d|Platz \d|Tisch '",
    "Dutch": r"PokerStars-hand|Stoel \d|Plaats \d|Tafel '",
    "Danish, Norwegian or Swedish": r"PokerStars[ -](?:hånd|hand) (?:#|nr)|Plads \d|Plass \d|Plats \d|Bord '",
    "Polish": r"Rozdanie|Miejsce \d|Stół '",
    "Russian": r"Раздача|Игра PokerStars|Место \d|Стол '",
    "Chinese": r"牌局|座位",
    "Japanese": r"ハンド|シート",
}
LOOKED_AT = 4
"""Number of leading lines: the header, the table and the first seats."""


def language_of(lines: Sequence[str]) -> str | None:
    """Return the language of a hand from its first lines, or None if it is English or not recognised."""
    head = "\n".join(lines[:LOOKED_AT])
    return next((name for name, words in LANGUAGES.items() if re.search(rf"(?m)(?:{words})", head)), None)
