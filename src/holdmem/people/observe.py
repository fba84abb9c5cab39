"""Observed decisions of people: what the table saw of each, ordered by hand and seat."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import evaluate
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine.state import SEATS
from holdmem.history import Hands, replay, replay_results
from holdmem.history.hands import UNKNOWN
from holdmem.history.replay import final_states
from holdmem.people.holdings import classes_of_boards
from holdmem.people.situations import ByteArray, action_classes, features_of

BY_HAND = ("player", "time", "seats", "hole", "cards", "limit", "obliged")


@dataclass(frozen=True, eq=False)
class Observations:
    """Decisions, and the hands of single players to which they belong.

    Decisions are ordered by player-hand: a hand as one player lived through it. `first[i]` to `first[i + 1]`
    are the decisions of player-hand i.
    """

    features: ByteArray
    action: ByteArray
    """Class of the action."""
    size: Floats
    """Size of the raise, 0 for other actions."""
    board: Ints
    """Row of `classes` of each decision, -1 before the flop."""
    first: Ints
    player: Ints
    time: Ints
    seats: ByteArray
    hole: NDArray[np.int8]
    """Hole cards by player-hand, -1 where they were not shown."""
    cards: NDArray[np.int8]
    """Final board by player-hand, -1 for cards that were not dealt."""
    limit: Ints
    """Mucked at a showdown: the strength that the hand did not reach; 0 where there is no such evidence."""
    obliged: Flags
    """Whether the player had to show at a showdown, whatever it held."""
    classes: ByteArray
    """Class of every holding on every board on which somebody acted, shape (boards, 1326)."""
    players: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.player)

    @property
    def owner(self) -> Ints:
        """Player-hand of each decision."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def keep(self, kept: Flags | Ints) -> "Observations":
        """Return only these player-hands; boards are shared."""
        places = np.flatnonzero(kept) if kept.dtype == np.bool_ else kept
        counts = np.diff(self.first)[places]
        ends = np.cumsum(counts)
        index = np.repeat(self.first[places] - (ends - counts), counts) + np.arange(counts.sum())
        by_decision = {name: getattr(self, name)[index] for name in ("features", "action", "size", "board")}
        by_hand = {name: getattr(self, name)[places] for name in BY_HAND}
        return replace(self, **by_decision, **by_hand, first=np.concatenate([[0], ends]))


def observe(blocks: Iterable[Hands], only: Iterable[str] | None = None) -> Observations:
    """Observe the decisions of all players, or of those named, in playable hands."""
    names: dict[str, int] = {}
    parts = [part for block in blocks for part in _observed(block, names, only)]
    return _joined(parts, tuple(names))


def _observed(hands: Hands, names: dict[str, int], only: Iterable[str] | None) -> list[dict[str, Any]]:
    places = np.array([names.setdefault(name, len(names)) for name in hands.players], dtype=np.int64)
    wanted = np.ones(len(hands.players), np.bool_)
    if only is not None:
        chosen = set(only)
        wanted = np.array([name in chosen for name in hands.players], dtype=np.bool_)
    limits, obliged = _muck_limits(hands), np.arange(SEATS) == first_to_show(hands)[:, None]
    return [_of_game(decisions, places, wanted, limits, obliged) for decisions in replay(hands)]


def _of_game(decisions: Any, places: Ints, wanted: Flags, limits: Ints, obliged: Flags) -> dict[str, Any]:
    rows = decisions.views.rows
    action, size = action_classes(decisions.views, decisions.actions)
    features = features_of(decisions.views)
    key = decisions.hand * SEATS + rows["seat"]
    order = np.argsort(key, kind="stable")
    order = order[wanted[decisions.player[order]]]
    key = key[order]
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1])) if len(key) else np.zeros(0, np.int64)
    hand, seat = decisions.hand[order][starts], rows["seat"][order][starts].astype(np.int64)
    recorded = decisions.hands.rows
    board = rows["board"][order]
    after = rows["street"][order] > 0
    shown, index = np.unique(board[after], axis=0, return_inverse=True)
    where = np.full(len(order), -1, dtype=np.int64)
    where[after] = index.reshape(-1)
    return {
        "features": features[order], "action": action[order], "size": size[order], "board": where,
        "counts": np.diff(np.append(starts, len(key))), "player": places[decisions.player[order][starts]],
        "time": recorded["time"][hand], "seats": np.full(len(hand), decisions.views.game.seats, np.uint8),
        "hole": recorded["hole"][hand, seat], "cards": recorded["board"][hand],
        "limit": limits[hand, seat], "obliged": obliged[hand, seat],
        "boards": shown.reshape(-1, 5),
    }  # fmt: skip


def _muck_limits(hands: Hands) -> Ints:
    """Return for each seat that mucked at a showdown the best strength shown there, else 0."""
    shown = replay_results(hands).shown
    at_showdown = (shown[:, None] >> np.arange(SEATS) & 1) != 0
    rows, known = hands.rows, hands.known
    single = (rows["second"][:, 0] == UNKNOWN) & (rows["board"][:, 4] != UNKNOWN)
    hand, seat = np.nonzero(at_showdown & known & single[:, None])
    best = np.zeros(len(hands), dtype=np.int64)
    if len(hand):
        cards = np.hstack([rows["hole"][hand, seat], rows["board"][hand]]).astype(np.int64)
        np.maximum.at(best, hand, evaluate(cards).astype(np.int64))
    return np.where(at_showdown & ~known, best[:, None], 0)


def first_to_show(hands: Hands) -> Ints:
    """Return the seat that had to show at a showdown, -1 without one; the others may muck if beaten.

    After a bet on the river that is the seat that bet or raised last, otherwise the first from the left of
    the button. In the hands of HandHQ at 5/10 dollars 99.7% of these seats have shown.
    """
    found = np.full(len(hands), -1, dtype=np.int64)
    for ended in final_states(hands):
        states, history = ended.hands, ended.history
        live = (states["live"][:, None] >> np.arange(SEATS) & 1) != 0
        place = np.arange(history.shape[1])
        bets = (history["street"] == 3) & (history["to"] > 0) & (place < states["actions"][:, None])
        last = np.where(bets, place, -1).max(axis=1)
        seat = np.where(last >= 0, history["seat"][np.arange(len(states)), last], live.argmax(axis=1))
        found[ended.places] = np.where(states["shown"] != 0, seat, -1)
    return found


def _joined(parts: list[dict[str, Any]], players: tuple[str, ...]) -> Observations:
    offset = 0
    for part in parts:
        part["board"] = np.where(part["board"] >= 0, part["board"] + offset, -1)
        offset += len(part["boards"])
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
    counts = whole.pop("counts")
    boards = whole.pop("boards")
    return Observations(
        **whole,
        first=np.concatenate([[0], np.cumsum(counts)]),
        classes=classes_of_boards(boards),
        players=players,
    )


__all__ = ["Observations", "observe"]
