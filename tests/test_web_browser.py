"""The web table as a newcomer meets it: in the system's Chromium, by mouse, by keyboard, on a phone.

HOLDMEM_PICTURES=FOLDER keeps screenshots there. Without Chromium these tests say so and are skipped.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = os.environ.get("HOLDMEM_PICTURES")
OFFER = Lobby(("always-call",), "always-raise")
PATIENCE = 60_000
"""Milliseconds that a step may take, on a machine with other work to do."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """One server for all tests: each has a browser, and so a session, of its own."""
    made = WebServer(OFFER, history=tmp_path_factory.mktemp("web") / "hands.sqlite")
    with made.running():
        yield made


@pytest.fixture
def page(chromium, table):
    """The table in a fresh browser. Nothing may be complained about in its console."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    made = listened(context.new_page())
    made.goto(table.address)
    yield made
    context.close()
    assert made.complaints == []


def listened(page):
    page.complaints = []
    page.on("console", lambda entry: page.complaints.append(entry.text) if entry.type != "log" else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    return page


def picture(page, name):
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png")


def ready(page):
    """Wait until something can be done; whether the hand is over."""
    page.wait_for_selector("#call:enabled, #next:enabled", timeout=PATIENCE)
    return page.is_enabled("#next")


def at_once(page):
    page.evaluate("document.getElementById('lobby-speed').value = '0'")


def played_hands(page):
    text = page.text_content("#score")
    return int(text.split(" in ")[1].split(" hand")[0])


def says(page, place, text):
    """Wait until this can be read there."""
    playwright.expect(page.locator(place)).to_contain_text(text, timeout=PATIENCE)


def finish(page, act):
    """Play a hand to its end; `act` makes one decision."""
    while not ready(page):
        act()


def test_three_hands_by_mouse_and_the_reasons(page):
    ready(page)
    at_once(page)
    picture(page, "table")
    for number in range(3):
        finish(page, lambda: page.click("#call"))
        assert played_hands(page) == number + 1
        assert page.locator(".card.back").count() == 0
        if number < 2:
            page.click("#next")
            page.wait_for_selector("#call:enabled")
    page.click("#tab-why")
    page.wait_for_selector("#panel-why details")
    assert page.locator("#panel-why .decision").count() >= 2
    assert "always-call" in page.text_content("#panel-why")
    assert "100.0%" in page.text_content("#panel-why")
    picture(page, "reasons")


def test_the_history_is_offered_in_every_format(page):
    ready(page)
    page.click("#tab-history")
    page.wait_for_selector("#panel-history a")
    links = page.locator("#panel-history a")
    assert links.all_text_contents() == ["ACPC", "PHH", "PokerStars text"]
    assert links.nth(1).get_attribute("href") == "/v1/history.phh"


def test_three_hands_by_keyboard_alone(page):
    ready(page)
    at_once(page)
    for number in range(3):
        presses = iter("rc" * 20)
        finish(page, lambda presses=presses: page.keyboard.press(next(presses)))
        assert played_hands(page) == number + 1
        page.keyboard.press("Space")
        page.wait_for_selector("#call:enabled")
    page.keyboard.press("a")
    says(page, "#advice", "always-raise")
    page.keyboard.press("c")
    ready(page)
    assert page.text_content("#advice") == ""  # it was on another decision
    page.keyboard.press("w")
    assert page.get_attribute("#tab-why", "aria-selected") == "true"


def test_hidden_cards_are_not_in_the_page_during_a_hand(page):
    assert not ready(page)
    assert page.locator(".seat:not(.you) .card.back").count() == 2
    assert page.locator(".seat:not(.you) .card:not(.back)").count() == 0


def test_a_reload_in_mid_hand_goes_on_with_it(page):
    ready(page)
    at_once(page)
    page.click("#call")
    assert not ready(page)
    before = page.inner_text("#seats"), page.inner_text("#log")
    page.reload()
    assert not ready(page)
    at_once(page)
    assert (page.inner_text("#seats"), page.inner_text("#log")) == before
    finish(page, lambda: page.click("#call"))
    assert played_hands(page) == 1
    for number in (2, 3):
        page.click("#next")
        finish(page, lambda: page.click("#call"))
        assert played_hands(page) == number
    drawn = page.locator("#bankroll polyline:nth-child(2)")
    playwright.expect(drawn).to_have_attribute("points", re.compile(r"^\S+( \S+){3}$"), timeout=PATIENCE)
    before = drawn.get_attribute("points")
    page.reload()
    playwright.expect(drawn).to_have_attribute("points", before, timeout=PATIENCE)


def test_an_open_page_goes_on_after_the_server_was_closed_and_opened_again(chromium, tmp_path):
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    page, port = context.new_page(), 0
    for start in range(2):
        made = WebServer(OFFER, port=port, history=tmp_path / "hands.sqlite")
        port = made.port
        with made.running():
            if not start:
                page.goto(made.address)
                ready(page)
                at_once(page)
                finish(page, lambda: page.click("#call"))
                page.click("#next")
                page.wait_for_selector("#call:enabled")
                page.click("#call")
                assert not ready(page)
                before = page.inner_text("#seats"), page.inner_text("#log"), page.inner_text("#score")
            else:
                assert not ready(page)
                says(page, "#problem", "")
                assert (
                    page.inner_text("#seats"),
                    page.inner_text("#log"),
                    page.inner_text("#score"),
                ) == before
                finish(page, lambda: page.click("#call"))
                assert played_hands(page) == 2
                the_history_can_be_read_and_deleted(page, hands=2)
        if not start:
            says(page, "#problem", "does not answer")
            assert page.is_disabled("#call")
    context.close()


def the_history_can_be_read_and_deleted(page, hands):
    page.click("#tab-history")
    page.wait_for_selector("#panel-history .hands button")
    assert page.locator("#panel-history .hands button").count() == hands
    page.click("#panel-history .hands li:last-child button")
    page.wait_for_selector("#panel-why details")
    page.click("#tab-history")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("text=Delete all")
    page.wait_for_selector("text=None yet.")


def test_all_in_with_a_side_pot_at_three_seats(page):
    ready(page)
    page.click("#ask")
    says(page, "#advice", "always-raise")
    page.click("#open-lobby")
    offered = page.locator("#lobby-opponents select:first-child option")
    playwright.expect(offered.get_by_text("sartre-2", exact=True)).to_have_count(1, timeout=PATIENCE)
    page.select_option("#lobby-game", "nolimit")
    page.fill("#lobby-seats", "2")
    page.fill("#lobby-stack", "100, 40, 15")
    page.select_option("#lobby-speed", "0")
    page.wait_for_selector("#lobby-opponents select:nth-child(2)")
    assert "always-call" in offered.all_inner_texts()
    assert "sartre-2" not in offered.all_inner_texts()  # it plays limit
    picture(page, "lobby")
    page.click("#lobby-go")
    says(page, "#about", "3 seats")
    assert page.text_content("#advice") == ""  # it was on another table
    assert not ready(page)
    page.click("[data-pot=max]")
    assert page.input_value("#amount") == "10000"
    page.keyboard.press("r")
    page.wait_for_selector("#next:enabled", timeout=PATIENCE)
    nets = sorted(
        float(text.replace("−", "-").replace(",", "")) for text in page.locator(".bet").all_inner_texts()
    )
    assert sum(nets) == pytest.approx(0)
    assert min(nets) >= -4000  # what nobody could call came back
    assert page.locator(".board .card:not(.empty)").count() == 5
    page.keyboard.press("Space")
    says(page, "#about", "hand 2")
    assert not page.is_visible("#lobby")


def test_a_raise_is_typed_in_digits(page):
    ready(page)
    page.click("#open-lobby")
    page.select_option("#lobby-game", "nolimit")
    page.select_option("#lobby-speed", "0")
    page.click("#lobby-go")
    says(page, "#about", "no-limit")
    ready(page)
    page.keyboard.press("Space")  # the button that opened the lobby would take it for a click
    assert not page.is_visible("#lobby")
    page.keyboard.type("730")
    page.keyboard.press("Enter")
    says(page, "#log", "you raise to 730")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_nothing_sticks_out_and_nothing_jumps(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    ready(page)
    at_once(page)
    page.evaluate("scrollTo(0, 0)")
    places = set()
    for _ in range(8):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        places.add(
            page.evaluate(
                "JSON.stringify(document.querySelector('.controls').getBoundingClientRect().top + scrollY)"
            )
        )
        page.dispatch_event("#next" if ready(page) else "#call", "click")  # a real one may scroll by itself
        assert page.evaluate("scrollY") == 0
    assert len(places) == 1
    picture(page, f"width-{width}")


def test_agents_play_each_other_live(page, table):
    page.goto(f"http://127.0.0.1:{table.port}/watch")
    page.wait_for_selector("#agents select")
    page.click("#start")
    page.wait_for_selector(".seat .card")
    page.click("#more")
    says(page, "#legend", "±")
    assert page.locator("#curves polyline").count() == 3
    picture(page, "watch")
    page.goto(f"http://127.0.0.1:{table.port}/results")
    assert page.locator("h1").inner_text() == "Results"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_by_axe(chromium, table, tmp_path, scheme):
    """axe-core from npm, if it can be had: no serious complaint about the table, the reasons or the lobby."""
    if shutil.which("npm") is None:
        pytest.skip("no npm to fetch axe-core with")
    fetched = subprocess.run(
        ["npm", "pack", "axe-core@4", "--silent"], cwd=tmp_path, capture_output=True, check=False
    )
    archives = list(tmp_path.glob("axe-core-*.tgz"))
    if fetched.returncode or not archives:
        pytest.skip("axe-core could not be fetched")
    shutil.unpack_archive(archives[0], tmp_path)
    axe = (tmp_path / "package" / "axe.min.js").read_text(encoding="utf-8")
    context = chromium.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(table.address)
    ready(page)
    at_once(page)
    finish(page, lambda: page.click("#call"))
    page.click("#tab-why")
    page.wait_for_selector("#panel-why details")
    page.add_script_tag(content=axe)
    assert complaints(page) == []
    page.click("#open-lobby")
    assert complaints(page) == []
    context.close()


def complaints(page):
    found = page.evaluate("axe.run().then(result => result.violations)")
    return [
        (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"][:300])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
