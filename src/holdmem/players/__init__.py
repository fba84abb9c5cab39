"""All agents, one module each. Importing this package registers them by name."""

from holdmem.players.case_player import CasePlayer
from holdmem.players.casper import Casper
from holdmem.players.clone import Clone
from holdmem.players.depths import Depths
from holdmem.players.equilibrium import Equilibrium
from holdmem.players.imitators.bandit_ensemble import Dynamic
from holdmem.players.imitators.ensemble import Ensemble
from holdmem.players.imitators.imitator import Imitator
from holdmem.players.learners.action_learner import ActionLearner
from holdmem.players.learners.outcome_learner import OutcomeLearner
from holdmem.players.plicas import Plicas
from holdmem.players.resolving import Resolve
from holdmem.players.rule_based.always import AlwaysAllIn, AlwaysCall, AlwaysRaise
from holdmem.players.rule_based.dpp import Dpp
from holdmem.players.rule_based.jagbot import Jagbot
from holdmem.players.rule_based.megabot import MegaBot
from holdmem.players.rule_based.random import Random
from holdmem.players.rule_based.simplebot import SimpleBot
from holdmem.players.rule_based.whlbot import WHLBot
from holdmem.players.sartre import Sartre1, Sartre2
from holdmem.players.simulation.alistairbot import AlistairBot
from holdmem.players.simulation.mctsbot import MCTSBot
from holdmem.players.simulation.poki import Poki
from holdmem.players.simulation.simbot import Simbot

__all__ = [
    "ActionLearner",
    "AlistairBot",
    "AlwaysAllIn",
    "AlwaysCall",
    "AlwaysRaise",
    "CasePlayer",
    "Casper",
    "Clone",
    "Depths",
    "Dpp",
    "Dynamic",
    "Ensemble",
    "Equilibrium",
    "Imitator",
    "Jagbot",
    "MCTSBot",
    "MegaBot",
    "OutcomeLearner",
    "Plicas",
    "Poki",
    "Random",
    "Resolve",
    "Sartre1",
    "Sartre2",
    "Simbot",
    "SimpleBot",
    "WHLBot",
]
