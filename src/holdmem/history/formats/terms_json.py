"""JSON form of `Terms` (game, chip value, currency), used in HoldMem's own PHH files and ACPC logs."""

import json
import re
from fractions import Fraction

from holdmem.core.errors import NotationError
from holdmem.engine import UNLIMITED
from holdmem.history.formats.parquet import game_of, game_text
from holdmem.history.hands import Terms

_CHIP = re.compile(r"[0-9]{1,18}(?:/[0-9]{1,18})?").fullmatch


def terms_text(terms: Terms) -> str:
    """Return the terms as one line of JSON; unlimited stacks, the default of a game, are left out."""
    game = json.loads(game_text(terms.game))
    if set(terms.game.stacks) == {UNLIMITED}:
        del game["stacks"]
    said = {"game": game, "chip": str(terms.chip), "currency": terms.currency}
    return json.dumps(said, separators=(",", ":"))


def read_terms(text: str, where: str) -> Terms:
    """Parse the output of `terms_text`."""
    try:
        said = json.loads(text)
        game = game_of(json.dumps(said["game"]), where)
        return Terms(game, _chip(said["chip"]), str(said["currency"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotationError(
            f"{where}: expected game, chip and currency as JSON, got {text[:80]!r}: {error}"
        ) from None


def _chip(text: str) -> Fraction:
    """Parse a chip value; plain fractions only, because the power in `1e999999999` would take forever."""
    if not _CHIP(text) or not int(text.partition("/")[2] or 1) or not int(text.partition("/")[0]):
        raise ValueError(f"expected the value of a chip, such as 1 or 1/100, got {text!r:.40}")
    return Fraction(text)
