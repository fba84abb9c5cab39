"""Parameters that Marques leaves open, and what the learners win with each of several values.

`following` is how the Outcome Learner's maximum over the states that follow is read.
"""

from holdmem.papers.findings import Finding, Row, shown
from holdmem.papers.learners_courses import courses, total_hands
from holdmem.papers.learners_published import BOTS
from holdmem.papers.runner import ExperimentRunner

SETTINGS = {
    "action-learner": "scale 10, raises of the pot (as in the findings)",
    "action-learner:scale=1": "scale 1",
    "action-learner:scale=3": "scale 3",
    "action-learner:scale=30": "scale 30",
    "action-learner:scale=100": "scale 100",
    "action-learner:bucketing=NNU": "NNU buckets, scale 10 (as in the findings)",
    "action-learner:bucketing=NNU,scale=100": "NNU buckets, scale 100",
    "action-learner:raises=[0.5]": "raises of half the pot",
    "action-learner:raises=[2]": "raises of twice the pot",
    "outcome-learner": "following=visited, raises of the pot (as in the findings)",
    "outcome-learner:following=any": "following=any",
    "outcome-learner:size=0.5": "raises of half the pot",
    "outcome-learner:size=2": "raises of twice the pot",
}


def sensitivity(runner: ExperimentRunner) -> Finding:
    """Play every setting against the five test bots."""
    hands, matches = runner.at(smoke=(20, 2), quick=(1_000, 6), full=(25_000, 10))
    settings = list(SETTINGS)[-3:] if runner.scale == "smoke" else list(SETTINGS)
    bots = runner.at(smoke=BOTS[:1], quick=BOTS, full=BOTS)
    players = [(learner, (bot,)) for learner in settings for bot in bots]
    reports = courses(runner, players, hands, matches)
    rows = []
    for (learner, (bot,)), report in zip(players, reports, strict=True):
        ours, last = report.winnings(), report.winnings(0.9, 1.0)
        meaning = f"{SETTINGS[learner]}; in the last tenth {shown(last, unit=True)}"
        what = f"{learner} against {bot}"
        rows.append(Row(what, "–", shown(ours), total_hands(report), "HoldMem's agent of that name",
                        remark=meaning, samples=ours.samples))  # fmt: skip
    remark = (
        "Exploratory: the thesis leaves these parameters open, and values that come near its figures are not"
        " confirmed by doing so. Rows have no verdict."
    )
    return Finding(tuple(rows), remark=remark)
