"""`reproduce`: run one published table or figure again, from Python."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from holdmem.arena import Ledger
from holdmem.core.choices import Scale
from holdmem.core.types import Progress
from holdmem.papers.catalogue import find_experiments, find_paper
from holdmem.papers.findings import Finding, without_verdicts
from holdmem.papers.runner import ExperimentRunner


def reproduce(
    paper: str,
    experiment: str,
    *,
    scale: Scale = "quick",
    seed: int = 0,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> Finding:
    """Produce a published table or figure again with HoldMem's players, next to the published values.

    `holdmem reproduce` also stores what it finds and writes pages; without arguments, it lists what there is.

    Parameters
    ----------
    paper : casper, sartre, imitators, plicas, learners or competition.
    experiment : the table or figure, such as "table5".
    scale : "smoke" plays a few hands and gives no verdicts, "quick" takes minutes, "full" hours.
    seed : random seed.
    ledger : where to look up and store results, so that nothing is played twice.
    workers : number of worker processes.
    on : address of a Dask scheduler to run on instead (tcp://host:port).
    progress : called with how much of each part is done so far, and of how much.

    Returns
    -------
    Finding : rows with the published and our value and a verdict; a table with pictures in notebooks.

    Raises
    ------
    NotationError : there is no such paper or experiment.

    Examples
    --------
    >>> found = reproduce("sartre", "table2", scale="smoke")
    >>> len(found.rows) > 0
    True
    """
    ((_, chosen),) = find_experiments([find_paper(paper)], [experiment])
    finding = chosen.run(ExperimentRunner(scale, ledger, workers, on, seed, _telling(progress)))
    return finding if scale == "full" else without_verdicts(finding, scale)


def _telling(progress: Progress | None) -> Callable[[str], AbstractContextManager[Progress]]:
    return lambda title: nullcontext(progress or (lambda done, of: None))
