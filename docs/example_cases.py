"""A custom case representation: the type of hand, and the price of a call."""

from holdmem.cbr import Decay, Equal, Features, Linear, Nearest, Representation, feature


@feature
def price(views):
    """The price of a call as a share of the pot after it."""
    return views.to_call / (views.pot + views.to_call)


BEFORE = Features(hand_class=Equal(), price=Linear(reach=1.0))
AFTER = Features(hand_type=Equal(), price=Decay(k=4.0)).with_weights(hand_type=3)
MINE = Representation("mine", (BEFORE, AFTER, AFTER, AFTER), Nearest(5))
