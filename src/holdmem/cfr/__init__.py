"""Counterfactual regret minimisation: exact for small games, with card buckets for hold'em.

The package also holds the solved strategies, their files and the code that plays from them.
"""

from holdmem.cfr.best_response import BestResponse, best_response, exploitability, value
from holdmem.cfr.kuhn import Kuhn
from holdmem.cfr.leduc import Leduc
from holdmem.cfr.solver import CFRSolver
from holdmem.cfr.tree_game import ExtensiveGame, GameTree, build_game_tree

__all__ = [
    "BestResponse",
    "CFRSolver",
    "ExtensiveGame",
    "GameTree",
    "Kuhn",
    "Leduc",
    "best_response",
    "build_game_tree",
    "exploitability",
    "value",
]
