"""Playing from solved strategies: following the betting, off-tree bets, probabilities, explanations."""

import pickle
import re
import shutil

import numpy as np
import pytest

from holdmem import find_game, make_agent, match
from holdmem.agent import Views, name_of
from holdmem.arena.design import content_hash
from holdmem.cfr.betting_tree import ALL_IN, betting_tree
from holdmem.cfr.card_abstraction import card_buckets
from holdmem.cfr.lookup import StrategyLookup
from holdmem.cfr.public_chance_sampling import HoldemSolver
from holdmem.cfr.strategy import StrategyInfo, read_header, strategy_of, write_strategy
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError, StrategyError, UnknownAgent
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, Batch
from holdmem.players.equilibrium import Equilibrium, strategy_lookup
from naive.lookup import naive_places, naive_unbet

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
BUCKETS = card_buckets((7, 6, 5, 9))


def player_for(game) -> StrategyLookup:
    """A player of random probabilities."""
    solver = HoldemSolver(betting_tree(game), BUCKETS)
    random = np.random.default_rng(0).random(solver.layout.size).astype(np.float32)
    return StrategyLookup(
        strategy_of(solver.tree, BUCKETS, random, StrategyInfo(0, 0, "linear", (1.0, 1.0), "random"))
    )


PLAYERS = {game.name: player_for(game) for game in (LIMIT, NO_LIMIT)}


def views_of(game, decks, actions) -> Views:
    batch = Batch(game, decks)
    for codes in actions:
        batch.act(np.arange(len(batch)), np.full(len(batch), codes))
    tables = np.arange(len(batch))
    return Views.of(batch, tables, hand_ids(len(batch)), tables)


def random_views(game, count: int) -> list[Views]:
    """Decisions of random play, any raise that is legal."""
    random = np.random.default_rng(7)
    batch = Batch(game, np.array([random.permutation(52)[:9] for _ in range(count)]))
    found = []
    while len(tables := batch.unfinished()):
        found.append(Views.of(batch, tables, hand_ids(count), np.arange(count)))
        legal = batch.legal(tables)
        raises = np.where(legal.most > 0, random.integers(legal.least, legal.most + 1), CALL)
        kind = random.random(len(tables))
        folds = (legal.to_call > 0) & (kind < 0.05)
        codes = np.where(folds, FOLD, np.where(kind < 0.55, CALL, raises))
        found[-1] = Views(
            game, found[-1].rows.copy(), batch.history.copy(), tables.copy(), found[-1].table.copy()
        )
        batch.act(tables, codes)
    return found


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT], ids=lambda game: game.name)
def test_the_betting_is_followed_as_one_reads_it(game) -> None:
    player = PLAYERS[game.name]
    for views in random_views(game, 60):
        places = player.places(views)
        for i, view in enumerate(views):
            expected = naive_places(player.strategy.tree, view.history)
            mine = dict(zip(places.nodes[i].tolist(), places.weights[i].tolist(), strict=True))
            mine = {node: weight for node, weight in mine.items() if node >= 0 and weight > 0}
            assert mine.keys() == expected.keys()
            assert [mine[node] for node in expected] == pytest.approx(list(expected.values()))


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT], ids=lambda game: game.name)
def test_policies_are_the_tables_probabilities(game) -> None:
    player = PLAYERS[game.name]
    strategy = player.strategy
    for views in random_views(game, 40):
        policy, places, buckets = player.policy(views), player.places(views), player.buckets(views)
        assert policy.probabilities.sum(axis=1) == pytest.approx(np.ones(len(views)))
        for i in np.flatnonzero((places.nodes >= 0).sum(axis=1) == 1):
            node = int(places.nodes[i].max())
            probabilities = dict(zip(strategy.tree.actions(node), strategy.at(node, buckets[i]), strict=True))
            if views.to_call[i]:
                fold = policy.probabilities[i, policy.codes[i] == FOLD].sum()
                assert fold == pytest.approx(
                    probabilities[-1.0] * (1 - naive_unbet(strategy.tree, node, views[i]))
                )


def test_raises_are_fractions_of_the_real_pot() -> None:
    decks = np.arange(9)[None, :]
    views = views_of(NO_LIMIT, decks, [250, CALL])  # 250 each: the pot is 500 on the flop
    policy = PLAYERS[NO_LIMIT.name].policy(views)
    assert set(policy.codes[0][policy.probabilities[0] > 0].tolist()) == {CALL, 250, 500, 19750}


def test_a_bet_between_two_sizes_goes_to_both_by_the_mapping() -> None:
    player = PLAYERS[NO_LIMIT.name]
    tree = player.strategy.tree
    views = views_of(NO_LIMIT, np.arange(9)[None, :], [250])  # 0.75 of the pot after a call
    places = player.places(views)
    half, pot = tree.child[tree.edges[0] + 2], tree.child[tree.edges[0] + 3]
    share = (1 - 0.75) * (1 + 0.5) / ((1 - 0.5) * (1 + 0.75))
    found = dict(zip(places.nodes[0].tolist(), places.weights[0].tolist(), strict=True))
    assert found[half] == pytest.approx(share)
    assert found[pot] == pytest.approx(1 - share)


def test_all_in_is_all_in_however_large() -> None:
    player = PLAYERS[NO_LIMIT.name]
    tree = player.strategy.tree
    places = player.places(views_of(NO_LIMIT, np.arange(9)[None, :], [20000]))
    assert tree.actions(0)[-1] == ALL_IN
    assert places.nodes[0, 0] == tree.child[tree.edges[1] - 1]


def test_an_all_in_of_less_than_the_pot_is_a_bet_of_its_size() -> None:
    player = PLAYERS[NO_LIMIT.name]
    tree = player.strategy.tree
    betting = [8000, CALL, 12000]  # 80 big blinds each, then 120 into 160
    found = player.places(views_of(NO_LIMIT, np.arange(9)[None, :], betting))
    sizes = {tuple(tree.paid[node].tolist()) for node in found.nodes[0][found.weights[0] > 0.01].tolist()}
    assert all(max(paid) < 20000 for paid in sizes)
    assert sizes == {(600, 300), (900, 300)}  # half a pot and a pot after a raise of one pot


def test_a_bet_below_the_smallest_is_folded_to_as_seldom_as_the_mapping_says() -> None:
    player = PLAYERS[NO_LIMIT.name]
    decks = np.arange(9)[None, :]
    half, fifth = (views_of(NO_LIMIT, decks, [300, CALL, bet]) for bet in (300, 120))
    folds = [player.policy(views).probabilities[0, 0] for views in (half, fifth)]
    assert folds[0] > 0
    assert folds[1] == pytest.approx(folds[0] * (1 - (0.5 - 0.2) / (0.5 * 1.2)))


def file_of(game, path):
    write_strategy(PLAYERS[game.name].strategy, path)
    return path


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT], ids=lambda game: game.name)
def test_a_solved_file_plays_and_explains_itself(game, tmp_path) -> None:
    path = file_of(game, tmp_path / "mine.strategy")
    seat = make_agent(f"eqm:strategy={path}").sit(game, 1, Streams.of(1))
    words = set()
    for views in random_views(game, 40):
        explained = seat.explain(views[0])
        assert sum(chance for _, chance in explained.probabilities) == pytest.approx(1)
        words.add("not solved" in str(explained) or "was solved everybody" in str(explained))
        assert "of hands here" in str(explained) or "of starting hands" in str(explained)
        assert explained.details[0].what.startswith("bucket ")
        sizes = re.findall(r"(no bet|a bet of [^(]+) \(", str(explained))
        assert len(sizes) == len(set(sizes)), "a size is named once, with the weight of all its nodes"
    assert words == ({False} if game.limit else {False, True})


def test_another_game_is_declined_with_the_reason(tmp_path) -> None:
    path = file_of(LIMIT, tmp_path / "mine.strategy")
    agent = make_agent(f"eqm:strategy={path}")
    with pytest.raises(
        AgentError, match=r"solved for holdem.limit.2p.reverse_blinds .* this game is holdem.nolimit"
    ):
        agent.sit(NO_LIMIT, 1, Streams.of(1))
    with pytest.raises(StrategyError, match="cannot read the strategy file"):
        strategy_lookup(tmp_path / "none")


SHIPPED = [
    (game, name + style)
    for game, name in (("limit", "eqm"), ("nolimit", "eqm-nl"))
    for style in ("", "-aggressive", "-passive")
]


@pytest.mark.parametrize("name", [name for _, name in SHIPPED])
def test_a_name_is_a_value_of_one_class(name) -> None:
    agent = make_agent(name)
    assert agent == Equilibrium(DATA / f"{name}.strategy")
    assert name_of(agent) == name
    assert pickle.loads(pickle.dumps(agent)) == agent
    if name != "eqm":
        with pytest.raises(UnknownAgent, match=f"{name}: unknown parameter 'strategy'; it takes none"):
            make_agent(f"{name}:strategy=mine")


def test_experts_are_hashed_by_the_content_of_their_files(tmp_path) -> None:
    hashes = {name: content_hash(make_agent(name)) for _, name in SHIPPED}
    assert len(set(hashes.values())) == len(SHIPPED)
    path = tmp_path / "mine.strategy"
    shutil.copy(DATA / "eqm-passive.strategy", path)
    agent = make_agent(f"eqm:strategy={path}")
    assert name_of(agent) == f"eqm:strategy={path}"
    assert content_hash(agent) == hashes["eqm-passive"]


def test_the_shipped_files_are_whole_small_and_say_how_they_were_made() -> None:
    files = [DATA / f"{name}.strategy" for _, name in SHIPPED]
    assert sum(file.stat().st_size for file in files) < 16e6
    for file in files:
        header = read_header(file)
        assert header["source"].startswith("holdmem solve --game ")
        assert f"--seed {header['seed']} --iterations {header['iterations']}" in header["source"]


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_the_shipped_experts_beat_who_always_calls(game, name) -> None:
    found = match(find_game(game), name, "always-call", hands=3000, seed=3).estimates()[0]
    assert found.low > 0


@pytest.mark.parametrize(("game", "name"), [("limit", "eqm"), ("nolimit", "eqm-nl")])
def test_styles_show_in_aggression(game, name) -> None:
    played = match(find_game(game), f"{name}-aggressive", f"{name}-passive", hands=2000, seed=3)
    bold, meek = (agent["style"]["aggression"] for agent in played.as_json()["agents"])
    assert bold > 1.25 * meek
