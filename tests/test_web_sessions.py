"""Statistics over all sessions: files and hands played here, by session, opponent and game."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

import holdmem
from holdmem.api import recorded_luck
from holdmem.engine import PARTS
from holdmem.history import join
from holdmem.web.app import app
from holdmem.web.dashboard import Dashboard
from holdmem.web.hosts import Hosts
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby
from holdmem.web.sessions_desk import SessionsDesk
from holdmem.web.sessions_hands import keep, kept, session_hands
from holdmem.web.sessions_overview import Session, overview
from holdmem.web.store import Store
from web_pages import (  # noqa: F401
    CHROMIUM,
    are_at_least,
    chromium,
    drawn_to_its_width,
    eventually,
    has_attribute,
    open_page,
    picture,
    says,
)

HOST, TOKEN = "127.0.0.1:9", "the-token-of-this-launch"
OFFER = Lobby(("always-call",), "always-raise")
HANDS = 60
AXE = Path(__file__).parents[1] / "page-tools" / "node_modules" / "axe-core" / "axe.min.js"
SESSION = "a-session-of-this-test-alone"


@pytest.fixture(scope="module")
def six(tmp_path_factory):
    """Six-seat no-limit hands as PokerStars text."""
    folder = tmp_path_factory.mktemp("sessions")
    agents = ["simplebot", "random", "always-call", "jagbot", "always-raise", "always-all-in"]
    holdmem.record("nolimit", *agents, folder=folder / "hands", hands=HANDS, seed=5)
    holdmem.write_hands(folder / "hands", folder / "hands.txt")
    return folder / "hands.txt"


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    """Heads-up hands in which a person sat against always-call."""
    folder = tmp_path_factory.mktemp("duel")
    played = holdmem.record("limit", "always-call", "random", folder=folder / "hands", hands=50, seed=2)
    hands = join(list(played))
    names = tuple("you" if name == "random" else name for name in hands.players)
    return replace(hands, players=names)


def opened(folder):
    return TestClient(app(OFFER, Store(folder / "hands.sqlite"), TOKEN, Hosts(9)), base_url=f"http://{HOST}")


def admitted(client):
    client.cookies.set("holdmem-session", SESSION, domain="127.0.0.1")
    client.get(f"/sessions?token={TOKEN}")
    return client


def counted(client):
    while (found := client.get("/v1/sessions").json())["waiting"]:
        time.sleep(0.02)
    return found


def add_own(folder, hands):
    """Store hands as if they had been played at the table, in two sittings."""
    store = Store(folder / "hands.sqlite")
    for place in range(len(hands)):
        hand = hands[place]
        net = hand.net[hand.names.index("you")] / PARTS
        store.add(SESSION, f"sitting {place // 35}", hand, {}, net, ({}, {}))
    store.close()


def drop(client, path):
    number = client.post("/v1/hands", params={"name": path.name}, content=path.read_bytes()).json()["id"]
    while next(o for o in client.get("/v1/hands").json()["files"] if o["id"] == number)["state"] != "ready":
        time.sleep(0.02)
    return number


def test_a_file_has_the_rates_of_the_public_statistics(tmp_path, six):
    with opened(tmp_path) as client:
        number = drop(admitted(client), six)
        hero = client.get("/v1/hands").json()["files"][0]["hero"]
        found = counted(client)
        (line,) = [one for one in holdmem.stats(six) if one.key["player"] == hero]
        (row,) = found["sessions"]
        for name, estimate in (("won", line.bb_per_100()), ("less_luck", line.all_in_adjusted())):
            assert row[name]["mean"] == pytest.approx(estimate.mean)
            assert row[name]["low"] == pytest.approx(estimate.low)
            assert found["total"][name] == row[name]
        assert row["address"] == f"/hands?file={number}"
        assert (row["all_ins"], row["adjusted"]) == (line.count("all_ins"), line.count("adjusted"))
        assert row["aivat"] == 0
        assert found["curve"]["won"]["bankroll"][-1] == pytest.approx(row["bb"])
        assert len(found["opponents"]) == 5
        assert {one["hands"] for one in found["opponents"]} == {HANDS}
        assert {one["won"]["mean"] for one in found["opponents"]} == {row["won"]["mean"]}  # all sat all along


def test_hands_played_here_lose_their_luck_by_aivat(tmp_path, duel):
    add_own(tmp_path, duel)
    with opened(tmp_path) as client:
        found = counted(admitted(client))
    told = recorded_luck(duel, {"always-call": "always-call"})
    (theirs,) = [one for one in told.players if one.player == "always-call"]
    game = duel.terms[0].game
    per_100 = 100 * game.unit[0] / game.big_blind
    assert found["total"]["hands"] == found["total"]["aivat"] == 50
    assert found["total"]["won"]["mean"] == pytest.approx(-theirs.money.mean * per_100)
    assert found["total"]["less_luck"]["mean"] == pytest.approx(-theirs.aivat.mean * per_100)
    assert found["total"]["less_luck"]["low"] == pytest.approx(-theirs.aivat.high * per_100)
    assert sorted(one["hands"] for one in found["sessions"]) == [15, 35]
    assert [one["name"] for one in found["opponents"]] == ["always-call"]


def test_hands_of_a_deleted_history_are_not_counted_for_as_many_new_ones(tmp_path, duel):
    halves = duel[:20].packed(), duel[20:40].packed()
    bb = [sum(hand.net[hand.names.index("you")] for hand in half) / PARTS for half in halves]
    bb = [won / duel.terms[0].game.big_blind for won in bb]
    assert bb[0] != bb[1]
    add_own(tmp_path, halves[0])
    with opened(tmp_path) as client:
        assert counted(admitted(client))["total"]["bb"] == pytest.approx(bb[0])
        client.delete("/v1/history")
        add_own(tmp_path, halves[1])
        assert client.get("/v1/sessions").json()["total"]["hands"] == 0  # nothing of what was deleted
        assert counted(client)["total"]["bb"] == pytest.approx(bb[1])


def test_what_was_counted_of_a_deleted_file_is_forgotten(tmp_path):
    desk = SessionsDesk(None, OFFER)
    desk._known["somebody"] = dict.fromkeys([tmp_path / "a", tmp_path / "b"])
    assert list(desk._known_of("somebody", [tmp_path / "b"])) == [tmp_path / "b"]
    desk.close()


def test_an_opponent_that_learns_or_is_unknown_leaves_all_ins_adjusted(tmp_path, duel):
    names = tuple("a stranger" if name == "always-call" else name for name in duel.players)
    add_own(tmp_path, replace(duel, players=names))
    with opened(tmp_path) as client:
        found = counted(admitted(client))
    assert found["total"]["aivat"] == 0
    assert found["total"]["hands"] == 50


def test_everything_is_kept_and_counted_again_only_where_it_is_damaged(tmp_path, six):
    with opened(tmp_path) as client:
        number = drop(admitted(client), six)
        first = counted(client)
    (file,) = tmp_path.glob(f"**/{number}/sessions-*.npz")
    whole = file.read_bytes()
    for damage in (
        lambda: None,
        lambda: file.write_bytes(b"nothing"),
        lambda: file.write_bytes(whole[: len(whole) // 2]),
        file.unlink,
    ):
        damage()
        with opened(tmp_path) as client:
            assert counted(admitted(client)) == first
    with opened(tmp_path) as client:
        admitted(client).delete(f"/v1/hands/{number}")
        assert counted(client)["total"]["hands"] == 0


def test_sums_over_sessions_opponents_and_games_are_those_of_all_hands(six, duel, tmp_path):
    hands = join(list(holdmem.read_hands(six)))
    parts = [session_hands(Dashboard("random", hands)), session_hands(Dashboard("you", duel))]
    found = overview([Session(str(k), "", 0.0, part) for k, part in enumerate(parts)])
    won = np.concatenate([part.won for part in parts])
    assert found["total"]["bb"] == pytest.approx(won.sum())
    for table in ("sessions", "games"):
        assert sum(one["hands"] for one in found[table]) == len(won)
        assert sum(one["bb"] for one in found[table]) == pytest.approx(won.sum())
    told = {one["name"]: one for one in found["opponents"]}
    assert told["always-call"]["hands"] == HANDS + 50  # at six seats and heads-up
    assert told["always-call"]["bb"] == pytest.approx(won.sum())
    assert told["jagbot"]["bb"] == pytest.approx(parts[0].won.sum())
    keep(tmp_path / "kept.npz", parts[0])
    again = kept(tmp_path / "kept.npz")
    assert overview([Session("0", "", 0.0, again)]) == overview([Session("0", "", 0.0, parts[0])])


def test_few_hands_have_no_interval(duel):
    found = overview([Session("few", "", 0.0, session_hands(Dashboard("you", duel[:20].packed())))])
    assert found["total"]["won"]["low"] is None
    assert found["total"]["hands"] == 20
    assert overview([])["total"]["won"] is None


def test_nobody_sees_the_sessions_of_others(tmp_path, duel):
    add_own(tmp_path, duel)
    with opened(tmp_path) as client:
        assert client.get("/v1/sessions").status_code == 403
        client.get(f"/sessions?token={TOKEN}")
        assert counted(client)["total"]["hands"] == 0


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def server(tmp_path_factory, duel):
    folder = tmp_path_factory.mktemp("server")
    add_own(folder, duel)
    made = WebServer(OFFER, history=folder / "hands.sqlite")
    with made.running():
        yield made


def at_sessions(browser, server, six, on, **choices):
    """The page with a file and hands played here."""
    page = open_page(browser, server, on, "hands", **choices)
    host = {"name": "holdmem-session", "value": SESSION, "url": f"http://127.0.0.1:{server.port}"}
    page.context.add_cookies([host])
    page.reload()
    page.wait_for_selector("[data-file=own]")
    if not page.locator("[data-file]:not([data-file=own])").count():
        page.set_input_files("#files", str(six))
        page.wait_for_selector("[data-file]:not([data-file=own]) a.button")
    page.click("a[href='/sessions']")
    are_at_least(page.locator("#sessions tbody").first.locator("tr"), 3)
    return page


@needs_chromium
@pytest.mark.parametrize("on", ["desktop", "phone"])
def test_sessions_are_shown_sorted_and_lead_to_their_hands(chromium, server, six, on):  # noqa: F811
    page = at_sessions(chromium, server, six, on)
    says(page, "#sessions", "AIVAT in 50 hands")
    are_at_least(page.locator("svg polygon.band"), 2)
    picture(page, f"sessions-{on}")
    first = page.locator("#sessions table").first
    first.locator("th button", has_text="hands").click()
    has_attribute(first.locator("thead th").nth(3), "aria-sort", "descending")
    sizes = [int(text) for text in first.locator("tbody tr td:nth-of-type(3)").all_inner_texts()]
    assert sizes == sorted(sizes, reverse=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for width in (390, 1024):
        page.set_viewport_size({"width": width, "height": 800})
        eventually(page, drawn_to_its_width, True)
    first.locator("a", has_text="hands.txt").click()
    page.wait_for_selector("#dashboard .figures")
    assert page.complaints == []
    page.context.close()


@needs_chromium
@pytest.mark.parametrize("on", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_by_axe(chromium, server, six, scheme, on):  # noqa: F811
    """No violation by axe-core, where `npm ci` in page-tools has fetched it."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --prefix page-tools")
    page = at_sessions(chromium, server, six, on, bypass_csp=True, color_scheme=scheme)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then(result => result.violations)")
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
    picture(page, f"sessions-{on}-{scheme}")
    page.context.close()
