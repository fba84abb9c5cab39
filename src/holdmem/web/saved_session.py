"""Convert a sitting to plain values and back, so that it survives a restart of the server.

A restored sitting keeps its secret seed, so later cards are the same. The hand in play is dealt from its
stored deck, and its actions are replayed. Seats are created again: an agent that learns from hand to hand
starts from scratch.
"""

from dataclasses import asdict
from typing import get_args

import numpy as np

from holdmem.agent.ask import ask_seat
from holdmem.core.errors import NotationError
from holdmem.core.types import JsonObject
from holdmem.history.formats.parquet import game_of, game_text
from holdmem.web.carried import TableFormat
from holdmem.web.dealing import PERSON, Deal
from holdmem.web.differences import AdviceDifferences
from holdmem.web.offers import Lobby
from holdmem.web.reasons import Decision
from holdmem.web.session import HumanTable, TableSettings

FORM = 2
"""Version of the stored format; tables of another version are not opened."""


def as_plain(sitting: HumanTable) -> JsonObject:
    """Return the sitting without its hand in play, for `restored`; this changes only when a hand ends."""
    order = {**asdict(sitting.order), "game": game_text(sitting.game), "seed": str(sitting.order.seed)}
    return {
        "form": FORM,
        "order": order,
        "results": sitting.score.results,
        "pairs": sitting.score.pairs,
        "less_luck": sitting.less_luck.score.results if sitting.less_luck else [],
        "differences": asdict(sitting.differences),
        "styles": sitting.styles.tolist(),
    }


def hand_as_plain(sitting: HumanTable) -> JsonObject:
    """Return the hand in play, or the one that has just ended, as plain values."""
    assert sitting.hand is not None
    assert sitting.deal_now is not None
    return {
        "number": sitting.hand.number,
        "deck": sitting.deal_now.deck.tolist(),
        "lineup": list(sitting.deal_now.lineup),
        "again": sitting.deal_now.again,
        "carried": sitting.began and sitting.began.kept(),
        "actions": [code for _, _, code in sitting.hand.history],
        "decisions": [decision.plain() for decision in sitting.decisions],
        "advice": [[decision.plain(), done] for decision, done in sitting.advice],
    }


def restored(state: JsonObject, hand: JsonObject, offer: Lobby) -> HumanTable:
    """Restore a stored sitting and its hand. Damaged data may raise any exception."""
    if state["form"] != FORM:
        raise NotationError("it was stored by another version of HoldMem")
    sitting = HumanTable(_order(state["order"], offer), offer.made)
    sitting.score.results = [int(net) for net in state["results"]]
    sitting.score.pairs = [int(net) for net in state["pairs"]]
    if sitting.less_luck:
        sitting.less_luck.score.results = [int(net) for net in state.get("less_luck", [])]
    sitting.differences = AdviceDifferences(**state["differences"])
    styles = np.array(state.get("styles", sitting.styles), dtype=np.int64)
    if styles.shape != sitting.styles.shape or styles.min() < 0:
        raise NotationError("its statistics are damaged")
    sitting.styles = styles
    if hand["number"] - len(state["results"]) not in (-1, 0):
        raise NotationError("its hand does not match its results")
    for number in range(hand["number"] + 1):  # so that the dealer knows which hands await their duplicate
        sitting.dealer.deal(number)
        sitting.number = number + 1
    _put_hand(sitting, hand)
    return sitting


def _order(said: JsonObject, offer: Lobby) -> TableSettings:
    return TableSettings(
        game=game_of(said["game"], "stored table"),
        opponents=offer.checked(said["opponents"]),
        adviser=offer.checked([said["adviser"]])[0],
        duplicate=bool(said["duplicate"]),
        name=str(said["name"]),
        seed=int(said["seed"]),
        stacks=tuple(said["stacks"]) if said["stacks"] else None,
        format=_format(said.get("format", "cash")),
    )


def _format(text: str) -> TableFormat:
    if text not in get_args(TableFormat):
        raise NotationError(f"unknown format {text!r}")
    return text  # type: ignore[return-value]


def _put_hand(sitting: HumanTable, said: JsonObject) -> None:
    """Restore the hand in play from its deck and actions."""
    deck = np.array(said["deck"], dtype=np.int8)
    sitting.deal_now = Deal(deck, tuple(said["lineup"]), said["again"])
    if sitting.carried is not None:
        sitting.carried.restore(said["carried"])
        sitting.began = sitting.carried.copy()
        if tuple(said["lineup"]) != sitting.carried.lineup():
            raise NotationError("its hand does not match its stacks")
    hand = sitting.dealt(sitting.deal_now, sitting.number - 1)
    for code in said["actions"]:
        player = hand.to_act
        if player not in (PERSON, None):
            # Some seats keep state during a hand; the action itself is known.
            ask_seat(sitting.seats[player], hand.views(), sitting.names[player])
        hand.act(int(code))
    sitting.hand = hand
    sitting.decisions = [Decision(**decision) for decision in said["decisions"]]
    sitting.advice = [(Decision(**decision), int(done)) for decision, done in said["advice"]]
    if hand.over:
        sitting.last = sitting.ended(hand)
        sitting.settle(hand)
