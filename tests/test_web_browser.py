"""The web table as a newcomer meets it: in the system's Chromium, by mouse, by keyboard, on a phone.

HOLDMEM_PICTURES=FOLDER keeps screenshots there. Without Chromium these tests say so and are skipped.
"""

import re
from itertools import count
from pathlib import Path

import pytest

from holdmem import match
from holdmem.arena import Ledger
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby
from web_pages import (  # noqa: F401
    CHROMIUM,
    PATIENCE,
    are,
    are_at_least,
    chromium,
    eventually,
    finish,
    has_attribute,
    has_played,
    has_text,
    has_value,
    is_disabled,
    is_hidden,
    open_page,
    picture,
    ready,
    says,
    sit_down,
)

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
OFFER = Lobby(("always-call",), "always-raise")
AXE = Path(__file__).parents[1] / "page-tools" / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """One server for all tests: each has a browser, and so a session, of its own."""
    folder = tmp_path_factory.mktemp("web")
    for pair in (("always-call", "random"), ("always-call", "always-raise"), ("random", "always-raise")):
        match("limit", *pair, hands=1000, seed=1, ledger=Ledger(folder / "results.sqlite"))
    made = WebServer(OFFER, history=folder / "hands.sqlite", ledger=folder / "results.sqlite")
    with made.running():
        yield made


@pytest.fixture(params=["desktop", pytest.param("phone", marks=pytest.mark.matrix)])
def page(chromium, table, request):  # noqa: F811
    """The table in a fresh browser. Nothing may be complained about in its console."""
    made = open_page(chromium, table, request.param)
    yield made
    made.context.close()
    assert made.complaints == []


def check_or_call(page):
    return lambda: page.click("#call")


def test_three_hands_by_mouse_and_the_reasons(page):
    ready(page)
    picture(page, "table")
    for number in range(3):
        finish(page, check_or_call(page))
        has_played(page, number + 1)
        are(page.locator(".card.back"), 0)
        is_hidden(page, "#call")  # the next hand takes the place of the actions
        if number < 2:
            page.click("#next")
            page.wait_for_selector("#call:enabled")
    page.click("#why")
    page.wait_for_selector("#panel-why details")
    are_at_least(page.locator("#panel-why .decision"), 2)
    says(page, "#panel-why", "always-call")
    says(page, "#panel-why", ": 100%")
    picture(page, "reasons")


def test_the_history_is_offered_in_every_format(page):
    ready(page)
    page.click("#tab-history")
    page.wait_for_selector("#panel-history a")
    links = page.locator("#panel-history .links a")
    playwright.expect(links).to_have_text(["ACPC", "Open Hand History (JSON)", "PHH", "PokerStars text"])
    has_attribute(links.nth(2), "href", "/v1/history.phh")


def test_three_hands_by_keyboard_alone(page):
    ready(page)
    for number in range(3):
        presses = iter("rc" * 20)
        finish(page, lambda presses=presses: page.keyboard.press(next(presses)))
        has_played(page, number + 1)
        page.keyboard.press("Space")
        page.wait_for_selector("#call:enabled")
    page.keyboard.press("a")
    says(page, "#advice", "always-raise")
    page.keyboard.press("c")
    ready(page)
    has_text(page, "#advice", "")  # it was on another decision
    page.keyboard.press("w")
    has_attribute(page.locator("#tab-why"), "aria-selected", "true")


def test_hidden_cards_are_not_in_the_page_during_a_hand(page):
    assert not ready(page)
    are(page.locator(".seat:not(.you) .card.back"), 2)
    are(page.locator(".seat:not(.you) .card:not(.back)"), 0)


def test_the_log_is_appended_to_and_tells_the_whole_hand(page):
    """A screen reader hears each line once: lines that are there stay the same elements."""
    ready(page)
    page.evaluate("""() => {
      window.gone = 0;
      new MutationObserver((all) => { for (const one of all) window.gone += one.removedNodes.length; })
        .observe(document.getElementById("log"), {childList: true, subtree: true, characterData: true});
    }""")
    finish(page, check_or_call(page))
    page.click("#next")
    finish(page, check_or_call(page))
    lines = page.locator("#log li").all_inner_texts()
    assert page.evaluate("window.gone") == 0
    assert sum(line.startswith("Hand ") for line in lines) == 2
    for told in ("posts small blind 5", "Dealt to you", "Flop", "Turn", "River", " win"):
        assert sum(told in line or told.replace("s ", " ") in line for line in lines) >= 2, told
    are(page.locator("#heard p"), 20)  # the latest
    heard = page.locator("#heard p").all_inner_texts()
    assert [line.split(" ")[0] for line in heard] == [line.split(" ")[0].strip() for line in lines[-20:]]
    are(page.locator("[aria-live], [role=log]"), 1)


def test_a_hand_is_played_from_what_a_screen_reader_says_alone(page):
    """Only names and roles are used: what was heard, and buttons by what they say."""
    ready(page)
    heard = page.get_by_role("log", name="What happens")
    playwright.expect(heard).to_contain_text(re.compile(r"Dealt to you \w+ of \w+ \w+ of \w+"))
    for street in ("Flop", "Turn", "River"):
        page.get_by_role("button", name=re.compile("^(Check|Call)")).click()
        playwright.expect(heard).to_contain_text(re.compile(rf"{street} \w+ of \w+ \w+ of \w+"))
    page.get_by_role("button", name=re.compile("^(Check|Call)")).click()
    playwright.expect(heard).to_contain_text(re.compile(r"wins? \d+"))
    page.get_by_role("button", name=re.compile("^Next hand")).click()
    playwright.expect(heard).to_contain_text("Hand 2")


def test_a_reload_in_mid_hand_goes_on_with_it(page):
    ready(page)
    page.click("#call")
    assert not ready(page)
    before = page.inner_text(".seats"), page.inner_text("#log")
    page.reload()
    assert not ready(page)
    eventually(page, lambda page: (page.inner_text(".seats"), page.inner_text("#log")), before)
    finish(page, check_or_call(page))
    has_played(page, 1)
    for number in (2, 3):
        page.click("#next")
        finish(page, check_or_call(page))
        has_played(page, number)
    drawn = page.locator("#bankroll polyline")
    playwright.expect(drawn).to_have_attribute("points", re.compile(r"^\S+( \S+){3}$"))
    before = drawn.get_attribute("points")
    page.reload()
    playwright.expect(drawn).to_have_attribute("points", before)


def test_an_open_page_goes_on_after_the_server_was_closed_and_opened_again(chromium, tmp_path):  # noqa: F811
    page, port = None, 0
    for start in range(2):
        made = WebServer(OFFER, port=port, history=tmp_path / "hands.sqlite")
        port = made.port
        with made.running():
            if page is None:
                page = open_page(chromium, made)
                finish(page, check_or_call(page))
                page.click("#next")
                page.wait_for_selector("#call:enabled")
                page.click("#call")
                assert not ready(page)
                before = seen(page)
            else:
                assert not ready(page)
                says(page, "#problem", "")
                eventually(page, seen, before)
                finish(page, check_or_call(page))
                has_played(page, 2)
                the_history_can_be_read_and_deleted(page, hands=2)
        if not start:
            says(page, "#problem", "does not answer")
            is_disabled(page, "#call")
    page.context.close()


def seen(page):
    return [page.inner_text(place) for place in (".seats", "#log", "#score")]


def the_history_can_be_read_and_deleted(page, hands):
    page.click("#tab-history")
    page.wait_for_selector("#panel-history .hands a")
    are(page.locator("#panel-history .hands a"), hands)
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("text=Delete all")
    page.wait_for_selector("#panel-history >> text=None yet.")


def test_all_in_with_a_side_pot_at_three_seats(page):
    ready(page)
    sit_down(page, "nolimit", 3, "sit-and-go", ["always-call", "always-all-in"])
    says(page, "#about", "3 seats")
    while not page.is_visible("#after") and not ready(page):
        if page.is_enabled("#raise"):
            page.keyboard.press("PageDown")
            page.locator("#presets button", has_text="all-in").click()
            page.keyboard.press("r")
        else:
            page.click("#call")
        page.wait_for_selector("#next:enabled, #call:enabled, #after:not([hidden])")
    are(page.locator(".board .card:not(.empty)"), 5)
    says(page, ".pot", re.compile("Main|Pot"))


def test_sizes_of_a_bet_by_preset_wheel_keys_and_digits(page):
    ready(page)
    is_hidden(page, "#sizes")  # there is nothing to choose in limit
    sit_down(page, "nolimit")
    says(page, "#about", "no-limit")
    ready(page)
    page.keyboard.press("Space")  # the button that opened the lobby would take it for a click
    is_hidden(page, "#lobby")
    page.locator("#presets button", has_text="3 bb").click()
    has_value(page, "#amount", "300")
    page.keyboard.press("ArrowUp")
    has_value(page, "#amount", "350")
    page.hover("#controls")
    page.mouse.wheel(0, 100)
    has_value(page, "#amount", "300")
    page.keyboard.press("PageUp")
    has_value(page, "#amount", "400")
    page.evaluate("""() => { const slider = document.getElementById("slider");
      slider.value = 1000; slider.dispatchEvent(new Event("input")); }""")
    has_value(page, "#amount", "20000")
    says(page, "#raise", "All-in")
    page.click("#open-options")
    page.check("#option-bigBlinds")
    page.click("#options-close")
    has_value(page, "#amount", "2")
    page.keyboard.press("ArrowUp")
    has_value(page, "#amount", "2.5")
    page.keyboard.type("7.3")
    page.keyboard.press("Enter")
    says(page, "#log", "You raise to 7.3 bb")


def test_a_sit_and_go_carries_stacks_and_raises_blinds(page):
    ready(page)
    sit_down(page, "nolimit", 3, "sit-and-go", ["always-call", "always-call"])
    says(page, "#about", "level 1, 10 hands to the next")
    finish(page, check_or_call(page))
    stacks = page.locator(".stack").all_inner_texts()
    assert sum(int(text.split(" ")[0].replace(",", "")) for text in stacks) == 3 * 7500
    assert len({text.split(" ")[0] for text in stacks}) > 1
    page.click("#next")
    says(page, "#about", "9 hands to the next")


def test_a_match_that_is_over_offers_another_table(page):
    ready(page)
    sit_down(page, "nolimit", 2, "match", ["always-call"])
    while page.wait_for_selector("#call:enabled, #next:enabled, #again").get_attribute("id") != "again":
        if page.locator("#raise:enabled").is_visible():
            page.fill("#amount", "1000000")
            page.click("#raise")
        else:
            page.click("#next" if page.is_visible("#next") else "#call")
    says(page, "#advice", re.compile("^The match is over: you (won|lost).$"))
    is_hidden(page, "#next")
    page.click("#again")
    page.wait_for_selector("#lobby-go:visible")


def test_the_lobby_ranks_people_and_refuses_nothing_it_offers(page):
    ready(page)
    page.click("#open-lobby")
    for betting in ("limit", "nolimit"):
        page.select_option("#lobby-betting", betting)
        for format in ("cash", "match", "sit-and-go"):
            page.select_option("#lobby-format", format)
            page.wait_for_selector("#lobby-go:enabled")
            are_at_least(page.locator(".person"), 8)
            are_at_least(page.locator(".person[aria-pressed=true]"), 1)
    page.select_option("#lobby-betting", "limit")
    page.select_option("#lobby-format", "cash")
    page.wait_for_selector(".person[data-agent=eqm]")
    rates = page.locator(".person-rate").all_inner_texts()
    means = [float(text.split(" ")[0].replace("−", "-")) for text in rates if "±" in text]
    assert means == sorted(means)
    assert len(means) > 15
    unmeasured = page.locator(".person", has_text="mctsbot")
    playwright.expect(unmeasured).to_contain_text("not measured")
    picture(page, "lobby")
    page.click("#lobby-first")
    ready(page)


def test_the_statistics_of_opponents_on_demand(page):
    ready(page)
    finish(page, check_or_call(page))
    page.click("#next")
    ready(page)
    are(page.locator(".hud:visible"), 0)
    page.keyboard.press("h")
    says(page, ".seat:not(.you) .hud", "%")
    page.click("#tab-people")
    says(page, "#panel-people", "Against the field: −0.5")


def test_folded_cards_can_stay_unseen(page):
    ready(page)
    sit_down(page, "nolimit", 3, "cash", ["always-call", "simplebot"])
    for hide in (False, True):
        page.click("#open-options")
        page.set_checked("#option-hideFolded", hide)
        page.click("#options-close")
        for _ in range(12):
            finish(page, check_or_call(page))
            folded = page.locator(".seat.folded:not(.you) .card:not(.empty)").count()
            assert not (hide and folded)
            if folded or (hide and page.locator(".seat.folded:not(.you)").count()):
                break
            page.click("#next")
        if ready(page):
            page.click("#next")


def test_a_hand_is_replayed_step_by_step(page, table):
    finish(page, check_or_call(page))
    page.wait_for_selector("#replay-last:visible")
    page.click("#replay-last")
    page.wait_for_selector("#moves button")
    moves = page.locator("#moves button").count()
    says(page, "#numbers", re.compile(r"(always-call has|You have) to call 5 for a pot of 15: .* 25\.0%"))
    for number in range(1, moves):
        page.keyboard.press("ArrowRight")
        has_attribute(page.locator("#moves [aria-current=step]"), "data-step", str(number))
    says(page, "#now", "win")
    is_disabled(page, "#forward")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.click("#tab-why")
    says(page, "#panel-why", ": 100%")
    says(page, "#panel-why h2", re.compile("always-call, preflop: call 5|What the adviser would have done"))
    picture(page, "replay")
    page.reload()  # the address names the step
    page.wait_for_selector("#moves [data-step='1'][aria-current=step]")
    page.click("#tab-share")
    for kind, text in (("phh", "variant"), ("pokerstars", "PokerStars Hand"), ("acpc", "STATE")):
        link = page.locator(f"#panel-share a[href^='/v1/hand.{kind}']").get_attribute("href")
        assert text in page.request.get(f"http://127.0.0.1:{table.port}{link}").text()
    page.click("text=Copy link")
    says(page, "#panel-share", re.compile("Copied|Ctrl"))
    with page.expect_download() as download:
        page.click("#picture")
    assert Path(download.value.path()).read_bytes()[:4] == b"\x89PNG"


def test_agents_play_each_other_live(page, table):
    page.goto(f"http://127.0.0.1:{table.port}/watch")
    page.wait_for_selector("#start:enabled")
    page.click("#start")
    page.wait_for_selector(".seat .card")
    page.click("#step")
    says(page, "#panel-why", "%")
    says(page, "#panel-why", re.compile("^Hand [0-9]+,"))
    page.click("#more")
    says(page, "#panel-why", "Hand 10")  # the reasons of an earlier hand are gone
    page.click("#tab-results")
    says(page, "#panel-results", "±")
    are(page.locator("#curves polyline"), 2)
    are(page.locator("#curves .band"), 2)
    are_at_least(page.locator("#curves .tick"), 5)
    for sorted_as in ("descending", "ascending"):
        page.click("#panel-results .sort >> text=chips")
        has_attribute(page.locator("#panel-results th:nth-child(2)"), "aria-sort", sorted_as)
        won = page.locator("#panel-results tbody td:nth-child(2)").all_inner_texts()
        chips = [int(text.replace(",", "").replace("−", "-").replace("±", "")) for text in won]
        assert chips == sorted(chips, reverse=sorted_as == "descending")
    picture(page, "watch")
    page.click("#replay-last")
    page.wait_for_selector("#moves button")
    page.goto(f"http://127.0.0.1:{table.port}/watch")  # the table is still there
    says(page, "#about", "Hand 10")
    is_hidden(page, "#choose")


def test_a_match_of_the_ledger_is_found_sorted_shown_and_replayed(page, table):
    page.goto(f"http://127.0.0.1:{table.port}/results")
    matches = page.get_by_role("region", name="Matches")
    matches.locator(".sort", has_text="agents").click()
    names = matches.locator("tbody td:first-child")
    are(names, 3)
    eventually(page, lambda _: names.all_inner_texts(), sorted(names.all_inner_texts(), reverse=True))
    matches.get_by_role("link", name="random, always-raise").click()
    are(page.locator(".graph"), 2)  # the intervals of both, and how the mean came about
    for graph in page.locator(".graph").all():
        are_at_least(graph.locator(".band"), 1)
        are_at_least(graph.locator(".tick"), 4)
        are(graph.locator(".zero"), 1)
    picture(page, "match")
    page.click("text=Replay its first hands")
    page.wait_for_selector("#moves button")
    says(page, "#about", "random, always-raise")
    page.click("#tab-hands")
    hands = page.locator("#panel-hands a[href*='match=']")
    are(hands, 60)
    hands.nth(1).click()
    page.wait_for_selector("#panel-hands a[href*='number=2'][aria-current]", state="attached")
    page.keyboard.press("End")
    says(page, "#now", "win")


def test_hands_are_dropped_reviewed_replayed_and_deleted(page, table):
    """The shipped example has its review, so that nobody waits for one."""
    page.goto(f"http://127.0.0.1:{table.port}/hands")
    says(page, "#file-list", "None yet.")
    page.click("#example")
    says(page, "#dashboard h2", "Hero: 2,000 hands")
    are_at_least(page.locator(".leaks li"), 2)
    are(page.locator(".winnings polyline"), 2)
    are(page.locator(".hand-list li"), 50)
    page.click("text=More hands")
    are(page.locator(".hand-list li"), 100)
    page.select_option("[aria-label='Order of the hands']", "lost")
    are(page.locator(".hand-list li"), 50)
    says(page, ".hand-list li:first-child .amount", "−")
    picture(page, "hands")
    page.locator(".leaks a").first.click()
    page.wait_for_selector("#moves [aria-current=step]", state="attached")
    says(page, "#about", "Hero")
    page.go_back()
    says(page, "#dashboard h2", "Hero: 2,000 hands")  # the address names the file
    page.select_option("#dashboard select >> nth=0", "Villain 3")
    says(page, "#dashboard h2", "Villain 3: 2,000 hands")
    page.wait_for_selector("#find-leaks")
    page.set_input_files("#files", files=[{"name": "notes.txt", "mimeType": "", "buffer": b"no hands"}])
    says(page, "#file-list", "not read")
    page.on("dialog", lambda dialog: dialog.accept())
    for left in (1, 0):
        page.locator("#file-list button", has_text="Delete").first.click()
        are(page.locator("#file-list button"), left)
    says(page, "#file-list", "None yet.")
    page.complaints.clear()  # a refused file is no complaint of the page


def test_hands_of_this_table_have_a_dashboard(page, table):
    for _ in range(2):
        finish(page, check_or_call(page))
        page.click("#next")
    ready(page)
    page.goto(f"http://127.0.0.1:{table.port}/hands")
    says(page, "#file-list", "2 hands")
    page.click("[data-file=own] a")
    says(page, "#dashboard h2", "You: 2 hands")
    page.locator(".hand-list a").first.click()
    page.wait_for_selector("#moves button")


def play_until_both_decide(page):
    """Fold at once, until there was a hand in which the agent and the person had something to decide."""
    for number in count(1):
        finish(page, lambda: page.click("#fold" if page.is_enabled("#fold") else "#call"))
        page.click("#why")
        says(page, "#panel-why h2 >> nth=0", f"Hand {number}:")  # until then, those of the hand before
        told = page.inner_text("#panel-why")
        if "had a decision to make" not in told and "had no decision" not in told:
            return
        page.click("#next")
        page.wait_for_selector("#call:enabled, #next:enabled")


@pytest.mark.parametrize("on", ["desktop", pytest.param("phone", marks=pytest.mark.matrix)])
def test_remembered_hands_are_replayed_from_the_reasons(chromium, tmp_path, on):  # noqa: F811
    made = WebServer(Lobby(("sartre-2",), "sartre-2"), history=tmp_path / "hands.sqlite")
    with made.running():
        page = open_page(chromium, made, on)
        play_until_both_decide(page)
        for list_of in ("decision", "advice"):
            page.wait_for_selector("#panel-why details")
            page.evaluate("document.querySelectorAll('#panel-why details').forEach(one => one.open = true)")
            link = page.locator(f".remembered a[href*='{list_of}=']").first
            are_at_least(link.locator("xpath=..").locator(".card"), 2)  # the cards are shown as faces
            link.click()
            page.wait_for_selector("#moves button")
            says(page, "#about", "limit")
            page.keyboard.press("End")
            are(page.locator("#moves [aria-current=step]"), 1)
            page.click("#tab-share")
            address = page.locator("#panel-share a[href^='/v1/hand.phh']").get_attribute("href")
            assert "variant" in page.request.get(f"http://127.0.0.1:{made.port}{address}").text()
            page.go_back()
            page.wait_for_selector("#why:visible")
            page.click("#why")
        page.goto(f"http://127.0.0.1:{made.port}/watch")
        page.wait_for_selector("#start:enabled")
        for player in page.locator("#agents select").all():
            player.select_option("sartre-2")
        page.click("#start")
        page.wait_for_selector("#step:enabled")
        page.click("#step")
        page.locator("#panel-why .remembered a").first.click()
        page.wait_for_selector("#moves button")
        assert page.complaints == []
        page.context.close()


@pytest.mark.parametrize(
    ("betting", "seats", "format", "agents"),
    [
        ("limit", 5, "sit-and-go", ["dpp"]),
        ("nolimit", 2, "match", ["jagbot"]),
        ("nolimit", 9, "cash", ["always-raise", "random"]),
    ],
)
def test_a_table_that_is_chosen_in_the_lobby_is_dealt(page, betting, seats, format, agents):
    ready(page)
    sit_down(page, betting, seats, format, agents)
    ready(page)
    are(page.locator(".seat"), seats)
    has_text(page, "#problem", "")
    is_hidden(page, "#lobby")


def test_whoever_thinks_is_seen_to_think(chromium, table):  # noqa: F811
    """Answers are held back here, as by an agent that takes its time."""
    held = []

    def hold(route):
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(lambda text: held.append(text) if holding else route.send(text))
        sockets.append(route)

    holding, sockets = False, []
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.add_init_script("localStorage.setItem('holdmem-options', '{\"pace\": 0, \"animate\": false}')")
    page = context.new_page()
    page.route_web_socket("**/v1/table", hold)
    page.goto(table.address)
    assert not ready(page)
    holding = True
    page.click("#call")
    says(page, "#waiting", "always-call is thinking")
    is_disabled(page, "#call")
    holding = False
    for text in held:
        sockets[0].send(text)
    ready(page)
    is_hidden(page, "#waiting")
    context.close()


def test_the_next_hand_is_dealt_automatically_on_request(page):
    finish(page, check_or_call(page))
    page.check("#option-autoDeal")
    page.wait_for_selector("#call:enabled")
    says(page, "#about", "Hand 2")


@pytest.mark.parametrize("on", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_by_axe(chromium, table, scheme, on):  # noqa: F811
    """No violation by axe-core on any page, where `npm ci` in page-tools has fetched it."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --prefix page-tools")
    axe = AXE.read_text(encoding="utf-8")
    page = open_page(chromium, table, on, bypass_csp=True, color_scheme=scheme)

    def violations():
        page.evaluate(axe)
        found = page.evaluate("axe.run().then(result => result.violations)")
        return [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"][:300])
            for one in found
        ]

    ready(page)
    assert violations() == []
    finish(page, check_or_call(page))
    for tab in ("why", "people", "sitting", "history"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#panel-{tab} h2")
        assert violations() == [], tab
    for dialog, shown, close in (
        ("#open-lobby", "#lobby-go:enabled", "#lobby-cancel"),
        ("#open-options", "#options-close", "#options-close"),
    ):
        page.click(dialog)
        page.wait_for_selector(shown)
        assert violations() == [], dialog
        page.click(close)
    page.goto(f"http://127.0.0.1:{table.port}{page.get_attribute('#replay-last', 'href')}")
    page.wait_for_selector("#moves button")
    assert violations() == []
    page.goto(f"http://127.0.0.1:{table.port}/watch")
    page.wait_for_selector("#start:enabled")
    assert violations() == []
    page.click("#start")
    page.wait_for_selector("#step:enabled")
    page.click("#step")
    assert violations() == []
    page.goto(f"http://127.0.0.1:{table.port}/hands")
    page.click("#example")
    page.wait_for_selector(".leaks")
    page.wait_for_selector(".hand-list li")
    assert violations() == []
    page.goto(f"http://127.0.0.1:{table.port}/results")
    page.wait_for_selector("a[href*='design=']")
    assert violations() == []
    page.locator("a[href*='design=']").first.click()
    page.wait_for_selector(".graph")
    assert violations() == []
    page.context.close()


def test_the_page_is_light(page, table):
    """Everything that the table loads, together, before any picture."""
    ready(page)
    sizes = page.evaluate("performance.getEntries().map(one => one.encodedBodySize || 0)")
    assert 20_000 < sum(sizes) < 500_000
