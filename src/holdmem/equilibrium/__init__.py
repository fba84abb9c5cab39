"""Counterfactual regret minimisation: exact for small games, with card buckets for hold'em.

The package also holds the solved strategies, their files and the code that plays from them.
"""

from holdmem.equilibrium.best_response import BestResponse, best_response, exploitability, value
from holdmem.equilibrium.kuhn import Kuhn
from holdmem.equilibrium.leduc import Leduc
from holdmem.equilibrium.minimise import Minimiser
from holdmem.equilibrium.tree_game import Tree, TreeGame, tree_of

__all__ = [
    "BestResponse",
    "Kuhn",
    "Leduc",
    "Minimiser",
    "Tree",
    "TreeGame",
    "best_response",
    "exploitability",
    "tree_of",
    "value",
]
