"""CASPER: its features by the thesis's sample cases, its weights, its cases and how it plays them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem import check_agent, find_game, make_agent
from holdmem.agent import hand_ids, play
from holdmem.arena import Design
from holdmem.cards import hole as hole_of
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases, no_cases
from holdmem.cbr.features.feature import find_feature
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.similarity import Decay, Linear
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.store import read_cases, write_cases
from holdmem.cbr.weight_sets import WeightSet, find_weights, random_weights, read_weights, write_weights
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import Streams
from holdmem.engine import CALL, FOLD, Batch
from holdmem.history import StoredHands, read_hands
from holdmem.learning.learn import learn
from holdmem.learning.record import record
from holdmem.papers.casper_retrieval import retrieval_statistics
from holdmem.players.casper import CASPER, STREETS, WEIGHTS, Casper
from holdmem.strength import HandCards, ihs, potential
from naive import casper_features as naive
from real_hands import DATA, needs_data
from situations import SEEDS, looks, moment, plain_games

CASPER_GAME = find_game("casper")


def played(seats: int, betting: str, hole: str = ""):
    """The view of the seat to act after this betting: f, c and r, with spaces for those who read it."""
    game = CASPER_GAME.with_seats(seats)
    batch = Batch(game, np.arange(game.deck_cards)[None])
    for letter in betting.replace(" ", ""):
        tables = batch.unfinished()
        raising = int(batch.legal(tables).least[0])
        batch.act(tables, np.array([{"f": FOLD, "c": CALL, "r": raising}[letter]]))
    views = looks(batch)
    return views.with_hole(np.array([hole_of(hole)])) if hole else views


def values_at(views):
    """All features of the street of one view."""
    return {name: column[0] for name, column in STREETS[int(views.street[0])].of(views).items()}


# The sample target cases of Appendix D: number of seats, betting, what is printed there.
# Hand by hand, each with the seats that the printed pot and positions leave open filled in.
TWO_ON_THE_FLOP = "fc fff r f ff r c"
FOUR_ON_THE_FLOP = "ffff r c c f c"
FIVE_ON_THE_FLOP = "ccfff c r c c c c"
SIX_ON_THE_FLOP = "rcc c c c"
FIVE_AFTER_FOUR_BETS = "frc r fr c f c c c"
SAMPLES = [
    (9, "ffff rr", "position 1 players_in 2 yet_to_act 3 bets_committed 0 bets_to_call 3", 0.315789474),
    (9, "f", "position 0.375 players_in 0 yet_to_act 7 bets_committed 0 bets_to_call 1", 0.4),
    (9, "fc fff r f ff", "position 0.375 players_in 1 yet_to_act 0 bets_committed 1 bets_to_call 1",
     0.181818182),
    (9, TWO_ON_THE_FLOP, "players 2 position 0 previous_bets 3 players_in 0 yet_to_act 1 bets_committed 0"
     " bets_to_call 0 bets_in_pot 7.5", 0.0),
    (9, TWO_ON_THE_FLOP + "rc", "players 2 position 0 previous_bets 1 players_in 0 yet_to_act 1"
     " bets_committed 0 bets_to_call 0 bets_in_pot 9.5", 0.0),
    (9, TWO_ON_THE_FLOP + "rc rc", "players 2 position 0 previous_bets 1 players_in 0 yet_to_act 1"
     " bets_committed 0 bets_to_call 0 bets_in_pot 13.5", 0.0),
    (9, "fff c r", "position 0.875 players_in 2 yet_to_act 4 bets_committed 0 bets_to_call 2", 0.307692308),
    (9, "ffff r", "position 0.875 players_in 1 yet_to_act 3 bets_committed 0 bets_to_call 2", 0.363636364),
    (9, FOUR_ON_THE_FLOP + "rc", "players 4 position 0.667 previous_bets 2 players_in 2 yet_to_act 1"
     " bets_committed 0 bets_to_call 1 bets_in_pot 10.5", 0.086956522),
    (9, FOUR_ON_THE_FLOP + "rccc cr", "players 4 position 0.667 previous_bets 1 players_in 2 yet_to_act 2"
     " bets_committed 0 bets_to_call 1 bets_in_pot 14.5", 0.121212121),
    (9, FOUR_ON_THE_FLOP + "rccc crcf rc", "players 4 position 0.667 previous_bets 1 players_in 2"
     " yet_to_act 0 bets_committed 1 bets_to_call 1 bets_in_pot 22.5", 0.081632653),
    # printed are four players, but one of four has folded on the turn
    (9, FOUR_ON_THE_FLOP + "rccc crcf rcc cr", "players 3 position 1 previous_bets 2 players_in 2"
     " yet_to_act 1 bets_committed 0 bets_to_call 1 bets_in_pot 26.5", 0.070175439),
    (9, FOUR_ON_THE_FLOP + "rccc crcf rcc crc rc", "players 3 position 1 previous_bets 2 players_in 2"
     " yet_to_act 0 bets_committed 1 bets_to_call 1 bets_in_pot 34.5", 0.054794521),
    (8, "ccfff", "position 1 players_in 2 yet_to_act 2 bets_committed 0 bets_to_call 1", 0.22222222),
    (8, "ccfff c r c cc", "position 1 players_in 4 yet_to_act 0 bets_committed 1 bets_to_call 1", 0.1),
    (8, FIVE_ON_THE_FLOP + "crcc", "players 5 position 1 previous_bets 2 players_in 4 yet_to_act 1"
     " bets_committed 0 bets_to_call 1 bets_in_pot 13", 0.071428571),
    (6, "rcc", "position 1 players_in 3 yet_to_act 2 bets_committed 0 bets_to_call 2", 0.210526316),
    # printed are five players, but the pot takes six, of whom one has folded on the flop
    (6, SIX_ON_THE_FLOP + "rfccc", "players 6 position 1 previous_bets 2 players_in 4 yet_to_act 0"
     " bets_committed 0 bets_to_call 1 bets_in_pot 16", 0.058823529),
    (6, SIX_ON_THE_FLOP + "rfccc rcccc rccc", "players 5 position 1 previous_bets 2 players_in 4"
     " yet_to_act 0 bets_committed 0 bets_to_call 1 bets_in_pot 30", 0.0625),
    (8, "frc", "position 0.714 players_in 2 yet_to_act 4 bets_committed 0 bets_to_call 2", 0.266666667),
    (8, "frc r fr c f cc", "position 0.714 players_in 4 yet_to_act 0 bets_committed 3 bets_to_call 1",
     0.047619048),
    (8, FIVE_AFTER_FOUR_BETS + "crc", "players 5 position 0.75 previous_bets 4 players_in 3 yet_to_act 2"
     " bets_committed 0 bets_to_call 1 bets_in_pot 23", 0.041666667),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "betting", "printed", "odds"), SAMPLES)
def test_the_sample_cases_of_appendix_d(seats: int, betting: str, printed: str, odds: float) -> None:
    views = played(seats, betting)
    names, numbers = printed.split()[::2], map(float, printed.split()[1::2])
    found = {name: find_feature(name).of(views)[0] for name in names}
    assert found == pytest.approx(dict(zip(names, numbers, strict=True)), abs=5e-4)
    assert views.to_call[0] / (views.to_call[0] + views.pot[0]) == pytest.approx(odds, abs=1e-8)
    assert find_feature("pot_odds").of(views)[0] == pytest.approx(odds, abs=5.1e-4)
    assert find_feature("players").of(views)[0] == (seats if views.street[0] == 0 else found["players"])


@pytest.mark.parametrize(
    ("hole", "rank"), [("Kh6d", 106), ("As7h", 70), ("Tc4d", 152), ("AsKd", 10), ("AsJd", 21),
                       ("5c5d", 62), ("AsKs", 5)],
)  # fmt: skip
def test_ranks_of_the_sample_cases(hole: str, rank: int) -> None:
    assert find_feature("hand_rank").of(played(9, "f", hole))[0] == rank


def test_the_worked_numbers() -> None:
    assert Linear(reach=9)(0, 1) == pytest.approx(0.89, abs=0.005)
    assert Decay(k=1.0)(0, 1) == pytest.approx(0.368, abs=0.0005)
    assert Linear(reach=5)(0, 1) == pytest.approx(0.8)
    assert CASPER.streets[0].similarities[-1][1](1, 169) == pytest.approx(np.exp(-4))


def remembered(counts: list[int], views) -> CaseBase:
    """As many cases of a street, all exactly like a view, with these actions."""
    street = int(views.street[0])
    features = CASPER.streets[street]
    done = np.repeat(np.arange(3), counts)
    solutions = Solutions.of_decisions(done, done * 0, done >= 0, 3)
    values = {name: np.repeat(column, len(done)) for name, column in features.of(views).items()}
    streets = [no_cases(one, 3) for one in CASPER.streets]
    streets[street] = Cases(features, values, solutions)
    return CaseBase(CASPER, tuple(streets))


def test_thirty_cases_make_the_triple_of_the_text() -> None:
    views = played(9, "f", "AhAs")
    seat = CaseBasedSeat(remembered([0, 3, 27], views), "probabilistic", Streams.of(0, "casper"))
    assert seat.policy(views).probabilities[0].tolist() == pytest.approx([0.0, 0.1, 0.9])


def test_at_most_a_hundred_cases_are_used_and_the_first_of_equal_ones() -> None:
    views = played(9, "f", "AhAs")
    found = remembered([0, 60, 90], views).recall(views)[0]
    assert found.counts[0].tolist() == [0, 60, 40]


@given(plain_games(), SEEDS)
def test_situations_are_those_of_the_twin(game, seed: int) -> None:
    if not game.limit:
        game = replace(game, raise_sizes=(2, 2, 4, 4))
    _, _, views = moment(game, seed)
    columns = (
        {name: find_feature(name).column(views) for name in naive.situation(views[0])} if len(views) else {}
    )
    for place, view in enumerate(views):
        plain = naive.situation(view)
        assert {name: float(column[place]) for name, column in columns.items()} == pytest.approx(plain)


@given(SEEDS)
def test_strengths_are_those_of_the_strength_library(seed: int) -> None:
    _, _, views = moment(CASPER_GAME, seed)
    for street in (1, 2, 3):
        some = views[views.street == street]
        if not len(some):
            continue
        hands = HandCards(some.hole, some.board[:, : street + 2])
        opponents = np.array([sum(view.live) - 1 for view in some])
        now = ihs(hands, opponents, rounding="exact")
        ahead = potential(hands, 1, rounding="exact")
        assert find_feature("ihs").of(some) == pytest.approx(now, abs=6e-4)
        assert find_feature("ppot").of(some) == pytest.approx(ahead.ppot, abs=6e-4)
        assert find_feature("npot").of(some) == pytest.approx(ahead.npot, abs=6e-4)
        whole = now + (1 - now) * ahead.ppot
        assert find_feature("ehs").of(some) == pytest.approx(whole, abs=2e-3)


# Weights


def test_the_hand_picked_weights_are_figure_4_2_without_its_misprint() -> None:
    printed = "5 10 10 5 5 10 5 50, 5 10 5 5 5 10 10 5 5 80 80 80, 5 5 5 5 5 20 20 5 5 80 80 80,"
    numbers = [float(number) for number in (printed + " 5 5 5 5 5 10 10 15 40 80").replace(",", "").split()]
    assert list(WEIGHTS["hand-picked"].vector) == numbers
    assert WeightSet.of(STREETS, numbers) == WEIGHTS["hand-picked"]
    assert dict(WEIGHTS["general"].streets[0])["pot_odds"] == 93
    assert dict(WEIGHTS["opponent"].streets[2])["bets_to_call"] == 100
    assert [len(street) for street in WEIGHTS["general"].streets] == [8, 12, 12, 10]


def test_weights_come_by_name_number_chance_and_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    write_weights(file, WEIGHTS["general"], {"from": "figure 4.6"})
    assert read_weights(file, STREETS) == WEIGHTS["general"]
    assert Casper(weights=str(file)).representation == Casper(weights="general").representation
    text = str(WEIGHTS["opponent"])
    agent = make_agent(f"casper:weights=[{text}]")
    assert agent.representation == Casper(weights="opponent").representation
    assert find_weights("random-3", STREETS, WEIGHTS) == random_weights(STREETS, 3)
    assert random_weights(STREETS, 3) != random_weights(STREETS, 4)
    drawn = np.array([random_weights(STREETS, 1, number).vector for number in range(50)])
    assert drawn.min() == 0
    assert drawn.max() == 100
    assert abs(drawn.mean() - 50) < 3


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "else"}, "expected format"),
        ({"version": 2}, "expected version 1"),
        ({"preflop": {"players": 5}}, "preflop: the weight for position is missing"),
        ({"flop": 3}, "flop: expected a weight for each feature"),
        ({"turn": {**dict(WEIGHTS["general"].streets[2]), "luck": 1}}, "unknown feature 'luck'"),
        ({"turn": {**dict(WEIGHTS["general"].streets[2]), "ihs": "much"}}, "expected a number for ihs"),
        ({"turn": {**dict(WEIGHTS["general"].streets[2]), "ihs": -1}}, "a weight of 0 or more"),
        ({"turn": {**dict(WEIGHTS["general"].streets[2]), "ihs": 10**400}}, "expected a number for ihs"),
        ({"turn": {name: 0 for name, _ in WEIGHTS["general"].streets[2]}}, "above zero"),
    ],
)
def test_wrong_weights_are_named(tmp_path: Path, change, complaint: str) -> None:
    file = tmp_path / "weights.json"
    write_weights(file, WEIGHTS["general"])
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(NotationError, match=complaint) as error:
        read_weights(file, STREETS)
    assert str(file) in str(error.value)


def test_deep_weights_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(NotationError, match="cannot read weights as JSON"):
        read_weights(file, STREETS)


def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="hand-picked"):
        Casper(weights="hand-piked").representation  # noqa: B018
    with pytest.raises(NotationError, match=r"expected 42 weights \(8 \+ 12 \+ 12 \+ 10\), got 3"):
        Casper(weights="1;2;3").representation  # noqa: B018
    (tmp_path / "broken").write_text("{", encoding="utf-8")
    with pytest.raises(NotationError, match="as JSON"):
        Casper(weights=str(tmp_path / "broken")).representation  # noqa: B018


# Playing


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_plays_with_two_to_ten_seats(seats: int) -> None:
    assert check_agent(Casper(), [CASPER_GAME.with_seats(seats)], seed=0).problems == []


@pytest.mark.parametrize(
    "text", ["casper:strength=ehs,weights=general", "casper:retain=seen,policy=best-outcome"]
)
def test_variants_keep_the_contract(text: str) -> None:
    assert check_agent(make_agent(text), [CASPER_GAME.with_seats(3)], seed=0).problems == []


def test_declines_what_it_cannot_play(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="expected a limit game"):
        Casper().sit(find_game("nolimit"), 1, Streams.of(0, "casper"))
    with pytest.raises(AgentError, match="no mark for first="):
        Casper(first=12345).sit(CASPER_GAME, 1, Streams.of(0, "casper"))


def test_nine_players_share_one_memory() -> None:
    seats = [
        Casper(weights=f"random-{number}").sit(CASPER_GAME, 1, Streams.of(0, "casper")) for number in range(9)
    ]
    for street in range(4):
        stored = {id(seat.base.streets[street].memory.stored) for seat in seats}
        columns = {id(seat.base.streets[street].values["position"]) for seat in seats}
        assert len(stored) == len(columns) == 1
    assert len({seat.base.representation for seat in seats}) == 9


def test_explains_similarity_feature_by_feature() -> None:
    seat = Casper().sit(CASPER_GAME, 1, Streams.of(0, "casper"))
    views = played(9, TWO_ON_THE_FLOP, "AsTd")
    found = seat.explain(views[0])
    assert found.details[0].facts["bets_in_pot"] == "7.5"
    assert "the strength of the hand" in str(found)
    ground = found.details[1]
    assert set(STREETS[1].names) <= set(ground.facts)
    place = int(ground.what.split()[1].rstrip(","))
    total = 0.0
    for (name, local), weight in zip(STREETS[1].similarities, WEIGHTS["hand-picked"].streets[1], strict=True):
        alike = float(local(values_at(views)[name], seat.base.streets[1].values[name][place]))
        assert f"(similarity {alike:g})" in str(ground.facts[name])
        total += weight[1] * alike
    assert ground.weight == pytest.approx(total / 300, abs=1e-9)


def test_effective_strength_is_made_of_the_stored_columns() -> None:
    plain = Casper().sit(CASPER_GAME, 1, Streams.of(0, "casper")).base
    other = Casper(strength="ehs").sit(CASPER_GAME, 1, Streams.of(0, "casper")).base
    flop = plain.streets[1].values
    assert other.streets[1].features.names[-2:] == ("ehs", "npot")
    made = flop["ihs"] + (1 - flop["ihs"]) * flop["ppot"]
    assert other.streets[1].values["ehs"] == pytest.approx(made, abs=5.1e-4)
    assert other.streets[1].features.weights[-2:] == (80, 80)
    assert other.streets[3].features.names == STREETS[3].names


# Learning


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Path:
    """Hands of two kinds of players at a table of four."""
    folder = tmp_path_factory.mktemp("casper") / "hands"
    agents = ("random", "always-call", "random", "jagbot")
    record(Design(CASPER_GAME.with_seats(4), agents, hands=200, kind="ring", seed=3), folder)
    return folder


def test_learns_from_several_players_in_the_order_of_the_hands(recorded: Path, tmp_path: Path) -> None:
    both = learn(StoredHands(recorded), ("random", "jagbot"), CASPER, held_out=0, marks=(60,))
    parts = [learn(StoredHands(recorded), name, CASPER, held_out=0) for name in ("random", "jagbot")]
    assert both.about["expert"] == "random and jagbot"
    assert both.about["decisions"] == sum(part.about["decisions"] for part in parts) == len(both.base)
    write_cases(both.base, tmp_path / "cases")
    again = read_cases(tmp_path / "cases")
    for mine, theirs in zip(both.base.streets, again.streets, strict=True):
        assert all((mine.values[name] == theirs.values[name]).all() for name in mine.values)
        assert (mine.solutions.won == theirs.solutions.won).all()
    seat = Casper(cases=tmp_path / "cases", first=60).sit(CASPER_GAME, 1, Streams.of(0, "casper"))
    counts = [len(cases) for cases in seat.base.streets]
    assert counts == both.about["marks"]["60"]
    assert counts[0] < len(both.base.streets[0]) / 2


@pytest.fixture(scope="module")
def two_tables(tmp_path_factory) -> tuple[Path, Path]:
    """A memory of a table where nobody raises, and one where everybody does."""
    place, game = tmp_path_factory.mktemp("tables"), CASPER_GAME.with_seats(3)
    for name in ("always-call", "always-raise"):
        record(Design(game, (name,) * 3, hands=60, kind="ring", seed=3), place / f"{name} hands")
        write_cases(learn(StoredHands(place / f"{name} hands"), name, CASPER, held_out=0).base, place / name)
    return place / "always-call", place / "always-raise"


@pytest.mark.parametrize(("opponent", "memory"), [("always-call", 0), ("always-raise", 1)])
def test_retrieves_from_the_memory_of_players_like_these(two_tables, opponent: str, memory: int) -> None:
    game = CASPER_GAME.with_seats(3)
    agent = Casper(cases=two_tables[0], opponents=(two_tables[1],))
    seat = agent.sit(game, 2, Streams.of(0, "casper"))
    others = [make_agent(opponent).sit(game, 2, Streams.of(0, opponent, number)) for number in range(2)]
    where = hand_ids(200)
    decks = Streams.of(1, "cards").decks(where, game.deck_cards)
    play(game, [seat, *others], decks, where=where, tables=np.zeros(200, np.int64))
    views = moment(game, 3)[2][:1]
    assert seat.chosen(views).tolist() == [memory]
    assert seat.style_at(np.array([0]))[0, 1] == pytest.approx(memory, abs=0.3)
    assert seat.style_at(np.array([1])).tolist() == seat.styles[:1].tolist(), (
        "of the other table it knows nothing"
    )
    said = seat.explain(views[0])
    assert f"it uses memory {memory + 1} of 2" in said.reasons[0]
    plain = Casper(cases=two_tables[memory]).sit(game, 1, Streams.of(0, "casper"))
    assert (seat.policy(views).probabilities == plain.policy(views).probabilities).all()


def test_a_player_with_several_memories_keeps_the_contract(two_tables) -> None:
    agent = Casper(cases=two_tables[0], opponents=(two_tables[1],))
    assert check_agent(agent, [CASPER_GAME.with_seats(3)], seed=0).problems == []
    with pytest.raises(AgentError, match="opponents cannot be combined with retain"):
        Casper(opponents=two_tables, retain="own")
    header = two_tables[1] / "cases.json"
    text = header.read_text(encoding="utf-8")
    said = json.loads(text)
    assert said["table"] == {"gives_up": 0.0, "raises": pytest.approx(0.7, abs=0.3)}
    del said["table"], said["digest"]
    header.write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(AgentError, match="style of the recorded table"):
        agent.sit(CASPER_GAME, 1, Streams.of(0, "casper"))
    header.write_text(text, encoding="utf-8")


def test_statistics_of_retrieval(recorded: Path, tmp_path: Path) -> None:
    write_cases(learn(StoredHands(recorded), "random", CASPER, held_out=0).base, tmp_path / "cases")
    name = f"casper:cases={tmp_path / 'cases'}"
    design = Design(CASPER_GAME.with_seats(3), (name, "always-call", "jagbot"), hands=30, kind="ring", seed=5)
    found = retrieval_statistics(design, name)
    seat = make_agent(name).sit(design.game, 1, Streams.of(0, "casper"))
    assert [one.street for one in found] == ["preflop", "flop", "turn", "river"]
    assert found[0].hands == 30
    assert found[0].decisions >= 25
    assert all(0 < one.similarity <= 1 and 1 <= one.cases <= 100 for one in found if one.decisions)
    assert found[0].missed_per_10000 == pytest.approx(found[0].missed / 30 * 10_000)
    assert seat.base.streets[0] is not None
    with pytest.raises(AgentError, match="a player of the design"):
        retrieval_statistics(design, "poki")


@needs_data
def test_a_record_of_showdowns_teaches_no_folds() -> None:
    hands = read_hands([DATA / "irc" / "botsonly.199908.tgz"])
    lesson = learn(hands, "p0kibot", CASPER, held_out=0, most=300)
    assert len(lesson.base) == 300
    assert sum(cases.solutions.counts[:, 0].sum() for cases in lesson.base.streets) == 0
    assert lesson.about["unseen"] > 0.8
    assert any("no fold was learned" in warning for warning in lesson.warnings)


@given(st.integers(0, 2**31), st.sampled_from(["hand-picked", "general", "opponent", "random-5"]))
def test_the_shipped_cases_are_found_as_a_scan_finds_them(seed: int, weights: str) -> None:
    from holdmem.cbr.retrieve import most_similar, scan_cases  # noqa: PLC0415

    rng = np.random.default_rng(seed)
    base = Casper(weights=weights).sit(CASPER_GAME, 1, Streams.of(0, "casper")).base
    cases = base.streets[int(rng.integers(4))]
    rows = {name: column[rng.integers(0, len(cases), 3)] for name, column in cases.values.items()}
    least = float(rng.choice([0.0, 0.9, 0.97, 0.999]))
    one = most_similar(cases.memory, rows, least, 100, 20)
    other = scan_cases(cases.memory, rows, least, 100, 20)
    assert cases.memory.stored.tree is not None
    assert (one.places == other.places).all()
    assert (one.similar == other.similar).all()
