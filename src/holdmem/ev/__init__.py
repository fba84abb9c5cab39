"""What actions are worth: expected values against ranges, by roll-outs, with standard errors."""

from holdmem.ev.candidates import Candidates, candidates_at
from holdmem.ev.decision import Assumptions, value_decision
from holdmem.ev.estimate import SCREENING, THOROUGH, Precision, cost_of, loss_of, value_actions
from holdmem.ev.models import PlayerModel, model_of
from holdmem.ev.moments import Moments
from holdmem.ev.players import NamedPlayer, compared_with, named_player, usual_player
from holdmem.ev.ranges import ranges_at
from holdmem.ev.result import ActionValue, DecisionValue
from holdmem.ev.rollouts import RolloutModels, roll_out
from holdmem.ev.spots import Spots

__all__ = [
    "SCREENING",
    "THOROUGH",
    "ActionValue",
    "Assumptions",
    "Candidates",
    "DecisionValue",
    "Moments",
    "NamedPlayer",
    "PlayerModel",
    "Precision",
    "RolloutModels",
    "Spots",
    "candidates_at",
    "compared_with",
    "cost_of",
    "loss_of",
    "model_of",
    "named_player",
    "ranges_at",
    "roll_out",
    "usual_player",
    "value_actions",
    "value_decision",
]
