"""The wire without sockets: lines both ways, the dealer's rules, and the ACPC's own transcript as referee."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdmem.acpc import Dealer, Limits, MatchClient, MatchStateTracker, matchstate, parse_seats, view_of
from holdmem.acpc.decks import FixedDecks, ShuffledDecks, decks_of_log
from holdmem.acpc.matchstate import LineEvent, parse_cards
from holdmem.acpc.single_hand import ACPCHand
from holdmem.agent import FinishedHands, make_agent
from holdmem.cards import cards
from holdmem.core.errors import AgentError, GameError, HoldMemError, IllegalAction, NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, PARTS, Batch, Game, find_game
from holdmem.history.formats.acpc_text import chips_text
from random_games import games
from random_play import choose
from random_play import decks as random_decks
from real_hands import DATA

LIMIT, NO_LIMIT, RING = find_game("limit"), find_game("nolimit"), find_game("holdem.nolimit.3p")

# Invented, by the rules of the protocol: a showdown, a fold, an all-in call with the streets it leaves empty.
TWO_PLAYERS = """\
TO 1 MATCHSTATE:0:0::AsAd|
TO 2 MATCHSTATE:1:0::|KsKd
FROM 2 MATCHSTATE:1:0::|KsKd:r
TO 1 MATCHSTATE:0:0:r:AsAd|
TO 2 MATCHSTATE:1:0:r:|KsKd
FROM 1 MATCHSTATE:0:0:r:AsAd|:c
TO 1 MATCHSTATE:0:0:rc/:AsAd|/2c7d9h
TO 2 MATCHSTATE:1:0:rc/:|KsKd/2c7d9h
FROM 1 MATCHSTATE:0:0:rc/:AsAd|/2c7d9h:c
TO 1 MATCHSTATE:0:0:rc/c:AsAd|/2c7d9h
TO 2 MATCHSTATE:1:0:rc/c:|KsKd/2c7d9h
FROM 2 MATCHSTATE:1:0:rc/c:|KsKd/2c7d9h:c
TO 1 MATCHSTATE:0:0:rc/cc/:AsAd|/2c7d9h/Js
TO 2 MATCHSTATE:1:0:rc/cc/:|KsKd/2c7d9h/Js
FROM 1 MATCHSTATE:0:0:rc/cc/:AsAd|/2c7d9h/Js:r
TO 1 MATCHSTATE:0:0:rc/cc/r:AsAd|/2c7d9h/Js
TO 2 MATCHSTATE:1:0:rc/cc/r:|KsKd/2c7d9h/Js
FROM 2 MATCHSTATE:1:0:rc/cc/r:|KsKd/2c7d9h/Js:c
TO 1 MATCHSTATE:0:0:rc/cc/rc/:AsAd|/2c7d9h/Js/4c
TO 2 MATCHSTATE:1:0:rc/cc/rc/:|KsKd/2c7d9h/Js/4c
FROM 1 MATCHSTATE:0:0:rc/cc/rc/:AsAd|/2c7d9h/Js/4c:c
TO 1 MATCHSTATE:0:0:rc/cc/rc/c:AsAd|/2c7d9h/Js/4c
TO 2 MATCHSTATE:1:0:rc/cc/rc/c:|KsKd/2c7d9h/Js/4c
FROM 2 MATCHSTATE:1:0:rc/cc/rc/c:|KsKd/2c7d9h/Js/4c:c
TO 1 MATCHSTATE:0:0:rc/cc/rc/cc:AsAd|KsKd/2c7d9h/Js/4c
TO 2 MATCHSTATE:1:0:rc/cc/rc/cc:AsAd|KsKd/2c7d9h/Js/4c
TO 1 MATCHSTATE:1:1::|3h8s
TO 2 MATCHSTATE:0:1::QcQh|
FROM 1 MATCHSTATE:1:1::|3h8s:f
TO 1 MATCHSTATE:1:1:f:|3h8s
TO 2 MATCHSTATE:0:1:f:QcQh|
"""
TWO_DECKS = ("AsAdKsKd2c7d9hJs4c", "QcQh3h8s2c7d9hJs4c")
TWO_LOG = """\
STATE:0:rc/cc/rc/cc:AsAd|KsKd/2c7d9h/Js/4c:40|-40:one|two
STATE:1:f:QcQh|3h8s:5|-5:two|one
SCORE:35|-35:one|two
"""
THREE_PLAYERS = """\
TO 1 MATCHSTATE:0:0::2s7c||
TO 2 MATCHSTATE:1:0::|AcAh|
TO 3 MATCHSTATE:2:0::||KcKh
FROM 3 MATCHSTATE:2:0::||KcKh:r300
TO 1 MATCHSTATE:0:0:r300:2s7c||
TO 2 MATCHSTATE:1:0:r300:|AcAh|
TO 3 MATCHSTATE:2:0:r300:||KcKh
FROM 1 MATCHSTATE:0:0:r300:2s7c||:f
TO 1 MATCHSTATE:0:0:r300f:2s7c||
TO 2 MATCHSTATE:1:0:r300f:|AcAh|
TO 3 MATCHSTATE:2:0:r300f:||KcKh
FROM 2 MATCHSTATE:1:0:r300f:|AcAh|:c
TO 1 MATCHSTATE:0:0:r300fc/:2s7c||/3d4d9s
TO 2 MATCHSTATE:1:0:r300fc/:|AcAh|/3d4d9s
TO 3 MATCHSTATE:2:0:r300fc/:||KcKh/3d4d9s
FROM 2 MATCHSTATE:1:0:r300fc/:|AcAh|/3d4d9s:r20000
TO 1 MATCHSTATE:0:0:r300fc/r20000:2s7c||/3d4d9s
TO 2 MATCHSTATE:1:0:r300fc/r20000:|AcAh|/3d4d9s
TO 3 MATCHSTATE:2:0:r300fc/r20000:||KcKh/3d4d9s
FROM 3 MATCHSTATE:2:0:r300fc/r20000:||KcKh/3d4d9s:c
TO 1 MATCHSTATE:0:0:r300fc/r20000c//:2s7c|AcAh|KcKh/3d4d9s/Jd/Qd
TO 2 MATCHSTATE:1:0:r300fc/r20000c//:|AcAh|KcKh/3d4d9s/Jd/Qd
TO 3 MATCHSTATE:2:0:r300fc/r20000c//:|AcAh|KcKh/3d4d9s/Jd/Qd
"""
THREE_DECKS = ("2s7cAcAhKcKh3d4d9sJdQd",)
THREE_LOG = """\
STATE:0:r300fc/r20000c//:2s7c|AcAh|KcKh/3d4d9s/Jd/Qd:-50|20050|-20000:one|two|three
SCORE:-50|20050|-20000:one|two|three
"""
NAMES = ("one", "two", "three")


def dealt(*texts: str) -> FixedDecks:
    return FixedDecks([np.array(cards(text), dtype=np.int8) for text in texts])


class Match:
    """A dealer with everything that it says: log, transcript, and what waits for the players."""

    def __init__(
        self, game: Game, decks: Any, hands: int, limits: Limits | None = None, names: Sequence[str] = NAMES
    ) -> None:
        self.log: list[str] = []
        self.said: list[str] = []
        self.ended: list[FinishedHands] = []
        self.dealer = Dealer(
            game,
            names[: game.seats],
            hands,
            decks,
            limits,
            log=self.log.append,
            transcript=lambda word, _, line: self.said.append(f"{word} {line}"),
            ended=self.ended.append,
        )

    def last(self, player: int) -> str:
        """The last line to a player."""
        return next(line for line in reversed(self.said) if line.startswith(f"TO {player + 1} "))[5:]

    def answer(self, action: str, now: float = 0.0) -> None:
        """The player to act does this."""
        player = self.dealer.player
        self.dealer.answer(player, f"{self.last(player)}:{action}", now)


def replayed(game: Game, transcript: str, decks: FixedDecks, names: Sequence[str] = NAMES) -> Match:
    """The match in which the players said what a transcript says they did."""
    match = Match(game, decks, len(decks), names=names)
    match.dealer.start(0.0)
    for line in transcript.splitlines():
        if line.startswith("FROM"):
            _, player, text = line.split(" ", 2)
            match.dealer.answer(int(player) - 1, text, 0.0)
    return match


# The transcripts


@pytest.mark.parametrize(
    ("game", "transcript", "decks", "log"),
    [(LIMIT, TWO_PLAYERS, TWO_DECKS, TWO_LOG), (RING, THREE_PLAYERS, THREE_DECKS, THREE_LOG)],
    ids=["limit", "no-limit"],
)
def test_the_dealer_says_what_a_transcript_says(
    game: Game, transcript: str, decks: tuple[str, ...], log: str
) -> None:
    match = replayed(game, transcript, dealt(*decks))
    assert match.said == transcript.splitlines()
    assert match.log == log.splitlines()
    assert match.dealer.over


def test_a_folded_player_sees_only_those_who_show() -> None:
    last = [line for line in THREE_PLAYERS.splitlines() if line.startswith("TO")][-3:]
    assert ["|KcKh" in line for line in last] == [True] * 3
    assert ["2s7c" in line for line in last] == [True, False, False]


@pytest.mark.skipif(not (DATA / "acpc").is_dir(), reason="no real logs here")
def test_the_dealer_says_what_the_acpc_dealer_said() -> None:
    text = (DATA / "acpc" / "2p.limit.h1000.r0.actions.log").read_text(encoding="utf-8")
    path = DATA / "acpc" / "2p.limit.h1000.r0.log"
    said = []
    for line in text.splitlines():
        if line.startswith(("TO ", "FROM ")):
            word, player, _, _, rest = line.split(" ", 4)
            said.append(f"{word} {player} {rest}")
    match = replayed(LIMIT, "\n".join(said), decks_of_log(path, LIMIT, Streams.of(0)), ("p1", "p2"))
    assert match.said == said
    assert match.log == [
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]


@pytest.mark.skipif(not (DATA / "acpc").is_dir(), reason="no real logs here")
@pytest.mark.parametrize("kind", ["2p.limit", "2p.nolimit", "3p.limit", "3p.nolimit"])
def test_logs_of_the_acpc_dealer_are_written_again(kind: str) -> None:
    words = {"2p": "2p.reverse_blinds", "3p": "3p"}
    seats, betting = kind.split(".")
    game = find_game(f"holdem.{betting}.{words[seats]}")
    path = DATA / "acpc" / f"{kind}.h1000.r0.log"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    match = Match(game, decks_of_log(path, game, Streams.of(0)), 1000, names=("p1", "p2", "p3"))
    match.dealer.start(0.0)
    for line in lines[:-1]:
        for action in re.findall(r"[fc]|r\d*", line.split(":")[2]):
            match.answer(action)
    assert match.log == lines


# Lines both ways


@st.composite
def hands_in_play(draw: st.DrawFn) -> tuple[ACPCHand, Batch, list[int]]:
    """A hand of any game that the wire has words for, somewhere in the middle or at its end."""
    game = replace(draw(games()), antes=(), dead=())
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    deck = random_decks(rng, game, 1)
    hand, batch, actions = ACPCHand(game), Batch(game, deck), []
    hand.deal(deck[0])
    for _ in range(draw(st.integers(0, 30))):
        if hand.seat < 0:
            break
        code = choose(rng, *(int(column[0]) for column in batch.legal(np.zeros(1, dtype=np.int64))))
        assert hand.act(code)
        batch.act(np.zeros(1, dtype=np.int64), np.array([code]))
        actions.append(code)
    return hand, batch, actions


def same(some: Any, others: Any) -> bool:
    """Whether two arrays of records have the same fields; what lies between fields is nobody's business."""
    return all((some[name] == others[name]).all() for name in some.dtype.names)


@given(hands_in_play())
def test_one_hand_is_a_batch_of_one(played: tuple[ACPCHand, Batch, list[int]]) -> None:
    hand, batch, actions = played
    assert same(hand.hands, batch.hands)
    assert hand.history["to"][0, : len(actions)].tolist() == actions
    assert hand.seat == batch.hands["to_act"][0]


@given(hands_in_play())
def test_a_line_tells_a_seat_what_its_view_has(played: tuple[ACPCHand, Batch, list[int]]) -> None:
    hand, _, actions = played
    assume(hand.seat >= 0)
    there = view_of(matchstate(hand, hand.seat, 7), hand.game)
    here = hand.view(hand_ids(1, first_hand=7))
    assert same(there.rows, here.rows)
    assert there.history["to"][0, : len(actions)].tolist() == actions
    assert (there.history == here.history).all()


@given(hands_in_play(), st.integers(0, 9))
def test_whoever_follows_sees_what_the_table_shows(
    played: tuple[ACPCHand, Batch, list[int]], position: int
) -> None:
    hand, batch, actions = played
    position %= hand.game.seats
    again, follower = ACPCHand(hand.game), MatchStateTracker(hand.game)
    again.deal(batch.decks[0])
    heard = follower.hear(matchstate(again, position, 3))
    for code in actions:
        again.act(code)
        heard = follower.hear(matchstate(again, position, 3))
    assert follower.hand.betting == hand.betting
    assert (heard is LineEvent.TO_ACT) == (hand.seat == position)
    assert (heard is LineEvent.ENDED) == (hand.seat < 0)
    if hand.seat < 0:
        lineup = np.array([follower.lineup])
        seen = FinishedHands(batch, lineup, hand_ids(1, first_hand=3), np.zeros(1, dtype=np.int64)).seen_by(0)
        told = follower.finished()
        for name in ("hole", "board", "parts", "live", "showdown", "lineup", "actions"):
            assert getattr(told, name).tolist() == getattr(seen, name).tolist()
        assert told.batch.decks.tolist() == seen.batch.decks.tolist()
        assert told.history["to"][0, : len(actions)].tolist() == actions
        assert told.hand_ids.tolist() == seen.hand_ids.tolist()


@given(hands_in_play())
def test_an_action_is_read_as_it_was_written(played: tuple[ACPCHand, Batch, list[int]]) -> None:
    hand, batch, _ = played
    assume(hand.seat >= 0)
    to_call, least, most = (int(column[0]) for column in batch.legal(np.zeros(1, dtype=np.int64)))
    codes = {CALL, *([FOLD] if to_call else []), *([least, most] if most else [])}
    assert {hand.code_of(hand.text_of(code)) for code in codes} == codes
    assert hand.raises() == (least, most)


def test_a_follower_may_begin_in_the_middle_and_skip_lines() -> None:
    follower = MatchStateTracker(LIMIT)
    assert follower.hear("MATCHSTATE:0:5:rc/cc/:AsAd|/2c7d9h/Js") is LineEvent.TO_ACT
    assert follower.hear("MATCHSTATE:0:5:rc/cc/:AsAd|/2c7d9h/Js") is LineEvent.NOTHING
    assert follower.hear("MATCHSTATE:0:5:rc/cc/rc/cr:AsAd|/2c7d9h/Js/4c") is LineEvent.TO_ACT
    assert follower.view()[0].to_call == 20
    assert follower.hear("MATCHSTATE:1:6:f:|3h8s") is LineEvent.ENDED
    assert follower.finished().net.tolist() == [[5.0, -5.0]]
    assert follower.finished().hole.tolist() == [[[-1, -1], cards("3h8s")]]
    assert follower.hear("MATCHSTATE:0:5:r:AsAd|") is LineEvent.TO_ACT


LIES = [  # what a dealer has said, and what it may not say then
    ("0:5:c:AsAd|", "0:5:cr:KsKd|", "they were AsAd| for seat 0"),
    ("0:5:cc/:AsAd|/2c7d9h", "0:5:cc/r:AsAd|/2c7d9s", "they were AsAd|/2c7d9h"),
    ("0:5:cc/cc/:AsAd|/2c7d9h/Js", "0:5:cc/:AsAd|/2c7dTh", "they were AsAd|/2c7d9h/Js"),
    ("0:5:cc/:AsAd|/2c7d9h", "0:5:cc/cc/:AsAd|/2c7h9d/Js", "have changed"),
    ("0:5:c:AsAd|", "1:5:c:|AsAd", "have changed; they were AsAd| for seat 0"),
    ("1:6:f:|3h8s", "1:6::|3h8s", "hand 6 has ended, but the dealer sent it again"),
    ("1:6:f:|3h8s", "1:6:r:|3h9s", "hand 6 has ended, but the dealer sent it again"),
    ("0:6:cc/cc/cc/cc:AsAd|KsKd/2c7d9h/Js/4c", "0:6:cc/cc/cc/cc:AsAd|QsQd/2c7d9h/Js/4c", "hand 6 has ended"),
]


@pytest.mark.parametrize(("said", "lie", "says"), LIES)
@pytest.mark.parametrize("between", [None, "MATCHSTATE:0:7::5d5c|"])
def test_a_dealer_may_not_change_cards_or_repeat_a_hand(
    said: str, lie: str, says: str, between: str | None
) -> None:
    seat = MatchClient(LIMIT, make_agent("always-call"), Streams.of(1))
    seat.hear(f"MATCHSTATE:{said}")
    if between:
        seat.hear(between)
    with pytest.raises(NotationError, match=re.escape(says)):
        seat.hear(f"MATCHSTATE:{lie}")


def test_an_ended_hand_counts_once_however_often_it_is_told() -> None:
    seat = MatchClient(LIMIT, make_agent("always-call"), Streams.of(1))
    for _ in range(3):
        assert seat.hear("MATCHSTATE:1:6:f:|3h8s") is None
    assert len(seat.played.results) == 1


def test_the_view_of_a_line() -> None:
    view = view_of("MATCHSTATE:1:30:r300c/r900:|9hQd/8dAs8s", NO_LIMIT)[0]
    assert (view.street, view.seat, view.to_call, view.pot) == (1, 1, 600, 1200)
    assert view.history == [(0, 1, 300), (0, 0, 0), (1, 0, 600)]
    assert list(view.hole) == cards("9hQd")


@pytest.mark.parametrize(
    ("line", "kind", "says"),
    [
        ("", NotationError, "expected MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:0:0:", NotationError, "expected MATCHSTATE:position"),
        ("MATCHSTATE:2:0::5d5c|", NotationError, "expected a position from 0 to 1, got '2'"),
        ("MATCHSTATE:x:0::5d5c|", NotationError, "expected a position"),
        ("MATCHSTATE:0:-1::5d5c|", NotationError, "expected the number of a hand"),
        ("MATCHSTATE:0:99999999999::5d5c|", NotationError, "expected the number of a hand"),
        ("MATCHSTATE:0:0:c:5d5c", NotationError, "expected the hole cards of 2 seats"),
        ("MATCHSTATE:0:0:c:|", NotationError, "expected the cards of seat 0"),
        ("MATCHSTATE:0:0:c:5d5d|", NotationError, "each once"),
        ("MATCHSTATE:0:0:c:5d5x|", NotationError, "expected cards such as As or Td"),
        ("MATCHSTATE:0:0:c:5d|", NotationError, "expected two hole cards or none"),
        ("MATCHSTATE:0:0:cc/:5d5c|/8dAs", NotationError, "expected three cards on the flop"),
        ("MATCHSTATE:0:0:cc/:5d5c|", NotationError, "expected 3 cards on the board, got 0"),
        ("MATCHSTATE:0:0:cc:5d5c|", NotationError, "expected 'cc/' as betting, got 'cc'"),
        ("MATCHSTATE:0:0:cx:5d5c|", NotationError, "expected f, c, r and /"),
        ("MATCHSTATE:0:0:rrrr:5d5c|", IllegalAction, r"\(no raise is legal\), got raise to 50"),
        ("MATCHSTATE:0:0:fc:5d5c|", IllegalAction, "after the end of the hand"),
        ("MATCHSTATE:0:0:f:5d5c|", NotationError, "the hand is over"),
        ("MATCHSTATE:0:0::5d5c|", NotationError, "another seat is to act"),
        ("MATCHSTATE:0:0:cc/cc/cc/cc:5d5c|/8dAs8s/4h/6d", NotationError, "missing at the showdown"),
    ],
)
def test_lines_that_no_dealer_sends(line: str, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says.replace("|", r"\|")):
        view_of(line, LIMIT)


@given(st.text(alphabet="MATCHSTE:01/|cfr259ashdAK", max_size=60) | st.text(max_size=30))
def test_no_text_does_worse_than_an_error_of_ours(text: str) -> None:
    for line in (text, f"MATCHSTATE:0:0:{text}", f"MATCHSTATE:1:3:cc/:{text}"):
        with suppress(HoldMemError):
            assert MatchStateTracker(NO_LIMIT).hear(line) in LineEvent


def test_the_wire_has_no_word_for_antes() -> None:
    with pytest.raises(GameError, match="antes"):
        ACPCHand(replace(LIMIT, antes=(1, 1)))


def test_results_are_written_as_the_dealer_does() -> None:
    assert [chips_text(parts) for parts in (0, 5 * PARTS, -5 * PARTS, -PARTS // 2)] == [
        "0",
        "5",
        "-5",
        "-0.5",
    ]
    assert chips_text(100 * PARTS // 3) == "33.333333"
    assert parse_cards("AsAd|", 2).hole[1] is None


# The dealer's rules


def begun(game: Game = LIMIT, hands: int = 2, limits: Limits | None = None) -> Match:
    match = Match(game, ShuffledDecks(game, Streams.of(1, "cards")), hands, limits)
    match.dealer.start(0.0)
    return match


@pytest.mark.parametrize("answer", ["", "x", "fold", "r20x", "cc", "f" * 3000])
def test_what_is_no_action_is_a_call(answer: str) -> None:
    match = begun()
    match.answer(answer)
    assert match.dealer.hand.betting == "c"
    assert match.dealer.invalid == [0, 1]


def test_a_free_fold_and_a_raise_beyond_the_cap_are_calls() -> None:
    match = begun()
    match.answer("c")
    match.answer("f")
    assert match.dealer.hand.betting == "cc/"
    for _ in range(5):
        match.answer("r")
    assert match.dealer.hand.betting == "cc/rrrrc/"
    assert match.dealer.invalid == [2, 0]


@pytest.mark.parametrize(("answer", "done"), [("r101", "r200"), ("r0", "r200"), ("r999999", "r20000")])
def test_raises_out_of_bounds_are_moved_into_them(answer: str, done: str) -> None:
    match = begun(NO_LIMIT)
    match.answer(answer)
    assert match.dealer.hand.betting == done
    assert (match.dealer.moved, match.dealer.invalid) == ([0, 1], [0, 0])


def test_a_raise_needs_its_size_in_no_limit_and_none_in_limit() -> None:
    match = begun(NO_LIMIT)
    match.answer("r")
    assert (match.dealer.hand.betting, match.dealer.invalid) == ("c", [0, 1])
    match = begun(LIMIT)
    match.answer("r17")
    assert (match.dealer.hand.betting, match.dealer.invalid) == ("r", [0, 0])


def test_one_invalid_answer_too_many_ends_the_match() -> None:
    match = begun(limits=Limits(invalid=1))
    match.answer("x")
    match.answer("c")
    match.answer("c")
    assert not match.dealer.over
    match.answer("x")
    assert match.dealer.over
    assert match.dealer.lost == {1: "gave more than 1 invalid answers"}
    assert match.log == ["# hand 0: two gave more than 1 invalid answers", "SCORE:0|0:one|two"]


def test_lines_that_answer_nothing_are_ignored_and_counted() -> None:
    match = begun()
    asked, other = match.last(1), match.last(0)
    for player, line in [
        (0, f"{other}:c"),  # not to act
        (1, asked),  # no answer
        (1, "MATCHSTATE:1:1::|9hQd:c"),  # another hand
        (1, asked[:-3]),
        (1, ""),
        (1, "\x00\xff"),
        (1, "MATCHSTATE:" + "c" * 5000),
    ]:
        match.dealer.answer(player, line, 0.0)
    match.dealer.answer(1, "# a comment", 0.0)
    match.dealer.answer(1, "; another", 0.0)
    assert match.dealer.hand.betting == ""
    match.answer("c")
    match.dealer.answer(1, f"{asked}:c", 0.0)  # twice
    assert match.dealer.hand.betting == "c"
    assert match.dealer.ignored == [1, 7]


@pytest.mark.parametrize(
    ("limits", "times", "says"),
    [
        (Limits(response=5), [4.9, 10.0], "took 5.100 s for an answer, more than 5 s"),
        (Limits(hand=6), [3, 3, 3, 6.2], "took 6.200 s for a hand, more than 6 s"),
        (Limits(per_hand=3), [3, 3, 3, 6.2], "took 6.200 s for the match, more than 6 s"),
    ],
)
def test_time_runs_out(limits: Limits, times: list[float], says: str) -> None:
    match = begun(limits=limits)
    for now in times:
        assert not match.dealer.over
        match.answer("c", now)
    assert list(match.dealer.lost.values()) == [says]
    assert match.log[-1].startswith("SCORE:")


def test_a_new_hand_has_new_time_but_the_match_has_not() -> None:
    match = begun(hands=3, limits=Limits(hand=6, per_hand=5))
    for k in range(2):
        match.answer("f", 5.0 * (k + 1))
    assert (match.dealer.used_hand, match.dealer.used_match) == ([0.0, 0.0], [5.0, 5.0])
    assert match.dealer.deadline == 16.0  # 10 and what the hand allows, which is less than the match does
    match.dealer.check_time(16.0)
    assert not match.dealer.over
    match.dealer.check_time(16.1)
    assert match.dealer.over


def test_a_lost_player_folds_to_the_end_if_that_is_the_rule() -> None:
    match = begun(hands=4, limits=Limits(lost="fold"))
    match.answer("c")
    match.dealer.lose(1, "left", 0.0)
    assert not match.dealer.over
    while not match.dealer.over:
        match.answer("r")
    states = [line for line in match.log if line.startswith("STATE")]
    assert len(states) == match.dealer.played == 4
    assert states[1].split(":")[2] == "rf"  # the raiser is the small blind there
    assert states[2].split(":")[2] == "f"
    assert match.log[0] == "# hand 0: two left"
    assert sum(match.dealer.score) == 0
    assert match.dealer.score[0] > 0


def test_everybody_lost_ends_the_match() -> None:
    match = begun(limits=Limits(lost="fold"))
    match.dealer.lose(0, "left", 0.0)
    match.dealer.lose(1, "left", 0.0)
    assert match.dealer.over


def test_nobody_is_heard_after_the_end() -> None:
    match = begun(hands=1)
    match.answer("f")
    before = list(match.said)
    assert match.dealer.over
    match.dealer.answer(0, "MATCHSTATE:0:0:f:5d5c|:c", 0.0)
    match.dealer.decide(0, CALL, 0.0)
    match.dealer.check_time(1e9)
    match.dealer.lose(0, "left", 0.0)
    match.dealer.stop("stopped")
    assert match.log == [*match.log[:1], match.log[-1]]
    assert [line for line in match.said[len(before) :] if line.startswith("TO")] == []


LINES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["c", "f", "r", "r300", "r20000", "x", ""]).map(lambda action: f"\0{action}"),
    st.sampled_from(["late", "gone", "again", "cut"]),
)


@given(st.lists(st.tuples(st.integers(0, 2), LINES), max_size=60), st.sampled_from(["end", "fold"]))
def test_whatever_players_send_chips_are_conserved_and_the_log_is_whole(
    sent: list[tuple[int, str]], lost: Any
) -> None:
    match = Match(RING, ShuffledDecks(RING, Streams.of(3, "cards")), 3, Limits(invalid=4, lost=lost))
    match.dealer.start(0.0)
    for player, line in sent:
        prompt = match.last(player)
        if line.startswith("\0"):
            match.dealer.answer(player, f"{prompt}:{line[1:]}", 0.0)
        elif line == "gone":
            match.dealer.lose(player, "left", 0.0)
        elif line == "late":
            match.dealer.answer(player, f"{prompt}:c", 1000.0)
        else:
            match.dealer.answer(player, prompt[:-4] if line == "cut" else line, 0.0)
    match.dealer.stop("the end of the test")
    states = [line for line in match.log if line.startswith("STATE")]
    assert len(states) == match.dealer.played
    assert sum(match.dealer.score) == 0
    assert match.log[-1].startswith("SCORE:")
    assert sum(line.startswith("SCORE") for line in match.log) == 1


# Agents of ours, joining


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT, RING], ids=lambda game: game.name)
def test_joined_agents_play_what_the_lock_step_plays(game: Game) -> None:
    match = Match(game, ShuffledDecks(game, Streams.of(5, "cards")), 40)
    logs: list[list[str]] = [[] for _ in range(game.seats)]
    agents = [make_agent(name) for name in ("random", "always-raise", "always-call")][: game.seats]
    players = [
        MatchClient(game, agent, Streams.of(9, "player", k), log=logs[k].append)
        for k, agent in enumerate(agents)
    ]
    match.dealer.start(0.0)
    while not match.dealer.over:
        for k, player in enumerate(players):
            for line in match.dealer.take(k).decode().splitlines():
                if answer := player.hear(line):
                    match.dealer.answer(k, answer, 0.0)
    for k, player in enumerate(players):
        for line in match.dealer.take(k).decode().splitlines():
            player.hear(line)
        assert sum(player.played.results) == match.dealer.score[k]
        player.end()
    assert match.dealer.invalid == match.dealer.moved == match.dealer.ignored == [0] * game.seats
    assert all(len(log) == 41 for log in logs)
    seen = [line.split(":")[:3] for line in logs[0][:-1]]
    assert seen == [line.split(":")[:3] for line in match.log[:-1]]
    where = hand_ids(40)
    lineup = [[(seat + hand) % game.seats for seat in range(game.seats)] for hand in range(40)]
    from holdmem.agent import play  # noqa: PLC0415

    seats = [agent.sit(game, 40, Streams.of(9, "player", k)) for k, agent in enumerate(agents)]
    decks = Streams.of(5, "cards").decks(where, game.deck_cards)
    finished = play(game, seats, decks, lineup=lineup, where=where)
    assert finished.by_player(game.seats).sum(axis=0).tolist() == match.dealer.score


def test_an_agent_that_answers_nonsense_is_named() -> None:
    class Wrong:
        def sit(self, *_: Any) -> Any:
            return self

        def act(self, views: Any) -> Any:
            from holdmem.agent import Actions  # noqa: PLC0415

            return Actions(np.array([7]))

    player = MatchClient(LIMIT, Wrong(), Streams.of(0), name="wrong")
    with pytest.raises(IllegalAction, match="wrong: seat 1: expected fold or call 5 or raise to 20"):
        player.hear("MATCHSTATE:1:0::|9hQd")


# Seats and cards


def test_seats_as_people_write_them() -> None:
    def read(text: str) -> list[tuple[str, str | None]]:
        return [(place.name, place.agent) for place in parse_seats(text)]

    assert read("random,@mybot") == [("random", "random"), ("mybot", None)]
    assert read("@,@") == [("foreign-1", None), ("foreign-2", None)]
    assert read("a:b=1,c=2, @x , ./f.py:Bot:d=3") == [
        ("a", "a:b=1,c=2"),
        ("x", None),
        ("Bot", "./f.py:Bot:d=3"),
    ]
    assert read("e:members=[a;b:c=1,d=2],lead=a,random") == [
        ("e", "e:members=[a;b:c=1,d=2],lead=a"),
        ("random", "random"),
    ]
    for text in ("random", "", "a,,b", "@a b,c", "@a|b,c"):
        with pytest.raises(NotationError, match=r"expected|names in logs"):
            parse_seats(text)


def test_cards_of_a_log_are_dealt_again_and_completed(tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    path.write_text("# head\n" + TWO_LOG, encoding="utf-8")
    decks = decks_of_log(path, LIMIT, Streams.of(0))
    assert [deck.tolist()[:4] for deck in decks.decks] == [cards("AsAdKsKd"), cards("QcQh3h8s")]
    assert decks.deck(0).tolist() == cards(TWO_DECKS[0])
    assert len(set(decks.deck(1).tolist())) == 9
    path.write_text("STATE:0:f:AsAd|AsKd:5|-5:a|b\n", encoding="utf-8")
    with pytest.raises(NotationError, match=r"some.log:1: expected cards"):
        decks_of_log(path, LIMIT, Streams.of(0))
    path.write_text("nothing", encoding="utf-8")
    with pytest.raises(NotationError, match=r"some.log: no line begins with STATE"):
        decks_of_log(path, LIMIT, Streams.of(0))


def test_decks_depend_on_seed_match_and_hand_alone() -> None:
    here, there = (ShuffledDecks(LIMIT, Streams.of(4, "cards"), match=2) for _ in range(2))
    forward = [here.deck(number).tolist() for number in range(200)]
    backward = [there.deck(number).tolist() for number in reversed(range(200))]
    assert forward == backward[::-1]
    assert ShuffledDecks(LIMIT, Streams.of(4, "cards"), match=1).deck(0).tolist() != forward[0]


def test_a_dealer_needs_a_player_a_seat() -> None:
    with pytest.raises(AgentError, match="expected 2 players, got 3"):
        Dealer(LIMIT, NAMES, 1, dealt(TWO_DECKS[0]))
