"""Compare players match by match where they were dealt the same cards."""

from holdmem.arena import Estimate, MatchResult
from holdmem.arena.tally import MONEY
from holdmem.engine import PARTS
from holdmem.papers.findings import over_matches


def per_match(found: MatchResult) -> list[float]:
    """Return what the first player won in each match, in small bets per hand."""
    unit = PARTS * found.design.game.unit[0]
    return [entry["net"][MONEY][0] / unit / entry["hands"] for _, entry in sorted(found.totals.items())]


def difference(one: MatchResult, other: MatchResult) -> Estimate:
    """Estimate how much more one player won than another with the same cards, match by match."""
    pairs = zip(per_match(one), per_match(other), strict=True)
    return over_matches([mine - theirs for mine, theirs in pairs])
