"""Results over all sessions: by session, opponent and game, with intervals and luck removed, and a graph."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from holdmem.arena.score import FEWEST_HANDS
from holdmem.core.statistics import CONFIDENCE
from holdmem.core.types import Flags, Floats, Ints, JsonObject
from holdmem.engine import PARTS
from holdmem.history.hands import UNKNOWN
from holdmem.web.bankroll import curve
from holdmem.web.sessions_hands import ALL_IN, NOBODY, WITHOUT_LUCK, SessionHands

MOST_ROWS = 200
"""Opponents and games that are listed; those with the most hands."""


@dataclass(frozen=True, eq=False)
class Session:
    """Hands of one file, or of one sitting at this table."""

    name: str
    address: str
    added: float
    """When the file came, which stands for the time of hands that have none."""
    hands: SessionHands


@dataclass(frozen=True, eq=False)
class _All:
    """The columns of all sessions together."""

    session: Ints
    time: Floats
    won: Floats
    less_luck: Floats
    method: Ints
    all_in: Flags
    game: Ints
    others: Ints
    games: list[str]
    players: list[str]


def overview(sessions: Sequence[Session]) -> JsonObject:
    """Return everything that the page of sessions shows."""
    whole = _together(sessions)
    everything = np.arange(len(whole.won))
    first, last = _ends(sessions, whole)
    rows = [
        _row(one.name, whole, everything[whole.session == place])
        | {"address": one.address, "unknown": one.hands.unknown, "first": first[place], "last": last[place]}
        for place, one in enumerate(sessions)
    ]
    order = np.argsort(whole.time, kind="stable")
    return {
        "total": _row("all hands", whole, everything),
        "unknown": sum(one.hands.unknown for one in sessions),
        "sessions": rows,
        "opponents": _by_opponent(whole),
        "games": _most(
            [_row(name, whole, everything[whole.game == place]) for place, name in enumerate(whole.games)]
        ),
        "curve": {
            "hands": len(order),
            "won": curve((whole.won[order] * PARTS).tolist()),
            "less_luck": curve((whole.less_luck[order] * PARTS).tolist()),
        },
    }


def _together(sessions: Sequence[Session]) -> _All:
    games = list(dict.fromkeys(name for one in sessions for name in one.hands.games))
    players = list(dict.fromkeys(name for one in sessions for name in one.hands.players))
    place = {name: number for number, name in enumerate(players)}
    parts = [one.hands for one in sessions]

    def joined(name: str, kind: type) -> np.ndarray:
        return np.concatenate([np.zeros(0, kind), *(getattr(part, name) for part in parts)])

    others = [np.zeros((0, 10), np.int64)]
    for part in parts:
        moved = np.array([*(place[name] for name in part.players), NOBODY], dtype=np.int64)
        others.append(moved[part.others])
    times = [
        np.where(one.hands.time == UNKNOWN, one.added, one.hands.time).astype(np.float64) for one in sessions
    ]
    return _All(
        session=np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        time=np.concatenate([np.zeros(0), *times]),
        won=joined("won", float),
        less_luck=joined("less_luck", float),
        method=joined("method", int),
        all_in=joined("all_in", bool),
        game=np.concatenate(
            [
                np.zeros(0, np.int64),
                *(np.array([games.index(n) for n in p.games], int)[p.game] for p in parts),
            ]
        ),
        others=np.concatenate(others),
        games=games,
        players=players,
    )


def _ends(sessions: Sequence[Session], whole: _All) -> tuple[list[float | None], list[float | None]]:
    """Return when each session began and ended; None where its hands have no times."""
    known = [one.hands.time[one.hands.time != UNKNOWN] for one in sessions]
    return (
        [float(times.min()) if len(times) else None for times in known],
        [float(times.max()) if len(times) else None for times in known],
    )


def _by_opponent(whole: _All) -> list[JsonObject]:
    """Return the results in all hands in which each other player sat at the table."""
    met = np.bincount(whole.others[whole.others != NOBODY], minlength=len(whole.players))
    order = np.argsort(-met, kind="stable")[:MOST_ROWS]
    hand, _ = np.nonzero(whole.others != NOBODY)
    who = whole.others[whole.others != NOBODY]
    by_who = np.argsort(who, kind="stable")
    begins = np.searchsorted(who[by_who], np.arange(len(whole.players) + 1))
    return [
        _row(whole.players[one], whole, hand[by_who[begins[one] : begins[one + 1]]])
        for one in order.tolist()
        if met[one]
    ]


def _most(rows: list[JsonObject]) -> list[JsonObject]:
    return sorted((row for row in rows if row["hands"]), key=lambda row: -row["hands"])[:MOST_ROWS]


def _row(name: str, whole: _All, which: Ints) -> JsonObject:
    """Return hands, winnings and rates of some hands; rates are in big blinds per 100 hands."""
    won, method = whole.won[which], whole.method[which]
    return {
        "name": name,
        "hands": len(which),
        "bb": float(won.sum()),
        "won": rate(won),
        "less_luck": rate(whole.less_luck[which]),
        "aivat": int((method == WITHOUT_LUCK).sum()),
        "adjusted": int((method == ALL_IN).sum()),
        "all_ins": int((whole.all_in[which] & (method != WITHOUT_LUCK)).sum()),
    }


def rate(values: Floats) -> JsonObject | None:
    """Return the mean per 100 hands with its 95% interval, from `FEWEST_HANDS` hands on."""
    count = len(values)
    if not count:
        return None
    mean = 100 * float(values.mean())
    if count < FEWEST_HANDS:
        return {"mean": mean, "low": None, "high": None}
    error = 100 * float(values.std(ddof=1)) / np.sqrt(count)
    reach = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2) * error)
    return {"mean": mean, "low": mean - reach, "high": mean + reach}
