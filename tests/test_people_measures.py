"""The measures of `benchmarks.people`: their names, intervals of win rates, and runs that were stopped."""

import json
import re
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks import people, people_clones, people_styles
from scipy import stats


def test_the_measures_described_are_those_that_can_be_run() -> None:
    described = re.findall(r"^    ([a-z-]+) {2,}\S", people.__doc__, re.MULTILINE)
    inline = {"prepare", "ship", "ship-small"}
    assert set(described) | inline == set(people.MEASURES)
    assert all(f"`{name} SOURCE" in people.__doc__ for name in inline)


def test_the_win_rate_of_people_with_equally_many_hands_has_the_interval_of_a_mean() -> None:
    """Independent: Student's interval of the people's own rates by scipy."""
    rng = np.random.default_rng(1)
    won = rng.normal(20, 100, (30, 2))
    sums = np.column_stack([np.full(30, 500.0), np.full(30, 4.0), np.full(30, 3.0), won])
    found = people_styles.win_rates(sums)
    assert (found["hands"], found["all-ins"], found["with all cards known"]) == (15_000, 120, 90)
    for column, name in enumerate(("won", "adjusted")):
        rates = 100 * won[:, column] / 500
        low, high = stats.t.interval(0.95, 29, rates.mean(), stats.sem(rates))
        assert found[name]["bb/100"] == pytest.approx(rates.mean())
        assert found[name]["error"] == pytest.approx((high - low) / 2)


def test_somebody_without_hands_does_not_count_as_a_person() -> None:
    sums = np.array([[100.0, 1, 1, 20, 10], [300, 2, 1, -30, 0], [0, 0, 0, 0, 0]])
    assert people_styles.win_rates(sums) == people_styles.win_rates(sums[:2])


def test_clones_go_on_where_they_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped run measures nobody twice, and two parts have the result of the whole."""
    measured: list[int] = []

    def of_person(study: Any, hands: Any, who: int, count: int) -> list[Any]:
        if len(measured) == 3:
            measured.append(-1)
            raise KeyboardInterrupt
        measured.append(who)
        return [
            [kind, name, 0.5, 0.4 + who / 100, who % 3 > 0]
            for kind in people_clones.KINDS
            for name in people_clones.STATISTICS
        ]

    monkeypatch.setattr(people_clones, "_of_person", of_person)
    monkeypatch.setattr(people_clones, "read_hands", lambda source: SimpleNamespace(collect=lambda: None))
    study = SimpleNamespace(folder=tmp_path, people=lambda least: np.arange(9))
    args = Namespace(source="", hands=50, part="1/2")
    with pytest.raises(KeyboardInterrupt):
        people_clones.clones(study, args)
    first = people_clones.clones(study, args)
    whole = people_clones.clones(study, Namespace(source="", hands=50, part="2/2"))
    measured.remove(-1)
    assert sorted(measured) == list(range(9))
    assert (first["people"], whole["people"]) == (5, 9)
    assert whole["clone"]["within"] == pytest.approx(6 / 9)
    kept = json.loads((tmp_path / "clones-50.json").read_text(encoding="utf-8"))
    assert sorted(map(int, kept)) == list(range(9))
