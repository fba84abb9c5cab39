"""Review of a player's hands: what decisions cost against a reference, and which habits do."""

from holdmem.ev.review.leaks import Leak
from holdmem.ev.review.report import HandReview
from holdmem.ev.review.run import review_hands

__all__ = ["HandReview", "Leak", "review_hands"]
