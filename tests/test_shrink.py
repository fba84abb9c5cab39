"""Shrinkage of a memory's frequencies: laws of the formula, a slow twin, and what it may not change."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem import Situation, find_game
from holdmem.agent import make_agent
from holdmem.arena import Design
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.shrink import SHRINKAGE, Shrinkage, coarser
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.store import read_cases
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams
from holdmem.history import StoredHands, replay
from holdmem.learning.learn import learn, measure_imitation
from holdmem.learning.record import record
from holdmem.players.sartre import SARTRE_2

LIMIT = find_game("limit")
RARE = Situation(hole="9c8d", board="Ks9h5d4s2c", betting="rrrc/crrc/crrrc/r", game="limit")
COMMON = Situation(hole="AsKd", betting="", game="limit")
WIDE = {"COLUMNS": "120"}
counts = st.lists(st.integers(0, 50), min_size=3, max_size=3)
shares = st.lists(st.floats(0.01, 1), min_size=3, max_size=3)


@pytest.fixture(scope="module")
def base() -> CaseBase:
    return read_cases(DATA / "imitator-eqm")


def solutions(row: list[int]) -> Solutions:
    one = np.array([row], np.int64)
    return Solutions(one, one, one * 0)


@given(counts, shares, st.floats(0.1, 100))
def test_shrunk_probabilities_lie_between_case_and_neighbourhood(row, towards, near) -> None:
    q = np.array([towards]) / sum(towards)
    (p,) = Shrinkage(near).probabilities(solutions(row), q)
    assert p.sum() == pytest.approx(1)
    if sum(row):
        frequencies = np.array(row) / sum(row)
        low, high = np.minimum(frequencies, q[0]), np.maximum(frequencies, q[0])
        assert ((low - 1e-12 <= p) & (p <= high + 1e-12)).all()
    else:
        assert p == pytest.approx(q[0]), "a situation without a case has its neighbourhood's"


@given(counts, shares, st.integers(2, 1000))
def test_many_decisions_outweigh_any_neighbourhood(row, towards, times) -> None:
    q = np.array([towards]) / sum(towards)
    few, many = (SHRINKAGE.probabilities(solutions([n * k for n in row]), q)[0] for k in (1, times))
    frequencies = np.array(row) / max(sum(row), 1)
    if sum(row):
        assert np.abs(many - frequencies).max() <= np.abs(few - frequencies).max() + 1e-12


@pytest.mark.parametrize("situation", [RARE, COMMON], ids=["rare", "common"])
def test_the_neighbourhood_is_that_of_a_slow_twin(base: CaseBase, situation: Situation) -> None:
    views = situation.views
    street = int(views.street[0])
    cases = base.streets[street]
    _, places = base.neighbors(views, SHRINKAGE.k)
    summed = sum(cases.solutions.counts[place] for place in places[0] if place >= 0)
    usual = cases.solutions.counts.sum(axis=0) / cases.solutions.counts.sum()
    expected = (summed + SHRINKAGE.wide * usual) / (summed.sum() + SHRINKAGE.wide)
    assert coarser(base, views)[0] == pytest.approx(expected)


def test_it_is_off_unless_asked_for(base: CaseBase) -> None:
    """Replications play the published policies: their frequencies are those of the retrieved cases alone."""
    views = COMMON.views
    for name in ("sartre-2:policy=probabilistic", "imitator:policy=probabilistic"):
        seat = make_agent(name).sit(LIMIT, 1, Streams.of(1))
        recalled = seat.base.recall(views)[0]
        assert seat.policy(views).probabilities[0] == pytest.approx(recalled.probabilities[0])
    shrunk = make_agent("imitator:policy=shrunk").sit(LIMIT, 1, Streams.of(1))
    assert shrunk.policy(views).probabilities.sum() == pytest.approx(1)
    assert shrunk.explain(views[0]).reasons


def test_every_action_seen_in_the_neighbourhood_is_possible() -> None:
    views = RARE.views
    plain = make_agent("imitator:policy=probabilistic").sit(LIMIT, 1, Streams.of(1)).policy(views)
    shrunk = make_agent("memory:policy=shrunk").sit(LIMIT, 1, Streams.of(1)).policy(views)
    assert (shrunk.probabilities > 0).sum() >= (plain.probabilities > 0).sum()
    assert shrunk.probabilities.max() < 1


def test_slips_are_told() -> None:
    with pytest.raises(NotationError, match="weights above zero"):
        Shrinkage(near=-1)
    with pytest.raises(AgentError, match="policy=shrunk retains nothing, got retain=own"):
        make_agent("memory:policy=shrunk,retain=own").sit(LIMIT, 1, Streams.of(1))
    seat = make_agent("memory:policy=shrunk").sit(LIMIT, 1, Streams.of(1))
    with pytest.raises(AgentError, match="cannot be tabulated"):
        seat.tabulate(None)


@pytest.mark.parametrize(("expert", "game"), [("eqm-nl", "nolimit"), ("eqm-passive", "limit")])
def test_shrunk_probabilities_beat_the_frequencies_of_the_street(expert: str, game: str, tmp_path) -> None:
    """On hands of a seed that no memory was learned from, on every street."""
    record(Design(find_game(game), (expert, "simplebot"), 300, kind="ring", seed=930_001), tmp_path / "hands")
    base = read_cases(DATA / f"imitator-{expert}")
    found = measure_imitation(base, StoredHands(tmp_path / "hands"), expert)
    assert [row.street for row in found] == ["preflop", "flop", "turn", "river", "all"]
    for row in found:
        assert row.shrunk_log_loss < row.baseline_log_loss


def test_what_learn_reports_is_the_loss_of_the_seat_that_plays_it(tmp_path) -> None:
    """The seat's own policy at each decision, asked one street at a time, against the measure by cases."""
    record(Design(LIMIT, ("jagbot", "simplebot"), 400, kind="ring", seed=5), tmp_path / "hands")
    stored = StoredHands(tmp_path / "hands")
    found = learn(stored, "jagbot", SARTRE_2, held_out=0, tests=stored)
    learned = CaseBase(found.base.representation, found.base.streets, found.about)
    learned.save(tmp_path / "cases")
    seat = make_agent(f"memory:cases={tmp_path / 'cases'},policy=shrunk").sit(LIMIT, 1, Streams.of(1))
    losses: list[list[float]] = [[], [], [], []]
    for block in stored:
        for decisions in replay(block):
            mine = np.flatnonzero(decisions.player == block.players.index("jagbot"))
            for street in range(4):
                here = mine[decisions.views.street[mine] == street]
                views, did = decisions.views[here], decisions.actions[here]
                did = np.where((did < 0) & (views.to_call == 0), 0, did)
                losses[street] += (-np.log(seat.policy(views).probability_of(did))).tolist()
    assert [row.decisions for row in found.imitation] == [*map(len, losses), sum(map(len, losses))]
    for row, own in zip(found.imitation, [*losses, list(chain(*losses))], strict=True):
        assert row.shrunk_log_loss == pytest.approx(np.mean(own))


def test_learn_prints_both_policies_and_old_headers_as_they_are(tmp_path) -> None:
    record(Design(LIMIT, ("jagbot", "simplebot"), 200, kind="ring", seed=5), tmp_path / "hands")
    words = ["learn", tmp_path / "hands", "--player", "jagbot", "-o", tmp_path / "cases"]
    said = CliRunner().invoke(app, [str(word) for word in words], env=WIDE)
    assert said.exit_code == 0, said.output
    headings = "agreement shrunk baseline log-loss shrunk baseline exact match similarity"
    assert headings in " ".join(said.stdout.split())
    told = CliRunner().invoke(app, ["cases", str(DATA / "imitator-eqm")], env=WIDE)
    assert "agreement baseline log-loss baseline exact match" in " ".join(told.stdout.split())
