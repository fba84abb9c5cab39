"""Games: their files read and written, the built-in ones, and all that nobody could play."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.core.errors import GameError, HoldMemError, IllegalAction, NotationError
from holdmem.engine import (
    BUILT_IN,
    CALL,
    FOLD,
    UNLIMITED,
    Batch,
    Game,
    find_game,
    format_game,
    parse_game,
    read_game,
    write_game,
)
from random_games import games

ACPC = {
    "holdem.limit.2p.reverse_blinds": """\
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.limit.3p": """\
GAMEDEF
limit
numPlayers = 3
numRounds = 4
blind = 5 10 0
raiseSize = 10 10 20 20
firstPlayer = 3 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.nolimit.2p.reverse_blinds": """\
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
    "holdem.nolimit.3p": """\
GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 20000 20000 20000
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
""",
}
LIMIT = ACPC["holdem.limit.2p.reverse_blinds"]
NO_LIMIT = ACPC["holdem.nolimit.2p.reverse_blinds"]

RULE_BOOKS = ("odd_chips", "reopening", "after_short", "cap_counts", "short_blinds")


def without_rule_book(game: Game) -> Game:
    """The game with the choices that a `.game` file stands for."""
    usual = Game("game", (1, 2))
    return replace(game, name="game", **{field: getattr(usual, field) for field in RULE_BOOKS})


# Files


@pytest.mark.parametrize("name", ACPC)
def test_the_acpc_games_are_built_in_as_their_files_have_them(name: str) -> None:
    assert find_game(name) == parse_game(ACPC[name], name)
    assert format_game(find_game(name)) == ACPC[name]


@given(games(st.integers(1, UNLIMITED)))
def test_a_game_that_is_written_and_read_again_is_the_same_game(game: Game) -> None:
    plain = replace(game, antes=(), dead=(), min_bet=0)
    assert parse_game(format_game(plain)) == without_rule_book(plain)
    if game != plain:
        with pytest.raises(GameError, match="cannot express antes, dead chips or a minimum bet"):
            format_game(game)


def test_games_are_read_from_files_and_written_to_them(tmp_path: Path) -> None:
    path = tmp_path / "two.game"
    write_game(find_game("nolimit"), path)
    assert path.read_text(encoding="utf-8") == NO_LIMIT
    assert [file.name for file in tmp_path.iterdir()] == ["two.game"]
    assert read_game(path) == find_game(str(path)) == replace(find_game("nolimit"), name="two")
    assert find_game(str(path), seats=6).blinds == (50, 100, 0, 0, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        LIMIT.upper(),
        LIMIT.lower(),
        LIMIT.replace("\n", "\r\n"),
        LIMIT.replace(" = ", "="),
        LIMIT.replace(" ", "   ").replace("END   GAMEDEF", "  END GAMEDEF  "),
        "# a comment\n\n" + LIMIT.replace("limit\n", "limit # fixed\n\n# another = one\n") + "\n# the end\n",
    ],
)
def test_case_white_space_and_comments_do_not_matter(text: str) -> None:
    assert parse_game(text) == replace(find_game("limit"), name="game")


def test_what_a_file_leaves_out_is_what_the_acpc_dealer_takes() -> None:
    game = parse_game("GAMEDEF\nlimit\nnumPlayers = 2\nblind = 10 5\nraiseSize = 10 10 20 20\nEND GAMEDEF")
    assert game.first == (0, 0, 0, 0)
    assert game.stacks == (UNLIMITED, UNLIMITED)
    assert game.max_raises == (255, 255, 255, 255)


def changed(line: str, to: str, text: str = LIMIT) -> str:
    """A file with one line changed."""
    assert line in text
    return text.replace(line, to)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.game: expected END GAMEDEF, got the end of the file"),
        (changed("END GAMEDEF", ""), "bad.game: expected END GAMEDEF"),
        (LIMIT[len("GAMEDEF\n") :], "bad.game:1: expected GAMEDEF before anything else, got 'limit'"),
        (LIMIT + "limit", "bad.game:14: expected GAMEDEF before anything else, got 'limit'"),
        (changed("\nlimit\n", "\n"), "bad.game: expected a line 'limit' or 'nolimit', got neither"),
        (
            changed("\nlimit\n", "\npotlimit\n"),
            "bad.game:2: expected limit, nolimit or one of .* got 'potlimit'",
        ),
        (
            changed("numPlayers = 2", ""),
            "bad.game: expected a line 'numplayers = …' in a limit game, got none",
        ),
        (changed("blind = 10 5", ""), "bad.game: expected a line 'blind = …' in a limit game, got none"),
        (changed("raiseSize = 10 10 20 20", ""), "bad.game: expected a line 'raisesize = …' in a limit game"),
        (
            changed("stack = 20000 20000", "", NO_LIMIT),
            "expected a line 'stack = …' in a nolimit game, got none",
        ),
        (changed("blind = 10 5", "blind = ten five"), "bad.game:5: expected whole numbers .* got 'ten five'"),
        (changed("blind = 10 5", "blind = 10 2.5"), "bad.game:5: expected whole numbers .* got '10 2.5'"),
        (changed("blind = 10 5", "blind = -10 5"), "bad.game:5: expected whole numbers .* got '-10 5'"),
        (changed("blind = 10 5", "blind ="), "bad.game:5: expected whole numbers after '=', got ''"),
        (changed("blind = 10 5", "blind 10 5"), "bad.game:5: expected .* with '=', got 'blind 10 5'"),
        (changed("blind = 10 5", "blinds = 10 5"), "bad.game:5: expected .* got 'blinds = 10 5'"),
        (changed("blind = 10 5", f"blind = 10 {'9' * 5000}"), "bad.game:5: expected whole numbers"),
    ],
)
def test_broken_files_are_refused_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.game"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotationError, match=message):
        read_game(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("numRanks = 13", "numRanks = 3"),
            r"bad:10: expected numranks \[13\] as in Texas Hold'em, got \[3\]",
        ),
        (
            changed("numSuits = 4", "numSuits = 1"),
            r"bad:9: expected numsuits \[4\] as in Texas Hold'em, got \[1\]",
        ),
        (
            changed("numRounds = 4", "numRounds = 1"),
            r"bad:4: expected numrounds \[4\] as in Texas Hold'em, got \[1\]",
        ),
        (
            changed("numHoleCards = 2", "numHoleCards = 4"),
            r"bad:11: expected numholecards \[2\] as in Texas Hold'em, got \[4\]",
        ),
        (
            changed("0 3 1 1", "0 3 1 2"),
            r"bad:12: expected numboardcards \[0, 3, 1, 1\] as in Texas Hold'em, got \[0, 3, 1, 2\]",
        ),
        (
            changed("numPlayers = 2", "numPlayers = 3"),
            r"bad: expected 3 blinds, one per player, got \[10, 5\]",
        ),
        (
            changed("firstPlayer = 2", "firstPlayer = 0"),
            r"bad: expected firstplayer to count from 1, got \[0, 1",
        ),
        (
            changed("firstPlayer = 2", "firstPlayer = 3"),
            r"bad: expected first to be seats below 2, got \(2, 0",
        ),
        (changed("firstPlayer = 2 1", "firstPlayer = 2"), r"bad: expected first to be 4 whole numbers"),
        (
            changed("10 10 20 20", "10 10 20"),
            r"bad: expected raise_sizes to be 4 whole numbers .* \(10, 10, 20\)",
        ),
        (changed("10 10 20 20", "10 10 0 20"), r"bad: expected raise_sizes to be 4 whole numbers from 1"),
        (changed("20000 20000", "20000 0", NO_LIMIT), r"bad: expected stacks to be 2 whole numbers from 1"),
        (changed("20000 20000", "20000", NO_LIMIT), r"bad: expected stacks to be 2 whole numbers"),
    ],
)
def test_files_of_other_games_and_of_impossible_ones_are_refused(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        parse_game(text, "bad")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"nowhere.game: cannot read the .game file"):
        find_game(str(tmp_path / "nowhere.game"))
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotationError, match=r"binary.game: cannot read the .game file"):
        read_game(tmp_path / "binary.game")


# Games that nobody could play


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"blinds": ()}, "odd: expected 2 to 10 seats, got 0"),
        ({"blinds": (10,)}, "odd: expected 2 to 10 seats, got 1"),
        ({"blinds": (5, 10) + (0,) * 9}, "odd: expected 2 to 10 seats, got 11"),
        ({"blinds": (0, 0)}, "odd: expected a blind of at least one chip"),
        ({"blinds": (-5, 10)}, "expected blinds to be 2 whole numbers from 0"),
        ({"blinds": (2.5, 5)}, "expected blinds to be 2 whole numbers from 0"),
        ({"stacks": (100, 0)}, "expected stacks to be 2 whole numbers from 1"),
        ({"stacks": (100, UNLIMITED + 1)}, f"whole numbers from 1 to {UNLIMITED}"),
        ({"stacks": (100,)}, r"expected stacks to be 2 whole numbers .* got \(100,\)"),
        ({"raise_sizes": (10, 10, 20, 0)}, "expected raise_sizes to be 4 whole numbers from 1"),
        ({"raise_sizes": (10, 10, 20)}, "expected raise_sizes to be 4 whole numbers"),
        ({"raise_sizes": ()}, "expected raise_sizes to be 4 whole numbers"),
        ({"max_raises": (3, 4, 4)}, "expected max_raises to be 4 whole numbers"),
        ({"max_raises": (3, 4, 4, -1)}, "expected max_raises to be 4 whole numbers from 0"),
        ({"first": (2, 0, 0, 0)}, r"expected first to be seats below 2, got \(2, 0, 0, 0\)"),
        ({"first": (1, 0, 0)}, "expected first to be 4 whole numbers"),
        ({"odd_chips": "button"}, "expected odd_chips to be 'exact' or 'first-seat', got 'button'"),
        ({"reopening": ""}, "expected reopening to be 'any-raise' or 'full-raise', got ''"),
        ({"after_short": None}, "expected after_short to be 'complete' or 'full-raise', got None"),
        ({"cap_counts": "all"}, "expected cap_counts to be 'every-raise' or 'full-raises', got 'all'"),
    ],
)
def test_impossible_games_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Game(**{"name": "odd", "blinds": (10, 5), **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [-1, 0, 1, 11])
def test_a_game_cannot_be_changed_to_a_number_of_seats_that_nobody_could_play(seats: int) -> None:
    with pytest.raises(GameError, match=f"casper: expected 2 to 10 seats, got {seats}"):
        find_game("casper", seats)


# The built-in games


def test_games_are_values() -> None:
    assert find_game("limit") == find_game("limit")
    assert len({find_game(name) for name in [*BUILT_IN, *BUILT_IN]}) == len(BUILT_IN)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("caspar", r"got 'caspar'; did you mean casper\?"),
        ("holdem.limit.2p", "did you mean .*holdem.limit.2p.reverse_blinds|did you mean .*holdem.limit.3p"),
        ("no-limit", "did you mean .*nolimit"),
        ("xyz", "known: casper, holdem.limit.2p.reverse_blinds"),
    ],
)
def test_a_name_that_nearly_fits_is_answered_with_the_nearest(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find_game(name)


def test_casper_has_nine_seats_unless_told_and_five_bets_a_round() -> None:
    game = find_game("casper")
    assert (game.seats, game.blinds[:3], game.raise_sizes) == (9, (5, 10, 0), (10, 10, 20, 20))
    # Before the flop the big blind is the first of the five bets.
    assert game.max_raises == (4, 5, 5, 5)
    assert game.unit == (10, "sb/h")


@pytest.mark.parametrize("seats", range(2, 11))
def test_casper_is_played_by_two_to_ten(seats: int) -> None:
    game = find_game("casper", seats)
    assert game.seats == seats
    assert game.blinds == ((10, 5) if seats == 2 else (5, 10) + (0,) * (seats - 2))
    assert game.first == ((1 if seats == 2 else 2 % seats), 0, 0, 0)


@pytest.mark.parametrize(
    ("blinds", "first"),
    [
        ((10, 5), 1),
        ((10, 10), 1),
        ((5, 10, 0), 2),
        ((10, 10, 0), 2),
        ((5, 10, 20, 0), 3),
        ((0, 0, 5, 10), 0),
    ],
)
def test_the_seat_left_of_the_big_blind_acts_first(blinds: tuple[int, ...], first: int) -> None:
    assert Game("any", blinds).first == (first, 0, 0, 0)


# Bad decks, stacks, tables and actions


@pytest.mark.parametrize(
    ("decks", "message"),
    [
        ([range(8)], r"expected decks of 9 cards or more as rows of ints, got int64 of shape \(1, 8\)"),
        (list(range(9)), r"got int64 of shape \(9,\)"),
        ([[0.5] * 9], "got float64"),
        ([["As"] * 9], "got <U2"),
        ([range(9), range(8)], "expected rows of the same length"),
        ([[*range(8), 52]], "expected cards from 0 to 51, got 0 to 52"),
        ([[*range(8), -1]], "expected cards from 0 to 51, got -1 to 7"),
        ([range(9), [*range(8), 3]], "expected each card once per deck, got 2c2d2h2s3c3d3h3s2s in deck 1"),
    ],
)
def test_decks_that_cannot_be_dealt_are_refused(decks: object, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Batch(find_game("limit"), decks)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stacks", "message"),
    [
        ([100, 0], f"expected stacks of 1 to {UNLIMITED} chips, got 0 to 100"),
        ([100, UNLIMITED + 1], f"expected stacks of 1 to {UNLIMITED} chips, got 100 to {UNLIMITED + 1}"),
        ([100.0, 100.0], "expected stacks of whole chips, got float64"),
        (["a", "b"], "expected stacks of whole chips, got <U1"),
        ([100, 100, 100], r"expected stacks of shape \(2, 2\), got \(3,\)"),
        ([[100, 100]] * 3, r"expected stacks of shape \(2, 2\), got \(3, 2\)"),
        ([[100, 100], [100]], "expected rows of the same length"),
    ],
)
def test_stacks_that_cannot_be_played_are_refused(stacks: object, message: str) -> None:
    with pytest.raises(HoldMemError, match=message):
        Batch(find_game("nolimit"), [range(9), range(9)], stacks)  # type: ignore[arg-type]


def two_tables(name: str = "nolimit") -> Batch:
    """Two hands of which the second is over."""
    batch = Batch(find_game(name), [range(9), range(9)])
    batch.act(np.array([1]), np.array([FOLD]))
    return batch


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (150, "table 0, seat 1: expected fold or call 50 or raise to 200 up to 20000, got raise to 150"),
        (20001, "table 0, seat 1: expected fold or call 50 or raise to 200 up to 20000, got raise to 20001"),
        (-7, "got raise to -7"),
    ],
)
def test_an_illegal_action_is_told_what_is_legal(action: int, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        two_tables().act(np.array([0]), np.array([action]))


def test_a_free_fold_a_raise_at_the_cap_and_an_action_after_the_end_are_illegal() -> None:
    batch, table = two_tables("limit"), np.array([0])
    with pytest.raises(
        IllegalAction, match="seat 1: expected fold or call 5 or raise to 20, got raise to 25"
    ):
        batch.act(table, np.array([25]))
    for raise_to in (20, 30, 40):
        batch.act(table, np.array([raise_to]))
    with pytest.raises(
        IllegalAction, match=r"seat 0: expected fold or call 10 \(no raise is legal\), got raise to 50"
    ):
        batch.act(table, np.array([50]))
    batch.act(table, np.array([CALL]))
    with pytest.raises(IllegalAction, match=r"expected check \(not a free fold\) or bet 10, got fold"):
        batch.act(table, np.array([FOLD]))
    with pytest.raises(
        IllegalAction, match="table 1: the hand is over, so no action is legal; got check or call"
    ):
        batch.act(np.array([1]), np.array([CALL]))


@pytest.mark.parametrize(
    ("tables", "actions", "message"),
    [
        ([0, 1], [CALL], r"expected distinct tables and one action per table, got \(2,\) and \(1,\)"),
        ([0, 0], [CALL, CALL], "distinct tables"),
        ([2], [CALL], "expected tables from 0 to 1, got 2 to 2"),
        ([-1], [CALL], "expected tables from 0 to 1, got -1 to -1"),
        ([[0]], [[CALL]], r"expected tables as a row of ints, got int64 of shape \(1, 1\)"),
        ([0.0], [CALL], "expected tables as a row of ints, got float64"),
        ([0], [200.5], "expected actions as a row of ints, got float64"),
        ([0], [2**64 - 1], "expected actions as a row of ints, got uint64"),
        ([0], [10**30], "expected actions as a row of ints, got object"),
        ([0], ["call"], "expected actions as a row of ints, got <U4"),
    ],
)
def test_actions_that_fit_no_tables_are_refused(tables: object, actions: object, message: str) -> None:
    batch = two_tables()
    with pytest.raises(IllegalAction, match=message):
        batch.act(tables, actions)  # type: ignore[arg-type]
    assert batch.hands["actions"].tolist() == [0, 1]


def test_nothing_is_done_if_one_of_the_actions_is_illegal() -> None:
    batch = Batch(find_game("nolimit"), [range(9)] * 3)
    with pytest.raises(IllegalAction, match="table 1"):
        batch.act(np.arange(3), np.array([CALL, 3, FOLD]))
    assert batch.hands["actions"].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([0, 1], "table 1: the hand is over, so no action is legal"),
        ([2], "expected tables from 0 to 1, got 2 to 2"),
        ([-1], "expected tables from 0 to 1"),
        ([0.5], "expected tables as a row of ints"),
    ],
)
def test_legal_actions_are_asked_only_where_somebody_is_to_act(tables: object, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        two_tables().legal(tables)  # type: ignore[arg-type]


def test_unfinished_tables_are_looked_for_only_among_those_there_are() -> None:
    assert two_tables().unfinished().tolist() == [0]
    assert two_tables().unfinished(np.array([1, 0])).tolist() == [0]
    with pytest.raises(IllegalAction, match="expected tables from 0 to 1, got 0 to 9"):
        two_tables().unfinished(np.array([0, 9]))


def test_a_batch_may_be_empty() -> None:
    batch = Batch(find_game("limit"), np.empty((0, 9), dtype=int))
    assert len(batch.unfinished()) == len(batch.legal(batch.unfinished()).most) == len(batch) == 0
    batch.act(np.array([], dtype=int), np.array([], dtype=int))
    assert batch.net.shape == (0, 2)
