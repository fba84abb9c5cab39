"""A case representation of one's own: what the hand is, and what it costs to go on."""

from holdmem.casebase import Decay, Equal, Features, Linear, Nearest, Representation, feature


@feature
def price(views):
    """The share of the pot that a call would be."""
    return views.to_call / (views.pot + views.to_call)


BEFORE = Features(hand_class=Equal(), price=Linear(reach=1.0))
AFTER = Features(hand_type=Equal(), price=Decay(k=4.0)).weighing(hand_type=3)
MINE = Representation("mine", (BEFORE, AFTER, AFTER, AFTER), Nearest(5))
