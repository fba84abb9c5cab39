"""Carry the hands of cases along when case bases are merged, compacted and pruned."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.link import LinkByFeatures, StoredLink
from holdmem.cbr.remembered import MOST_HANDS, NO_HAND, Examples, HandPool, join_pools
from holdmem.core.types import Ints


def prune_hands(base: CaseBase) -> CaseBase:
    """Return the case base without hands that no case shows."""
    pool = base.pool
    if pool is None:
        return base
    shown = [cases.remembered.hand for cases in base.streets if cases.remembered is not None]
    used = np.unique(np.concatenate([hand.ravel() for hand in shown]))
    used = used[used != NO_HAND]
    kept, moved = pool.select(used), np.full(len(pool) + 1, NO_HAND, dtype=np.int32)
    moved[used] = np.arange(len(used))
    return replace(base, streets=tuple(_moved(cases, kept, moved) for cases in base.streets))


def _moved(cases: Cases, pool: HandPool, moved: NDArray[np.int32]) -> Cases:
    """Return cases with their hands in another pool; `moved` gives the new places, the last that of none."""
    examples = cases.remembered
    if examples is None:
        return cases
    hand, decision = moved[examples.hand], examples.decision
    if isinstance(examples.links, StoredLink):
        return replace(cases, remembered=Examples(StoredLink(pool, hand, decision)))
    link = replace(examples.links, pool=pool, values=cases.values, solutions=cases.solutions)
    return replace(cases, remembered=Examples(link.known(hand, decision)))


def merged_hands(cases: Cases, merged: Cases, places: Ints) -> Examples | None:
    """Return the hands of merged cases; `places` gives the merged case of each original case."""
    examples = cases.remembered
    if examples is None:
        return None
    if isinstance(examples.links, LinkByFeatures):
        return Examples(replace(examples.links, values=merged.values, solutions=merged.solutions))
    case = np.repeat(places, examples.hand.shape[1])
    table = pl.DataFrame({"case": case, "hand": examples.hand.ravel(), "decision": examples.decision.ravel()})
    table = table.filter(pl.col("hand") != NO_HAND).unique(
        ["case", "hand"], keep="first", maintain_order=True
    )
    table = table.with_columns(rank=pl.int_range(pl.len()).over("case")).filter(pl.col("rank") < MOST_HANDS)
    hand = np.full((len(merged), MOST_HANDS), NO_HAND, dtype=np.int32)
    decision = np.full((len(merged), MOST_HANDS), NO_HAND, dtype=np.int16)
    where = table["case"].to_numpy(), table["rank"].to_numpy()
    hand[where], decision[where] = table["hand"].to_numpy(), table["decision"].to_numpy()
    return Examples(StoredLink(examples.pool, hand, decision))


def joined_hands(bases: Sequence[CaseBase], streets: Sequence[Cases]) -> tuple[Cases, ...]:
    """Give the joined cases of several case bases the hands of all of them."""
    pools = [base.pool for base in bases if base.pool is not None]
    if not pools:
        return tuple(streets)
    pool, places = join_pools(pools)
    representation = bases[0].representation
    if representation.merged:
        pool = pool.arranged()
        return tuple(
            replace(cases, remembered=Examples(LinkByFeatures.of(pool, representation, street, cases)))
            for street, cases in enumerate(streets)
        )
    moved = iter(np.append(part, NO_HAND) for part in places)
    parts = [_links(base, next(moved) if base.pool is not None else np.full(1, NO_HAND)) for base in bases]
    joined = [np.concatenate([part[street] for part in parts]) for street in range(len(streets))]
    return tuple(
        replace(
            cases,
            remembered=Examples(
                StoredLink(pool, table[..., 0].astype(np.int32), table[..., 1].astype(np.int16))
            ),
        )
        for cases, table in zip(streets, joined, strict=True)
    )


def _links(base: CaseBase, moved: Ints) -> list[Ints]:
    """Return places and actions by street, of shape (cases, MOST_HANDS, 2)."""
    tables = []
    for cases in base.streets:
        table = np.full((len(cases), MOST_HANDS, 2), NO_HAND, dtype=np.int64)
        if cases.remembered is not None:
            width = cases.remembered.hand.shape[1]
            table[:, :width, 0] = moved[cases.remembered.hand]
            table[:, :width, 1] = cases.remembered.decision
        tables.append(table)
    return tables
