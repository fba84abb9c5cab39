"""Marques (n.d.), chapter 5: exact counts of all preflop and flop hands by bucket."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.papers.findings import Finding, Grid, Picture, Row
from holdmem.papers.learners_published import COLUMNS, TABLE_5_1, TABLE_5_2, TABLE_5_3, TABLE_5_4, Counts
from holdmem.papers.runner import ExperimentRunner
from holdmem.papers.verdicts import NOT_REPLICATED, REPLICATED, Verdict
from holdmem.plots.learners import draw_bubbles
from holdmem.strength import LinearBuckets, NestedBuckets, hands_per_bucket
from holdmem.strength.bucketings import LATER_ENDS, PREFLOP_ENDS

METRIC_OF = {"HS": "e_hs", "HSQ": "e_hs2"}

# Tables 5.1 to 5.4 and figures 5.2 to 5.5: all hands of a street sorted into buckets.


@dataclass(frozen=True)
class BucketColumn:
    """Hands of a street to be counted by bucket: a column of the tables, or nested buckets."""

    street: str
    name: str
    buckets: int
    inner: int = 0
    spaced: str = "by 4.27"
    """Or "evenly": thresholds at equal distances between a and b."""


def count_hands(sorting: BucketColumn) -> list[int]:
    """Return the exact number of hands in each bucket."""
    return [int(count) for count in hands_per_bucket(_buckets(sorting), sorting.street)]


def _buckets(sorting: BucketColumn) -> LinearBuckets | NestedBuckets:
    if sorting.inner:
        both = {metric: _ends(sorting.street, metric) for metric in METRIC_OF.values()}
        outer = sorting.buckets // sorting.inner
        if sorting.name == "NU":
            return NestedBuckets.by_hs2_and_hs(outer, sorting.inner)
        return NestedBuckets.by_hs2_and_hs(outer, sorting.inner, both["e_hs2"], both["e_hs"])
    kind, _, metric = sorting.name.partition("-")
    name = METRIC_OF[metric]
    low, high = _ends(sorting.street, name)
    if sorting.spaced == "evenly":
        return LinearBuckets(name, tuple(np.linspace(low, high, sorting.buckets).tolist()))
    if kind == "LU":
        return LinearBuckets.uniform(name, sorting.buckets)
    return LinearBuckets.non_uniform(name, sorting.buckets, low, high)


def _ends(street: str, metric: str) -> tuple[float, float]:
    return PREFLOP_ENDS[metric] if street == "preflop" else LATER_ENDS


ELSEWHERE = 0.05
"""Share of all hands that may lie in another bucket than published, whose strengths are sampled."""


def bucket_table(runner: ExperimentRunner, street: str, published: Counts) -> Finding:
    """Reproduce one of tables 5.1 to 5.4, each column next to ours."""
    names = COLUMNS if street == "preflop" else runner.at(smoke=COLUMNS[1:2], quick=COLUMNS, full=COLUMNS)
    buckets = len(published[COLUMNS[0]])
    wanted = [BucketColumn(street, name, buckets) for name in names]
    if street == "preflop":
        wanted += [
            BucketColumn(street, name, buckets, spaced="evenly") for name in names if name[:3] == "LNU"
        ]
    found = runner.work(count_hands, wanted, f"sorting all {street} hands", lambda _: ())
    rows = [
        _compared(sorting, ours, published[sorting.name]) for sorting, ours in zip(wanted, found, strict=True)
    ]
    total = sum(found[0])
    remark = (
        f"All {total:,} hands; ours are exact. The published flop counts sum to C(52, 5) = 2,598,960, the"
        " number of five-card hands; hole cards and flop make 25,989,600, ten times as many."
        if street == "flop"
        else f"All {total:,} hands; ours are exact, theirs from sampled strengths."
    )
    return Finding(tuple(rows), (_counts_grid(wanted, found, published),), remark=remark)


def _compared(sorting: BucketColumn, ours: list[int], published: tuple[int, ...]) -> Row:
    """Compare the shares of the bucket that differs most."""
    shares, theirs = np.array(ours) / sum(ours), np.array(published) / sum(published)
    bucket = int(np.abs(shares - theirs).argmax())
    apart = float(abs(shares[bucket] - theirs[bucket]))
    moved = float(np.abs(shares - theirs).sum() / 2)
    evenly = sorting.spaced == "evenly"
    return Row(
        sorting.name + (", ends evenly spaced from a to b" if evenly else ""),
        f"{theirs[bucket]:.1%} in bucket {bucket + 1}",
        f"{shares[bucket]:.1%}",
        verdict=_moved_verdict(moved),
        remark=f"the bucket that differs most, by {apart:.1%}" + _why(sorting, published),
        reason=_moved_reason(moved),
    )


def _moved_verdict(moved: float) -> Verdict:
    return REPLICATED if moved <= ELSEWHERE else NOT_REPLICATED


def _moved_reason(moved: float) -> str:
    return f"{moved:.1%} of all hands are in another bucket, margin {ELSEWHERE:.0%}"


def _why(sorting: BucketColumn, published: tuple[int, ...]) -> str:
    if sorting.street == "preflop" and sorting.name.startswith("LNU"):
        said = "; the published counts do not match the thresholds printed next to them"
        if sorting.name == "LNU-HSQ" and sorting.buckets == 24:
            said += ", which end at 0.7 where the text has 0.8"
        return said
    if sum(published) not in (1_326, 2_598_960):
        return f"; the published column sums to {sum(published):,}"
    return ""


def _counts_grid(wanted: list[BucketColumn], found: list[list[int]], published: Counts) -> Grid:
    printed = [(one, counts) for one, counts in zip(wanted, found, strict=True) if one.spaced != "evenly"]
    header = ["bucket"]
    for sorting, _ in printed:
        header += [f"{sorting.name} up to", "paper", "ours"]
    rows = []
    for bucket in range(wanted[0].buckets):
        cells = [str(bucket + 1)]
        for sorting, counts in printed:
            end = _buckets(sorting).thresholds[bucket]  # type: ignore[union-attr]
            cells += [f"{end:.4f}", f"{published[sorting.name][bucket]:,}", f"{counts[bucket]:,}"]
        rows.append(tuple(cells))
    return Grid("Hands in each bucket", tuple(header), tuple(rows))


def table5_1(runner: ExperimentRunner) -> Finding:
    """Reproduce table 5.1: preflop, 12 buckets."""
    return bucket_table(runner, "preflop", TABLE_5_1)


def table5_2(runner: ExperimentRunner) -> Finding:
    """Reproduce table 5.2: preflop, 24 buckets."""
    return bucket_table(runner, "preflop", TABLE_5_2)


def table5_3(runner: ExperimentRunner) -> Finding:
    """Reproduce table 5.3: flop, 12 buckets."""
    return bucket_table(runner, "flop", TABLE_5_3)


def table5_4(runner: ExperimentRunner) -> Finding:
    """Reproduce table 5.4: flop, 24 buckets."""
    return bucket_table(runner, "flop", TABLE_5_4)


def figures5(runner: ExperimentRunner) -> Finding:
    """Reproduce figures 5.2 to 5.5: nested buckets, uniform and non-uniform."""
    streets = runner.at(smoke=("preflop",), quick=("preflop", "flop"), full=("preflop", "flop"))
    shapes = ((6, 2), (8, 3))
    wanted = [
        BucketColumn(street, name, outer * inner, inner)
        for street in streets
        for outer, inner in shapes
        for name in ("NU", "NNU")
    ]
    found = runner.work(count_hands, wanted, "sorting into nested buckets", lambda _: ())
    counts = {one: np.array(numbers) for one, numbers in zip(wanted, found, strict=True)}
    pictures, rows = [], []
    for street in streets:
        for shape in shapes:
            pair = [BucketColumn(street, name, shape[0] * shape[1], shape[1]) for name in ("NU", "NNU")]
            pictures.append(_bubbles(street, shape, [counts[one] for one in pair]))
            empty = [int(np.count_nonzero(counts[one] == 0)) for one in pair]
            what = f"{street}, {shape[0]}×{shape[1]}: empty buckets, uniform and non-uniform"
            verdict: Verdict = REPLICATED if any(empty) else NOT_REPLICATED
            rows.append(Row(what, "some", f"{empty[0]} and {empty[1]}", verdict=verdict,
                            remark="E[HS] and E[HS²] go together, so some pairs never occur"))  # fmt: skip
    return Finding(tuple(rows), pictures=tuple(pictures))


def _bubbles(street: str, shape: tuple[int, int], counts: list[NDArray[np.int64]]) -> Picture:
    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 2)
        for axes, numbers, title in zip(panels, counts, ("uniform", "non-uniform"), strict=True):
            draw_bubbles(axes, numbers, shape, title)

    return Picture(
        f"{street}: {shape[0]}×{shape[1]} nested buckets, areas by the number of hands", draw, (9, 6)
    )
