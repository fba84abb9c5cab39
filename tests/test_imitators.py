"""Imitators, ensembles and dynamic selection: votes, bandits, features of many seats, held-out agreement."""

import json
import math
import tarfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem import check_agent, find_game, make_agent, match
from holdmem.agent import CALL, FOLD, Policy, name_of, play
from holdmem.arena import Design, Ledger
from holdmem.cbr import CaseBase, Cases, Nested, Solutions, read_cases
from holdmem.cbr.features.bet_sizes import NAMES, sized_betting, sized_letters_of
from holdmem.cbr.features.betting_summary import round_now, rounds_before, seat_position, stack_to_pot
from holdmem.cbr.reuse import most_frequent
from holdmem.cbr.store import write_cases
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import PARTS
from holdmem.history import StoredHands, read_hands
from holdmem.learning.learn import learn, measure_imitation
from holdmem.learning.record import record
from holdmem.players.imitators.bandits import Bandit
from holdmem.players.imitators.ensemble import counted, strict_winner
from holdmem.players.imitators.imitator import (
    LIMIT_EXPERTS,
    NO_LIMIT,
    NO_LIMIT_EXPERTS,
    NO_LIMIT_RING,
    ImitatingSeat,
    basic_imitators,
)
from holdmem.variance import divat_showdown
from naive import betting_summary as naive
from real_hands import DATA as RECORDED
from real_hands import FULL, needs_data
from situations import SEEDS, moment, plain_games

NOLIMIT, LIMIT = find_game("nolimit"), find_game("limit")
SIX = find_game("nolimit", 6)


# What a case is


@given(plain_games(stacks=st.integers(1, 4000)), SEEDS)
def test_condensed_betting_is_that_of_the_twin(game, seed):
    _, _, views = moment(game, seed)
    letters = [sized_letters_of(code).replace("-", "") for code in sized_betting.of(views)]
    found = [feature.of(views) for feature in (round_now, rounds_before, seat_position, stack_to_pot)]
    for view, said, now, before, place, stack in zip(views, letters, *found, strict=True):
        assert place == naive.position(view)
        assert stack == naive.stack_to_pot(view)
        if not said.startswith("…"):
            assert now == naive.round_now(view, said)
            assert before == naive.rounds_before(view, said)


@given(st.integers(0, 500), st.integers(0, 500))
def test_nested_numbers_are_alike_as_far_as_their_first_digits_are(one, other):
    alike = Nested((1.0, 0.8, 0.3), (1, 5, 50))
    steps = [step for step, width in ((1.0, 1), (0.8, 5), (0.3, 50)) if one // width == other // width]
    assert float(alike(one, other)) == max(steps, default=0.0)


@pytest.mark.parametrize("wrong", [((1.0,), (1, 2)), ((0.5, 1.0), (1, 2)), ((1.0, 0.5), (2, 3)), ((), ())])
def test_nested_steps_that_mean_nothing_are_refused(wrong):
    with pytest.raises(NotationError):
        Nested(*wrong)


# Re-use


CODES = st.lists(st.sampled_from([FOLD, CALL, 100, 200, 400]), min_size=1, max_size=5, unique=True)


@given(CODES, st.data())
def test_the_most_frequent_action_is_the_likeliest_and_of_equals_the_call_then_the_smaller_raise(codes, data):
    weights = [data.draw(st.integers(0, 3)) for _ in codes]
    policy = Policy(np.array([weights], dtype=float), np.array([codes]))
    best = [code for code, weight in zip(codes, weights, strict=True) if weight == max(weights)]
    wanted = CALL if CALL in best else min([code for code in best if code != FOLD], default=FOLD)
    assert most_frequent(policy).draw([0.999]).codes.tolist() == [wanted]


def remembering(game, counts):
    """A seat that remembers one case alone, with these counts of the ten actions."""
    _, _, views = moment(game, 0, tables=1)
    streets = []
    for features in NO_LIMIT.streets:
        values = {name: np.zeros(1, np.int64) for name in features.names}
        table = np.array([counts])
        streets.append(Cases(features, values, Solutions(table, table * 0, table * 0)))
    return ImitatingSeat(CaseBase(NO_LIMIT, tuple(streets)), "max-frequency", Streams.of(1)), views


def test_sizes_that_the_rules_make_one_bet_count_together():
    counts = dict.fromkeys(NAMES, 0) | {"call": 4, "quarter": 3, "half": 3}
    seat, views = remembering(NOLIMIT, list(counts.values()))
    assert views.min_raise_to.tolist() == [200]  # a quarter of 200 is too little, half of it just enough
    assert seat.act(views).codes.tolist() == [200]
    exact = replace(seat, policy_name="probabilistic").policy(views)
    assert exact.probability_of([200]).tolist() == pytest.approx([0.6])
    assert exact.probability_of([CALL]).tolist() == pytest.approx([0.4])


def test_where_nothing_is_remembered_it_calls():
    seat = ImitatingSeat(CaseBase.empty(NO_LIMIT), "max-frequency", Streams.of(1))
    _, _, views = moment(NOLIMIT, 3)
    assert (seat.act(views).codes == CALL).all()


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> dict[str, Path]:
    """Case bases of a random player: two and six seats of no-limit, three of limit."""
    folder = tmp_path_factory.mktemp("imitated")
    three = find_game("holdem.limit.3p")
    kinds = (("imitator-nolimit", NOLIMIT), ("imitator-nolimit-ring", SIX), ("imitator-limit-ring", three))
    for name, game in kinds:
        others = ["random"] * (game.seats - 1)
        design = Design(game, ("random", *others), hands=600, kind="ring", seed=5)
        record(design, folder / f"{name}.hands")
        lesson = learn(StoredHands(folder / f"{name}.hands"), "random", _representation(name))
        write_cases(lesson.base, folder / name)
    return {name: folder / name for name, _ in kinds}


def _representation(name):
    from holdmem.cbr import find_representation  # noqa: PLC0415

    return find_representation(name)


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("imitator-nolimit", "max-frequency"),
        ("imitator-nolimit-ring", "probabilistic"),
        pytest.param("imitator-nolimit", "probabilistic", marks=pytest.mark.long),
        pytest.param("imitator-nolimit-ring", "max-frequency", marks=pytest.mark.long),
        pytest.param("imitator-limit-ring", "max-frequency", marks=pytest.mark.long),
        pytest.param("imitator-limit-ring", "probabilistic", marks=pytest.mark.long),
    ],
)
def test_imitators_of_any_number_of_seats_have_manners(learned, name, policy):
    manners = check_agent(make_agent(f"imitator:cases={learned[name]},policy={policy}"))
    assert not manners.problems
    assert len(manners.declined) == {"imitator-nolimit": 5, "imitator-nolimit-ring": 4}.get(name, 4)


def test_an_imitator_explains_in_words(learned):
    seat = make_agent(f"imitator:cases={learned['imitator-nolimit-ring']}").sit(SIX, 1, Streams.of(2))
    _, _, views = moment(SIX, 11)
    found = seat.explain(views[0])
    assert "opponents behind" in found.detailed
    assert "pots" in found.detailed
    assert "remembered decision" in str(found)


def test_an_imitator_of_nobody_or_of_two_is_refused(learned):
    with pytest.raises(AgentError, match="not both"):
        make_agent(f"imitator:expert=eqm,cases={learned['imitator-nolimit']}")
    with pytest.raises(AgentError, match="expected eqm or"):
        make_agent("imitator:expert=nobody")
    with pytest.raises(AgentError, match="expected a no-limit game"):
        make_agent(f"imitator:cases={learned['imitator-nolimit']}").sit(LIMIT, 1, Streams.of(1))


# The shipped experts


EXPERTS = [(expert, LIMIT) for expert in LIMIT_EXPERTS] + [(expert, NOLIMIT) for expert in NO_LIMIT_EXPERTS]


def test_the_shipped_memories_with_their_hands_take_at_most_six_and_a_half_megabytes():
    files = [path for header in DATA.glob("*/cases.json") for path in header.parent.iterdir()]
    assert sum(path.stat().st_size for path in files) <= 6_500_000


@pytest.mark.parametrize(("expert", "game"), EXPERTS, ids=[expert for expert, _ in EXPERTS])
def test_shipped_imitators_agree_with_hands_they_never_saw(expert, game, tmp_path):
    base = read_cases(DATA / f"imitator-{expert}")
    assert base.about["expert"] == expert
    record(Design(game, (expert, expert), hands=1200, kind="ring", seed=77), tmp_path / "hands")
    found = measure_imitation(base, StoredHands(tmp_path / "hands"), expert)
    assert [one.street for one in found] == ["preflop", "flop", "turn", "river", "all"]
    for one in found:
        assert one.agreement > one.baseline_agreement
    assert found[-1].agreement > found[-1].baseline_agreement + 0.1


# Votes


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_winner_has_strictly_the_most_votes(ballots):
    winners = strict_winner(counted(np.array(ballots), 10))
    for ballot, winner in zip(ballots, winners.tolist(), strict=True):
        (first, most), *others = Counter(ballot).most_common()
        assert winner == (first if not others or others[0][1] < most else -1)


@pytest.mark.parametrize(
    ("members", "lead", "like"),
    [
        ("always-call;always-raise;always-call", "always-raise", "always-call"),
        ("always-call;always-raise", "always-raise", "always-raise"),
        ("always-call;always-raise", "always-call", "always-call"),
        ("always-raise;always-call", None, "always-raise"),
        ("always-call;always-raise", "always-all-in", "always-all-in"),  # no member, so it has no vote
        ("always-call;always-raise;always-raise", "always-call", "always-raise"),
    ],
)
def test_ensembles_do_what_most_members_do_and_otherwise_what_the_lead_does(members, lead, like):
    text = f"ensemble:members=[{members}]" + (f",lead={lead}" if lead else "")
    _, _, views = moment(NOLIMIT, 4, tables=40)
    voted, wanted = (make_agent(name).sit(NOLIMIT, 40, Streams.of(1)) for name in (text, like))
    assert voted.act(views).codes.tolist() == wanted.act(views).codes.tolist()


def test_ensembles_and_their_names_come_back_from_text():
    text = "ensemble:members=[imitator:expert=eqm;sartre-2],lead=sartre-2"
    assert name_of(make_agent(text)) == text
    assert make_agent(name_of(make_agent("dynamic:rule=thompson,scale=24"))) == make_agent(
        "dynamic:rule=thompson,scale=24.0"
    )


def test_an_ensemble_can_what_all_its_members_can():
    def abilities(text):
        seat = make_agent(text).sit(LIMIT, 1, Streams.of(1))
        return [ability for ability in ("policy", "watch") if getattr(seat, ability, None) is not None]

    assert abilities("ensemble:members=[always-call;sartre-2]") == ["policy"]
    assert abilities("ensemble:members=[always-call;alistairbot]") == ["watch"]
    assert abilities("ensemble:members=[always-call;megabot]") == ["policy", "watch"]


def test_an_ensemble_says_who_voted_for_what_and_why_the_first_of_the_majority_did():
    _, _, views = moment(LIMIT, 2, tables=1)
    members = "always-raise;always-call;always-call"
    seat, call = (
        make_agent(name).sit(LIMIT, 1, Streams.of(1))
        for name in (f"ensemble:members=[{members}]", "always-call")
    )
    votes, why, *reasons = seat.explain(views[0]).reasons
    assert votes.count(" voted to ") == 2
    assert why == "What follows is why always-call voted so."
    assert tuple(reasons) == call.explain(views[0]).reasons


# Bandits


def bounds(rewards, rule, scale):
    """The index of each arm from the lists of its rewards, as the formulas are printed."""
    n = sum(map(len, rewards))
    found = []
    for earned in rewards:
        mean = sum(earned) / len(earned)
        variance = sum(reward**2 for reward in earned) / len(earned) - mean**2
        width = 2 * math.log(n) / len(earned)
        if rule == "ucb1-tuned":
            bound = max(variance, 0) + math.sqrt(width)
            width = math.log(n) / len(earned) * (min(0.25, bound) if scale else bound)
        found.append(mean + math.sqrt(width))
    return found


@given(st.lists(st.floats(-24, 24), min_size=4, max_size=40), st.sampled_from(["ucb1", "ucb1-tuned"]),
       st.sampled_from([0.0, 10.0]))  # fmt: skip
def test_each_arm_is_tried_once_and_then_the_one_with_the_highest_bound(utilities, rule, scale):
    bandit, table = Bandit(2, 3, rule, scale), np.array([1])
    rewards = [[], [], []]
    for turn, utility in enumerate(utilities):
        (arm,) = bandit.choose(table, np.full((1, 3), 0.5)).tolist()
        if turn < 3:
            assert arm == turn
        else:
            values = bounds(rewards, rule, scale)
            assert values[arm] == pytest.approx(max(values))
        bandit.add(table, np.array([arm]), np.array([utility]))
        scaled = min(max((utility + scale) / (2 * scale), 0), 1) if scale else utility
        rewards[arm].append(scaled)
    assert bandit.tried[0].sum() == 0  # another table has learned nothing
    assert bandit.tried[1].sum() == len(utilities)


MEANS = np.array([0.45, 0.5, 0.7])


def regret(rule, turns, tables=120):
    """Mean regret after each turn, with rewards of 0 and 1."""
    bandit, rng = Bandit(tables, 3, rule, 0.0), np.random.default_rng(5)
    lost, at = np.zeros(turns), np.arange(tables)
    if rule != "ucb1":
        bandit.scale = 0.5  # rewards from -1/2 to 1/2 are 0 to 1 again
    for turn in range(turns):
        arms = bandit.choose(at, rng.random((tables, 3)))
        lost[turn] = (MEANS.max() - MEANS[arms]).mean()
        bandit.add(at, arms, (rng.random(tables) < MEANS[arms]) - (0.5 if bandit.scale else 0.0))
    return lost.cumsum()


def test_regret_of_ucb1_grows_with_the_logarithm_and_stays_below_its_bound():
    lost = regret("ucb1", 6000)
    gaps = (MEANS.max() - MEANS)[MEANS.max() > MEANS]
    bound = 8 * (math.log(6000) / gaps).sum() + (1 + math.pi**2 / 3) * gaps.sum()
    assert lost[-1] < bound
    assert lost[-1] - lost[2999] < 0.5 * (lost[2999] - lost[0])  # as much again if it grew with n
    linear = 6000 * gaps.sum() / 3
    assert lost[-1] < linear / 5


def test_the_other_rules_lose_less_in_easy_cases():
    ucb1, tuned, thompson = (regret(rule, 1500)[-1] for rule in ("ucb1", "ucb1-tuned", "thompson"))
    assert tuned < ucb1 / 2
    assert thompson < ucb1 / 2


# Dynamic selection


def evening(text, game, opponent, hands, tables=3):
    """A seat that has played hand after hand at some tables, and who played each of its hands."""
    seat = make_agent(text).sit(game, tables, Streams.of(1, "seat"))
    other = make_agent(opponent).sit(game, tables, Streams.of(1, "other"))
    played, ended = [], []
    for hand in range(hands):
        where = np.concatenate([hand_ids(1, 0, table, hand) for table in range(tables)])
        decks = Streams.of(4, "cards").decks(where, game.deck_cards)
        played.append(seat.current.copy())
        lineup = [0, 1] if hand % 2 else [1, 0]
        ended.append(play(game, [seat, other], decks, lineup=lineup, where=where))
    return seat, np.array(played), ended


MEMBERS = "members=[always-call;always-raise;random]"


@pytest.mark.parametrize("game", [LIMIT, NOLIMIT], ids=["limit", "no-limit"])
@pytest.mark.parametrize("utility", ["divat", "money"])
def test_members_are_credited_with_what_their_hands_were_worth(game, utility):
    seat, played, ended = evening(f"dynamic:{MEMBERS},utility={utility}", game, "random", 25)
    assert played[:3].T.tolist() == [[0, 1, 2]] * 3  # each once first, at every table
    earned = np.zeros((3, 3))
    for members, hands in zip(played, ended, strict=True):
        parts = divat_showdown(hands.seen_by(0)) if utility == "divat" else hands.parts
        for table in range(3):
            mine = int(np.flatnonzero(hands.lineup[table] == 0)[0])
            earned[table, members[table]] += parts[table, mine] / PARTS / game.unit[0]
    assert seat.bandit.earned == pytest.approx(earned)
    assert sum(seat.counts().values()) == 75
    assert list(seat.counts()) == ["always-call", "always-raise", "random"]


def test_the_member_that_earns_more_plays_more():
    seat, _, _ = evening("dynamic:members=[random;always-call]", LIMIT, "always-raise", 300)
    counts = seat.counts()
    assert counts["always-call"] > counts["random"]


def test_a_dynamic_player_explains_who_plays_and_why():
    seat, _, _ = evening(f"dynamic:{MEMBERS}", LIMIT, "random", 6)
    _, _, views = moment(LIMIT, 3, tables=3)
    why = seat.explain(views[0])
    assert "plays this hand" in why.reasons[0]
    assert sum(int(detail.facts.get("hands", 0)) for detail in why.details) == 6


def test_counts_reach_the_result_from_any_worker_and_from_the_ledger(tmp_path):
    text, ledger = f"dynamic:{MEMBERS}", Ledger(tmp_path / "results.sqlite")
    choices = {"hands": 40, "matches": 6, "seed": 3}
    alone = match(LIMIT, text, "random", **choices)
    found = match(LIMIT, text, "random", workers=2, ledger=ledger, **choices)
    assert found.counts() == alone.counts()
    assert sum(found.counts()[0].values()) == found.hands == 480
    assert found.counts()[1] == {}
    again = ledger.result(ledger.find(found.hash))
    assert again.counts() == found.counts()
    told = found.as_json()["agents"]
    assert told[0]["counts"] == found.counts()[0]
    assert "counts" not in told[1]


def test_basic_imitators_are_three_experts_times_two_policies():
    names = [name_of(agent) for agent in basic_imitators(LIMIT, "max-frequency", "probabilistic")]
    assert len(set(names)) == 6
    assert names[0] == "imitator:expert=eqm"


# Hands held out by the user


def test_imitation_may_be_measured_on_other_hands(learned, tmp_path):
    hands = learned["imitator-nolimit"].with_name("imitator-nolimit.hands")
    text = ["learn", hands, "--test", hands, "--player", "random", "--as", "imitator-nolimit", "--json",
            "-o", tmp_path / "cases"]  # fmt: skip
    done = CliRunner().invoke(app, [str(word) for word in text])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["held_out_decisions"] == said["decisions"]  # all were learned, all were asked
    assert said["imitation"][-1]["exact"] == 1.0


@needs_data
def test_pluribus_is_imitated_in_sessions_that_were_not_learned(tmp_path):
    (archive,) = (RECORDED / "pluribus").glob("*.tar.gz")
    first = 30 if FULL else 75  # 6,844 files take a while
    with tarfile.open(archive) as files:
        chosen = [one for one in files.getmembers() if one.isfile() and _session(one.name) >= first]
        files.extractall(tmp_path, chosen, filter="data")
    sessions = sorted((tmp_path / "pluribus").iterdir())
    learned, held = (
        [one for one in sessions if (_session(f"{one}/0") >= 90) == apart] for apart in (False, True)
    )
    lesson = learn(read_hands(learned), "Pluribus", NO_LIMIT_RING, held_out=0, tests=read_hands(held))
    found = lesson.imitation[-1]
    assert (found.street, found.decisions) == ("all", 2023)
    assert found.agreement > found.baseline_agreement + 0.07
    for row in lesson.imitation if FULL else [found]:  # fewer sessions are too few for the turn
        assert row.shrunk_log_loss < row.baseline_log_loss, row.street


def _session(file: str) -> int:
    return int(Path(file).parent.name.rstrip("b"))
