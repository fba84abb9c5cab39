"""What the actions of a recorded hand were worth to one of its players, as plain values for the page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from holdmem.agent import Agent, Seat, View, describe_situation
from holdmem.cards import Range
from holdmem.cards.classes import CLASS_OF_HOLDING, CLASSES
from holdmem.cards.notation import names
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, JsonObject
from holdmem.engine import Game
from holdmem.ev import (
    THOROUGH,
    Assumptions,
    DecisionValue,
    NamedPlayer,
    Spots,
    compared_with,
    named_player,
    ranges_at,
    usual_player,
    value_decision,
)
from holdmem.history import Decisions, HandsBuilder, RecordedHand, replay
from holdmem.people.memory import PersonMemory
from holdmem.players.clone import CloneSeat
from holdmem.strength import sampled_equities
from holdmem.web.reasons import would_do

PRECISION = replace(THOROUGH, most=8192)
"""Less than that of `holdmem explain`, since somebody waits."""
SHOWDOWNS = 20_000
"""Sampled showdowns behind an equity."""
LIKELY = 0.5
"""Share of the likeliest class from which a class is named in words."""


@dataclass(frozen=True)
class Judge:
    """Values the decisions of one player in one hand, one after the other.

    Attributes
    ----------
    hand : the hand.
    player : whose decisions are valued; its hole cards must be known.
    others : the model of everybody else; by default the usual one of the game.
    """

    hand: RecordedHand
    player: str
    others: NamedPlayer | None = None

    @property
    def assumptions(self) -> Assumptions:
        """Who plays how."""
        usual = named_player(usual_player(self.hand.terms.game))
        others = self.others or usual
        return Assumptions(usual, others, compared_with(others))

    def decisions(self) -> list[tuple[View, int]]:
        """Return what the player saw at each decision and did; NotationError if nothing can be valued."""
        builder = HandsBuilder()
        builder.add(self.hand)
        return _mine(next(iter(replay(builder.take()))), self.hand, self.player)

    def judged(self) -> Iterator[JsonObject]:
        """Yield what is known of each decision, in order."""
        assumed, called = self.assumptions, list(self.hand.names)
        game = self.hand.terms.game
        reference = _seat(assumed.reference, game)
        for view, action in self.decisions():
            found = value_decision(view, action, assumed, PRECISION, terms=self.hand.terms)
            ranges = _ranges(view, assumed.others, called)
            why = would_do(reference, view.alone, view.seat, assumed.reference.words, called).plain()
            yield {
                **_values(found),
                "step": view.actions,
                "seat": view.seat,
                "street": why["street"],
                "situation": describe_situation(view, called),
                "invested_bb": _invested(view) / found.unit,
                "ranges": [one for one, _ in ranges],
                "reasons": _reasons(view, found, [weights for _, weights in ranges], assumed),
                "why": {**why, "done": action},
                "by": assumed.reference.words,
            }


def _mine(found: Decisions, hand: RecordedHand, player: str) -> list[tuple[View, int]]:
    if player not in hand.names:
        raise NotationError(f"{player[:80]!r} does not play in this hand")
    seat = hand.names.index(player)
    rows = np.flatnonzero(found.views.seat == seat)
    if not len(rows):
        raise NotationError(f"{player[:80]} made no decision in this hand, so there is nothing to value")
    if not found.known[rows].all():
        raise NotationError(f"nothing can be valued: the hole cards of {player[:80]} are not known")
    return [(found.views[row], int(found.actions[row])) for row in rows.tolist()]


def _seat(player: NamedPlayer, game: Game) -> Seat:
    """Return a seat that explains itself."""
    rng = Streams.of(0, "explained")
    if isinstance(player.player, PersonMemory):
        return CloneSeat(player.player, rng)
    agent: Agent = player.player
    return agent.sit(game, 1, rng)


def _invested(view: View) -> int:
    """Return the chips that the player has put in before the decision."""
    return int(view.alone.paid[0, view.seat])


def _values(found: DecisionValue) -> JsonObject:
    values = found.as_json()
    return {
        "actions": [
            {
                "code": one["code"],
                "words": one["action"],
                "bb": round(one["bb"], 4),
                "error": known(one["standard_error_bb"]),
                "reference": round(one["reference"], 4),
                "others_bb": one["other_models_bb"],
            }
            for one in values["actions"]
        ],
        "taken": found.taken,
        "best": found.best,
        "loss": round(values["loss_bb"], 4),
        "error": known(values["loss_standard_error_bb"]),
        "others_bb": values["loss_bb_other_models"],
        "wide": known(found.wide),
        "samples": values["samples"],
        "assumptions": values["assumptions"],
    }


def known(error: float) -> float | None:
    """Return a standard error, or a number of them, for a message; None where samples are too few for one."""
    return round(error, 4) if np.isfinite(error) else None


def _ranges(view: View, others: NamedPlayer, called: Sequence[str]) -> list[tuple[JsonObject, Floats]]:
    """Return what each opponent left can hold, for the page and as weights of the holdings."""
    spots = Spots.of(view.alone, np.zeros(1, dtype=np.int64))
    found = ranges_at(spots, others.model(view.game, Streams.of(0, "ranges")))[0]
    visible = set(view.hole) | set(view.board)
    live = [seat for seat, is_live in enumerate(view.live) if is_live and seat != view.seat]
    return [
        ({"seat": seat, "name": called[seat], **grid(found[seat], visible)}, found[seat]) for seat in live
    ]


def grid(weights: Floats, visible: set[int]) -> JsonObject:
    """Return a range as a grid: the mean weight of each class as a share of the largest, null if impossible.

    `share` is the weight that is left of the holdings that are possible, and `likely` names the classes of at
    least half the largest weight.
    """
    possible = Range(np.ones(len(weights))).without(visible)
    counts = np.bincount(CLASS_OF_HOLDING, possible.weights, len(CLASSES))
    means = np.bincount(CLASS_OF_HOLDING, weights, len(CLASSES)) / np.maximum(counts, 1)
    cells = means / max(float(means.max()), 1e-12)
    likely = Range((cells >= LIKELY)[CLASS_OF_HOLDING].astype(np.float64))
    return {
        "cells": [
            round(float(cell), 3) if count else None for cell, count in zip(cells, counts, strict=True)
        ],
        "share": round(float(weights.sum() / counts.sum()), 4),
        "likely": likely.notation(),
    }


def _reasons(view: View, found: DecisionValue, ranges: Sequence[Floats], assumed: Assumptions) -> list[str]:
    """Return what the values rest on, in sentences."""
    best, unit = found.actions[found.best], found.unit
    said = [_equity_words(view, ranges)] if ranges else []
    if view.to_call:
        share = view.to_call / (view.pot + view.to_call)
        price, pot = view.to_call / unit, view.pot / unit
        cost = f"A call costs {view.to_call:,} for a pot of {view.pot:,} ({price:.4g} and {pot:.4g} bb)"
        said.append(f"{cost}, so it has to win {share:.1%} of the time.")
    often = ", ".join(
        f"{one.words} {one.probability:.0%}" for one in found.actions if one.probability >= 0.005
    )
    said.append(f"{assumed.reference.words[0].upper()}{assumed.reference.words[1:]} would: {often}.")
    if found.taken is None or found.taken == found.best:
        return [*said, f"By this model, no other action is worth more than: {best.words}."]
    taken, gap = found.actions[found.taken], _gap(found)
    if found.state == "apart":
        return [*said, f"By this model, {best.words} is worth {gap} more than {taken.words}."]
    return [*said, f"The model does not tell {best.words} from {taken.words}: the difference is {gap}."]


def _gap(found: DecisionValue) -> str:
    """Return the loss with as many digits as the page shows of it."""
    loss, reach = found.loss / found.unit, found.wide * found.loss_error / found.unit
    digits = 2 if abs(loss) < 10 else 1
    return f"{loss:.{digits}f} ± {reach:.{digits}f} bb"


def _equity_words(view: View, ranges: Sequence[Floats]) -> str:
    hand = Range.parse(names(view.hole))
    found = sampled_equities([hand, *map(Range, ranges)], SHOWDOWNS, board=view.board)
    whom = "this range" if len(ranges) == 1 else "these ranges"
    return f"With nobody folding, the hand wins {found.equity[0]:.0%} of the pot against {whom}."
