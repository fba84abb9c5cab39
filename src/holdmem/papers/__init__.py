"""Every table and figure of the five publications, and a competition of our own, by one command.

A publication is a module here with a `PAPER`: a list of experiments, one for each row of its published tables
and figures. An experiment is a function of a `Lab`, which plays matches at the scale asked for and keeps
every result, and returns a `Finding`: rows with the published figure beside ours.

    def table4(lab: Lab) -> Finding:
        hands = lab.at(smoke=50, quick=3_000, full=500_000)
        found = lab.match(LIMIT, "sartre-2", "sartre-1", hands=hands)
        ours = found.estimates()[0]
        row = Row("majority against probabilistic", "+0.011 ± 0.005", shown(ours), found.hands,
                  against="both learned from eqm, which stands in for MANZANA",
                  verdict=same_sign(0.011, ours))
        return Finding((row,))

    PAPER = Paper("sartre", references.SARTRE, "…", (Experiment("table4", "Table 4: …", table4), …))

Anything that is no match goes through `lab.work(function, units, title)`: a pure function at the top of a
module, of frozen values whose `repr` says all, with a result that JSON can hold. `sartre.py` is the model.
"""

from holdmem.papers.catalogue import PAPERS, Experiment, Paper, find_experiments, find_paper
from holdmem.papers.findings import Finding, Grid, Picture, Row
from holdmem.papers.lab import SCALES, Lab

__all__ = [
    "PAPERS",
    "SCALES",
    "Experiment",
    "Finding",
    "Grid",
    "Lab",
    "Paper",
    "Picture",
    "Row",
    "find_experiments",
    "find_paper",
]
