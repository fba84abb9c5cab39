"""Secret seeds of designs: drawn when a run begins, kept in the ledger until it ends, public afterwards.

A run that was killed finds its secret again by a name made of all that is to be played. Once everything has
been played the name is forgotten, so the same command then draws another secret.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from holdmem.arena.design import SECRET, Design
from holdmem.arena.ledger import Ledger
from holdmem.errors import AgentError
from holdmem.table import secret_seed


def with_secret(designs: Sequence[Design], ledger: Ledger | None) -> tuple[list[Design], str]:
    """The designs with a number for a seed, and the name of the secret (empty if nobody asked for one)."""
    asking = [design for design in designs if design.seed == SECRET]
    if not asking:
        return list(designs), ""
    name = hashlib.blake2b(" ".join(map(_name, asking)).encode(), digest_size=12).hexdigest()
    seed = ledger.secret(name, secret_seed()) if ledger else secret_seed()
    return [replace(design, seed=seed) if design.seed == SECRET else design for design in designs], name


def publish(secret: str, ledger: Ledger) -> None:
    """All that used the secret has ended."""
    if secret:
        ledger.publish(secret)


def _name(design: Design) -> str:
    try:
        return design.hash
    except AgentError:  # told when it is planned; another design of the same run may be played
        return repr(design)
