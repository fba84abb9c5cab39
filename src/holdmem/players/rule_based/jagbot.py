"""Jagbot: loose and aggressive rules that do not depend on the opponents."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Detail, Policy, View, Views, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.rule_based.style_rules import style_policy, top_shares
from holdmem.players.rule_based.style_words import style_reasons
from holdmem.strength import outlook


class JagSeat(SamplingSeat):
    """Seat that plays the rules of `style_rules` with one fixed looseness and aggression."""

    def __init__(self, game: Game, loose: float, aggressive: float, size: float, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.loose = loose
        self.aggressive = aggressive
        self.size = size

    def policy(self, views: Views) -> Policy:
        """Return the policy of `style_policy`."""
        loose, aggressive = (np.full(len(views), share) for share in (self.loose, self.aggressive))
        return style_policy(self.game, views, loose, aggressive, self.size)

    def reasons(self, view: View) -> list[str]:
        """Say which rule of its style decides here."""
        return style_reasons(view, self.loose, self.aggressive)

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return the measure of hand strength used: preflop the top share, later hand rank and potential."""
        if views.street[0] == 0:
            first, second = views.hole[0]
            return (Detail("share of hands as good or better", float(top_shares()[first, second])),)
        seen = outlook(views)
        return (
            Detail("hand rank", float(seen.ihs[0])),
            Detail("positive potential", float(seen.ppot[0])),
        )


@register(
    "jagbot", style="loose and aggressive by rules, the same against every opponent", source="Rubin (2007)"
)
@dataclass(frozen=True)
class Jagbot:
    """Plays most hands, bets or raises most of the hands it plays, and bluffs often.

    `loose` is the share of hands it plays. `aggressive` ranges from 0 (hardly ever raises) to 1. `size` is
    the size of bets and raises in no-limit, in pots.
    """

    loose: float = 0.7
    aggressive: float = 0.7
    size: float = 1.0

    def __post_init__(self) -> None:
        for name in ("loose", "aggressive"):
            if not 0 <= getattr(self, name) <= 1:
                raise AgentError(f"jagbot: expected {name} from 0 to 1, got {getattr(self, name)}")
        if not 0 < self.size <= 100:
            raise AgentError(f"jagbot: expected a size above 0 and up to 100 pots, got {self.size}")

    def sit(self, game: Game, tables: int, rng: Streams) -> JagSeat:
        """Return a seat; every game is supported."""
        return JagSeat(game, self.loose, self.aggressive, self.size, rng)
