"""A sitting as plain values and back, so that it outlives the server.

Cards come from the sitting's secret seed as before; the hand in play is dealt from its own deck and its
actions are played again. Seats are new: an agent that learns from hand to hand begins anew.
"""

from dataclasses import asdict
from typing import Any

import numpy as np

from holdmem.errors import NotationError
from holdmem.history.storage import game_of, game_text
from holdmem.table.hand import OneHand
from holdmem.web.dealing import PERSON, Deal
from holdmem.web.offers import Offer
from holdmem.web.reasons import Decision
from holdmem.web.sitting import Differences, Order, Sitting

FORM = 1
"""Changes with the meaning of what is stored; tables of another form are not opened."""

Plain = dict[str, Any]


def as_plain(sitting: Sitting) -> Plain:
    """What `restored` makes the same table from, but for the hand in play; it changes when a hand ends."""
    order = {**asdict(sitting.order), "game": game_text(sitting.game), "seed": str(sitting.order.seed)}
    return {
        "form": FORM,
        "order": order,
        "results": sitting.score.results,
        "pairs": sitting.score.pairs,
        "differences": asdict(sitting.differences),
    }


def hand_as_plain(sitting: Sitting) -> Plain:
    """The hand in play, or that has just ended."""
    assert sitting.hand is not None
    assert sitting.deal_now is not None
    return {
        "number": sitting.hand.number,
        "deck": sitting.deal_now.deck.tolist(),
        "lineup": list(sitting.deal_now.lineup),
        "again": sitting.deal_now.again,
        "actions": [code for _, _, code in sitting.hand.history],
        "decisions": [decision.plain() for decision in sitting.decisions],
        "advice": [[decision.plain(), done] for decision, done in sitting.advice],
    }


def restored(state: Plain, hand: Plain, offer: Offer) -> Sitting:
    """The table that was stored. Anything may be raised if it is damaged."""
    if state["form"] != FORM:
        raise NotationError("it was stored by another version of HoldMem")
    sitting = Sitting(_order(state["order"], offer))
    sitting.score.results = [int(net) for net in state["results"]]
    sitting.score.pairs = [int(net) for net in state["pairs"]]
    sitting.differences = Differences(**state["differences"])
    if hand["number"] - len(state["results"]) not in (-1, 0):
        raise NotationError("its hand does not follow on from its results")
    for number in range(hand["number"] + 1):  # so that the dealer knows what waits to be dealt again
        sitting.dealer.deal(number)
        sitting.number = number + 1
    _put_hand(sitting, hand)
    return sitting


def _order(said: Plain, offer: Offer) -> Order:
    return Order(
        game=game_of(said["game"], "stored table"),
        opponents=offer.checked(said["opponents"]),
        adviser=offer.checked([said["adviser"]])[0],
        duplicate=bool(said["duplicate"]),
        name=str(said["name"]),
        seed=int(said["seed"]),
        stacks=tuple(said["stacks"]) if said["stacks"] else None,
    )


def _put_hand(sitting: Sitting, said: Plain) -> None:
    """The hand in play as it stood, by its own deck and actions."""
    deck = np.array(said["deck"], dtype=np.int8)
    sitting.deal_now = Deal(deck, tuple(said["lineup"]), said["again"])
    hand = OneHand(sitting.game, deck, sitting.deal_now.lineup, sitting.number - 1, sitting.order.stacks)
    for code in said["actions"]:
        player = hand.to_act
        if player not in (PERSON, None):
            sitting.seats[player].act(
                hand.views()
            )  # some seats take notes on the hand; what they say is known
        hand.act(int(code))
    sitting.hand = hand
    sitting.decisions = [Decision(**decision) for decision in said["decisions"]]
    sitting.advice = [(Decision(**decision), int(done)) for decision, done in said["advice"]]
    if hand.over:
        sitting.last = sitting.ended(hand)
