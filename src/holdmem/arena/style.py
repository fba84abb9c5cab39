"""Playing style in the statistics that poker players use."""

from dataclasses import dataclass

from holdmem.arena.kernels.style import AGGRESSIVE, CALLS, FLOPS, HANDS, RAISED, SHOWDOWNS, VOLUNTARY, WON


@dataclass(frozen=True)
class Style:
    """Playing style of one agent, mostly as fractions of hands.

    vpip                  put chips in before the flop other than as a blind
    pfr                   raised before the flop
    aggression            bets and raises per call, on all streets (Marques n.d.); None without a call
    went_to_showdown      of the hands in which it saw the flop
    won_at_showdown       of those showdowns, won more than it had paid
    """

    hands: int
    vpip: float
    pfr: float
    aggression: float | None
    went_to_showdown: float | None
    won_at_showdown: float | None

    @classmethod
    def of(cls, counts: list[int]) -> "Style":
        """Compute the statistics from a row of counts."""
        return cls(
            hands=counts[HANDS],
            vpip=counts[VOLUNTARY] / counts[HANDS],
            pfr=counts[RAISED] / counts[HANDS],
            aggression=_share(counts[AGGRESSIVE], counts[CALLS]),
            went_to_showdown=_share(counts[SHOWDOWNS], counts[FLOPS]),
            won_at_showdown=_share(counts[WON], counts[SHOWDOWNS]),
        )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
