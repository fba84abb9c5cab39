"""Reproduction of tables and figures of the five publications, plus a competition, by one command.

A publication is a module of this package with a `PAPER`: a list of experiments, one per published table or
figure. An experiment is a function of a `ExperimentRunner`, which plays matches at the requested scale and
stores every result. It returns a `Finding`: rows with the published figure next to ours.

    def table4(lab: Lab) -> Finding:
        hands = lab.at(smoke=50, quick=3_000, full=500_000)
        found = lab.match(LIMIT, "sartre-2", "sartre-1", hands=hands)
        ours = found.estimates()[0]
        row = Row("majority against probabilistic", "+0.011 ± 0.005", shown(ours), found.hands,
                  against="both learned from eqm, which stands in for MANZANA", samples=ours.samples)
        return Finding((row,))

    PAPER = Paper("sartre", references.SARTRE, "…", (Experiment("table4", "Table 4: …", table4, judge), …))

Verdicts come from a second function, `judge`, which sees the rows as they are printed (`judging.py`).

Computations other than matches go through `lab.work(function, units, title)`. The function must be pure and
defined at the top level of a module, its units frozen values with a complete `repr`, and its result
JSON-serialisable. `sartre.py` is a model to follow.
"""

from holdmem.papers.catalogue import PAPERS, Experiment, Paper, find_experiments, find_paper
from holdmem.papers.findings import Finding, Grid, Picture, Row
from holdmem.papers.runner import SCALES, ExperimentRunner

__all__ = [
    "PAPERS",
    "SCALES",
    "Experiment",
    "ExperimentRunner",
    "Finding",
    "Grid",
    "Paper",
    "Picture",
    "Row",
    "find_experiments",
    "find_paper",
]
