"""Hide hole cards as a table does: who must show shows, the others only what is not beaten."""

from dataclasses import replace

import numpy as np

from holdmem.cards import evaluate
from holdmem.engine.state import SEATS
from holdmem.history import Hands
from holdmem.history.hands import UNKNOWN
from holdmem.history.replay import replay_results
from holdmem.people.observe import first_to_show


def hide_cards(hands: Hands) -> Hands:
    """Return the hands with only the hole cards that a table would have seen.

    At a showdown the seat that bet last on the river shows first, otherwise the first from the left of the
    button; the others follow clockwise and muck what the shown hands beat. All other cards stay hidden.
    """
    shown, first = replay_results(hands).shown, first_to_show(hands)
    rows = hands.rows.copy()
    rows["hole"] = UNKNOWN
    for place in np.flatnonzero(first >= 0).tolist():
        _show(hands.rows[place], rows[place], int(shown[place]), int(first[place]))
    return replace(hands, rows=rows)


def _show(known: np.record, row: np.record, at_showdown: int, first: int) -> None:
    best = 0
    for step in range(SEATS):
        seat = (first + step) % SEATS
        if at_showdown >> seat & 1 and UNKNOWN not in known["hole"][seat]:
            cards = [*known["hole"][seat].tolist(), *known["board"].tolist()]
            strength = int(evaluate([cards])[0])
            if strength >= best:
                row["hole"][seat] = known["hole"][seat]
                best = strength
