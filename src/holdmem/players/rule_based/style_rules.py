"""Rules parameterised by looseness and aggression, used by Jagbot and MegaBot.

Before the flop a hand is measured by the share of the 1,326 holdings that are as good or better, by equity
against one random holding; smaller is better. After the flop it is measured by IHS, the share of holdings it
beats now, squared against two or more opponents. Players of this kind do not count opponents beyond two.
"""

from functools import cache

import numpy as np

from holdmem.agent import Policy, Views, legal_policy
from holdmem.cards.classes import CLASS_OF, CLASS_OF_HOLDING
from holdmem.core.types import Floats
from holdmem.engine import Game
from holdmem.players.rule_based.kernels.style_rules import decide
from holdmem.strength import EQUITY_RANK, outlook


@cache
def top_shares() -> Floats:
    """Return the share of all holdings that are as good as two cards or better, of shape (52, 52)."""
    ranks = EQUITY_RANK[CLASS_OF_HOLDING]
    shares = np.array([np.mean(ranks <= rank) for rank in EQUITY_RANK.tolist()])
    return np.ascontiguousarray(shares[CLASS_OF])


def style_policy(game: Game, views: Views, loose: Floats, aggressive: Floats, size: float) -> Policy:
    """Return the policy of the rules above; `loose` and `aggressive` have one value per view."""
    seen = outlook(views)
    weights, totals = np.empty((len(views), 3)), np.empty(len(views), dtype=np.int64)
    rows = np.ascontiguousarray(views.rows)
    decide(rows, seen.ihs, seen.ppot, top_shares(), loose, aggressive, size, game.limit, weights, totals)
    return legal_policy(views, weights, totals[:, None])
