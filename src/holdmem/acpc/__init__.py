"""The protocol of the Annual Computer Poker Competition (version 2.0.0): dealer and client.

`matchstate` reads and writes the dealer's lines, `dealing` is a dealer without sockets; `serving` and
`joining` connect them to the network.
"""

from holdmem.acpc.dealing import Dealer, Limits
from holdmem.acpc.joining import Joined, Joining, join
from holdmem.acpc.matchstate import Follower, matchstate, view_of
from holdmem.acpc.planning import Plan
from holdmem.acpc.players import Place, parse_seats
from holdmem.acpc.serving import serve
from holdmem.acpc.tables import Ended

__all__ = [
    "Dealer",
    "Ended",
    "Follower",
    "Joined",
    "Joining",
    "Limits",
    "Place",
    "Plan",
    "join",
    "matchstate",
    "parse_seats",
    "serve",
    "view_of",
]
