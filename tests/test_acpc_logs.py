"""ACPC logs: real ones to the byte, random ones both ways, and every line that no dealer writes."""

import io
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.core.errors import NotationError
from holdmem.engine import PARTS, SEATS, Game, find_game, write_game
from holdmem.history import Hands, HandsBuilder, Terms, join, replay_results
from holdmem.history.formats import acpc
from holdmem.history.sources import Account, Source, playable
from naive.acpc import read_line
from random_games import games
from random_hands import hands, masked, recorded
from real_hands import DATA, needs_data

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
LOGS = {
    "2p.limit": "holdem.limit.2p.reverse_blinds",
    "3p.limit": "holdem.limit.3p",
    "2p.nolimit": "holdem.nolimit.2p.reverse_blinds",
    "3p.nolimit": "holdem.nolimit.3p",
}
LINE = "STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1"


def read(text: str | bytes, game: Game | None = None, account: Account | None = None) -> Hands:
    """All hands of a log, without those that cannot be played."""
    account = Account() if account is None else account
    raw = text.encode() if isinstance(text, str) else text
    blocks = list(acpc.read(Source("a.log", lambda: raw), account, game))
    return playable(join(blocks), account)


def written(*blocks: Hands, **how: str) -> str:
    file = io.StringIO()
    assert acpc.write(blocks, file, **how) == sum(map(len, blocks))
    return file.getvalue()


def alike(one: Hands, other: Hands) -> bool:
    """The same hands, wherever they stood."""
    return [hand._replace(line=0) for hand in one] == [hand._replace(line=0) for hand in other]


# Real logs


@needs_data
@pytest.mark.parametrize("log", LOGS)
def test_real_logs_are_read_checked_and_written_again_to_the_byte(log: str) -> None:
    path = DATA / "acpc" / f"{log}.h1000.r0.log"
    text, account = path.read_text(encoding="utf-8"), Account()
    block = read(text, account=account)
    assert (account.hands, account.checked, account.skipped, account.differing) == (1000, 1000, 0, [])
    assert block.terms == (Terms(find_game(LOGS[log])),)
    header = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    assert written(block, header=header) == text


@needs_data
@pytest.mark.parametrize("log", LOGS)
def test_the_score_of_a_real_log_is_the_sum_of_its_hands(log: str) -> None:
    text = (DATA / "acpc" / f"{log}.h1000.r0.log").read_text(encoding="utf-8")
    _, results, names = text.splitlines()[-1].split(":")
    score: Counter[str] = Counter()
    for hand in read(text):
        for name, parts in zip(hand.names, hand.net, strict=True):
            score[name] += parts
    said = dict(zip(names.split("|"), map(Fraction, results.split("|")), strict=True))
    assert {name: Fraction(parts, PARTS) for name, parts in score.items()} == said
    if log == "3p.nolimit":
        assert said["p2"] == Fraction("552584.5")


@needs_data
def test_a_wire_transcript_is_no_log() -> None:
    head = (DATA / "acpc" / "2p.limit.h1000.r0.actions.log").read_bytes()[:4096]
    assert not acpc.looks_like(Source("a", bytes), head)


# Round trips


def plain(game: Game) -> Game:
    return replace(game, antes=(), dead=())


@given(hands(games().map(plain)))
def test_hands_that_are_written_and_read_again_are_the_same(block: Hands) -> None:
    account = Account()
    again = read(written(block), account=account)
    assert account.skipped == 0
    assert account.checked == len(block)
    assert alike(again, block)


def test_thirds_of_a_chip_survive_six_decimals() -> None:
    game = find_game("limit", 4)
    cards = "7h7d|8h8d|9h9d|ThTd/2c3c4c/5c/6c"
    line = f"STATE:0:ccfc/ccc/ccc/ccc:{cards}:-5|1.666666|1.666667|1.666667:a|b|c|d"
    block = read(line, game)
    assert block[0].net == (-12600, 4200, 4200, 4200)
    assert ":-5|1.666667|1.666667|1.666667:a|b|c|d" in written(block)


def test_worth_of_a_chip_and_game_stand_in_the_header() -> None:
    game = Game("home", (20, 10), (500, 700), odd_chips="first-seat", min_bet=15)
    block = replace(recorded(game, 5), terms=(Terms(game, Fraction(1, 100), "€"),))
    again = read(written(block))
    assert again.terms == block.terms
    assert alike(again, block)


def test_hands_without_number_or_result_get_them() -> None:
    builder = HandsBuilder()
    for hand in recorded(LIMIT, 9, 4):
        builder.add(hand._replace(number=-1, net=None))
    again = read(written(builder.take()))
    assert [hand.number for hand in again] == [0, 1, 2, 3]
    assert [hand.net for hand in again] == [hand.net for hand in recorded(LIMIT, 9, 4)]


# Lines and the twin


EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([*"fcr/:|0197-.AaKs2h", ""]), st.booleans()), max_size=3
)


@settings(max_examples=120)
@given(hands(games().map(plain), count=1), EDITS)
def test_the_kernel_reads_a_line_as_its_naive_twin_does(
    block: Hands, edits: list[tuple[float, str, bool]]
) -> None:
    line = written(block).splitlines()[1]
    for place, letter, instead in edits:
        at = int(place * len(line))
        line = line[:at] + letter + line[at + instead :]
    game, account = block.terms[0].game, Account()
    found = list(acpc.read(Source("a.log", line.encode), account, game))
    twin = read_line(line, game)
    assert (twin is None) == (not found), (line, account.unread)
    if twin is not None and found:
        (hand,) = found[0]
        assert hand.number == twin.number
        assert (hand.hole, hand.board) == (tuple(map(tuple, twin.holes)), tuple(twin.board))
        assert (list(hand.net), list(hand.names)) == (twin.parts, twin.names)
        assert list(hand.betting[: len(twin.actions)]) == twin.actions
        assert (len(hand.betting) == len(twin.actions)) == twin.legal


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("HELLO", "expected a line that begins with STATE:, SCORE: or #, got 'HELLO'"),
        (LINE.replace("3:", "x:", 1), "expected the number of the hand, got 'x:rrrc"),
        (LINE.replace("rrrc", "rxrc"), "expected f, c, r or /, got 'xrc/rrf"),
        (LINE.replace("rrrc/", "rrrc"), "expected one / at the end of each street"),
        (LINE.replace("rrf", "rrf/"), "expected one / at the end of each street"),
        (LINE.replace("8s", "8z"), "expected a card such as As, got '8z|6hJd"),
        (LINE.replace("QhJs9d", "QhJs"), "expected a card such as As, got ':-50"),
        (LINE.replace("4s8s|", "4s8s"), "expected the separator (: or |)"),
        (LINE.replace("-50|50", "-50|many"), "expected chips won or lost, got 'many:p2|p1'"),
        (LINE.replace("p2|p1", "p2"), "one part per seat, got the end of the line"),
        (LINE.replace("p2|p1", "p2|"), "got the end of the line"),
        (LINE + "|p3", "expected one name per seat, then the end of the line, got '|p3'"),
        (LINE[:19], "expected a card such as As, got the end of the line"),
    ],
)
def test_a_line_that_no_dealer_writes_is_named(line: str, reason: str) -> None:
    account = Account()
    block = read(f"# a log\n{LINE}\n{line}\n{LINE}\nSCORE:0|0:p1|p2\n", LIMIT, account)
    assert len(block) == 2
    assert [unread.where for unread in account.unread] == ["a.log:3"]
    assert reason in account.unread[0].reason


@pytest.mark.parametrize(
    ("game", "betting", "reason"),
    [
        (LIMIT, "rrrrc", "action 4: seat 0: expected fold or call 10 (no raise is legal), got raise to 50"),
        (LIMIT, "fc", "the hand is over after 1 actions"),
        (LIMIT, "rr", "the betting stops after 2 actions"),
        (NO_LIMIT, "r150f", "raise to 200 up to 20000, got raise to 150"),
        (NO_LIMIT, "cc/r150f", "bet 100 up to 19900, got bet 50"),
        (NO_LIMIT, "cc/r20001f", "got bet 19901"),
    ],
)
def test_betting_that_the_rules_forbid_is_named(game: Game, betting: str, reason: str) -> None:
    account = Account()
    board = "/QhJs9d" if "/" in betting else ""
    read(f"STATE:3:{betting}:4s8s|6hJd{board}:-50|50:p2|p1", game, account)
    assert [unread.where for unread in account.unread] == ["a.log:1"]
    assert reason in account.unread[0].reason


def test_a_raise_must_say_what_it_makes() -> None:
    account = Account()
    read("STATE:3:rc:4s8s|6hJd:-50|50:p2|p1\nSTATE:3:cc/r100f:4s8s|6hJd:-50|50:p2|p1\n", NO_LIMIT, account)
    assert all("r and the seat's total chips for the whole hand" in one.reason for one in account.unread)
    assert account.skipped == 2


@pytest.mark.parametrize(
    "end",
    [
        "",
        " ",
        "\t",
        "\r",
        " \r",
        " # 1478520223.88",
        "\t#\ta remark: with | marks",
        " #",
        " # twice # over \r",
    ],
)
def test_remarks_and_blanks_at_the_end_of_a_line_belong_to_no_name(end: str) -> None:
    account = Account()
    text = f"{LINE}{end}\n{LINE.replace('p2|p1', 'p1|p2')}\n{LINE.replace('p1', 'Bot #1')}{end}\n"
    assert [hand.names for hand in read(text, LIMIT, account)] == [
        ("p2", "p1"),
        ("p1", "p2"),
        ("p2", "Bot #1"),
    ]
    assert account.skipped == 0


def test_a_result_that_does_not_follow_is_noted() -> None:
    account = Account()
    assert len(read(LINE.replace("-50|50", "-60|60"), LIMIT, account)) == 1
    assert [str(one) for one in account.differing] == ["a.log:1: recorded and computed results differ"]


# Files


@pytest.mark.parametrize("piece", [1, 7, 64, 1000])
def test_how_a_file_is_cut_does_not_matter(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(recorded(NO_LIMIT, 4, 12)).replace("\n", "\r\n")
    text = text.replace("SCORE", "WRONG\r\n\r\nSCORE").removesuffix("\r\n")
    whole, account = read(text), Account()
    monkeypatch.setattr(acpc, "PIECE", piece)
    assert list(read(text, account=account)) == list(whole)
    assert len(whole) == 12
    assert [unread.where for unread in account.unread] == ["a.log:14"]


def test_a_long_file_is_never_in_memory_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(recorded(LIMIT, 4, 400)).encode()
    monkeypatch.setattr(acpc, "PIECE", 2000)
    asked: list[int] = []

    class Stream(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            asked.append(-1 if size is None else size)
            return super().read(size)

    blocks = acpc.read(Source("a.log", lambda: text, lambda: Stream(text)), Account())
    first = next(blocks)
    assert len(first) < 60
    assert sum(asked) <= 4000
    assert max(map(len, blocks)) < 60
    assert set(asked) == {2000}


def test_any_number_of_names() -> None:
    lines = [
        LINE.replace("p2|p1", f"Zoë {k}|{'x' * (k % 50)}{k * k}").replace("3:", f"{k}:", 1)
        for k in range(3000)
    ]
    block = read("\n".join(lines), LIMIT)
    assert [hand.names for hand in block] == [(f"Zoë {k}", f"{'x' * (k % 50)}{k * k}") for k in range(3000)]
    assert len(block.players) == len(set(block.players))


# Which game


@pytest.mark.parametrize("log", LOGS)
def test_a_game_that_is_not_said_is_guessed_if_only_one_allows_the_hands(log: str) -> None:
    block = recorded(find_game(LOGS[log]), 8, 60)
    assert read(written(block, header="")).terms == block.terms


@pytest.mark.parametrize(
    "text",
    [
        written(recorded(find_game("nolimit", 6), 3), header=""),
        written(recorded(Game("other", (20, 10), (100, 100)), 3), header=""),
        "# name/game/hands/seed x my.game 10 0\nSTATE:0:f:4s8s|6hJd|AsAh:7|-7|0:p2|p1|p3\n",
    ],
)
def test_a_game_that_cannot_be_guessed_is_asked_for(text: str) -> None:
    with pytest.raises(NotationError, match=r"a\.log: the game of this log is unknown.*--game"):
        read(text)


def test_a_game_file_named_in_the_header_is_read_where_it_lies(tmp_path: Path) -> None:
    game = Game("mine", (20, 10), (100, 100))
    write_game(game, tmp_path / "mine.game")
    header = f"# name/game/hands/seed x {tmp_path}/mine.game 6 0\n"
    assert read(written(recorded(game, 3), header=header)).terms[0].game == game


def test_a_damaged_header_of_ours_is_named() -> None:
    with pytest.raises(NotationError, match=r"a\.log:1: expected game, chip and currency as JSON"):
        read('# holdmem {"game": 3}\n' + LINE)


# What cannot be written


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (recorded(Game("a", (2, 1), (50, 50), antes=(1, 1)), 1), "no antes and no dead chips"),
        (recorded(Game("a", (2, 1), (50, 50), dead=(1, 0)), 1), "no antes and no dead chips"),
        (recorded(NO_LIMIT, 1, stacks=[300, 500]), "every hand to start with the game's stacks"),
        (masked(recorded(LIMIT, 1, 30), 1), "the hole cards of every seat"),
        (replace(recorded(LIMIT, 1), players=("a|b", "c")), "names without :, |"),
        (replace(recorded(LIMIT, 1), players=("", "c")), "names without :, |"),
        (replace(recorded(LIMIT, 1), players=("a ", "c")), "do not end in a blank or a # comment"),
        (replace(recorded(LIMIT, 1), players=("a # b", "c")), "do not end in a blank or a # comment"),
    ],
)
def test_what_a_log_has_no_words_for_is_refused(block: Hands, reason: str) -> None:
    with pytest.raises(NotationError, match=re.escape(reason)):
        written(block)


def test_rake_and_unplayable_hands_are_refused() -> None:
    raked = recorded(LIMIT, 1)
    raked.rows["rake"] = 1
    with pytest.raises(NotationError, match="hand 0: cannot be written to an ACPC log, which needs no rake"):
        written(raked)
    cut = recorded(LIMIT, 1)
    cut.rows["actions"] -= 1
    with pytest.raises(NotationError, match="which needs hands that can be replayed"):
        written(cut)


def test_hands_of_two_games_are_refused() -> None:
    with pytest.raises(NotationError, match="an ACPC log holds one game only"):
        written(recorded(LIMIT, 1), recorded(NO_LIMIT, 1))


def test_seats_beyond_the_game_stay_empty() -> None:
    block = read(LINE, LIMIT)
    assert (block.rows["player"][:, 2:] == -1).all()
    assert (block.rows["hole"][:, 2:] == -1).all()
    assert block.rows["net"].shape == (1, SEATS)
    assert np.array_equal(replay_results(block).net, block.rows["net"])
