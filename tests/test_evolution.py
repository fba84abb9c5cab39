"""Evolving weights: the operators digit by digit, trees of algorithms, and runs that stop and go on."""

import json
import os
import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.agent import make_agent, play
from holdmem.cbr.weight_sets import find_weights, read_weights
from holdmem.cli import app
from holdmem.cli.evolve_commands import agents_in
from holdmem.core import cache_folder
from holdmem.core.errors import AgentError, GameError, HoldMemError, NotationError
from holdmem.core.parallel import WorkerPool
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import find_game
from holdmem.engine.state import PARTS
from holdmem.learning.evolve.evolution import STAGES, Evolution, Generation
from holdmem.learning.evolve.evolution_files import (
    load_or_start,
    resume,
    state_file,
    weights_file,
    write_best,
    write_state,
)
from holdmem.learning.evolve.generations import Block, Winnings, blocks, play_block
from holdmem.learning.evolve.genetics import (
    Operators,
    RandomSequence,
    breed,
    crossover,
    mutate,
    random_population,
    ranks,
    select,
    select_pair,
    selection_probabilities,
    shuffled_ranks,
)
from holdmem.learning.evolve.task import FINAL, SCHEMES, EvolutionTask
from holdmem.players.casper import STREETS, WEIGHTS
from holdmem.plots.convergence import (
    average_error,
    best_by_luck,
    by_generation,
    convergence,
    expected_range,
    spread_by_luck,
)
from strangers import called

HAND_PICKED = tuple(int(weight) for weight in WEIGHTS["hand-picked"].vector)


def dice(seed: int = 0) -> RandomSequence:
    return RandomSequence(Streams.of(seed, "test"))


def rank_by_counting(profits: list[int], one: int) -> int:
    """The twin: those that did worse, and those before it that did as well, and itself."""
    worse = sum(profit < profits[one] for profit in profits)
    return worse + sum(profit == profits[one] for profit in profits[:one]) + 1


def test_crossover_gives_the_documents_offspring() -> None:
    """§4.2.2: parents, a crossover point of 4, offspring."""
    first, second = (5, 10, 10, 5, 5, 10, 5, 50), (30, 5, 15, 5, 20, 80, 5, 100)
    assert HAND_PICKED[:8] == first
    assert crossover(first, second, [8], [4]) == (
        (5, 10, 10, 5, 20, 80, 5, 100),
        (30, 5, 15, 5, 5, 10, 5, 50),
    )


def test_crossover_cuts_each_stage_by_itself() -> None:
    first, second = tuple(range(42)), tuple(range(100, 142))
    one, other = crossover(first, second, STAGES, (1, 11, 6, 9))
    borders = np.split(np.arange(42), np.cumsum(STAGES)[:-1])
    of_first = [sum(one[place] < 100 for place in stage) for stage in borders]
    assert of_first == [1, 11, 6, 9]
    assert [sum(pair) for pair in zip(one, other, strict=True)] == [2 * n + 100 for n in range(42)]
    assert [place % 100 for place in one] == list(range(42))


def test_selection_has_the_probabilities_of_the_thesis() -> None:
    """Figure 4.4, and §4.3.1: 50%, 33% and 17%."""
    profits = [-9, 4, -3, 8, 0, 1, 2, -1, -5]
    probabilities = selection_probabilities(profits)
    assert sorted(probabilities) == pytest.approx([rank / 45 for rank in range(1, 10)])
    assert probabilities[3] == 9 / 45
    assert probabilities[0] == 1 / 45
    assert [round(100 * chance) for chance in selection_probabilities([3, 2, 1])] == [50, 33, 17]


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_ranks_agree_with_counting(profits: list[int]) -> None:
    assert list(ranks(profits)) == [rank_by_counting(profits, one) for one in range(len(profits))]


def test_selection_draws_as_often_as_it_should() -> None:
    ranking, thrown, draws = (2, 1, 3), dice(), 6000
    found = Counter(select(ranking, thrown) for _ in range(draws))
    for one, rank in enumerate(ranking):
        assert found[one] == pytest.approx(draws * rank / 6, abs=4 * (draws * rank / 6) ** 0.5)


def test_nobody_is_its_own_partner_and_better_ones_mate_more() -> None:
    thrown = dice()
    found = [select_pair((1, 2, 3), thrown) for _ in range(2000)]
    assert all(first != second for first, second in found)
    often = Counter(parent for pair in found for parent in pair)
    assert often[2] > often[1] > often[0] > 0


@given(st.integers(0, 1000))
def test_mutation_replaces_one_weight(seed: int) -> None:
    old = tuple(range(1000, 1042))
    new = mutate(old, dice(seed))
    changed = [weight for weight, before in zip(new, old, strict=True) if weight != before]
    assert len(changed) == 1
    assert 0 <= changed[0] <= 100


def test_all_weights_from_0_to_100_occur() -> None:
    population = random_population(100, 42, dice())
    assert {weight for one in population for weight in one} == set(range(101))


@given(st.integers(0, 500), st.lists(st.integers(-1000, 1000), min_size=9, max_size=9))
def test_a_generation_is_three_survivors_six_offspring_and_one_mutation(
    seed: int, profits: list[int]
) -> None:
    old = tuple(tuple(range(1000 * k, 1000 * k + 42)) for k in range(1, 10))
    new = breed(old, profits, STAGES, Operators(), dice(seed))
    assert len(new) == 9
    # What is below 1000 came by mutation: at most one weight of one hypothesis.
    assert sum(weight < 1000 for one in new for weight in one) == 1
    families = [{weight // 1000 for weight in one if weight >= 1000} for one in new]
    assert [len(family) for family in families[:3]] == [1, 1, 1]
    assert [families[k] == families[k + 1] and len(families[k]) == 2 for k in (3, 5, 7)] == [True] * 3
    places = [weight % 1000 == place for one in new for place, weight in enumerate(one) if weight >= 1000]
    assert all(places)


@given(st.integers(0, 500), st.lists(st.integers(-1000, 1000), min_size=9, max_size=9))
def test_shuffled_ranks_do_not_depend_on_what_was_won(seed: int, profits: list[int]) -> None:
    old = tuple(tuple(range(1000 * k, 1000 * k + 42)) for k in range(1, 10))
    shuffled = Operators(shuffled=True)
    new = breed(old, profits, STAGES, shuffled, dice(seed))
    assert new == breed(old, [0] * 9, STAGES, shuffled, dice(seed))
    assert sorted(shuffled_ranks(9, dice(seed))) == list(range(1, 10))


def test_shuffled_ranks_favour_nobody() -> None:
    orders = Counter(shuffled_ranks(3, dice(seed)) for seed in range(1200))
    assert len(orders) == 6
    assert all(150 <= count <= 250 for count in orders.values()), "200 of each are expected"


def test_each_hypothesis_may_mutate_by_a_chance() -> None:
    always = Operators(population=3, selected=1, pairs=1, mutated=0, mutation_chance=1.0)
    old = tuple(tuple(range(1000 * k, 1000 * k + 42)) for k in range(1, 4))
    mutated = [sum(weight < 1000 for weight in one) for one in breed(old, [1, 2, 3], STAGES, always, dice())]
    assert mutated == [1, 1, 1]
    seldom = SCHEMES["opponents"].operators
    changed = [breed(old, [1, 2, 3], STAGES, seldom, dice(seed)) for seed in range(1000)]
    count = sum(weight < 1000 for one in changed for each in one for weight in each)
    assert 10 <= count <= 60  # 30 on average


@pytest.mark.parametrize(
    ("count", "tree"),
    [
        ("self-play", (("GA1", "GA2", "GA3", "GA4", "GA5", "GA6", "GA7", "GA8", "GA9"), (FINAL,))),
        (
            "opponents",
            (
                ("GA1", "GA2", "GA3", "GA4", "GA5", "GA6", "GA7", "GA8", "GA9"),
                ("GA1.1", "GA1.2", "GA1.3"),
                (FINAL,),
            ),
        ),
    ],
)
def test_the_trees_are_those_of_figures_4_5_and_4_10(count: str, tree: Any) -> None:
    assert SCHEMES[count].algorithms == tree


def test_the_sizes_are_those_of_the_thesis() -> None:
    general, against = SCHEMES["self-play"], SCHEMES["opponents"]
    assert (general.all_hands, sum(general.levels) * general.generations) == (500_000, 100)
    assert (against.all_hands, sum(against.levels) * against.generations) == (325_000, 65)
    assert against.table.opponents == ("poki",) * 6
    assert against.table.seating.tolist() == [0, 3, 4, 1, 5, 6, 2, 7, 8]
    assert tuple(len(features.names) for features in STREETS) == STAGES


def heavy_first(block: Block) -> Winnings:
    """A toy: who weighs more on its first feature and less on its last wins more."""
    won = tuple((one[0] - one[-1]) * block.hands for one in block.population)
    return Winnings(won, tuple(profit**2 for profit in won))


TOY = EvolutionTask(hands=100, player=called("Weighed"))


def finished(task: EvolutionTask, play: Any = heavy_first, crew: WorkerPool | None = None) -> Evolution:
    evolution = Evolution(task)
    assert len(list(evolution.run(crew, play=play))) == sum(task.levels) * task.generations
    assert evolution.finished
    return evolution


def test_a_toy_evolves_towards_what_wins() -> None:
    evolution = finished(TOY)
    first = [evolution.played[name][0] for name in TOY.algorithms[0]]
    best = [evolution.best_of(name) for name in TOY.algorithms[0]]
    assert np.mean([one.profits for one in evolution.played[FINAL]]) > np.mean([one.profits for one in first])
    assert evolution.played[FINAL][0].population == tuple(best)
    last = evolution.best_of(FINAL)
    assert last[0] - last[-1] > 60  # 0 at random, give or take 41
    final = evolution.frame().filter(algorithm=FINAL)
    assert final["average"].to_list() == [one.average for one in evolution.played[FINAL]]
    assert final["best"].to_list() == [max(one.profits) for one in evolution.played[FINAL]]
    assert repr(evolution).endswith(": 100 of 100 generations)")


def test_the_best_of_three_begin_the_next_three() -> None:
    task = replace(
        SCHEMES["opponents"], hands=7, generations=2, opponents=("always-call",), player=TOY.player
    )
    evolution = finished(task)
    for number, name in enumerate(("GA1.1", "GA1.2", "GA1.3")):
        before = task.algorithms[0][3 * number : 3 * number + 3]
        assert evolution.played[name][0].population == tuple(evolution.best_of(one) for one in before)


def test_seeds_matter_and_repeat() -> None:
    one, again, other = finished(TOY), finished(TOY), finished(replace(TOY, seed=1))
    assert one.played == again.played
    assert one.played != other.played


SMALL = EvolutionTask(
    operators=Operators(3, 1, 1, 1),
    hands=60,
    generations=2,
    trees=3,
    seats=3,
    player=called("Weighed"),
)
AGAINST = replace(SMALL, opponents=(called("Counter"), "random"), seats=5, tables=2)


@pytest.fixture(scope="module")
def crew() -> Iterator[WorkerPool]:
    """Two processes that stay."""
    with WorkerPool(2) as found:
        yield found


@pytest.mark.parametrize(
    "task", [pytest.param(SMALL, marks=pytest.mark.long), AGAINST], ids=["static", "learning"]
)
def test_real_hands_are_the_same_with_any_workers(task: EvolutionTask, crew: WorkerPool) -> None:
    alone = finished(task, play_block)
    assert finished(task, play_block, crew).played == alone.played


def test_a_crew_stays_from_one_run_to_the_next(crew: WorkerPool) -> None:
    def pids() -> set[int]:
        return {result for _, result in crew.run(process_of, range(8)) if isinstance(result, int)}

    assert 1 <= len(pids() | pids()) <= 2


def process_of(unit: int) -> int:
    return os.getpid()


def test_how_a_generation_is_cut_changes_nothing() -> None:
    population = Evolution(SMALL).next_population("GA1")
    found = []
    for workers in (1, 7):
        units = blocks(SMALL.table, [("GA1", 0, population, None)], 50, workers)
        assert [unit.start for unit in units] == [0, *(unit.stop for unit in units[:-1])]
        won = [play_block(unit) for unit in units]
        found.append([sum(one.parts[0] for one in won), sum(one.squares[2] for one in won)])  # type: ignore[union-attr]
    assert found[0] == found[1]
    assert sum(play_block(units[0]).parts) == 0  # type: ignore[union-attr]


def test_an_opponent_that_forgets_plays_the_same_hands_in_turn() -> None:
    """Batches of independent hands and hands in turn are one experiment."""
    static = replace(SMALL, opponents=("random",), seats=4)
    in_turn = replace(static, opponents=(called("Oblivious"),))
    population = Evolution(static).next_population("GA1")
    for cards in ("new", "rotated"):
        found = []
        for task in (static, in_turn):
            (unit,) = blocks(replace(task, cards=cards).table, [("GA1", 0, population, None)], 30, 1)[:1]
            found.append(play_block(replace(unit, start=0, stop=30)))
        assert found[0].parts == found[1].parts  # type: ignore[union-attr]
        assert found[1].opponents  # type: ignore[union-attr]


def test_rotated_cards_take_the_luck_out() -> None:
    """Three who play alike and by the cards alone win nothing when each deck is played in every seat."""
    callers = ((0, 10**9, 0),) * 3
    rotated = Block(replace(SMALL, cards="rotated").table, "GA1", 0, callers, 0, 9)
    assert play_block(rotated).parts == (0, 0, 0)  # type: ignore[union-attr]
    assert play_block(replace(rotated, table=SMALL.table)).parts != (0, 0, 0)  # type: ignore[union-attr]


@pytest.mark.parametrize("task", [SMALL, AGAINST], ids=["static", "learning"])
def test_a_run_that_stops_after_any_generation_goes_on_to_the_same_end(
    task: EvolutionTask, tmp_path: Path
) -> None:
    straight = finished(task, play_block)
    while True:
        evolution, same_source = load_or_start(task, tmp_path / "run")
        assert same_source
        if evolution.finished:
            break
        list(islice(resume(evolution, tmp_path / "run"), 2))  # killed with three algorithms under way
    assert evolution.played == straight.played
    weights = weights_file(tmp_path / "run")
    told = weights.read_text(encoding="utf-8")
    weights.unlink()  # killed just before it was written
    assert list(resume(evolution, tmp_path / "run")) == []
    assert weights.read_text(encoding="utf-8") == told
    assert not (tmp_path / "run" / "memory").exists()


def stopped(task: EvolutionTask, folder: Path) -> Evolution:
    """An evolution that was killed with two algorithms under way, and is taken up again."""
    evolution, _ = load_or_start(task, folder)
    list(islice(resume(evolution, folder), 2))
    cache_folder.say.cache_clear()
    return load_or_start(task, folder)[0]


def test_opponents_whose_memory_is_not_kept_meet_their_algorithms_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = replace(AGAINST, opponents=(called("Oblivious"),))
    evolution = stopped(task, tmp_path / "run")
    assert evolution.hands_done == 0
    assert "not saved; GA1 starts over" in capsys.readouterr().err
    list(resume(evolution, tmp_path / "run"))
    assert evolution.played == finished(task, play_block).played


@pytest.mark.parametrize("damage", ["cut short", "older"])
def test_memories_that_are_damaged_or_pickled_are_never_loaded(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of the first version were pickles, which run code when they are loaded."""
    evolution = stopped(AGAINST, tmp_path / "run")
    assert evolution.hands_done == 2 * AGAINST.hands
    for file in list((tmp_path / "run" / "memory").iterdir()):
        if damage == "older":
            file.with_suffix(".pickle").write_bytes(pickle.dumps(Bomb(tmp_path / "exploded")))
            file.write_bytes(pickle.dumps(Bomb(tmp_path / "exploded")))
        else:
            file.write_bytes(file.read_bytes()[:-40])
    cache_folder.say.cache_clear()
    again, _ = load_or_start(AGAINST, tmp_path / "run")
    assert again.hands_done == 0
    assert "GA1 starts over" in capsys.readouterr().err
    list(resume(again, tmp_path / "run"))
    assert again.played == finished(AGAINST, play_block).played
    assert not (tmp_path / "exploded").exists()


class Bomb:
    """Runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def test_another_task_is_not_mistaken_for_the_same(tmp_path: Path) -> None:
    load_or_start(SMALL, tmp_path / "run")
    with pytest.raises(NotationError, match=r"evolution.json: expected .* hands 61, .*got hands 60"):
        load_or_start(replace(SMALL, hands=61), tmp_path / "run")
    for damaged in ("{]", "[" * 100_000):
        state_file(tmp_path / "run").write_text(damaged, encoding="utf-8")
        with pytest.raises(NotationError, match="cannot be read as the state of an evolution"):
            load_or_start(SMALL, tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letters").write_text("dear reader", encoding="utf-8")
    with pytest.raises(NotationError, match="is not the folder of an evolution"):
        load_or_start(SMALL, tmp_path / "other")


def test_changed_source_is_noticed(tmp_path: Path) -> None:
    load_or_start(SMALL, tmp_path / "run")
    path = state_file(tmp_path / "run")
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"source": "older"}), encoding="utf-8"
    )
    evolution, same_source = load_or_start(SMALL, tmp_path / "run")
    assert not same_source
    write_state(evolution, tmp_path / "run")
    assert json.loads(path.read_text(encoding="utf-8"))["source"] == "older"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trees": 4}, "power of the population, 3, got 4"),
        ({"hands": 0}, "hands must be at least 1"),
        ({"seats": 5}, "leave 2 of 5 seats to opponents, got no opponents"),
        ({"opponents": ("random",)}, "leave 0 of 3 seats to opponents, got opponents random"),
    ],
)
def test_a_task_that_cannot_be_played_is_refused_at_once(change: dict[str, Any], message: str) -> None:
    with pytest.raises((NotationError, GameError), match=message):
        replace(SMALL, **change)


def test_operators_must_fill_the_population() -> None:
    with pytest.raises(NotationError, match="got 9 with 4 selected and 3 pairs"):
        Operators(selected=4)
    with pytest.raises(NotationError, match="mutation probability"):
        Operators(mutation_chance=2)


def test_a_player_without_weights_is_refused() -> None:
    with pytest.raises(AgentError, match="always-call: this agent has no parameter 'weights'"):
        list(Evolution(replace(SMALL, player="always-call")).run())


def test_a_generation_knows_its_money() -> None:
    won = Winnings((30 * PARTS, -10 * PARTS, -20 * PARTS), ((30 * PARTS) ** 2, 0, 0))
    one = Generation(((1,), (2,), (3,)), won, 1)
    assert (one.profits, one.best, one.spread, one.average) == ((30.0, -10.0, -20.0), 0, 50.0, 0.0)
    assert one.deviation == pytest.approx(300**0.5)
    assert Generation.from_json(one.as_json()) == one


def test_what_luck_gives_is_what_equal_players_have() -> None:
    """Against a simulation of players with nothing between them, whose money sums to zero."""
    assert expected_range(3) == pytest.approx(1.693, abs=0.001)
    assert expected_range(9) == pytest.approx(2.970, abs=0.001)
    rng = np.random.default_rng(1)
    hands, seats, times = 40, 9, 4000
    chips = rng.normal(0, 30, (times, hands, seats))
    chips -= chips.mean(axis=2, keepdims=True)
    for count in (9, 3):
        money = chips[:, :, :count]
        parts = money.sum(axis=(0, 1)) / times  # nearly 0
        squares = (money**2).sum(axis=(0, 1)) / times
        won = Winnings(tuple(parts * PARTS), tuple(squares * PARTS**2))
        one = Generation(((0,),) * count, won, hands)
        bankrolls = money.sum(axis=1)
        spread, best = np.ptp(bankrolls, axis=1).mean(), bankrolls.max(axis=1).mean()
        assert spread_by_luck(one, seats) == pytest.approx(spread, rel=0.03)
        assert best_by_luck(one, seats) == pytest.approx(best, rel=0.05)
        assert average_error(one, seats) == pytest.approx(bankrolls.mean(axis=1).std(), rel=0.05, abs=1e-6)


def test_real_hands_of_players_all_alike_spread_as_luck_says() -> None:
    alike = ((30, 60, 10),) * 9
    table = replace(TOY, hands=200).table
    ratios = []
    for number in range(40):
        won = play_block(Block(table, "GA1", number, alike, 0, 200))
        assert isinstance(won, Winnings)
        one = Generation(alike, won, 200)
        ratios.append(one.spread / spread_by_luck(one, 9))
    assert np.mean(ratios) == pytest.approx(1, abs=4 * np.std(ratios) / len(ratios) ** 0.5)


def test_the_pictures_are_drawn_at_any_moment(tmp_path: Path) -> None:
    task = replace(AGAINST, hands=4, opponents=("random",))
    evolution = Evolution(task)
    assert convergence(evolution, tmp_path) == []
    list(islice(evolution.run(), 2))
    assert {path.name for path in convergence(evolution, tmp_path)} == {
        f"{name}-{part}.png" for name in ("average", "spread", "best") for part in ("some", "mean")
    }
    list(evolution.run())
    written = convergence(evolution, tmp_path)
    assert len(written) == 9
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)
    lines = [evolution.played[name] for name in task.algorithms[0]]
    first = np.mean([line[0].spread for line in lines])
    assert by_generation(lines, lambda one: one.spread)[0] == pytest.approx(first)


def holdmem(*words: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["evolve", *words], env={"COLUMNS": "100"})
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.stdout, found.stderr


PLAYER = ["--player", called("Weighed"), "--hands", "12", "--generations", "2"]
QUICK = [*PLAYER, "--population", "3", "--selected", "1", "--pairs", "1", "--trees", "3", "--seats", "3"]


def test_the_command_stops_and_goes_on(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    code, said, _ = holdmem(*QUICK, "--minutes", "0", "-o", folder)
    assert code == 0
    assert "stopped after 38%; run the same command to continue" in said
    code, said, told = holdmem(*QUICK, "-o", folder, "--json")
    found = json.loads(said)
    assert "continuing" in told
    assert "FinalGA generation  2" in told
    assert found["finished"]
    assert found["hands"] == 96
    weights = read_weights(found["file"], STREETS)
    assert list(weights.vector) == found["weights"]
    assert (tmp_path / "run" / "GA3.json").exists()
    assert len(found["pictures"]) == 6
    _, said, _ = holdmem(*QUICK, "-o", str(tmp_path / "straight"), "--json")
    again = json.loads(said)
    assert again["weights"] == found["weights"]
    assert again["algorithms"] == found["algorithms"]


def test_the_command_plays_against_opponents(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = [
        *PLAYER,
        "--scheme",
        "opponents",
        "--opponents",
        "random,always-call",
        "--trees",
        "1",
        "--seats",
        "5",
    ]
    code, said, _ = holdmem(*words, "-o", str(folder))
    assert code == 0
    assert "the best of FinalGA won" in said
    assert "where luck alone has a standard deviation of" in said
    assert f"casper:weights={weights_file(folder)}" in said
    state = json.loads(state_file(folder).read_text(encoding="utf-8"))
    assert state["task"]["opponents"] == ["random", "always-call"]


def test_casper_evolves_and_plays_what_came_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, _, _ = holdmem("--hands", "9", "--generations", "2", "--trees", "1", "-o", str(folder))
    assert code == 0
    agent: Any = make_agent(f"casper:weights={weights_file(folder)}")
    (state,) = json.loads(state_file(folder).read_text(encoding="utf-8"))["algorithms"].values()
    won = state[-1]["parts"]
    assert sum(won) == 0
    best = state[-1]["population"][won.index(max(won))]
    assert find_weights(agent.weights, STREETS, WEIGHTS).vector == tuple(best)
    game = find_game("casper")
    players = [agent.sit(game, 2, Streams(seat)) for seat in range(9)]
    assert play(game, players, Streams(1).decks(hand_ids(2), game.deck_cards)).parts.sum() == 0


def test_opponents_are_split_at_commas_but_not_within_one() -> None:
    assert agents_in("poki,simbot:rollouts=16,learns=off, jagbot") == (
        "poki",
        "simbot:rollouts=16,learns=off",
        "jagbot",
    )
    assert agents_in("ensemble:members=[a;b,c],poki") == ("ensemble:members=[a;b,c]", "poki")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--trees", "5"], "power of the population"),
        (["--cases", "nowhere"], "nowhere: not a folder with a case base"),
        (["--opponents", "poki"], "seats to opponents, got opponents poki"),
        (["--scheme", "opponents", "--opponents", "pokki"], "did you mean poki"),
        (["--game", "nolimit", "--player", "casper"], "limit"),
    ],
)
def test_mistakes_are_one_line(words: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(HoldMemError, match=message):
        holdmem(*words, "-o", str(tmp_path / "run"))
    assert not state_file(tmp_path / "run").exists()


def test_the_best_is_written_as_weights_that_casper_plays(tmp_path: Path) -> None:
    evolution = finished(TOY)
    found = read_weights(write_best(evolution, tmp_path, FINAL), STREETS)
    assert found.vector == evolution.best_of(FINAL)
