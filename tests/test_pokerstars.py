"""PokerStars' text: hands of every kind, what cannot be read, and our own hands there and back."""

import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.cards import cards
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, PARTS, Game, find_game
from holdmem.history import Hands, HandsBuilder, RecordedHand, Terms, read_hands, write_hands
from holdmem.history.describe import as_json, describe_hand
from holdmem.history.formats import pokerstars
from holdmem.history.formats.pokerstars import FORMAT, read_hand, split
from holdmem.history.formats.pokerstars_write import write
from holdmem.history.sources import Account, Source, playable
from pokerstars_games import NAMES, hand_of, plain, stars_games
from pokerstars_hands import READABLE, UNREADABLE, Sample
from pokerstars_odd_hands import ODD

SEEDS = st.integers(0, 2**32 - 1)


def read_bytes(data: bytes) -> tuple[list[RecordedHand], Account]:
    """All hands of a file with these bytes, as far as the engine allows them."""
    account = Account()
    blocks = [playable(block, account) for block in FORMAT.read(Source("file", lambda: data), account, None)]
    return [hand for block in blocks for hand in block], account


def written(hands: list[RecordedHand], **how: str) -> str:
    builder, out = HandsBuilder(), io.StringIO()
    for hand in hands:
        builder.add(hand)
    assert write([builder.take()], out, **how) == len(hands)
    return out.getvalue()


def two(text: str) -> tuple[int, ...]:
    return tuple(cards(text)) if text else (-1, -1)


@pytest.mark.parametrize("name", READABLE | ODD)
def test_hands_of_every_kind(name: str) -> None:
    sample: Sample = (READABLE | ODD)[name]
    (hand,), account = read_bytes(sample.text.encode())
    assert hand.second == tuple(cards(sample.second))
    assert account.differing == []
    assert hand.names == sample.names
    assert hand.terms.game.blinds == sample.blinds
    assert hand.terms.game.antes == sample.antes
    assert hand.terms.game.dead == sample.dead
    assert hand.betting == sample.betting
    assert hand.net == tuple(PARTS * chips for chips in sample.net)
    assert hand.rake == sample.rake
    if sample.hole:
        assert hand.hole == tuple(map(two, sample.hole))
        assert account.checked == 1
    if sample.stacks:
        assert hand.stacks == sample.stacks


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_named(name: str) -> None:
    text, line, reason = UNREADABLE[name]
    good = READABLE["play money, a walk"].text
    hands, account = read_bytes(f"{text}\n\n\n{good}".encode())
    assert len(hands) == 1
    (unread,) = account.unread
    assert unread.where == f"file:{line}"
    assert reason in unread.reason


ALL = "\n\n\n".join(sample.text for sample in READABLE.values())
ENCODINGS = {
    "plain": ALL.encode(),
    "byte-order mark": b"\xef\xbb\xbf" + ALL.encode(),
    "a mark before every hand": ALL.replace("PokerStars H", "\ufeffPokerStars H").encode(),
    "CRLF": ALL.replace("\n", "\r\n").encode(),
    "UTF-16": ALL.encode("utf-16"),
    "Windows-1252": ALL.encode("cp1252"),
    "trailing spaces": ALL.replace("\n", "  \n").encode(),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_several_hands_a_file_however_it_is_saved(name: str) -> None:
    hands, account = read_bytes(ENCODINGS[name])
    expected, _ = read_bytes(ENCODINGS["plain"])
    assert account.unread == []
    assert len(hands) == len(READABLE)
    assert [plain(hand) for hand in hands] == [plain(hand) for hand in expected]


def test_lines_times_and_tables() -> None:
    hands, _ = read_bytes(ENCODINGS["plain"])
    begins = [number for number, line in enumerate(ALL.split("\n"), start=1) if line.startswith("PokerStars")]
    assert [hand.line for hand in hands] == begins
    assert hands[1].time == 1330870500  # 14:15 Eastern Time, not 20:15 of Central Europe
    assert hands[1].table == "555000111 7"
    assert (hands[0].terms.currency, hands[2].terms.currency, hands[6].terms.currency) == ("$", "€", "£")
    assert hands[5].terms.chip == 1


def test_limit_has_the_bets_of_the_stakes_and_a_cap_unless_it_is_passed() -> None:
    hands, _ = read_bytes(ENCODINGS["plain"])
    capped, uncapped = (hand.terms.game for hand in hands if hand.terms.game.limit)
    assert (capped.raise_sizes, capped.max_raises) == ((100, 100, 200, 200), (3, 4, 4, 4))
    assert (uncapped.raise_sizes, uncapped.max_raises) == ((200, 200, 400, 400), (255,) * 4)


@settings(max_examples=80)
@given(stars_games(), SEEDS, NAMES, st.booleans())
def test_our_hands_there_and_back(game: Game, seed: int, names: list[str], money: bool) -> None:
    hand = hand_of(game, seed, names, money)
    text = written([hand])
    found, account = read_bytes(text.encode())
    assert (account.unread, account.differing) == ([], []), text
    assert [plain(one) for one in found] == [hand], text


def test_samples_there_and_back() -> None:
    """Apart from what the text says of the site alone: seats are numbered anew, straddles cannot be said."""
    hands, _ = read_bytes(ENCODINGS["plain"])
    sayable = [hand for hand in hands if hand.terms.game.blinds != (100, 200, 400, 0)]
    sayable = [hand for hand in sayable if not (hand.terms.game.limit and hand.terms.game.max_raises[0] < 9)]
    again, account = read_bytes(written(sayable).encode())
    assert account.unread == []
    assert [plain(hand) for hand in again] == [plain(hand) for hand in sayable]


def test_only_the_hero_s_cards_on_demand() -> None:
    hands, _ = read_bytes(READABLE["play money, a walk"].text.encode())
    assert "Dealt to Jo [7h 2c]" in written(hands)
    assert "Dealt to" not in written(hands, hero="Kit")


def test_what_the_format_cannot_say_is_refused() -> None:
    hands, _ = read_bytes(READABLE["a straddle acts last"].text.encode())
    with pytest.raises(NotationError, match="expected a small blind, a big blind and late posts only"):
        written(hands)
    hands, _ = read_bytes(READABLE["play money, a walk"].text.encode())
    with pytest.raises(NotationError, match="names must be distinct"):
        written([hands[0]._replace(names=("a", "a", "b"))])
    hands, _ = read_bytes(ODD["run twice: the record stands"].text.encode())
    with pytest.raises(NotationError, match="a hand that was run twice cannot be written"):
        written(hands)
    half = PARTS * 99 // 2
    with pytest.raises(NotationError, match="winnings must be whole chips"):
        written([hands[0]._replace(second=(), hole=((-1, -1),) * 2, net=(-half, half - 200 * PARTS))])


def test_a_hand_run_twice_is_stored_and_told_with_both_boards(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ODD["run twice: the record stands"].text, encoding="utf-8")
    write_hands(read_hands(tmp_path / "a.txt"), tmp_path / "stored")
    reading = read_hands(tmp_path / "stored")
    ((hand,),) = reading
    assert hand.second == tuple(cards("2c7dJhAh4d"))
    assert hand.net == (-100 * PARTS, -100 * PARTS)
    assert (reading.account.checked, reading.account.differing) == (0, [])
    said = describe_hand(hand)
    assert "run twice, second board 2c 7d Jh Ah 4d" in said
    assert said[-1] == "result: Eva -$1.00, Dov -$1.00; rake $2.00"
    assert as_json(hand)["second_board"] == "2c7dJhAh4d"


def test_a_stack_without_limit_and_an_unknown_time_are_not_written_down() -> None:
    game = find_game("limit")
    names, hole = ("a", "b"), ((0, 1), (2, 3))
    hand = RecordedHand(
        Terms(game), names, game.stacks, hole, (), (CALL, 20, FOLD), (10 * PARTS, -10 * PARTS)
    )
    text = written([hand])
    assert "2147483647" not in text
    assert "1970" not in text
    assert "2,147,483,647" not in describe_hand(hand)
    (again,), account = read_bytes(text.encode())
    assert (again.time, again.stacks) == (-1, (10_000, 10_000))
    assert (again.betting, again.net, account.checked) == (hand.betting, hand.net, 1)


def test_refusals_can_be_listened_to() -> None:
    text = READABLE["a straddle acts last"].text + "\n\n" + READABLE["play money, a walk"].text
    hands, _ = read_bytes(text.encode())
    builder, out, told = HandsBuilder(), io.StringIO(), []
    for hand in hands:
        builder.add(hand)
    assert write([builder.take()], out, refused=lambda where, reason: told.append(reason)) == 1
    assert len(told) == 1


@settings(max_examples=60)
@given(st.data())
def test_damage_is_never_a_crash(data: st.DataObject) -> None:
    """Bytes cut out or changed: hands are read or named, and what is read is playable."""
    text = bytearray(data.draw(st.sampled_from(list(READABLE.values()))).text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text) - 1))
        text[begin : begin + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
    hands, account = read_bytes(bytes(text))
    assert len(hands) + account.skipped <= 8
    assert account.hands == len(hands)


def test_a_line_of_a_megabyte() -> None:
    hands, account = read_bytes(b"PokerStars Hand #1: " + b"x" * 10**6 + b"\n" + ALL.encode())
    assert len(hands) == len(READABLE)
    assert account.skipped == 1
    assert len(account.unread[0].reason) < 200


def test_hands_are_split_where_they_begin() -> None:
    lines = ["", "junk", "PokerStars Hand #1: a", "b", "", "PokerStars Game #2: c"]
    assert [begin for begin, _ in split(lines)] == [2, 3, 6]


def test_one_hand_from_its_lines() -> None:
    hand = read_hand(READABLE["play money, a walk"].text.splitlines())
    assert hand.number == 101000000006


def test_found_by_content(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(ENCODINGS["UTF-16"])
    (tmp_path / "b.dat").write_bytes(ENCODINGS["CRLF"])
    reading = read_hands(tmp_path)
    blocks: list[Hands] = list(reading)
    assert sum(map(len, blocks)) == reading.account.hands == len(READABLE)
    assert reading.account.duplicates == {"read before": len(READABLE)}


# The compiled reader


def both_ways(data: bytes) -> list[object]:
    """All that the compiled and the careful reader find in a file: hands, and what they say about others."""
    found: list[object] = []
    for way in (pokerstars.read, pokerstars.read_carefully):
        account = Account()
        blocks = list(way(Source("file", lambda: data), account))
        hands = [hand for block in blocks for hand in block]
        found.append([hands, account.as_json(), account.unread])
    return found


TEXTS = [sample.text for sample in (READABLE | ODD).values()] + [told[0] for told in UNREADABLE.values()]
EVERY_HAND = "\n\n\n".join(text.strip() for text in TEXTS)
MARKS = [mark.encode() for mark in ("\n", "\r\n", "\n\n", *" [($':.07A", "é", "€")] + [b"\xe9"]


def test_the_compiled_reader_is_the_careful_one_on_every_kind_of_hand() -> None:
    for ending in ("\n", "\r\n", " \n"):
        compiled, careful = both_ways(EVERY_HAND.replace("\n", ending).encode())
        assert compiled == careful


@settings(max_examples=80)
@given(SEEDS, st.integers(1, 3))
def test_the_compiled_reader_is_the_careful_one_on_damaged_hands(seed: int, damages: int) -> None:
    """Also where a file is cut into pieces."""
    random = Random(seed)
    samples = [sample.text.strip().encode() for sample in READABLE.values()]
    data = bytearray(b"\n\n\n".join(random.sample(samples, 3)))
    for _ in range(damages):
        begin = random.randrange(len(data))
        data[begin : begin + random.choice((0, 1, 1, 20))] = random.choice([*MARKS, data[begin - 40 : begin]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pokerstars, "PIECE", random.choice((100, 1000, 1 << 20)))
        compiled, careful = both_ways(bytes(data))
    assert compiled == careful


@settings(max_examples=40)
@given(stars_games(), SEEDS, NAMES, st.booleans())
def test_the_compiled_reader_is_the_careful_one_on_our_hands(
    game: Game, seed: int, names: list[str], money: bool
) -> None:
    compiled, careful = both_ways(written([hand_of(game, seed, names, money)]).encode())
    assert compiled == careful
