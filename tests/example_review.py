"""The shipped review of the example, made once more from its stored values by the present code."""

from pathlib import Path

import numpy as np

from holdmem.core.types import JsonObject
from holdmem.ev import SCREENING, named_player
from holdmem.ev.review.leaks import find_leaks
from holdmem.ev.review.report import LeakReport
from holdmem.ev.review.run import field_words
from holdmem.ev.review.situations import classes_of_views
from holdmem.ev.review.units import Columns
from holdmem.history import Hands, read_hands, replay
from holdmem.history.stats import StatFilter, count_statistics
from holdmem.web.library_routes import EXAMPLE, EXAMPLE_VALUES, HERO

AGAIN = "run: python -m benchmarks.example_hands src/holdmem/data"
"""What to do when the shipped review is not what the present code would make."""


def example_hands() -> Hands:
    """The hands of the example."""
    return read_hands(EXAMPLE).collect()


def stored_values(path: Path = EXAMPLE_VALUES) -> Columns:
    """The columns that are shipped."""
    with np.load(path, allow_pickle=False) as found:
        return {name: _wide(found[name]) for name in found.files}


def _wide(column: np.ndarray) -> np.ndarray:
    return column.astype(np.float64 if column.dtype.kind == "f" else np.int64)


def classes_by_decision(hands: Hands) -> dict[tuple[int, int], dict[str, str]]:
    """The classes of Hero's decisions, by hand and number of actions before."""
    (found,) = replay(hands)
    rows = np.flatnonzero((found.player == hands.players.index(HERO)) & found.known)
    classes = classes_of_views(found.views[rows])
    keys = zip(found.hand[rows].tolist(), found.views.actions[rows].tolist(), strict=True)
    return {key: {name: texts[row] for name, texts in classes.items()} for row, key in enumerate(keys)}


def example_report(hands: Hands, also: tuple[str, ...] = ()) -> LeakReport:
    """The review of these hands from the stored values, with everything else computed now."""
    columns, classes = stored_values(), classes_by_decision(hands)
    mine = [classes[key] for key in zip(columns["hand"].tolist(), columns["action"].tolist(), strict=True)]
    columns |= {name: [one[name] for one in mine] for name in mine[0]}
    for flag in ("is_best", "precise", "again"):
        columns[flag] = columns[flag].astype(np.bool_)
    return LeakReport(
        player=HERO,
        reference=named_player("population").words,
        others=field_words(len(hands)),
        hands=hands,
        columns=columns,
        tests=find_leaks(columns, len(hands)),
        statistics=next(iter(count_statistics([hands], ("player",), StatFilter(player=(HERO,))))),
        precision=SCREENING,
        also=also,
    )


def unplayed(review: JsonObject) -> JsonObject:
    """A review without what has to be played again: values under other models, hands of the reference."""
    leaks = [{name: one[name] for name in one if name != "reference_hands"} for one in review["leaks"]]
    kept = review.keys() - {"dearest_decisions"}
    return {name: review[name] for name in kept} | {"leaks": leaks}


def same(found: JsonObject, shipped: JsonObject, at: str = "") -> None:
    """Expect the same values; numbers may differ by the rounding of what is stored."""
    if isinstance(shipped, dict):
        assert found.keys() == shipped.keys(), f"{at}: {AGAIN}"
        for name in shipped:
            same(found[name], shipped[name], f"{at}/{name}")
    elif isinstance(shipped, list):
        assert len(found) == len(shipped), f"{at}: {AGAIN}"
        for place, one in enumerate(shipped):
            same(found[place], one, f"{at}/{place}")
    elif isinstance(shipped, float):
        assert np.isclose(found, shipped, rtol=1e-4, atol=1e-6), f"{at}: {found}, {shipped}; {AGAIN}"
    else:
        assert found == shipped, f"{at}: {found!r}, {shipped!r}; {AGAIN}"
