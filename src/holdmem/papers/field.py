"""Measure every agent against a fixed field, for the strengths that the lobby of the web table shows.

    python -m holdmem.papers.field -o src/holdmem/data/field.json
    python -m holdmem.papers.field --only clone --keep        keeps the rates of others in the file

Heads-up, an agent plays a duplicate match against each member of the field, and its rate is the mean over
them; against itself a player wins nothing, so that match is not played. At six seats it plays one duplicate
match at a table with five of them. The ledger keeps what has been played, so an interrupted run continues.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.special import stdtrit

from holdmem.agent import make_agent
from holdmem.agent.registry import registered
from holdmem.api.play import match
from holdmem.arena import Estimate, Ledger
from holdmem.core.atomic import write_atomically
from holdmem.core.data import DATA
from holdmem.core.errors import HoldMemError
from holdmem.core.random import Streams
from holdmem.core.statistics import CONFIDENCE
from holdmem.engine import find_game
from holdmem.players.clone import STYLE_WORDS

FIELD = ("always-call", "jagbot", "dpp", "simplebot")
SIXTH = "random"
STRONG = {"limit": "eqm", "nolimit": "eqm-nl"}
"""The near-equilibrium player that completes a heads-up field."""
UNRATED = ("mctsbot", "memory")
"""MCTSBot has known faults; `memory` plays whatever case base it is given."""
STYLES = tuple(f"clone:style={style}" for style in STYLE_WORDS)
"""Styles of people, which the lobby offers as well."""
THINKERS = ("simbot", "alistairbot")
WATCHERS = ("action-learner", "dynamic", "megabot", "outcome-learner", "plicas", "poki", "whlbot")
"""Agents that remember earlier hands of a match: their samples are whole matches, so they play several."""
SIZES = {2: (2000, 200, 24), 6: (1500, 60, 5)}
"""By number of seats: hands per order of an agent that forgets, and per match of one that watches and of one
that simulates."""
MATCHES = 10


@dataclass(frozen=True)
class FieldRate:
    """What an agent wins per hand against the field."""

    agent: str
    game: str
    seats: int
    rate: Estimate
    hands: int

    def as_json(self) -> dict[str, Any]:
        """Return the rate as values for the file."""
        found = self.rate
        values = [round(value, 4) for value in (found.mean, found.low or 0.0, found.high or 0.0)]
        return {
            "agent": self.agent, "game": self.game, "seats": self.seats, "mean": values[0],
            "low": values[1], "high": values[2], "unit": found.unit, "hands": self.hands,
        }  # fmt: skip


def field_of(game: str, seats: int) -> tuple[str, ...]:
    """Return the opponents against which agents are measured."""
    return (*FIELD, STRONG[game]) if seats == 2 else (*FIELD, SIXTH)


def measure(agent: str, game: str, seats: int, ledger: Ledger | None, share: float = 1.0) -> FieldRate:
    """Play one agent against the field; `share` scales the number of hands."""
    tables = [(agent, other) for other in field_of(game, 2)] if seats == 2 else [(agent, *field_of(game, 6))]
    played = [_played(game, table, ledger, share) for table in tables if len(set(table)) > 1]
    found = [result.estimates()[0] for result in played]
    return FieldRate(agent, game, seats, _mean(found, len(tables)), sum(result.hands for result in played))


def _played(game: str, table: Sequence[str], ledger: Ledger | None, share: float) -> Any:
    most, watching, thinking = SIZES[len(table)]
    if table[0] in THINKERS:
        hands, matches = thinking, MATCHES
    else:
        hands, matches = (watching, MATCHES) if table[0] in WATCHERS else (most, 1)
    hands = max(1, round(hands * share))
    return match(game, *table, hands=hands, matches=matches, seed=2011, ledger=ledger)


def _mean(found: list[Estimate], opponents: int) -> Estimate:
    """Return the mean over independent matches; a match against itself counts as zero.

    The interval takes Student's t with the degrees of freedom of the smallest match, which is conservative.
    """
    samples = min(one.samples for one in found)
    mean = sum(one.mean for one in found) / opponents
    error = math.hypot(*(one.standard_error or 0.0 for one in found)) / opponents
    reach = float(stdtrit(samples - 1, (1 + CONFIDENCE) / 2)) * error
    return Estimate(mean, error, mean - reach, mean + reach, found[0].unit, samples)


def measured(ledger: Ledger | None, share: float = 1.0, only: Sequence[str] = ()) -> Iterator[FieldRate]:
    """Measure every registered agent in every game that it plays."""
    for seats in SIZES:
        for game in STRONG:
            for name in (*registered(), *STYLES):
                if name in UNRATED or (only and name not in only) or not _plays(name, game, seats):
                    continue
                yield measure(name, game, seats, ledger, share)


def _plays(name: str, game: str, seats: int) -> bool:
    try:
        make_agent(name).sit(find_game(game, seats), 1, Streams.of(0))
    except HoldMemError:
        return False
    return True


def write(rates: Sequence[FieldRate], path: Path, kept: Sequence[dict[str, Any]] = ()) -> None:
    """Write the file that the lobby reads; of `kept`, rates that were not measured again stay."""
    fields = {f"{game}-{seats}": list(field_of(game, seats)) for game in STRONG for seats in SIZES}
    found = [rate.as_json() for rate in rates]
    measured_now = {(rate["agent"], rate["game"], rate["seats"]) for rate in found}
    found += [rate for rate in kept if (rate["agent"], rate["game"], rate["seats"]) not in measured_now]
    rows = [json.dumps(rate) for rate in sorted(found, key=_order)]
    text = f'{{"seed": 2011,\n"fields": {json.dumps(fields)},\n"rates": [\n' + ",\n".join(rows) + "\n]}\n"
    write_atomically(path, text)


def _order(rate: dict[str, Any]) -> tuple[str, int, float]:
    return rate["game"], rate["seats"], rate["mean"]


def known(path: Path) -> list[dict[str, Any]]:
    """Return the rates that an earlier run wrote to this file."""
    return list(json.loads(path.read_text(encoding="utf-8"))["rates"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all agents, or those named, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=DATA / "field.json")
    parser.add_argument("--ledger", type=Path, help="ledger in which finished matches are kept")
    parser.add_argument("--share", type=float, default=1.0, help="share of the usual number of hands")
    parser.add_argument("--only", nargs="*", default=(), help="measure these agents only")
    parser.add_argument("--keep", action="store_true", help="keep the rates of others in the file")
    chosen = parser.parse_args(arguments)
    kept = known(chosen.output) if chosen.keep else []
    rates = []
    for rate in measured(Ledger(chosen.ledger) if chosen.ledger else None, chosen.share, chosen.only):
        print(f"{rate.game}, {rate.seats} seats: {rate.agent} {rate.rate}", file=sys.stderr, flush=True)
        rates.append(rate)
    write(rates, chosen.output, kept)


if __name__ == "__main__":
    main()
