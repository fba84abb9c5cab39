"""Matches: what they are made of, that they repeat, and that nothing but the design decides the result."""

import json
import os
import pickle
from collections import Counter as Multiset
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strangers
from holdmem import match
from holdmem.arena import Design, MatchPlan, plan, run
from holdmem.arena.bankroll import BankrollMatch, game_at, play_bankroll
from holdmem.arena.units import WorkUnit, play_unit, tracks
from holdmem.core.choices import MatchKind
from holdmem.core.errors import AgentError, GameError, UnknownAgent
from holdmem.engine import PARTS, UNLIMITED, find_game
from holdmem.players import Random
from strangers import called

LIMIT = find_game("limit")
NOLIMIT = find_game("nolimit")
SHORT = replace(NOLIMIT, stacks=(1500, 1500))
RING = replace(find_game("nolimit", 3), stacks=(1500, 1500, 1500))

DESIGNS = {
    "static": Design(LIMIT, ("random", "always-call"), hands=700, matches=2, seed=5),
    "ring": Design(RING, ("random", "always-call", called("cautious")), hands=400, kind="ring", seed=5),
    "learning": Design(LIMIT, ("random", called("Counter")), hands=20, matches=9, seed=5),
    "learning ring": Design(RING, ("random", called("Counter"), "random"), hands=20, kind="ring", matches=9),
    "kept": Design(LIMIT, ("random", called("Counter")), hands=20, matches=9, seed=5, memory="kept"),
    "bankroll": Design(RING, ("random", called("Counter"), "random"), hands=9, matches=20, kind="bankroll"),
    "freeze-out": Design(RING, ("random",) * 3, hands=200, matches=20, kind="freeze-out", level_hands=5),
}


def results(design: Design, batch: int = 4096) -> str:
    """What every unit of a design comes to, as it would be written in the ledger."""
    return json.dumps([play_unit(unit) for unit in plan(design).split(batch)], sort_keys=True)


def nets(design: Design) -> dict[int, list[int]]:
    """Parts of a chip by match and player."""
    return {number: entry["net"]["money"] for number, entry in run(design).totals.items()}


# Duplicate play


@pytest.mark.parametrize("agent", ["always-call", "always-raise", "by_the_cards"])
@pytest.mark.parametrize("game", [LIMIT, NOLIMIT], ids=["limit", "no-limit"])
def test_a_deterministic_agent_takes_nothing_from_itself(agent: str, game: Any) -> None:
    """Every deck sums to exactly zero over its two directions."""
    name = called(agent) if agent == "by_the_cards" else agent
    result = match(game, name, name, hands=600)
    assert [unit["moments"]["money"] for unit in result.units] == [[[0, 0], [0, 0]]] * len(result.units)
    assert [(one.mean, one.low, one.high) for one in result.estimates()] == [(0, 0, 0)] * 2


def test_random_against_random_is_zero_within_the_interval() -> None:
    found = match(LIMIT, "random", "random", hands=20_000, seed=2).estimates()[0]
    assert found.low < 0 < found.high


@pytest.mark.parametrize("name", DESIGNS)
def test_what_one_wins_the_others_lose(name: str) -> None:
    for won in nets(DESIGNS[name]).values():
        assert sum(won) == 0


@pytest.mark.parametrize("seats", range(2, 11))
def test_everybody_sits_everywhere_equally_often(seats: int) -> None:
    """In all orders up to four seats, in every rotation above."""
    lineups = Design(find_game("casper", seats), ("random",) * seats).lineups
    if seats <= 4:
        assert sorted(lineups) == sorted(permutations(range(seats)))
    else:
        doubled = tuple(range(seats)) * 2
        assert sorted(lineups) == sorted(doubled[turn : turn + seats] for turn in range(seats))
    for seat in range(seats):
        assert set(Multiset(lineup[seat] for lineup in lineups).values()) == {len(lineups) // seats}


def test_the_button_goes_to_the_left() -> None:
    """Who has the big blind has the small one in the next hand, and the button in the one after."""
    first, second, third, *_ = Design(find_game("nolimit", 5), ("random",) * 5, kind="ring").lineups
    assert first[1] == second[0] == third[4]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 200_000), st.integers(1, 40), st.sampled_from([2, 3, 4, 6]), st.booleans())
def test_units_are_all_there_is_and_nothing_twice(
    hands: int, matches: int, seats: int, sequential: bool
) -> None:
    design = Design(find_game("nolimit", seats), ("random",) * seats, hands=hands, matches=matches)
    units = MatchPlan(design, "", sequential).split()
    ends = [0, *(unit.stop for unit in units)]
    assert [unit.start for unit in units] == ends[:-1]
    assert all(unit.start < unit.stop for unit in units)
    assert sum(unit.hands for unit in units) == hands * matches * len(design.lineups)
    assert sequential or max(unit.hands for unit in units) <= 50_000


@pytest.mark.parametrize(
    ("kind", "seats", "hands", "played"),
    [("duplicate", 2, 333, 666), ("duplicate", 3, 10, 60), ("ring", 3, 10, 12), ("ring", 2, 1, 2)],
)
def test_hands_are_asked_for_by_direction_and_reported_in_all(
    kind: MatchKind, seats: int, hands: int, played: int
) -> None:
    game = find_game("nolimit", seats)
    result = match(game, *["random"] * seats, hands=hands, kind=kind, matches=3)
    assert result.hands == 3 * played
    assert [style.hands for style in result.styles()] == [3 * played] * seats


# Nothing but the design decides


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("batch", [1, 7])
def test_batch_size_changes_nothing(name: str, batch: int) -> None:
    design = replace(DESIGNS[name], hands=min(DESIGNS[name].hands, 60))
    assert results(design, batch) == results(design)


@pytest.mark.parametrize("name", DESIGNS)
def test_a_match_is_the_same_alone_and_among_others(name: str) -> None:
    """Many matches are played as one batch, each with memories of its own."""
    together = nets(DESIGNS[name])
    one = plan(DESIGNS[name])
    width = one.total // DESIGNS[name].matches
    for number in range(DESIGNS[name].matches):
        alone = play_unit(WorkUnit(one, number * width, (number + 1) * width))
        assert alone["matches"][str(number)]["net"]["money"] == together[number]


@pytest.mark.parametrize("kind", ["duplicate", "ring"])
def test_to_watch_and_forget_is_to_be_static(kind: MatchKind) -> None:
    """Hand after hand and all at once are two roads to the same hands."""
    static = Design(RING, ("random", "always-call", "random"), hands=30, matches=3, kind=kind, seed=9)
    watching = replace(static, agents=(called("Oblivious"), "always-call", called("Oblivious")))
    assert not plan(static).sequential
    assert plan(watching).sequential
    assert nets(static) == nets(watching)
    assert run(static).styles() == run(watching).styles()


@pytest.mark.parametrize(("memory", "raised"), [("wiped", 0), ("kept", 10)])
def test_memories_are_wiped_between_directions_or_kept(memory: Any, raised: int) -> None:
    """An agent that wakes up after ten hands at its table does so only if it may remember the first ten."""
    result = match(LIMIT, called("Patient"), "always-call", hands=10, matches=2, memory=memory)
    assert result.styles()[0].pfr == raised / 20


def test_memories_are_always_wiped_between_matches() -> None:
    result = match(LIMIT, called("Patient"), "always-call", hands=5, matches=8, memory="kept")
    assert result.styles()[0].pfr == 0


def test_learning_pays_and_needs_what_it_saw() -> None:
    """The counter calls until it has seen raises, then raises itself."""
    against_raiser = match(LIMIT, called("Counter"), "always-raise", hands=50, matches=5)
    assert against_raiser.styles()[0].pfr == pytest.approx(0.98)  # all but the first hand of each direction
    assert match(LIMIT, called("Counter"), "always-call", hands=50, matches=5).styles()[0].pfr == 0


@pytest.mark.parametrize("memory", ["wiped", "kept"])
def test_tracks_hold_every_hand_of_every_order_once(memory: Any) -> None:
    design = Design(RING, ("random",) * 3, hands=4, memory=memory)
    steps = [(order, hand) for track in tracks(design) for order, _, hand in track]
    assert sorted(steps) == [(order, hand) for order in range(6) for hand in range(4)]
    assert len(tracks(design)) == (6 if memory == "wiped" else 1)


def test_a_seed_repeats_and_another_does_not() -> None:
    design = DESIGNS["static"]
    assert results(design) == results(design)
    assert results(replace(design, seed=6)) != results(design)


def test_a_unit_is_a_value() -> None:
    unit = plan(DESIGNS["learning"]).split()[0]
    assert pickle.loads(pickle.dumps(unit)) == unit


# Carried stacks


def carried_hands(design: Design) -> dict[int, list[Any]]:
    """Every hand of carried matches, by match, as it was dealt and ended."""
    one = plan(design)
    told: dict[int, list[Any]] = {}
    for hands in play_bankroll(WorkUnit(one, 0, one.total), design.make_agents(), []):
        for i, number in enumerate(hands.hand_ids["match"].tolist()):
            row = (
                hands.game,
                hands.lineup[i].tolist(),
                hands.batch.stacks[i].tolist(),
                hands.parts[i].tolist(),
            )
            told.setdefault(number, []).append(row)
    return told


@pytest.mark.parametrize("name", ["bankroll", "freeze-out"])
def test_chips_go_from_stack_to_stack(name: str) -> None:
    """Each hand is dealt with what the last one left; who has nothing is out; chips neither come nor go."""
    design = DESIGNS[name]
    for told in carried_hands(design).values():
        stacks = dict(enumerate(design.game.stacks))
        for game, players, before, won in told:
            assert before == [stacks[player] for player in players]
            assert set(players) == {player for player, chips in stacks.items() if chips}
            assert game.odd_chips == "first-seat"
            assert not any(parts % PARTS for parts in won)
            stacks |= {
                p: chips + parts // PARTS for p, chips, parts in zip(players, before, won, strict=True)
            }
            assert sum(stacks.values()) == sum(design.game.stacks)
            assert min(stacks.values()) >= 0
        assert len(told) == design.hands or sorted(stacks.values())[:-1] == [0, 0]


def test_a_freeze_out_is_won_by_one() -> None:
    found = match(RING, *["random"] * 3, hands=3000, matches=30, kind="freeze-out", level_hands=2)
    for entry in found.totals.values():
        assert sorted(entry["net"]["money"]) == [-1500 * PARTS] * 2 + [3000 * PARTS]
    assert [one.unit for one in found.estimates()] == ["buy-ins per match"] * 3
    assert {one.samples for one in found.estimates()} == {30}
    with pytest.raises(GameError, match="as a whole"):
        found.estimates(unit="mbb/h")


def test_blinds_and_bets_double_with_the_levels() -> None:
    design = Design(replace(LIMIT, stacks=(4000, 4000)), ("always-call",) * 2, hands=40, kind="freeze-out")
    for told in carried_hands(replace(design, level_hands=3, matches=4)).values():
        for hand, (game, *_) in enumerate(told):
            assert game.blinds == (10 << hand // 3, 5 << hand // 3)
            assert game.raise_sizes == (10 << hand // 3, 10 << hand // 3, 20 << hand // 3, 20 << hand // 3)


def test_levels_end_before_chips_can_no_longer_be_counted() -> None:
    high = game_at(LIMIT, 2, 500)
    assert UNLIMITED / 2 < max(high.raise_sizes) <= UNLIMITED


def test_the_button_skips_those_who_are_out() -> None:
    evening = BankrollMatch(Design(RING, ("random",) * 3, kind="bankroll"), 0)
    assert evening.order() == [0, 1, 2]
    evening.settle([0, 1, 2], [-1500, 0, 1500])
    assert evening.order() == [2, 1]  # the button was to go to 0, who is out: 1 has it
    evening.settle([2, 1], [10, -10])
    assert evening.order() == [1, 2]


def test_stacks_below_the_blinds_are_all_in() -> None:
    tiny = replace(NOLIMIT, stacks=(30, 20))
    for entry in match(tiny, "random", "random", kind="bankroll", hands=500, matches=10).totals.values():
        assert entry["hands"] < 500
        assert sorted(entry["net"]["money"]) in ([-20 * PARTS, 20 * PARTS], [-30 * PARTS, 30 * PARTS])


def test_unlimited_stacks_cannot_be_carried_over() -> None:
    with pytest.raises(GameError, match="unlimited"):
        Design(LIMIT, ("random", "random"), kind="bankroll")


# The hash


@pytest.fixture
def agent_file(tmp_path: Path) -> Path:
    """A file with a bot that calls."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from holdmem import CALL, FOLD, bot\n\n@bot\ndef mine(view):\n    return CALL\n", encoding="utf-8"
    )
    return path


def rewrite(path: Path, old: str, new: str) -> None:
    """Edit a file so that neither its size nor its time tells."""
    before = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


def hash_of(*agents: str, **choices: Any) -> str:
    return Design(LIMIT, agents, **choices).hash


def test_every_choice_counts_but_the_time_limit() -> None:
    base = DESIGNS["freeze-out"]
    changed = [
        replace(base, hands=201),
        replace(base, matches=21),
        replace(base, seed=1),
        replace(base, level_hands=6),
        replace(base, kind="bankroll"),
        replace(base, memory="kept"),
        replace(base, luck=("adjusted",)),
        replace(base, on_error="fold"),
        replace(base, agents=("always-call", "random", "random")),
        replace(base, game=replace(RING, stacks=(1500, 1500, 1501))),
    ]
    assert len({base.hash, *(design.hash for design in changed)}) == len(changed) + 1
    assert replace(base, time_limit=3.0).hash == base.hash
    assert replace(base, luck=("adjusted", "adjusted")) == replace(base, luck=("adjusted",))


def test_files_count_by_what_is_in_them_and_not_by_where_they_lie(agent_file: Path) -> None:
    elsewhere = agent_file.parent / "elsewhere"
    elsewhere.mkdir()
    copy = elsewhere / "other_name.py"
    copy.write_bytes(agent_file.read_bytes())
    before = hash_of(f"{agent_file}:mine", "random")
    assert hash_of(f"{copy}:mine", "random") == before
    rewrite(agent_file, "CALL\n", "FOLD\n")
    assert hash_of(f"{agent_file}:mine", "random") != before


def test_settings_count_whole(agent_file: Path) -> None:
    cautious = called("cautious")
    assert hash_of(f"{cautious}:patience=3", "random") != hash_of(cautious, "random")
    assert hash_of(f"{cautious}:patience=4", "random") == hash_of(cautious, "random")


@pytest.mark.parametrize(
    "agent",
    ["reads:notes={}", "Of:cases={}", "Of:members=[random;{}:mine]", "Of:members=[{}:mine;random]"],
)
def test_files_of_parameters_and_of_agents_within_agents_count(agent: str, agent_file: Path) -> None:
    text = called(agent.format(agent_file))
    before = hash_of(text, "random")
    assert hash_of(text, "random") == before
    rewrite(agent_file, "CALL\n", "FOLD\n")
    assert hash_of(text, "random") != before


def test_folders_count_with_every_file_in_them(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    text = called(f"Of:cases={tmp_path / 'cases'}")
    seen = {hash_of(text, "random")}
    for name, words in (("a", "1"), ("a", "2"), ("b", "2"), ("ab", "")):
        (tmp_path / "cases" / name).write_text(words, encoding="utf-8")
        seen.add(hash_of(text, "random"))
    assert len(seen) == 5
    with pytest.raises(AgentError, match="no such file or folder"):
        hash_of(called("Of:cases=nowhere"), "random")


def test_an_edited_agent_never_gets_the_old_result(agent_file: Path) -> None:
    """In one process, with the file's size and time unchanged."""
    text = f"{agent_file}:mine"
    assert match(LIMIT, text, "always-raise", hands=300).styles()[0].vpip == 1
    rewrite(agent_file, "return CALL\n", "return FOLD\n")
    assert match(LIMIT, text, "always-raise", hands=300).styles()[0].vpip == 0


def test_what_an_agents_file_imports_from_beside_it_counts_as_well(tmp_path: Path) -> None:
    """The helper's helper is edited; nothing is loaded from before."""
    (tmp_path / "deep_helper.py").write_text(
        "from holdmem import CALL, FOLD\nANSWER = CALL\n", encoding="utf-8"
    )
    (tmp_path / "near_helper.py").write_text(
        "import deep_helper\nanswer = lambda: deep_helper.ANSWER\n", encoding="utf-8"
    )
    agent = tmp_path / "mine.py"
    body = "@bot\ndef mine(view):\n    return near_helper.answer()\n"
    agent.write_text(f"import near_helper\nfrom holdmem import bot\n\n{body}", encoding="utf-8")
    text = f"{agent}:mine"
    before = hash_of(text, "random")
    assert match(LIMIT, text, "always-raise", hands=300).styles()[0].vpip == 1
    (tmp_path / "deep_helper.py").write_text(
        "from holdmem import CALL, FOLD\nANSWER = (FOLD)\n", encoding="utf-8"
    )
    assert hash_of(text, "random") != before
    assert match(LIMIT, text, "always-raise", hands=300).styles()[0].vpip == 0


def test_an_agent_that_begins_to_learn_plays_hand_after_hand(tmp_path: Path) -> None:
    path = tmp_path / "student.py"
    source = Path(called("").rstrip(":")).read_text(encoding="utf-8")
    path.write_text(source.replace("def watch(", "def stare("), encoding="utf-8")
    design = Design(LIMIT, (f"{path}:Oblivious", "random"))
    assert not plan(design).sequential
    path.write_text(source, encoding="utf-8")
    assert plan(design).sequential


def test_an_agent_that_changes_while_it_plays_is_not_believed(agent_file: Path) -> None:
    units = plan(Design(LIMIT, (f"{agent_file}:mine", "random"), hands=600)).split()
    assert "error" not in play_unit(units[0])
    rewrite(agent_file, "CALL\n", "FOLD\n")
    assert "has changed since the run began" in play_unit(units[1])["error"]


# Bad agents

ENOUGH = 1.5
"""Seconds for those that never answer. The others need no limit, and on a busy machine might miss it."""
BAD = {
    "RaisesTooMuch": "raise to 1000000000",
    "FoldsForFree": "not a free fold",
    "Raises": "ZeroDivisionError",
    "Exits": "SystemExit",
    "WrongShape": "one for each of",
    "WrongType": "expected Actions",
    "Fractions": "expected actions as one row of ints",
    "fraction": "as an int, got 0.5",
    "divides_by_zero": "ZeroDivisionError",
    "Loops": "took longer than 1.5 s",
    "loops": "took longer than 1.5 s",
}


def limit_for(name: str) -> float:
    """The time limit for an agent of strangers.py, once the kernels of a match are in memory."""
    if name.lower() not in ("loops", "watchesforever"):
        return 0.0
    match(LIMIT, "always-call", "random", hands=20)
    return ENOUGH


@pytest.mark.parametrize("name", BAD)
def test_a_bad_agent_is_named_with_the_view(name: str) -> None:
    with pytest.raises(AgentError) as caught:
        match(LIMIT, "always-call", called(name), hands=20, time_limit=limit_for(name))
    message = str(caught.value)
    assert called(name) in message
    assert BAD[name] in message
    assert "seat" in message
    assert "pot" in message
    assert "to call" in message


@pytest.mark.parametrize(("name", "street"), [("divides_by_zero", "turn"), ("loops", "flop")])
def test_a_bot_is_told_the_very_view(name: str, street: str) -> None:
    with pytest.raises(AgentError, match=f" at {street}, seat"):
        match(LIMIT, "always-call", called(name), hands=20, time_limit=limit_for(name))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("RaisesInSit", "the chair is broken"),
        ("Declines", "plays no poker"),
        ("WatchesBadly", "KeyError"),
        ("WatchesForEver", r"took longer than 1\.5 s for watching"),
    ],
)
def test_an_agent_that_fails_between_decisions_is_named(name: str, says: str) -> None:
    with pytest.raises(AgentError, match=says) as caught:
        match(LIMIT, "random", called(name), hands=3, time_limit=limit_for(name))
    assert called(name) in str(caught.value)


def test_a_time_limit_that_is_kept_changes_nothing() -> None:
    design = DESIGNS["learning"]
    assert results(replace(design, time_limit=60.0)) == results(design)


def test_nobody_plays_under_an_unknown_name() -> None:
    with pytest.raises(UnknownAgent, match="random"):
        match(LIMIT, "randon", "always-call")


@pytest.mark.parametrize(
    "choices",
    [{"hands": 0}, {"matches": 0}, {"seed": -1}, {"level_hands": 0}, {"time_limit": -1}, {"hands": 2**32}],
)
def test_designs_that_nobody_could_play(choices: Any) -> None:
    with pytest.raises(GameError, match=r"expected|must be at least 1"):
        Design(LIMIT, ("random", "random"), **choices)


def test_as_many_agents_as_seats() -> None:
    with pytest.raises(GameError, match="expected 2 agents, got 3"):
        match(LIMIT, "random", "random", "random")


@pytest.mark.parametrize(
    ("value", "text"),
    [(Random(), "random"), (strangers.Counter(share=0.25), called("Counter:share=0.25"))],
    ids=["ours", "of a file"],
)
def test_agents_may_be_given_as_values(value: Any, text: str) -> None:
    by_value, by_text = (match(LIMIT, agent, "always-call", hands=40) for agent in (value, text))
    assert by_value.as_json() == by_text.as_json()


def test_progress_ends_where_it_should() -> None:
    told: list[tuple[int, int]] = []
    match(LIMIT, "random", "always-call", hands=1000, progress=lambda done, of: told.append((done, of)))
    assert told[0] == (0, 2000)
    assert told[-1] == (2000, 2000)
    assert np.all(np.diff([done for done, _ in told]) > 0)


def test_divat_is_refused_for_more_than_two_before_anything_is_played() -> None:
    with pytest.raises(GameError, match="DIVAT needs a heads-up game, got 3 seats"):
        Design(find_game("limit", 3), ("random",) * 3, luck=("divat",))
