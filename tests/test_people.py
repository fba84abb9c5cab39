"""The memory of people: kernels against slow twins, learning against what is known, files against damage."""

import json
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem import Game, Situation, Streams, check_agent, explain, read_hands, record
from holdmem.agent.views import VIEW
from holdmem.api.people import imitate, population_at, resemble
from holdmem.cards import HOLDINGS
from holdmem.cli import app
from holdmem.core.data import DATA
from holdmem.core.errors import KnowledgeError, NotationError
from holdmem.ev.players import named_player
from holdmem.history import Hands, replay
from holdmem.history.hands import UNKNOWN
from holdmem.history.stats import positions_of
from holdmem.people.calibration import PEOPLE, Calibration
from holdmem.people.calibration import STYLES as STYLE_ODDS
from holdmem.people.choose import classes_at, weights_at
from holdmem.people.hide import hide_cards
from holdmem.people.holdings import POSTFLOP, PREFLOP, classes_of_boards
from holdmem.people.imitate import remember_person, remember_population
from holdmem.people.kernels.choose import cards_of
from holdmem.people.kernels.situations import FEATURES
from holdmem.people.learn import NAMES, expected_counts, leaves_of_trees, tilted
from holdmem.people.memory import PersonMemory, read_person, write_person
from holdmem.people.node_words import node_words
from holdmem.people.observe import Observations, observe
from holdmem.people.person import person_frequencies
from holdmem.people.pooling import pooled, population_frequencies, sums_over
from holdmem.people.quality import distance_from_uniform, predicted
from holdmem.people.resemble import answers_of, resemblance, stranger_part
from holdmem.people.situations import action_classes, features_of
from holdmem.people.tree import grow
from holdmem.players.clone import POPULATION, POPULATIONS, SMALL_STAKES, SMALL_STYLES, STYLES, Clone
from naive import people as naive

SIX = Game("six", blinds=(50, 100, 0, 0, 0, 0), stacks=(10_000, 4_000, 10_000, 25_000, 1_500, 10_000))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Hands:
    folder = tmp_path_factory.mktemp("people") / "hands"
    players = ("random", "simplebot", "dpp", "random", "jagbot", "random")
    record(SIX, *players, folder=folder, hands=400, seed=5)
    return read_hands(folder).collect()


@pytest.fixture(scope="module")
def seen(played: Hands) -> Observations:
    return observe([hide_cards(played)])


@pytest.fixture(scope="module")
def crowd(seen: Observations) -> PersonMemory:
    return remember_population(seen, "crowd", {"source": "our players"}, rounds=2)


def test_features_and_classes_of_actions_are_those_of_the_twin(played: Hands) -> None:
    for decisions in replay(played[:60]):
        views = decisions.views
        found, codes = features_of(views), positions_of(views.game)
        kinds, _ = action_classes(views, decisions.actions)
        for place, view in enumerate(views):
            expected = naive.features(view, codes)
            assert dict(zip(FEATURES, found[place].tolist(), strict=True)) == expected, view
            assert kinds[place] == naive.action_class(view, int(decisions.actions[place]))


def test_classes_of_holdings_are_those_of_the_twin() -> None:
    rng = np.random.default_rng(3)
    for cards in (3, 4, 5):
        board = np.full((1, 5), -1, np.int8)
        board[0, :cards] = rng.choice(52, cards, replace=False)
        found = classes_of_boards(board)[0]
        for place in rng.choice(1326, 12, replace=False):
            hole = tuple(int(card) for card in HOLDINGS[place])
            blocked = set(hole) & set(board[0].tolist())
            assert found[place] == (
                255 if blocked else naive.holding_class(hole, tuple(board[0, :cards].tolist()))
            )


def test_a_single_hand_has_the_class_that_it_has_among_all(played: Hands) -> None:
    for decisions in replay(played[:100]):
        views = decisions.views
        after = np.flatnonzero(views.street > 0)
        found = classes_at(views)[after]
        low, high = np.sort(views.hole[after].astype(int), axis=1).T
        rows = classes_of_boards(views.board[after])
        assert found.tolist() == rows[np.arange(len(after)), high * (high - 1) // 2 + low].tolist()


def test_other_cards_have_another_number() -> None:
    """Classes are kept by this number while a batch is looked at, on all streets."""
    rows = np.zeros(67_200, dtype=VIEW)
    cards = [order for count in (5, 6, 7) for order in permutations(range(8), count)]
    for row, order in zip(rows, cards, strict=True):
        row["street"], row["hole"], row["board"][: len(order) - 2] = len(order) - 4, order[:2], order[2:]
    assert len({int(cards_of(row)) for row in rows}) == len(rows)


def test_leaves_are_found_and_splits_gain(seen: Observations) -> None:
    answers = np.minimum(seen.action, 2).astype(np.uint8)
    tree = grow(seen.features, answers, np.zeros_like(answers), 3, gain=5.0, least=20)
    leaves = tree.leaf_of(seen.features)
    assert set(leaves) <= set(tree.leaves)
    assert len(tree.leaves) > 5
    assert leaves[:200].tolist() == [naive.leaf_of(tree, row) for row in seen.features[:200]]
    assert all(naive_path[-1] == leaf for leaf in tree.leaves.tolist() if (naive_path := tree.path(leaf)))
    assert all(node_words(tree, node, False).startswith("before the flop") for node in range(len(tree)))


def test_expected_counts_are_those_of_the_twin(crowd: PersonMemory, seen: Observations) -> None:
    some = seen.keep(
        np.flatnonzero((np.diff(seen.first) > 2) | (seen.limit > 0) | (seen.hole[:, 0] >= 0))[:12]
    )
    leaves = leaves_of_trees(crowd.trees, some)
    counts, _ = expected_counts(crowd.tables, some, leaves)
    total = {name: np.zeros(counts[name].shape) for name in NAMES}
    for number, decisions in enumerate(naive.player_hands(some)):
        known = int(some.hole[number, 0] < 0)
        for holding, weight in naive.posterior(crowd.tables, some, leaves, number).items():
            for k in decisions:
                before, action = some.board[k] < 0, int(some.action[k])
                place = holding[1] * (holding[1] - 1) // 2 + holding[0]
                kind = naive.class_of(*holding) if before else some.classes[some.board[k], place]
                part = "pre" if before else "post"
                total[f"what_{part}"][known, leaves.what[k], kind, min(action, 2)] += weight
                if action >= 2:
                    total[f"size_{part}"][known, leaves.size[k], kind, action - 2] += weight
    for name in NAMES:
        assert np.allclose(counts[name], total[name])


def test_predictions_are_probabilities_and_cards_make_them_those_of_the_holding(
    crowd: PersonMemory, played: Hands
) -> None:
    every = observe([played[:40]])
    assert np.allclose(predicted(crowd, every).probabilities.sum(axis=1), 1)
    leaves = leaves_of_trees(crowd.trees, every)
    with_cards = predicted(crowd, every, with_cards=True)
    for k in range(len(every.action)):
        low, high = sorted(every.hole[every.owner[k]].tolist())
        place = high * (high - 1) // 2 + low
        expected = naive.chance(crowd.tables, every, leaves, k, (low, high), place)
        assert with_cards.losses[k] == pytest.approx(-np.log(expected))


def test_public_counts_survive_inference(crowd: PersonMemory, seen: Observations) -> None:
    """Whatever is inferred of holdings, every decision is counted once, with the action that was seen."""
    leaves = leaves_of_trees(crowd.trees, seen)
    counts, _ = expected_counts(crowd.tables, seen, leaves)
    for name in NAMES:
        by_class = sums_over(crowd.trees[name], counts[name].sum(axis=(0, 2)))
        assert np.allclose(by_class, crowd.public[name])


def test_a_tilt_matches_frequencies_and_keeps_the_order_of_holdings() -> None:
    rng = np.random.default_rng(1)
    table, ranges = rng.dirichlet(np.ones(3), (4, 6)), rng.dirichlet(np.ones(6), 4)
    wanted = rng.dirichlet(np.ones(3) * 5, 4)
    found = tilted(table, ranges, wanted, rounds=300)
    assert np.allclose(np.einsum("nc,nck->nk", ranges, found), wanted, atol=1e-6)
    odds, before = found[:, :, 2] / found[:, :, 0], table[:, :, 2] / table[:, :, 0]
    assert (np.argsort(odds, axis=1) == np.argsort(before, axis=1)).all()


def test_pooling_lies_between_the_population_and_the_person(crowd: PersonMemory) -> None:
    tree, usual = crowd.trees["what_pre"], crowd.usual["what_pre"]
    nothing = np.zeros(usual.shape)
    strengths = np.full(len(tree), 50.0)
    assert np.allclose(pooled(tree, usual, nothing, strengths), usual, atol=1e-4)
    always = np.zeros(usual.shape)
    always[tree.leaves, 2] = 1e7
    assert (pooled(tree, usual, sums_over(tree, always), strengths)[tree.leaves, 2] > 0.999).all()
    assert np.allclose(population_frequencies(tree, crowd.public["what_pre"]).sum(axis=1), 1)


def test_hiding_shows_the_first_to_show_and_nothing_that_is_beaten(played: Hands) -> None:
    hidden = hide_cards(played)
    observed = observe([hidden])
    assert (observed.hole[observed.obliged] != UNKNOWN).all()
    kept = hidden.known
    assert (hidden.rows["hole"][kept] == played.rows["hole"][kept]).all()
    assert 0 < kept.sum() < played.known.sum() / 2
    full = observe([played])
    mucked = observed.limit > 0
    cards = np.hstack([full.hole[mucked], full.cards[mucked]]).astype(int)
    assert (naive_strengths(cards) < observed.limit[mucked]).all()


def naive_strengths(cards: np.ndarray) -> np.ndarray:
    return np.array([naive.evaluate_board(row[2:].tolist(), [row[:2].tolist()])[0] for row in cards])


def test_a_person_is_predicted_better_than_by_the_crowd(crowd: PersonMemory, played: Hands) -> None:
    past, rest = (observe([part], ["jagbot"]) for part in (hide_cards(played[:300]), played[300:]))
    person = remember_person(crowd, past, "jagbot", {})
    for cards in (False, True):
        mine, theirs = (predicted(one, rest, with_cards=cards).losses.mean() for one in (person, crowd))
        assert mine < theirs


def test_the_range_and_percentile_of_a_shown_holding_are_those_of_the_twin(
    crowd: PersonMemory, played: Hands
) -> None:
    full = observe([played])
    ended = (full.cards[:, 4] >= 0) & (full.hole[:, 0] >= 0) & (np.diff(full.first) > 1)
    some = full.keep(np.flatnonzero(ended)[:3])
    found, leaves = predicted(crowd, some), leaves_of_trees(crowd.trees, some)
    for number in range(len(some)):
        weights = naive.posterior(crowd.tables, some, leaves, number, cards_known=False)
        held, board = tuple(sorted(some.hole[number].tolist())), some.cards[number].tolist()
        own = naive.evaluate_board(board, [held])[0]
        rest = [(naive.evaluate_board(board, [one])[0], weight) for one, weight in weights.items()]
        weaker, equal = (
            sum(weight for rank, weight in rest if rank < own),
            sum(weight for rank, weight in rest if rank == own),
        )
        assert found.log_range[number] == pytest.approx(np.log(weights[held]), abs=1e-6)
        assert found.percentile[number] == pytest.approx([weaker, weaker + equal], abs=1e-6)


def test_the_distance_of_what_was_predicted_exactly_is_that_of_chance() -> None:
    rng = np.random.default_rng(4)
    shares = rng.dirichlet(np.full(5, 0.5), 4000)  # five strengths, each range another one
    ends = np.hstack([np.zeros((4000, 1)), shares.cumsum(axis=1)])
    drawn = (rng.random(4000)[:, None] > ends[:, 1:-1]).sum(axis=1)
    rows = np.arange(4000)
    assert distance_from_uniform(np.column_stack([ends[rows, drawn], ends[rows, drawn + 1]])) < 0.02
    best = np.full(4000, 4)
    assert distance_from_uniform(np.column_stack([ends[rows, best], ends[rows, best + 1]])) > 0.2
    assert distance_from_uniform(np.array([[0.0, 1.0]])) == 0  # everything ties


def test_files_keep_what_matters_and_refuse_damage(crowd: PersonMemory, seen: Observations, tmp_path) -> None:
    path = tmp_path / "crowd.people"
    write_person(path, crowd)
    again = read_person(path)
    assert again.is_population
    assert again.name == "crowd"
    assert again.about == crowd.about
    for name in NAMES:
        leaves = crowd.trees[name].leaves
        if name != "size_pre":  # stored by groups of starting hands
            assert np.allclose(again.tables[name][leaves], crowd.tables[name][leaves], atol=1e-3)
        assert np.allclose(again.shown[name].sum(axis=1), crowd.shown[name].sum(axis=1), atol=1, rtol=0.01)
    content = path.read_bytes()
    rng = np.random.default_rng(2)
    for _ in range(40):
        damaged = bytearray(content)
        damaged[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(damaged))
        with pytest.raises(KnowledgeError):
            read_person(path)
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(KnowledgeError):
        read_person(path)


def test_reading_a_person_takes_little_more_memory_than_its_tables() -> None:
    """What only explanations need stays as the file stores it; whole, it would take twice the tables more."""
    path = DATA / "passive.people"
    read_person(path)  # whatever is allocated once
    tracemalloc.start()
    person = read_person(path)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    tables = sum(table.nbytes for table in person.tables.values())
    assert tables < taken < 1.5 * tables
    assert person.shown["what_post"].shape == person.inferred["what_post"].shape
    assert person.shown["what_post"].shape == person.tables["what_post"].shape


def test_a_tree_with_a_loop_is_refused(crowd: PersonMemory, tmp_path) -> None:
    tree = crowd.trees["what_pre"]
    right = tree.right.copy()
    right[np.flatnonzero(tree.split >= 0)[1]] = 0
    path = tmp_path / "loop.people"
    write_person(path, replace(crowd, trees={**crowd.trees, "what_pre": replace(tree, right=right)}))
    with pytest.raises(KnowledgeError, match="children after their parents"):
        read_person(path)


def test_a_clone_plays_by_the_rules_and_explains_itself(crowd: PersonMemory, tmp_path) -> None:
    path = tmp_path / "crowd.people"
    write_person(path, crowd)
    assert not check_agent(Clone(path), games=[SIX], seed=4).problems
    said = explain(Clone(path), Situation(hole="AhKd", board="Kc8s2d", betting="cc/", game="nolimit"))
    assert "shown" in str(said)
    assert "inferred" in str(said)


def test_weights_are_those_of_the_tables(crowd: PersonMemory, played: Hands) -> None:
    for decisions in replay(played[:20]):
        views = decisions.views
        weights, totals = weights_at(crowd, views)
        features, held = features_of(views), classes_at(views)
        for i in range(len(views)):
            part = "post" if views.street[i] else "pre"
            what, size = (
                crowd.tables[name][naive.leaf_of(crowd.trees[name], features[i]), held[i]]
                for name in (f"what_{part}", f"size_{part}")
            )
            assert weights[i].tolist() == [what[0], what[1], *(what[2] * size)]
        assert np.allclose(weights.sum(axis=1), 1)
        assert (totals > 0).all()


def test_whoever_plays_as_the_population_does_is_taken_to_do_so_in_any_mix_of_situations(
    crowd: PersonMemory,
) -> None:
    question, rng = crowd.questions["what_pre"], np.random.default_rng(3)
    tree, usual = question.tree, question.frequencies
    visits = np.where(tree.split < 0, rng.lognormal(3, 2, len(tree)), 0)
    found = person_frequencies(question, sums_over(tree, visits[:, None] * usual))
    assert found[tree.leaves] == pytest.approx(usual[tree.leaves], abs=1e-4)


def test_a_compact_file_is_smaller_and_says_nearly_the_same(crowd: PersonMemory, tmp_path) -> None:
    files = tmp_path / "whole.people", tmp_path / "compact.people"
    for file, compact in zip(files, (False, True), strict=True):
        write_person(file, crowd, compact)
    whole, rounded = map(read_person, files)
    assert files[1].stat().st_size < 0.8 * files[0].stat().st_size
    for name in NAMES:
        assert rounded.tables[name] == pytest.approx(whole.tables[name], rel=1 / 60, abs=1e-6)
        assert (rounded.public[name] == whole.public[name]).all()
        assert (rounded.shown[name] == whole.shown[name]).all()


@pytest.mark.parametrize(
    ("currency", "big_blind", "expected"),
    [
        ("$", "0.25", SMALL_STAKES),
        ("€", "2", SMALL_STAKES),
        ("$", "10", POPULATION),
        ("", "0.25", POPULATION),
    ],
)
def test_stakes_say_which_population_a_player_is_compared_with(
    played: Hands, currency: str, big_blind: str, expected: str
) -> None:
    hands = at_stakes(played[:60], big_blind, currency)
    assert population_at(hands) == expected
    source = read_person(DATA / f"{expected}.people").about["source"]
    assert imitate(hands, "jagbot").about["population"] == source
    assert resemble(hands, "jagbot").population == source


def at_stakes(hands: Hands, big_blind: str, currency: str) -> Hands:
    """Return the hands as if they had been played for these stakes."""
    terms = [
        replace(one, currency=currency, chip=Fraction(big_blind) / one.game.big_blind) for one in hands.terms
    ]
    return replace(hands, terms=tuple(terms))


def test_a_known_person_is_compared_with_its_own_population_and_no_other(played: Hands, tmp_path) -> None:
    small = at_stakes(played[:100], "0.5", "$")
    imitate(small, "jagbot", output=tmp_path / "small.people")
    imitate(played[:100], "jagbot", output=tmp_path / "large.people")
    source = read_person(DATA / f"{SMALL_STAKES}.people").about["source"]
    assert resemble(played[:100], "jagbot", among=[tmp_path / "small.people"]).population == source
    with pytest.raises(KnowledgeError, match="jagbot was learned from PokerStars, July 2009, 5/10 dollars"):
        resemble(played[:100], "jagbot", among=[tmp_path / "small.people", tmp_path / "large.people"])


def test_the_shipped_people_at_small_stakes_can_be_read_and_play() -> None:
    for name in (SMALL_STAKES, *SMALL_STYLES):
        person = read_person(DATA / f"{name}.people")
        assert person.about["source"] == "PokerStars, July 2009, big blinds of 25 and 50 cents"
        assert person.is_population == (name == SMALL_STAKES)
        if name != SMALL_STAKES:
            assert person.name.endswith(" at small stakes")
    assert not check_agent(Clone(style=SMALL_STAKES), games=[SIX], seed=4).problems
    assert named_player(SMALL_STAKES).words == "the shipped population at small stakes"


def test_what_is_shipped_of_people_stays_small() -> None:
    files = [*DATA.glob("*.people"), DATA / "people-hands.parquet"]
    assert sum(file.stat().st_size for file in files) < 8_000_000


def test_the_shipped_population_and_styles_can_be_read() -> None:
    for name in (*POPULATIONS, *STYLES, *SMALL_STYLES):
        person = read_person(DATA / f"{name}.people")
        assert "2009" in person.about["source"]
        assert person.tables["what_pre"].shape[1:] == (PREFLOP, 3)
        assert person.tables["size_post"].shape[1:] == (POSTFLOP, 6)
        if name not in POPULATIONS:
            assert person.about["people"] >= 20
            assert person.about["largest share"] <= 0.15


def test_the_shipped_pluribus_plays_six_seats_as_its_sessions_show() -> None:
    person = read_person(DATA / "pluribus.people")
    assert person.about["source"].startswith("Pluribus, sessions 30 to 99")
    assert person.about["seats"] == {"6": person.about["played"]}
    check = person.about["check"]
    assert check["better_by"] - check["error"] > 0
    assert not check_agent(Clone(style="pluribus"), games=[SIX], seed=4).problems


def test_imitate_and_resemble(crowd: PersonMemory, played: Hands, tmp_path) -> None:
    found = imitate(played, "jagbot", output=tmp_path / "jag.people", population=crowd)
    assert found.about["hands"] == len(played)
    assert found.about["check"]["better_by"] > 0
    assert read_person(tmp_path / "jag.people").name == "jagbot"
    with pytest.raises(NotationError, match="no hands of 'jabot'"):
        imitate(played, "jabot", population=crowd)
    alike = resemble(played, "jagbot", among=[tmp_path / "jag.people"], population=crowd)
    assert alike.probabilities[0] + alike.nobody == pytest.approx(1)
    few = resemble(played[:20], "jagbot", among=[tmp_path / "jag.people"], population=crowd)
    assert few.answer == "too few hands"


def test_it_is_whom_it_was_learned_from(crowd: PersonMemory, played: Hands) -> None:
    names = ("jagbot", "simplebot", "dpp")
    past, rest = played[:250], played[250:]
    known = [remember_person(crowd, observe([past], [name]), name, {}) for name in names]
    flat = Calibration(1.0, 0.0, -10.0, 0.0, 0.0, 0.0)
    for name in names:
        assert resemblance(known, crowd, observe([rest], [name]), flat).answer == name


def test_a_stranger_is_predicted_from_what_it_did_before(crowd: PersonMemory, played: Hands) -> None:
    observed = observe([played[:60]], ["jagbot"])
    for name, (_, node, answer) in answers_of(crowd.trees, observed).items():
        tree, usual = crowd.trees[name], crowd.usual[name]
        expected = naive.likelihood_in_turn(tree, usual, crowd.weights[name], node.tolist(), answer.tolist())
        found = stranger_part(crowd, name, node, answer) + np.log(usual[node, answer]).sum()
        assert found == pytest.approx(expected, abs=1e-6)


@given(
    points=st.lists(st.floats(-500, 500), min_size=1, max_size=20),
    stranger=st.floats(-500, 500),
    decisions=st.integers(0, 5000),
    calibration=st.sampled_from([PEOPLE, STYLE_ODDS]),
)
def test_chances_are_probabilities_and_follow_the_scores(points, stranger, decisions, calibration) -> None:
    scores = np.array(points)
    chances = calibration.probabilities(scores, stranger, decisions)
    assert chances.sum() == pytest.approx(1)
    assert (chances >= 0).all()
    order = np.argsort(scores, kind="stable")
    assert (np.diff(chances[:-1][order]) >= -1e-12).all()


def test_who_describes_the_hands_worse_than_a_stranger_is_not_the_player() -> None:
    alone = [PEOPLE.probabilities(np.array([points]), 40.0, 400)[-1] for points in (-40.0, 20.0, 80.0)]
    assert alone[0] > 0.95
    assert alone[0] > alone[1] > alone[2]
    assert alone[2] < 0.2


def test_the_commands(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "hands"
    record(SIX, *["random"] * 5, "jagbot", folder=folder, hands=60, seed=2)
    done = CliRunner().invoke(app, ["imitate", str(folder), "--player", "jagbot", "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["agent"] == "clone:person=jagbot.people"
    assert said["hands"] == 60
    done = CliRunner().invoke(app, ["resemble", str(folder), "--player", "jagbot", "--json"])
    assert done.exit_code == 0
    assert abs(sum(json.loads(done.stdout)["probabilities"]) - 1) < 1
    done = CliRunner().invoke(app, ["imitate", str(folder), "--player", "jagbot"])
    assert done.exit_code != 0  # the file exists


def test_seats_play_at_any_table() -> None:
    for seats in (2, 3, 10):
        game = SIX.with_seats(seats)
        assert Clone().sit(game, 1, Streams(1))
