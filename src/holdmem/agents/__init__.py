"""All agents, one module each. Importing this package registers them by name."""

from holdmem.agents.action_learner import ActionLearner
from holdmem.agents.alistairbot import AlistairBot
from holdmem.agents.always import AlwaysAllIn, AlwaysCall, AlwaysRaise
from holdmem.agents.casper import Casper
from holdmem.agents.dpp import Dpp
from holdmem.agents.dynamic import Dynamic
from holdmem.agents.ensemble import Ensemble
from holdmem.agents.equilibrium import (
    Equilibrium,
    EquilibriumAggressive,
    EquilibriumNoLimit,
    EquilibriumNoLimitAggressive,
    EquilibriumNoLimitPassive,
    EquilibriumPassive,
)
from holdmem.agents.imitator import Imitator
from holdmem.agents.jagbot import Jagbot
from holdmem.agents.mctsbot import MCTSBot
from holdmem.agents.megabot import MegaBot
from holdmem.agents.memory import Memory
from holdmem.agents.outcome_learner import OutcomeLearner
from holdmem.agents.plicas import Plicas
from holdmem.agents.poki import Poki
from holdmem.agents.random import Random
from holdmem.agents.sartre import Sartre1, Sartre2
from holdmem.agents.simbot import Simbot
from holdmem.agents.simplebot import SimpleBot
from holdmem.agents.whlbot import WHLBot

__all__ = [
    "ActionLearner",
    "AlistairBot",
    "AlwaysAllIn",
    "AlwaysCall",
    "AlwaysRaise",
    "Casper",
    "Dpp",
    "Dynamic",
    "Ensemble",
    "Equilibrium",
    "EquilibriumAggressive",
    "EquilibriumNoLimit",
    "EquilibriumNoLimitAggressive",
    "EquilibriumNoLimitPassive",
    "EquilibriumPassive",
    "Imitator",
    "Jagbot",
    "MCTSBot",
    "MegaBot",
    "Memory",
    "OutcomeLearner",
    "Plicas",
    "Poki",
    "Random",
    "Sartre1",
    "Sartre2",
    "Simbot",
    "SimpleBot",
    "WHLBot",
]
