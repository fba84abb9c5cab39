"""The statistics: which counters each is made of, and its title in tables."""

from typing import NamedTuple

from holdmem.core.statistics import Share, odds, share
from holdmem.core.types import Ints
from holdmem.history.stats.kernels.count import COUNTERS

AFTER_THE_FLOP = ("flop", "turn", "river")


class Statistic(NamedTuple):
    """Sum of the counters `made` over the sum of the counters `of`; as odds, `of` excludes what was made."""

    name: str
    title: str
    made: tuple[str, ...]
    of: tuple[str, ...]
    as_odds: bool = False

    def compute(self, counts: Ints) -> Share:
        """Compute the statistic from a row of counters."""
        made, of = (sum(int(counts[COUNTERS.index(name)]) for name in part) for part in (self.made, self.of))
        return odds(made, of) if self.as_odds else share(made, of)


def _chances(name: str, title: str) -> Statistic:
    return Statistic(name, title, (name,), (f"{name}_chances",))


def _on_streets(name: str, suffix: str = "") -> tuple[str, ...]:
    return tuple(f"{name}_{street}{suffix}" for street in AFTER_THE_FLOP)


_AGGRESSIVE, _CALLS, _FOLDS = (_on_streets(name) for name in ("aggressive", "calls", "folds"))

STATISTICS = {
    one.name: one
    for one in (
        Statistic("vpip", "VPIP", ("vpip",), ("dealt",)),
        Statistic("pfr", "PFR", ("pfr",), ("dealt",)),
        _chances("three_bet", "3-bet"),
        _chances("fold_to_three_bet", "fold to 3-bet"),
        _chances("four_bet", "4-bet"),
        _chances("steal", "steal"),
        _chances("fold_to_steal", "fold to steal"),
        *(_chances(f"cbet_{street}", f"c-bet {street}") for street in AFTER_THE_FLOP),
        *(_chances(f"fold_to_cbet_{street}", f"fold to c-bet {street}") for street in AFTER_THE_FLOP),
        Statistic(
            "check_raise", "check-raise", _on_streets("check_raise"), _on_streets("check_raise", "_chances")
        ),
        *(_chances(f"check_raise_{street}", f"check-raise {street}") for street in AFTER_THE_FLOP),
        Statistic("af", "AF", _AGGRESSIVE, _CALLS, as_odds=True),
        Statistic("afq", "AFq", _AGGRESSIVE, (*_AGGRESSIVE, *_CALLS, *_FOLDS)),
        Statistic("wtsd", "WTSD", ("showdowns",), ("flops",)),
        Statistic("wsd", "W$SD", ("won_showdowns",), ("scored_showdowns",)),
        Statistic("wwsf", "WWSF", ("won_flops",), ("scored_flops",)),
    )
}
"""All shares, and AF, by name, in the order of tables."""
