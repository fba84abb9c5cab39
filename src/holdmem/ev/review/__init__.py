"""Review of a player's hands: what decisions cost against a reference, and which habits do."""

from holdmem.ev.review.leaks import Leak
from holdmem.ev.review.report import LeakReport
from holdmem.ev.review.run import review_hands

__all__ = ["Leak", "LeakReport", "review_hands"]
