"""Readers of sites' formats: the same hands told by each, damage, duplicates, other games; OHH both ways."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.cards import cards
from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.engine import PARTS, Game
from holdmem.history import Hands, HandsBuilder, RecordedHand, read_hands, write_hands
from holdmem.history.archives import Source
from holdmem.history.formats import FORMATS, ohh, pokernow
from holdmem.history.formats.ohh_fields import OURS
from holdmem.history.formats.pokerstars import read_hand as read_stars
from holdmem.history.formats.text_lines import plain_number
from holdmem.history.sources import Account, playable
from pokerstars_games import NAMES, hand_of, plain, stars_games
from pokerstars_hands import READABLE
from pokerstars_odd_hands import ODD
from site_hands import HANDS, SITES, Told

ALL = {
    **{name: site.text() for name, site in SITES.items()},
    "pokerstars": READABLE["play money, a walk"].text,
}


def read(name: str, text: str) -> tuple[list[RecordedHand], Account]:
    """All hands of a text, as far as the engine allows them."""
    account = Account()
    source = Source("file", text.encode)
    blocks = [playable(block, account) for block in FORMATS[name].read(source, account, None)]
    return [hand for block in blocks for hand in block], account


def in_order(name: str, hands: list[RecordedHand]) -> list[RecordedHand]:
    return hands[::-1] if name == "pokernow" else hands


# Laws


@pytest.mark.parametrize("name", ALL)
def test_a_file_is_of_one_format_only(name: str) -> None:
    source = Source("file", lambda: b"")
    head = ALL[name].encode()[:4096]
    assert [other for other, format in FORMATS.items() if format.looks_like(source, head)] == [name]


@pytest.mark.parametrize("name", SITES)
def test_every_hand_is_read_settled_and_its_nets_sum_to_minus_the_rake(name: str) -> None:
    hands, account = read(name, SITES[name].text())
    assert (account.unread, account.differing) == ([], [])
    assert account.checked == len(hands) == 3
    assert [sum(hand.net or ()) for hand in hands] == [-PARTS * hand.rake for hand in hands]


@pytest.mark.parametrize("name", SITES)
@pytest.mark.parametrize("place", range(3))
def test_one_hand_is_the_same_hand_at_every_site(name: str, place: int) -> None:
    hand, told = in_order(name, read(name, SITES[name].text())[0])[place], HANDS[place]
    names = tuple(one.partition(" @ ")[0] for one in hand.names)
    assert (names, hand.stacks, hand.betting) == (told.names, told.stacks, told.betting)
    assert hand.board == tuple(cards(told.board))
    assert {who: two for who, two in zip(names, hand.hole, strict=True) if -1 not in two} == _shown(told)
    if SITES[name].raked:
        assert (hand.net, hand.rake) == (tuple(PARTS * chips for chips in told.net), told.rake)
    else:
        assert hand.rake == 0
    assert hand.terms.game.name == f"{name}.nolimit.3p"


def _shown(told: Told) -> dict[str, tuple[int, ...]]:
    return {who: tuple(cards(two)) for who, two in told.shown.items()}


@pytest.mark.parametrize("name", SITES)
def test_hands_have_a_time_and_are_known_by_site_and_number(name: str, tmp_path: Path) -> None:
    for copy in ("a", "b"):
        (tmp_path / copy).write_text(SITES[name].text(), encoding="utf-8")
    reading = read_hands(tmp_path)
    hands = [hand for block in reading for hand in block]
    assert len(hands) == len({(hand.site, hand.number) for hand in hands}) == 3
    assert reading.account.duplicates == {"read before": 3}
    assert sorted(hand.time for hand in hands) == [1741119300, 1741119360, 1741119420]


@pytest.mark.parametrize("name", SITES)
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("cut", [0.0, 0.2, 0.5, 0.8])
def test_a_damaged_hand_is_named_and_its_neighbours_are_read(name: str, place: int, cut: float) -> None:
    site = SITES[name]
    whole, _ = read(name, site.text())
    lines = site.hands[place].splitlines(keepends=True)
    at = int(cut * len(lines))
    lines[at] = "x" * len(lines[at].rstrip()) + "\n"
    damaged = "".join(lines)
    hands, account = read(name, site.text((*site.hands[:place], damaged, *site.hands[place + 1 :])))
    kept = [hand._replace(line=0) for hand in hands]
    others = [hand._replace(line=0) for other, hand in enumerate(whole) if other != place]
    assert [hand for hand in kept if hand in others] == others
    assert account.skipped or len(hands) == 3


@settings(max_examples=60)
@given(st.sampled_from(sorted(SITES)), st.data())
def test_damage_is_never_a_crash(name: str, data: st.DataObject) -> None:
    """Bytes cut out or changed: hands are read or named, and what is read is playable."""
    text = bytearray(SITES[name].text().encode())
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text) - 1))
        text[begin : begin + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
    hands, account = read(name, text.decode(errors="replace"))
    assert account.hands == len(hands)
    assert all(sum(hand.net) <= 0 for hand in hands if hand.net is not None)


OTHER_GAMES = {
    "ohh": ('"Holdem"', '"Omaha"', "got Omaha NL"),
    "ggpoker": ("Hold'em No Limit", "PLO", "got 'PLO ($0.5/$1)"),
    "winamax": ("Holdem no limit", "Omaha pot limit", "got 'Omaha pot limit'"),
    "888": ("No Limit Holdem", "Pot Limit Omaha", "got Pot Limit Omaha"),
    "partypoker": ("NL Texas Hold'em", "PL Omaha", "PL Omaha"),
    "ipoker": ("Holdem NL", "Omaha PL", "got 'Omaha PL"),
    "pokernow": ("No Limit Texas Hold'em", "Pot Limit Omaha Hi", "got 'Pot Limit Omaha Hi'"),
}


@pytest.mark.parametrize("name", SITES)
def test_other_games_are_refused_by_name(name: str) -> None:
    ours, other, reason = OTHER_GAMES[name]
    hands, account = read(name, SITES[name].text().replace(ours, other))
    assert hands == []
    assert account.reasons == {"a game other than limit or no-limit hold'em": 3}
    assert reason in account.unread[0].reason


# What single sites do


def test_money_that_the_house_adds_and_pots_that_do_not_add_up_are_refused() -> None:
    first = SITES["ggpoker"].hands[0]
    _, account = read("ggpoker", first.replace("*** HOLE", "Cash Drop to Pot : total $5\n*** HOLE"))
    assert list(account.reasons) == ["a pot to which the house added money"]
    _, account = read("ggpoker", first.replace("collected $25.2 ", "collected $25.7 "))
    assert list(account.reasons) == ["a pot that does not add up"]


def test_rounded_fees_are_the_rake_that_is_missing() -> None:
    first = SITES["ggpoker"].hands[0].replace("Jackpot $0.3 ", "Jackpot $0.31 ")
    (hand,), _ = read("ggpoker", first)
    assert hand.rake == 130


def test_an_action_out_of_turn_is_refused_and_a_wrong_button_corrected() -> None:
    first = SITES["winamax"].hands[0]
    _, account = read(
        "winamax", first.replace("Villain 2 checks\nHero bets 4€", "Hero bets 4€\nVillain 2 checks")
    )
    assert list(account.reasons) == ["an action out of turn"]
    (hand,), _ = read("winamax", first.replace("Seat #1 is", "Seat #5 is"))
    assert hand.names == ("Villain 1", "Villain 2", "Hero")


def test_posts_that_partypoker_does_not_list_in_tournaments() -> None:
    text = SITES["partypoker"].hands[1].replace(" USD", "").replace("$", "")
    text = text.replace(
        "0.50/1 NL Texas Hold'em", "NL Texas Hold'em 5 Buy-in Trny: 7 Level: 1 Blinds-Antes(1/2 -1)"
    )
    for old, new in (("112.20", "112"), ("2.50", "5"), ("raises [8]", "raises [16]"), ("6.50", "13")):
        text = text.replace(old, new)
    text = text.replace(
        "Villain 2 posts small blind [0.50].\nHero posts big blind [1].", "Blinds-Antes(1/2 -1)"
    )
    text = text.replace("calls [13]", "calls [13]").replace("wins 27.60", "wins 50 chips")
    (hand,), account = read("partypoker", text)
    assert (account.unread, account.differing) == ([], [])
    assert (hand.terms.game.blinds, hand.terms.game.antes) == ((1, 2, 0), (1, 1, 1))
    assert hand.net == (-2 * PARTS, 21 * PARTS, -19 * PARTS)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$1,550", "1550"),
        ("1.550 $", "1550"),
        ("$2,50", "2.50"),
        ("1 550,5 €", "1550.5"),
        ("€0.05 EUR", "0.05"),
    ],
)
def test_amounts_as_people_write_them(text: str, number: str) -> None:
    assert plain_number(text) == number


def test_an_amount_that_is_none() -> None:
    with pytest.raises(ValueError, match="expected an amount"):
        plain_number("1.2.3")


# Open Hand History, there and back


def written(hands: list[RecordedHand], **how: str) -> str:
    builder, out = HandsBuilder(), io.StringIO()
    for hand in hands:
        builder.add(hand)
    assert ohh.write([builder.take()], out, **how) == len(hands)
    return out.getvalue()


def same(hand: RecordedHand) -> RecordedHand:
    """A hand without the name of its game and its line."""
    game = replace(hand.terms.game, name="", stacks=())
    return hand._replace(terms=replace(hand.terms, game=game), line=0)


@settings(max_examples=60)
@given(stars_games(), st.integers(0, 2**32 - 1), NAMES, st.booleans())
def test_our_hands_there_and_back(game: Game, seed: int, names: list[str], money: bool) -> None:
    hand = hand_of(game, seed, names, money)
    found, account = read("ohh", written([hand]))
    assert (account.unread, account.differing) == ([], [])
    assert [plain(same(one)) for one in found] == [plain(same(hand))]


def test_pokerstars_hands_there_and_back() -> None:
    """Rake, currency, dates, straddles, late posts, side pots, two boards: nothing is lost."""
    hands, _ = read("pokerstars", "\n\n\n".join(sample.text for sample in (READABLE | ODD).values()))
    again, account = read("ohh", written(hands))
    assert (account.unread, account.differing) == ([], [])
    assert [same(hand) for hand in again] == [same(hand) for hand in hands]


def test_our_own_field_only_where_it_is_needed() -> None:
    hands, _ = read("ohh", SITES["ohh"].text())
    assert OURS not in written(hands)
    straddled = read_stars(READABLE["a straddle acts last"].text.splitlines())
    assert '"action":"Straddle"' in written([straddled])


def test_only_the_hero_s_cards_on_demand() -> None:
    hands, _ = read("ohh", SITES["ohh"].text())
    told = [json.loads(line)["ohh"] for line in written(hands, hero="Hero").splitlines() if line]
    dealt = [action for action in told[2]["rounds"][0]["actions"] if action["action"] == "Dealt Cards"]
    assert [(action["player_id"], action["cards"]) for action in dealt] == [(0, ["Kc", "Kd"])]
    assert [hand["hero_player_id"] for hand in told] == [2, 1, 0]


def test_what_open_hand_history_cannot_say_is_refused() -> None:
    hand = read("ohh", SITES["ohh"].text())[0][0]
    with pytest.raises(NotationError, match="names must be distinct"):
        written([hand._replace(names=("a", "a", "b"))])


@pytest.mark.parametrize(
    ("layout", "hands"),
    [
        (lambda objects: "\n".join(map(json.dumps, objects)), 3),
        (lambda objects: " ".join(map(json.dumps, objects)), 3),
        (lambda objects: json.dumps(objects, indent=1), 3),
        (json.dumps, 3),
        (lambda objects: "\ufeff" + "\r\n\r\n".join(json.dumps(one, indent=4) for one in objects), 3),
    ],
)
def test_layouts_of_json(layout: object, hands: int) -> None:
    text = layout([json.loads(hand) for hand in SITES["ohh"].hands])  # type: ignore[operator]
    found, account = read("ohh", text)
    assert (len(found), account.unread) == (hands, [])


@pytest.mark.parametrize("number", ["1e999999999", "-3", "NaN", '"x"', "0.005", "9" * 40, "[]", "null"])
def test_amounts_that_are_none_are_refused(number: str) -> None:
    text = SITES["ohh"].text((SITES["ohh"].hands[0].replace('"amount": 3.0', f'"amount": {number}'),))
    hands, account = read("ohh", text)
    assert (hands, account.skipped) == ([], 1)


def test_a_game_that_does_not_fit_the_players_is_refused() -> None:
    (hand, *_), _ = read("ohh", SITES["ohh"].text())
    found = json.loads(written([hand._replace(terms=replace(hand.terms, currency="¤"))]))
    found["ohh"][OURS] = json.dumps(
        {"game": {"name": "x", "blinds": [1, 2]}, "chip": "1/100", "currency": "$"}
    )
    hands, account = read("ohh", json.dumps(found))
    assert hands == []
    assert list(account.reasons) == ["a game for other seats"]


# Experimental formats


def test_an_experimental_format_is_called_that_wherever_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, "winamax", replace(FORMATS["winamax"], experimental=True))
    (tmp_path / "a.txt").write_text(SITES["winamax"].text(), encoding="utf-8")
    (tmp_path / "b.bin").write_bytes(b"nothing")
    shown = CliRunner().invoke(app, ["formats"], env={"COLUMNS": "120"}).stdout
    assert "Winamax text (experimental)" in shown
    told = CliRunner().invoke(app, ["hands", str(tmp_path / "a.txt")], env={"COLUMNS": "200"})
    assert "the reader of winamax is experimental" in told.stderr
    reading = read_hands(tmp_path)
    blocks: list[Hands] = list(reading)
    assert sum(map(len, blocks)) == 3
    assert reading.account.as_json()["experimental"] == ["winamax"]
    assert "winamax (experimental)" in reading.account.unread[0].reason


def test_no_format_is_experimental_today() -> None:
    assert [name for name, format in FORMATS.items() if format.experimental] == []


def test_convert_takes_every_site_to_open_hand_history(tmp_path: Path) -> None:
    for name, site in SITES.items():
        (tmp_path / name).write_text(site.text(), encoding="utf-8")
        assert write_hands(read_hands(tmp_path / name), tmp_path / f"{name}.ohh") == 3
        again = [hand for block in read_hands(tmp_path / f"{name}.ohh") for hand in block]
        once = [hand for block in read_hands(tmp_path / name) for hand in block]
        assert [same(hand) for hand in again] == [same(hand) for hand in once]


def test_a_hand_of_pokernow_that_is_not_csv_is_refused_alone(tmp_path: Path) -> None:
    """A carriage return outside quotes is no CSV: the hand is refused, and reading goes on."""
    lines = ['"-- starting hand #1 (id: a)  (No Limit Texas Hold\'em) (dead button) --",x\ry,1']
    with pytest.raises(NotationError, match="expected lines of CSV"):
        pokernow.read_hand(lines)
