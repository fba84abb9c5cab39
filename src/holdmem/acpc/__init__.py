"""The protocol of the Annual Computer Poker Competition (version 2.0.0): dealer and client.

`matchstate` reads and writes the dealer's lines, `dealing` is a dealer without sockets; `serving` and
`joining` connect them to the network.
"""

from holdmem.acpc.client import ClientResult, MatchClient, join
from holdmem.acpc.dealing import Dealer, Limits
from holdmem.acpc.matchstate import MatchStateTracker, matchstate, view_of
from holdmem.acpc.planning import DealerPlan
from holdmem.acpc.players import SeatRequest, parse_seats
from holdmem.acpc.server import serve
from holdmem.acpc.wire_match import MatchReport

__all__ = [
    "ClientResult",
    "Dealer",
    "DealerPlan",
    "Limits",
    "MatchClient",
    "MatchReport",
    "MatchStateTracker",
    "SeatRequest",
    "join",
    "matchstate",
    "parse_seats",
    "serve",
    "view_of",
]
