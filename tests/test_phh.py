"""PHH and PHHS: real hands, PokerKit as reader of ours, round trips, the quick reader against TOML."""

import io
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import time
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pokerkit
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdmem.agent.play import FinishedHands
from holdmem.cards import cards, names
from holdmem.core.errors import NotationError
from holdmem.core.random import hand_ids
from holdmem.engine import CALL, PARTS, UNLIMITED, Batch, Game, find_game
from holdmem.history import Hands, HandsBuilder, RecordedHand, Terms, join, replay_results
from holdmem.history.formats import phh, phh_fast
from holdmem.history.formats.parquet import from_frame, to_frame
from holdmem.history.formats.phh_text import by_toml, hands_of, quick
from holdmem.history.hands import INFERRED, RECORDED
from holdmem.history.sources import Account, Source, playable, sources
from holdmem.history.steps import collected, replay_hand
from naive.phh import with_every_check
from random_games import games
from random_hands import NAMES, hands, masked, recorded
from random_play import choose, decks
from real_hands import DATA, FULL, needs_data


def read(text: str, account: Account | None = None, game: Game | None = None) -> Hands:
    """All hands of a text, without those that cannot be played."""
    account = Account() if account is None else account
    blocks = list(phh.read(Source("a.phhs", text.encode), account, game))
    return playable(join(blocks), account)


def written(*blocks: Hands, one: bool = False) -> str:
    file = io.StringIO()
    assert phh.write(blocks, file, one=one) == sum(map(len, blocks))
    return file.getvalue()


def alike(one: Hands, other: Hands) -> bool:
    """The same hands as recorded, wherever they stood."""
    return [as_told(hand) for hand in one] == [as_told(hand) for hand in other]


def as_told(hand: RecordedHand) -> RecordedHand:
    """The hand without its line, and without a result that is inferred."""
    return hand._replace(line=0, net=None if hand.inferred else hand.net, inferred=False)


def toml_alone(text: str) -> Iterator[tuple[int, dict[str, object]]]:
    """What `hands_of` gives without its quick reader."""
    found = by_toml(text)
    yield from [(1, found)] if "variant" in found else [(-1, fields) for fields in found.values()]


# PokerKit


def split_exactly(pot: int, winners: int) -> tuple[Fraction, int]:
    return Fraction(pot, winners), 0


@cache
def best_hand(hole: tuple[object, ...], board: tuple[object, ...]) -> object:
    return pokerkit.StandardHighHand.from_game(hole, board)


def payoffs(text: str) -> list[Fraction]:
    """Everybody's result by PokerKit's own reader."""
    state = None
    for state in pokerkit.HandHistory.loads(text, divmod=split_exactly):  # noqa: B007
        pass
    assert not state.status
    return [Fraction(payoff) for payoff in state.payoffs]


def nets(block: Hands) -> list[list[Fraction]]:
    """Our results in the money that PHH counts in."""
    return [[Fraction(parts, PARTS) * hand.terms.chip for parts in hand.net] for hand in block]


@cache
def pluribus() -> tuple[tuple[str, str], ...]:
    return tuple((one.name, one.read().decode()) for one in sources(DATA / "pluribus"))


@needs_data
def test_all_hands_of_pluribus_are_read_and_end_as_recorded() -> None:
    account = Account()
    block = read("".join(f"[{k}]\n{text}\n" for k, (_, text) in enumerate(pluribus())), account)
    assert (account.hands, account.checked, account.skipped, account.differing) == (6844, 6844, 0, [])
    assert len(block.terms) == 1
    assert (block.rows["net"] % PARTS != 0).any(axis=1).sum() == 7  # half chips
    part = block[:: 1 if FULL else 10]
    assert alike(read(written(part)), part)


@needs_data
def test_pokerkit_reads_the_hands_of_pluribus_as_we_do() -> None:
    for _, text in pluribus()[:: 1 if FULL else 60]:
        assert nets(read(text)) == [payoffs(text)]
        assert payoffs(written(read(text), one=True)) == payoffs(text)


@st.composite
def pokerkit_games(draw: st.DrawFn) -> Game:
    """Games by PokerKit's rules: straddles, late posts, antes of all kinds, short and deep stacks."""
    seats = draw(st.integers(2, 7))
    small, big = draw(st.sampled_from([(1, 2), (5, 10), (3, 10)]))
    limit = draw(st.booleans())
    posts = [small, big] + [0] * (seats - 2)
    first = 2 % seats
    if seats > 3 and draw(st.booleans()):
        late = draw(st.booleans())
        posts[draw(st.integers(3, seats - 1)) if late else 2] = big if late else 2 * big
        first = 2 if late else 3 % seats
    blinds = posts[::-1] if seats == 2 else posts
    ante = draw(st.sampled_from([0, 0, 1, 4]))
    owed = st.lists(st.sampled_from([0, 0, 3, 9]), min_size=seats, max_size=seats)
    dead = draw(st.just([0] * seats) | owed)
    stacks = draw(st.lists(st.sampled_from([1, 3, 4, 15, 40, 90, 300]), min_size=seats, max_size=seats))
    if any(dead):  # antes are paid in full then, and may take the whole stack
        stacks = [max(stack, ante + post, post + 1) for stack, post in zip(stacks, dead, strict=True)]
    return Game(
        name="pokerkit",
        blinds=tuple(blinds),
        stacks=tuple(stacks),
        raise_sizes=(big, big, 2 * big, 2 * big) if limit else None,
        max_raises=(4, 4, 4, 4) if limit else (255,) * 4,
        first=(1 if seats == 2 else first, 0, 0, 0),
        antes=(ante,) * seats,
        dead=tuple(dead),
        min_bet=0 if limit else big,
        reopening="full-raise",
        after_short="full-raise",
    )


def played_as_pokerkit_allows(game: Game, seed: int, count: int = 3) -> Hands:
    """Random play without raises that nobody could answer in full, which PokerKit refuses."""
    rng = np.random.default_rng(seed)
    batch = Batch(game, decks(rng, game, count))
    while len(tables := batch.unfinished()):
        actions = []
        for table, *legal in zip(tables, *batch.legal(tables), strict=True):
            action = choose(rng, *map(int, legal))
            hand = batch.hands[table]
            others = [
                seat for seat in range(game.seats) if int(hand.live) >> seat & 1 and seat != int(hand.to_act)
            ]
            answered = any(hand.bet[seat] + hand.stack[seat] > hand.highest for seat in others)
            actions.append(action if answered else min(action, CALL))
        batch.act(tables, np.array(actions))
    lineup = np.tile(np.arange(game.seats), (count, 1))
    return Hands.of(FinishedHands(batch, lineup, hand_ids(count), np.arange(count)), NAMES[: game.seats])


@settings(max_examples=1000 if FULL else 12)
@given(pokerkit_games(), st.integers(0, 2**32))
def test_pokerkit_reads_our_hands_and_pays_the_same(game: Game, seed: int) -> None:
    block = played_as_pokerkit_allows(game, seed)
    for place in range(len(block)):
        text = written(block[place : place + 1], one=True)
        try:
            found = payoffs(text)
        except ValueError:  # short all-ins that add up: see test_referees.py on PokerKit's count of them
            short = [raised for raised in block[place].betting if raised > CALL]
            assume(len(short) < 3)
            raise
        assert found == nets(block)[place], text
        assert alike(read(text), block[place : place + 1])


# Round trips


def sayable(game: Game) -> Game:
    """The nearest game that PHH's fields can say."""
    small, _, big, _ = game.raise_sizes or (0,) * 4
    even = (game.antes[0],) * game.seats if game.antes else ()
    taken = [(even or (0,))[0] + chips for chips in game.dead or (0,) * game.seats]
    deep = all(chips >= least for chips, least in zip(game.stacks, taken, strict=True))
    return replace(
        game,
        raise_sizes=(small, small, big, big) if game.raise_sizes else None,
        first=(phh_opener(game), 0, 0, 0),
        antes=even,
        dead=game.dead if deep else (),
        short_blinds="as-posted",
    )


def phh_opener(game: Game) -> int:
    largest = max(range(game.seats), key=lambda seat: (game.blinds[seat], seat))
    return (largest + 1) % game.seats


@given(hands(games().map(sayable)), st.integers(0, 2**32), st.sampled_from([1, 10, 100]))
def test_hands_that_are_written_and_read_again_are_the_same(block: Hands, seed: int, chips: int) -> None:
    block = masked(block, seed)
    terms = Terms(block.terms[0].game, Fraction(1, chips), "€" if chips == 100 else "")
    block.rows["time"][::2], block.rows["scored"][::3] = 1_246_406_506, 0
    block.rows["net"][::3] = 0
    block = replace(block, terms=(terms,), tables=('it\'s a "table"\n\x7f',))
    account = Account()
    assert alike(read(written(block), account), block)
    assert (account.skipped, account.differing) == (0, [])


@pytest.mark.parametrize("name", ["limit", "nolimit", "holdem.limit.3p", "casper"])
def test_the_game_survives_though_phh_has_no_words_for_it(name: str) -> None:
    block = recorded(find_game(name), 3)
    again = read(written(block))
    assert again.terms == block.terms
    assert alike(again, block)


def test_one_hand_makes_a_phh_file() -> None:
    block = recorded(find_game("nolimit"), 3)
    assert alike(read(written(block[:1], one=True)), block[:1])
    with pytest.raises(NotationError, match="a PHH file holds one hand only"):
        written(block, one=True)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Game("a", (2, 1), first=(1, 1, 1, 1)), "needs the seat left of the big blind to act first"),
        (Game("a", (2, 1), raise_sizes=(2, 3, 4, 4)), "needs a small and a big bet"),
        (Game("a", (1, 2, 0), (50,) * 3, antes=(9, 1, 1)), "needs the same ante from every seat"),
        (
            Game("a", (1, 2, 0), (50,) * 3, antes=(9, 9, 1), dead=(1, 0, 0)),
            "needs the same ante from every seat",
        ),
        (
            Game("a", (1, 2, 0), (50, 9, 50), antes=(9,) * 3, dead=(0, 3, 0)),
            "needs stacks that cover the antes",
        ),
        (Game("a", (1, 2, 0), (50, 1, 50), short_blinds="in-full"), "a short blind is called as posted"),
    ],
)
def test_what_phh_cannot_say_is_refused(game: Game, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        written(recorded(game, 1))


def test_a_chip_that_is_no_decimal_is_refused() -> None:
    block = recorded(find_game("limit"), 1)
    with pytest.raises(NotationError, match=r"needs a chip worth a power of ten .*, got 1/3"):
        written(replace(block, terms=(replace(block.terms[0], chip=Fraction(1, 3)),)))


# What PHH leaves out


@settings(max_examples=4)
@given(hands(games().map(sayable)), st.integers(0, 9))
def test_checks_that_nobody_is_asked_for_come_back(block: Hands, wrong: int) -> None:
    """And whoever acts out of turn is named: kernel and naive twin agree on every hand."""
    account = Account()
    text = written(block)
    found = [phh.hand_of(fields) for _, fields in hands_of(text)]
    if wrong < 4:
        found = [
            one._replace(actors=[*one.actors[:wrong], (one.actors[wrong] + 1) % len(one.hand.names)])
            if len(one.actors) == wrong + 1
            else one
            for one in found
        ]
    completed = phh.completed(phh.columns_of(found, "a.phhs"), account)
    expected = [
        with_every_check(
            one.hand.terms.game, one.hand.stacks, list(zip(one.actors, one.hand.betting, strict=True))
        )
        for one in found
    ]
    assert [list(hand.betting) for hand in completed] == [twin[0] for twin in expected if twin]
    assert account.skipped == sum(twin is None for twin in expected)


# The quick reader


@needs_data
def test_the_quick_reader_is_toml_on_all_real_hands() -> None:
    for _, text in pluribus()[:: 1 if FULL else 20]:
        assert quick(text) == by_toml(text)
    text = (DATA / "handhq" / "pokerstars-25nl.phhs").read_text(encoding="utf-8")
    found = list(hands_of(text))
    assert [fields for _, fields in found] == list(by_toml(text).values())
    lines = text.split("\n")
    assert [lines[line - 1] for line, _ in found] == [f"[{k + 1}]" for k in range(991)]
    sections = text.split("\n\n")
    assert all(quick(section.partition("\n")[2]) is not None for section in sections)


ODD_VALUES = (
    *("true", "false", "True", "inf", "nan", "-0", "+1", "01", "1.", "1e3", "1_000", "[1, 2,]", "[1,2]"),
    *("[ 1]", "''", "''''''", '"a"', "[]", "[[1]]", "{a = 1}", "24:00:00", "07:08:09", "1979-05-27", ""),
)
VALUES = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(-1000, 1000, places=2).map(str),
    st.text(st.characters(exclude_characters="'\n\r"), max_size=6).map(lambda text: f"'{text}'"),
    st.text(max_size=6).map(lambda text: f"'{text}'"),
    st.lists(st.integers(-3, 200) | st.decimals(0, 9, places=1), max_size=4).map(
        lambda numbers: "[" + ", ".join(map(str, numbers)) + "]"
    ),
    st.lists(st.text("p12 cbrf#,\\'\"", max_size=8), max_size=4).map(
        lambda texts: "[" + ", ".join(f"'{text}'" for text in texts) + "]"
    ),
    st.times().map(str),
    st.sampled_from(ODD_VALUES),
)
KEYS = st.sampled_from(["variant", "antes", "hand", "_x", "a b", "", "ä", "'q'", "a.b"])
LINES = st.tuples(
    KEYS, st.sampled_from([" = ", "=", " =  ", " "]), VALUES, st.sampled_from(["", " ", " # x", "\t"])
)


def toml(text: str) -> object:
    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError:
        return None


@settings(max_examples=100)
@given(st.lists(LINES.map("".join) | st.sampled_from(["", "# remark"]), max_size=4).map("\n".join))
def test_the_quick_reader_is_toml_or_does_not_answer(text: str) -> None:
    found = quick(text)
    if found is not None:
        assert found == toml(text)
        assert all(type(found[key]) is type(toml(text)[key]) for key in found)


HAND = """variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 50, 30]
actions = ['d dh p1 AhKh', 'd dh p2 QcQd', 'd dh p3 2c3c', 'p3 f', 'p1 f']
"""


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace(" = ", "="),
        lambda text: text.replace("'", '"'),
        lambda text: text.replace(", 'p1", ",\n  'p1").replace("f']", "f',\n]"),
        lambda text: "# a remark\n" + text + "author = '''two\nlines'''\n",
        lambda text: text.replace("50", "5_0").replace("100", "1e2"),
    ],
)
def test_a_hand_may_be_written_in_any_way_that_toml_has(change: Callable[[str], str]) -> None:
    assert alike(read(change(HAND)), read(HAND))
    assert alike(read(change(f"[1]\n{HAND}\n[2]\n{HAND}")), read(f"[1]\n{HAND}\n[2]\n{HAND}"))


# Money, results, rake


@pytest.mark.parametrize("header", ["[ 2 ]", "[2]#", '["2"]', "", "#", "[2][2]", ":[2", "[|2]"])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("field", ["variant", "varianvariant", "va riant"])
def test_no_hand_is_lost_to_the_header_of_another(header: str, place: int, field: str) -> None:
    """A header may be written in any way that TOML has; a broken one costs its own hand at most, by name."""
    parts = re.split(r"(?m)^\[\d+\]\n", written(recorded(find_game("nolimit"), 3, 3)))[1:]
    texts = [f"[{number + 1}]\n{part}" for number, part in enumerate(parts)]
    texts[place] = f"{header}\n{parts[place].replace('variant', field, 1)}"
    account = Account()
    found = read("".join(texts), account)
    whole = read(written(recorded(find_game("nolimit"), 3, 3)))
    lost = [
        number
        for number in range(3)
        if not any(alike(whole[[number]], found[[k]]) for k in range(len(found)))
    ]
    assert set(lost) <= {place}
    assert len(found) + account.skipped >= 3
    if field == "variant" and header not in ("[2][2]", ":[2", "[|2]"):
        assert lost == []


def changed(**fields: object) -> str:
    """The hand with other fields."""
    texts = {key: repr(value) for key, value in (by_toml(HAND) | fields).items()}
    lines = [
        f"{key} = {text.lower() if text in ('True', 'False') else text}\n" for key, text in texts.items()
    ]
    return "".join(lines)


@needs_data
def test_all_cash_hands_are_read_with_their_rake() -> None:
    account = Account()
    (block,) = phh.read(next(sources(DATA / "handhq")), account)
    assert len(playable(block, account)) == 991
    assert (account.hands, account.skipped) == (991, 0)
    scored = block.rows["scored"]
    assert int((scored == RECORDED).sum()) == 294  # 780 have winnings, 486 of which say nobody won anything
    assert int((scored == INFERRED).sum()) == account.inferred == 111
    assert (account.checked, account.raked) == (294, 123)
    assert int(block.rows["rake"].sum()) == 1785  # cents
    # One winner collected ten cents more than all bets: somebody posted a small blind that is not told.
    differing = {one.where for one in account.differing}
    assert [block[k].number for k in range(991) if block.where(k) in differing] == [59937870540]
    assert {(terms.chip, terms.currency) for terms in block.terms} == {(Fraction(1, 100), "$")}
    kept = [hand._replace(net=None, rake=0) if hand.number == 59937870540 else hand for hand in block]
    assert [hand._replace(line=0) for hand in read(written(block))] == [
        hand._replace(line=0) for hand in kept
    ]


@needs_data
def test_late_posts_and_single_blinds_of_the_cash_hands() -> None:
    (block,) = phh.read(next(sources(DATA / "handhq")), Account())
    posted: Counter[int] = Counter()
    for hand in block:
        game = hand.terms.game
        posted[sum(blind > 0 for blind in game.blinds)] += 1
        assert game.first == ((2 % game.seats if game.seats > 2 else 1) if game.blinds[1] else 1, 0, 0, 0)
    assert posted == {2: 991 - 46 - 2, 3: 45, 4: 1, 1: 2}


def test_what_was_collected_is_the_result_and_the_rest_is_rake() -> None:
    raised = ["p3 cbr 6", "p1 f", "p2 cc", "d db 2h3h4s", "p2 cbr 20", "p3 f"]
    text = changed(
        actions=[*by_toml(HAND)["actions"][:3], *raised], winnings=[0, "12", 0], currency_symbol="$"
    )
    block = read(text.replace("'12'", "12.50"))
    assert [parts / PARTS for parts in block[0].net] == [-100, 650, -600]  # 12.50 less the 6 put in, in cents
    assert block[0].rake == 50
    assert block[0].terms == replace(block[0].terms, chip=Fraction(1, 100), currency="$")


POT_OF_40 = [*["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 19", "p1 f", "p2 cc"], "d db 2c3c4c"]


@pytest.mark.parametrize(("rake", "repaired"), [(0, 1), (6, 1), (7, 0)])
def test_rake_may_be_missing_from_winnings_with_a_bet_that_came_back(rake: int, repaired: int) -> None:
    account = Account()
    told = [*POT_OF_40, "p2 cbr 20", "p3 f"]
    hand = read(changed(actions=told, blinds_or_straddles=[2, 2, 0], winnings=[0, 60 - rake, 0]), account)[0]
    assert account.repaired.total() == repaired
    if repaired:
        assert (hand.net[1], hand.rake) == (PARTS * (21 - rake), rake)


RAISED = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 20", "p1 f", "p2 f"]
"""Blinds of 1 and 2 fold to a raise to 20: a pot of 5, of which 18 that nobody called went back."""


@pytest.mark.parametrize(
    ("winnings", "net", "repaired"),
    [
        ([0, 0, 5], (-1, -2, 3), 0),
        ([0, 0, 23], (-1, -2, 3), 1),  # with the bet that came back
        ([0, 0, 4], (-1, -2, 2), 0),
    ],
)
def test_a_bet_that_came_back_is_counted_once(
    winnings: list[int], net: tuple[int, ...], repaired: int
) -> None:
    account = Account()
    hand = read(changed(actions=RAISED, winnings=winnings), account)[0]
    assert hand.net == tuple(PARTS * chips for chips in net)
    assert hand.rake == -sum(net)
    assert account.repaired.total() == repaired
    assert (account.checked, account.differing) == (1, [])


@pytest.mark.parametrize("winnings", [[0, 0, 9], [0, 0, 24], [18, 0, 5], [0, 23, 0]])
def test_winnings_beyond_the_pot_that_nothing_explains_are_not_repaired(winnings: list[int]) -> None:
    account = Account()
    read(changed(actions=RAISED, winnings=winnings), account)
    assert account.repaired.total() == 0
    assert len(account.differing) == 1


@pytest.mark.parametrize(("winnings", "net"), [([0, 0, 0], None), ([0, 2, 0], (-1, 1, 0))])
def test_winnings_of_nothing_are_no_result(winnings: list[int], net: tuple[int, ...] | None) -> None:
    hand = read(changed(winnings=winnings))[0]
    assert hand.net == (None if net is None else tuple(PARTS * chips for chips in net))


def test_finishing_stacks_are_the_result() -> None:
    account = Account()
    hand = read(changed(finishing_stacks=[99, 51, 30]), account)[0]
    assert hand.net == (-PARTS, PARTS, 0)
    assert account.checked == 1
    read(changed(finishing_stacks=[99, 53, 30]), account)
    assert len(account.differing) == 1


def test_amounts_decide_what_a_chip_is() -> None:
    for stacks, chip in ((["100", 50, 30], 1), (["100.5", 50, 30], 100), (["100.125", 50, 30], 1000)):
        text = changed(starting_stacks=stacks).replace(f"'{stacks[0]}'", str(stacks[0]))
        hand = read(text)[0]
        assert hand.terms.chip == Fraction(1, chip)
        assert hand.stacks[0] == Fraction(stacks[0]) * chip
        assert hand.terms.game.blinds == (chip, 2 * chip, 0)
    assert read(changed(starting_stacks="@").replace("'@'", "[inf, inf, 30]"))[0].stacks == (
        UNLIMITED,
    ) * 2 + (30,)


def test_everything_else_that_is_told() -> None:
    about = {"hand": 7, "table": "Wien", "players": ["a", "b", "c"], "year": 2009, "month": 7, "day": 1}
    hand = read(changed(**about) + f"time = {time(0, 1, 46)}\n")[0]
    assert (hand.number, hand.table, hand.names, hand.time) == (7, "Wien", ("a", "b", "c"), 1_246_406_506)
    bare = read(changed(hand="final"))[0]
    assert (bare.number, bare.table, bare.names, bare.time) == (-1, "", ("p1", "p2", "p3"), -1)


def test_heads_up_the_first_player_is_the_big_blind() -> None:
    told = ["d dh p1 AhKh", "d dh p2 QcQd", "p2 cc", "p1 cc", "d db 2c3c4c", "p1 cbr 4", "p2 f"]
    text = changed(antes=[0, 0], blinds_or_straddles=[1, 2], starting_stacks=[100, 50], actions=told)
    game = read(text)[0].terms.game
    assert (game.blinds, game.first) == ((2, 1), (1, 0, 0, 0))
    assert nets(replace_net(read(text))) == [payoffs(text)]


def replace_net(block: Hands) -> Hands:
    """The same hands with the results that our rules give."""
    rows = block.rows.copy()
    rows["net"], rows["scored"] = replay_results(block).net, 1
    return replace(block, rows=rows)


@pytest.mark.parametrize(
    ("antes", "trimmed", "paid", "dead"),
    [
        ([3, 3, 3], True, (3, 3, 3), ()),
        ([3, 3, 3], False, (3, 3, 3), ()),
        ([0, 6, 0], False, (), (0, 6, 0)),
        ([0, 6, 0], True, (), ()),
        ([9, 6, 6], True, (6, 6, 6), ()),
        ([9, 6, 2], False, (2, 2, 2), (7, 4, 0)),
    ],
)
def test_antes_mean_what_they_mean_to_pokerkit(
    antes: list[int], trimmed: bool, paid: tuple[int, ...], dead: tuple[int, ...]
) -> None:
    text = changed(ante_trimming_status=trimmed, antes=antes)
    game = read(text)[0].terms.game
    assert (game.antes, game.dead) == (paid, dead)
    assert nets(replace_net(read(text))) == [payoffs(text)]


@pytest.mark.parametrize(
    ("antes", "trimmed", "paid", "dead"),
    [([40, 40, 30], True, (40, 40, 40), ()), ([1, 1, 30], False, (1, 1, 1), (0, 0, 29))],
)
def test_an_ante_may_take_a_whole_stack(
    antes: list[int], trimmed: bool, paid: tuple[int, ...], dead: tuple[int, ...]
) -> None:
    """The last one has 30 chips, and no decision."""
    shown = ["p1 f", "p2 sm QcQd", "p3 sm 2c3c", "d db 2h3h4s", "d db 7s", "d db 8s"]
    text = changed(ante_trimming_status=trimmed, antes=antes, actions=[*DEALT, *shown])
    game = read(text)[0].terms.game
    assert (game.antes, game.dead) == (paid, dead)
    assert nets(replace_net(read(text))) == [payoffs(text)]
    assert alike(read(written(read(text))), read(text))


def test_shown_cards_are_known() -> None:
    told = ["d dh p1 ????", "d dh p2 QcQd", "d dh p3 ????", "p3 f # tired", "p1 cc", "p2 cc", "d db 2h3h4s"]
    told += [
        "p1 cc",
        "p2 cc",
        "# thinks",
        "d db 5s",
        "p1 cc",
        "p2 cc",
        "d db 6s",
        "p1 cc",
        "p2 cc",
        "p1 sm AhKh",
    ]
    hand = read(changed(actions=told))[0]
    assert hand.hole == (tuple(cards("AhKh")), tuple(cards("QcQd")), (-1, -1))
    assert hand.board == tuple(cards("2h3h4s5s6s"))
    hidden = read(changed(actions=[*told[:-1], "p1 sm ????", "p2 sm"]))[0]
    assert hidden.hole[0] == (-1, -1)
    assert hidden.hole[1] == tuple(cards("QcQd"))


def test_of_a_given_game_the_rule_book_is_taken() -> None:
    book = find_game("limit")
    game = read(HAND, game=book)[0].terms.game
    assert (game.max_raises, game.reopening) == (book.max_raises, book.reopening)
    assert game.blinds == (1, 2, 0)


def test_a_stack_without_limit_is_infinite_and_comes_back() -> None:
    block = recorded(find_game("limit"), 3, 20)
    text = written(block)
    assert "2147483647" not in text
    assert "starting_stacks = [inf, inf]" in text
    again = read(text)
    assert alike(again, block)
    assert again.rows["stack"][:, :2].min() == UNLIMITED


# What cannot be read

DEALT = ["d dh p1 AhKh", "d dh p2 QcQd", "d dh p3 2c3c"]


STUD = """\
variant = 'F7S'
antes = [1, 1]
bring_in = 1
small_bet = 2
big_bet = 4
starting_stacks = [50, 50]
actions = ['d dh p1 ????As', 'd dh p2 ????2c', 'p2 pb', 'p1 cbr 2', 'p2 f']
"""
GAME_OF_NO_WORTH = '{"game":{"name":"x","blinds":[1,2,0]},"chip":"1e999999999","currency":""}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (changed(variant="PO"), "pot-limit Omaha is not supported: expected variant FT or NT, got 'PO'"),
        (changed(variant="F7S/8"), "fixed-limit seven-card stud high/low is not supported"),
        (changed(variant="XX"), "expected variant FT or NT, got 'XX'"),
        (HAND.replace("min_bet", "least"), "expected an amount as min_bet, got None"),
        (changed(starting_stacks=[100, 50]), "expected 2 antes, one per stack, got 3"),
        (changed(starting_stacks="many"), "expected a list of amounts as starting_stacks, got 'many'"),
        (changed(actions="none"), "expected a list of strings as actions, got 'none'"),
        (changed(actions=["p1 x"]), "expected an action such as 'd dh p1 AhKd'"),
        (changed(actions=["d dh p1 AhKx"]), "got 'd dh p1 AhKx'"),
        (changed(actions=["p9 f"]), "expected a player from p1 to p3, got 'p9 f'"),
        (changed(actions=["p3 cbr 1.x"]), "expected an amount, got '1.x'"),
        (changed(actions=["p3 cbr 0"]), "expected a raise with an amount, got 'p3 cbr 0'"),
        (changed(actions=["d dh p1 AhKh2c"]), "expected two hole cards per seat, got 3 for p1"),
        (changed(actions=["d db 2c3c4c", "d db 5c6c7c"]), "expected one board of five cards, got 6"),
        (changed(actions=[*DEALT, "p2 f"]), "action 1: expected p3 to act, got p2"),
        (changed(actions=[*DEALT, "p3 cbr 3", "p1 f", "p2 f"]), "raise to 4 up to 30, got raise to 3"),
        (changed(actions=[*DEALT, "p3 f"]), "the betting stops after 1 actions"),
        (changed(players=["a", "b"]), "expected 3 players, one per stack, got 2"),
        (changed(finishing_stacks=[1, 2]), "expected 3 finishing_stacks, one per stack, got 2"),
        (changed(blinds_or_straddles=[0, 0, 0]), "expected a blind of at least one chip"),
        (changed(antes=[60, 1, 1], ante_trimming_status=False, starting_stacks=[50, 50, 50]), "untrimmed"),
        (changed(antes=[0, 0, 30], ante_trimming_status=False), "untrimmed"),
        (changed(antes=[9, 6, 2]), "trimmed antes must be the same for every seat, got (9, 6, 2)"),
        (changed(antes=[-1, 0, 0]), "antes must not be negative"),
        (changed(year=2009, month=13, day=1), "expected a date, got year 2009, month 13, day 1"),
        (changed(_holdmem_game="{}"), "_holdmem_game: expected game, chip and currency as JSON"),
        (HAND + "hand = = 3\n", "expected TOML, got"),
        (STUD, "fixed-limit seven-card stud is not supported: expected variant FT or NT, got 'F7S'"),
        (re.sub("actions = .*", "", HAND), "expected a list of strings as actions, got None"),
        (changed(actions=[1, 2]), "expected a list of strings as actions, got [1, 2]"),
        (changed(variant=["NT"]), "expected variant FT or NT, got ['NT']"),
        (changed(min_bet=[2]), "expected an amount as min_bet, got [2]"),
        (changed(min_bet=True), "expected an amount as min_bet, got True"),
        (changed(starting_stacks=[]), "expected 2 to 10 starting_stacks, got 0"),
        (changed(starting_stacks=[100]), "expected 2 to 10 starting_stacks, got 1"),
        (changed(starting_stacks=[100] * 11), "expected 2 to 10 starting_stacks, got 11"),
        (changed(starting_stacks=[100, 2**70, 100]), "got 1180591620717411303424"),
        (HAND.replace("[100, 50, 30]", "[true, 50, 30]"), "expected a list of amounts as starting_stacks"),
        (HAND.replace("[100, 50, 30]", "[100, 1e3000000, 30]"), "expected an amount, got '1e3000000'"),
        (HAND.replace("[100, 50, 30]", "[100, 1e-3000000, 30]"), "expected an amount, got '1e-3000000'"),
        (HAND.replace("[100, 50, 30]", "[100, 50.0000000001, 30]"), "at most 9 decimals, got 10"),
        (HAND.replace("[100, 50, 30]", "[100, nan, 30]"), "expected an amount, got 'nan'"),
        (changed(actions=["p3 cbr 1e3000000"]), "expected an amount, got '1e3000000'"),
        (changed(actions=["p3 cbr sNaN"]), "expected an amount, got 'sNaN'"),
        (changed(winnings=[0, 2**80, 0]), "amount out of range"),
        (HAND + "winnings = [0, 1e3000000, 0]\n", "expected an amount, got '1e3000000'"),
        (HAND + "winnings = [0, inf, 0]\n", "expected an amount, got 'inf'"),
        (changed(players=[1, 2, 3]), "expected a list of strings as players"),
        (changed(_holdmem_game=GAME_OF_NO_WORTH), "expected the value of a chip"),
        (HAND + "hand = 3\nhand = 4\n", "expected TOML, got"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_is_read(text: str, reason: str) -> None:
    account = Account()
    block = read(f"[1]\n{HAND}\n[2]\n{text}\n[3]\n{HAND}", account)
    assert len(block) == 2
    assert [unread.where for unread in account.unread] == ["a.phhs:10"]
    assert reason in account.unread[0].reason


def test_a_byte_that_is_no_text_spoils_one_hand() -> None:
    account = Account()
    raw = f"[1]\n{HAND}\n[2]\n{HAND}players = ['a', 'b', '@']\n\n[3]\n{HAND}".encode().replace(b"@", b"\xff")
    (hands,) = phh.read(Source("a.phhs", lambda: raw), account)
    assert hands.rows["line"].tolist() == [1, 20]
    assert [str(one) for one in account.unread] == ["a.phhs:10: expected UTF-8, got the byte 0xff"]


def test_bytes_that_are_no_text_are_named() -> None:
    account = Account()
    assert list(phh.read(Source("a.phh", lambda: b"\xff\xfe"), account)) == []
    assert "expected UTF-8" in str(account.unread[0])


def test_a_foreign_game_field_is_refused() -> None:
    text = written(recorded(find_game("limit"), 1)[:1], one=True)
    account = Account()
    read(text.replace("blinds_or_straddles = [5, 10]", "blinds_or_straddles = [4, 8]"), account)
    assert "expected _holdmem_game with the blinds (8, 4)" in account.unread[0].reason


def test_files_are_recognised_by_name_or_content() -> None:
    assert phh.looks_like(Source("a/b.phh", bytes), b"")
    assert phh.looks_like(Source("a.txt", bytes), b"# x\nvariant = 'NT'\n")
    assert not phh.looks_like(Source("a.txt", bytes), b"STATE:0:cc")


def test_a_straddle_does_not_change_the_least_bet() -> None:
    told = [
        "d dh p1 ????",
        "d dh p2 ????",
        "d dh p3 ????",
        "d dh p4 AhKh",
        "p4 cbr 6",
        "p1 f",
        "p2 f",
        "p3 cc",
    ]
    told += ["d db 2c3c4c", "p3 cbr 2", "p4 f"]
    text = changed(antes=[0] * 4, blinds_or_straddles=[1, 2, 4, 0], starting_stacks=[100] * 4, actions=told)
    assert nets(replace_net(read(text))) == [payoffs(text)]


# Showdowns without a recorded result


def mucked(hand: RecordedHand, mucking: set[int]) -> str:
    """The hand as a site writes it that records no result: only those who win something show their cards."""
    text = written(single(hand))
    text = re.sub(r"finishing_stacks = .*\n", "", text)
    text = re.sub(r"'d dh (p\d+) \w+'", r"'d dh \1 ????'", text)
    text = re.sub(r", 'p\d+ sm[^']*'", "", text)
    live = [seat for seat in range(len(hand.names)) if seat in showing(hand)]
    shown = {seat: "????" if seat in mucking else names(hand.hole[seat]) for seat in live}
    ends = "".join(f", 'p{seat + 1} sm {cards}'" for seat, cards in shown.items())
    return re.sub(r"(actions = \[.*)\]", rf"\1{ends}]", text)


def single(hand: RecordedHand) -> Hands:
    builder = HandsBuilder()
    builder.add(hand)
    return builder.take()


def showing(hand: RecordedHand) -> set[int]:
    """The seats at showdown."""
    mask = int(replay_results(single(hand)).shown[0])
    return {seat for seat in range(len(hand.names)) if mask >> seat & 1}


@settings(max_examples=40)
@given(hands(games().map(sayable), count=3), st.data())
def test_mucked_hands_lose_to_those_shown(block: Hands, data: st.DataObject) -> None:
    """Whoever wins nothing may muck: the result is the one with all cards known."""
    for hand in block:
        live, told = showing(hand), replay_hand(hand)
        won = collected(told)
        assert won is not None
        losers = [seat for seat in live if won[seat] == 0]
        mucking = set(data.draw(st.lists(st.sampled_from(losers)))) if losers else set()
        found = read(mucked(hand, mucking))
        assert bool(found.rows["scored"][0] == INFERRED) == bool(mucking)
        net, known = replay_results(found).results(found)
        assert known.all()
        assert net[0, : len(hand.names)].tolist() == list(hand.net or ())


SIDE_POT = """[1]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [10, 50, 80]
actions = ['d dh p1 ????', 'd dh p2 {dealt}', 'd dh p3 ????', 'p3 cbr 80', 'p1 cc', 'p2 cc', \
'd db 2c3d4h', 'd db 9s', 'd db Th', 'p1 sm {one}', 'p2 sm {two}', 'p3 sm {three}']
players = ['ann', 'bob', 'cy']
"""


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        # The main pot has 30 chips, the side pot 80, and 30 return to the last player.
        ({"one": "AsAd", "two": "KsKd", "three": "????"}, (20, 30, -50)),
        ({"one": "????", "two": "KsKd", "three": "????"}, (-10, 60, -50)),
        ({"one": "????", "two": "????", "three": "QsQd"}, (-10, -50, 60)),
        ({"one": "AsAd", "two": "????", "three": "????"}, None),  # nobody shows for the side pot
        ({"one": "????", "two": "????", "three": "????"}, None),
        ({"one": "????", "two": "????", "three": "????", "dealt": "KsKd"}, None),  # known, but not shown
        ({"one": "AsAd", "two": "KsKd", "three": "QsQd"}, (20, 30, -50)),  # computed, not inferred
    ],
)
def test_a_side_pot_for_which_nobody_shows_is_left_open(
    cards: dict[str, str], net: tuple[int, ...] | None
) -> None:
    account = Account()
    found = read(SIDE_POT.replace("\\\n", "").format(**({"dealt": "????"} | cards)), account)
    result, known = replay_results(found).results(found)
    assert bool(known[0]) == (net is not None)
    if net is not None:
        assert result[0, :3].tolist() == [PARTS * chips for chips in net]
    assert account.inferred == (net is not None and "????" in cards.values())
    again = from_frame(to_frame(found), "stored")
    assert [hand.inferred for hand in again] == [bool(account.inferred)]


# The compiled reader


def both_ways(data: bytes) -> tuple[list[Any], list[Any]]:
    """All that the compiled and the careful reader find in a file: hands, and what they say about others."""
    found: list[list[Any]] = []
    for way in (phh.read, phh.read_carefully):
        account = Account()
        blocks = list(way(Source("a.phhs", lambda: data), account))
        hands = list(join(blocks)) if blocks else []
        found.append([hands, account.as_json(), account.unread, account.repairs])
    return found[0], found[1]


PLAIN = """[1]
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [100, 49.50, inf]
actions = ['d dh p1 ????', 'd dh p2 AhKd', 'd dh p3 ????', 'p3 cbr 3.50', 'p1 f', 'p2 cc', 'd db 2c3d4h', \
'p2 cc', 'p3 cc', 'd db 5s', 'p2 cbr 4', 'p3 cc', 'd db 9h', 'p2 cc', 'p3 cc', 'p2 sm AhKd', 'p3 sm QsQc']
venue = 'Somewhere'
time = 12:30:01
day = 1
month = 7
year = 2009
hand = 59937797066
table = 'A'
players = ['ann', 'bob', 'cy']
winnings = [0, 0, 14.50]
currency_symbol = '$'
time_zone_abbreviation = 'ET'

[2]
variant = 'FT'
antes = [1, 1]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 2000]
actions = ['d dh p1 7c2d', 'd dh p2 ????', 'p2 cbr 20', 'p1 f']
hand = 'R5-1'
players = ['dee', 'ann']
finishing_stacks = [989, 2011]

"""
DAMAGE = [*b"\n\r \t'\"[]=,.#-?0159apdfx\x00\x7f\xc3\xa9\xff", *map(ord, "cs")]


@given(st.lists(st.tuples(st.integers(0, len(PLAIN)), st.sampled_from(DAMAGE), st.booleans()), max_size=4))
@settings(max_examples=150)
def test_the_compiled_reader_is_the_careful_one_on_damaged_files(
    edits: list[tuple[int, int, bool]],
) -> None:
    data = bytearray(PLAIN.replace("\\\n", "").encode())
    for place, byte, insert in edits:
        data[place : place + (not insert)] = bytes([byte])
    compiled, careful = both_ways(bytes(data))
    assert compiled == careful


def test_the_compiled_reader_takes_the_usual_hands() -> None:
    """Otherwise the comparison with the careful reader would be empty."""
    data = PLAIN.replace("\\\n", "").encode()
    pieces = list(phh_fast.read_pieces(data, "a.phhs", None) or ())
    assert [len(piece.columns.hands) for piece in pieces] == [2]
    assert not pieces[0].left


@needs_data
def test_the_compiled_reader_is_the_careful_one_on_real_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """All fields of every hand, in several pieces."""
    data = (DATA / "handhq" / "pokerstars-25nl.phhs").read_bytes()
    monkeypatch.setattr(phh_fast, "BLOCK", 300)
    compiled, careful = both_ways(data)
    assert compiled == careful
    assert len(compiled[0]) == 991
