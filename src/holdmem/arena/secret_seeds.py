"""Secret seeds of designs: drawn when a run begins, kept in the ledger until it ends, public afterwards.

A run that was killed finds its secret again under a name derived from everything that it plays. Once all of
it has been played the name is deleted, so repeating the command draws a new secret.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from holdmem.arena.design import SECRET, Design
from holdmem.arena.ledger import Ledger
from holdmem.core.errors import AgentError
from holdmem.core.random import secret_seed


def with_secret(designs: Sequence[Design], ledger: Ledger | None) -> tuple[list[Design], str]:
    """Return the designs with secret seeds drawn, and the secret's name (empty if no design needs one)."""
    asking = [design for design in designs if design.seed == SECRET]
    if not asking:
        return list(designs), ""
    name = hashlib.blake2b(" ".join(map(_name, asking)).encode(), digest_size=12).hexdigest()
    seed = ledger.secret(name, secret_seed()) if ledger else secret_seed()
    return [replace(design, seed=seed) if design.seed == SECRET else design for design in designs], name


def publish(secret: str, ledger: Ledger) -> None:
    """Release the secret, once everything that used it has ended."""
    if secret:
        ledger.publish(secret)


def _name(design: Design) -> str:
    try:
        return design.hash
    except AgentError:  # reported when the design is planned; others of the run may still be played
        return repr(design)
