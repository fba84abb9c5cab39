"""Replay a recorded hand step by step, for writers of text formats and plain-English descriptions."""

from typing import NamedTuple

import numpy as np

from holdmem.core.errors import IllegalAction
from holdmem.engine import PARTS, Batch
from holdmem.engine.steps import HandStep
from holdmem.history.hands import UNKNOWN, RecordedHand
from holdmem.history.kernels.replay import FINE
from holdmem.history.kernels.step import step


class HandReplay(NamedTuple):
    """A replayed hand: posts, steps and result."""

    antes: list[int]
    blinds: list[int]
    steps: list[HandStep]
    paid: list[int]
    """Total paid by each seat, including antes, blinds and dead chips."""
    live: list[bool]
    """Whether each seat did not fold."""
    shown: bool
    uncalled: tuple[int, int]
    """Seat whose last bet was not called in full and the chips returned to it; (-1, 0) if none."""
    net: list[int] | None
    """Parts of a chip: as recorded if possible, else by the rules if the cards are known, else None."""
    rake: int
    """Chips taken by the house, 0 if the recorded result is not used."""
    strength: list[int]
    """Hand strength of the seats at showdown with known cards, 0 for the others."""


def replay_hand(hand: RecordedHand) -> HandReplay:
    """Replay a hand that a reader has accepted; raise IllegalAction for any other."""
    game, seats = hand.terms.game, hand.terms.game.seats
    batch = Batch(game, known_deck(hand)[None], [hand.stacks])
    state, steps = batch.hands[0], list[HandStep]()
    blinds = state["bet"][:seats].tolist()
    antes = (state["paid"] - state["bet"])[:seats].tolist()
    for action in hand.betting:
        before = HandStep.before(state, int(action))
        if step(game.rules_row, batch.hands, batch.history, int(action)) != FINE:
            raise IllegalAction(
                f"action {len(steps) + 1}: {batch.complaint(0, int(action)).removeprefix('table 0, ')}"
            )
        steps.append(before.after(state))
    live = [bool(int(state["live"]) >> seat & 1) for seat in range(seats)]
    known = [UNKNOWN not in cards for cards in hand.hole]
    dead = game.dead or (0,) * seats
    settled = not state["shown"] or (
        not hand.second and all(known[seat] for seat in range(seats) if live[seat])
    )
    net, rake = _result(hand, state["net"][:seats].tolist() if settled else None)
    showing = [bool(state["shown"]) and live[seat] and known[seat] for seat in range(seats)]
    strength = [int(state["strength"][seat]) if showing[seat] else 0 for seat in range(seats)]
    return HandReplay(
        antes=antes,
        blinds=blinds,
        steps=steps,
        paid=[int(state["paid"][seat]) + dead[seat] for seat in range(seats)],
        live=live,
        shown=bool(state["shown"]),
        uncalled=_uncalled(state["bet"][:seats].tolist(), live),
        net=net,
        rake=rake,
        strength=strength,
    )


def _result(hand: RecordedHand, computed: list[int] | None) -> tuple[list[int] | None, int]:
    """Return result and rake as recorded, unless the rules contradict them or more is won than lost."""
    if hand.net is None:
        return computed, 0
    if computed is None:
        return (list(hand.net), hand.rake) if sum(hand.net) <= 0 else (None, 0)
    less = [ours - theirs for ours, theirs in zip(computed, hand.net, strict=True)]
    agrees = min(less) >= 0 and sum(less) == PARTS * hand.rake
    return (list(hand.net), hand.rake) if agrees else (computed, 0)


def known_deck(hand: RecordedHand) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """Return a deck with the known cards, and arbitrary other cards for the unknown ones."""
    cards = [card for two in hand.hole for card in two]
    cards += [*hand.board, *[UNKNOWN] * (5 - len(hand.board))]
    spare = (card for card in range(52) if card not in cards)
    return np.array([next(spare) if card == UNKNOWN else card for card in cards], dtype=np.int8)


def _uncalled(bets: list[int], live: list[bool]) -> tuple[int, int]:
    """Return the seat with the highest bet on the last street and the part of it that no seat matched."""
    second, top = sorted(bets)[-2:]
    seat = bets.index(top)
    return (seat, top - second) if top > second and live[seat] else (UNKNOWN, 0)


def collected(replayed_hand: HandReplay) -> list[int] | None:
    """Return the parts of a chip each seat took from the pot, without uncalled bets; None if unknown."""
    if replayed_hand.net is None:
        return None
    seat, back = replayed_hand.uncalled
    return [
        net + PARTS * (paid - (back if place == seat else 0))
        for place, (net, paid) in enumerate(zip(replayed_hand.net, replayed_hand.paid, strict=True))
    ]
