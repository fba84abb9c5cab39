"""What is made of one's own hands, in Chromium: the judgement of a hand, and players to play against.

HOLDMEM_PICTURES=FOLDER keeps screenshots there. Without Chromium these tests say so and are skipped.
"""

import re
from dataclasses import replace
from functools import partial

import pytest

import holdmem
from holdmem.web import judged, library_review
from holdmem.web.launch import WebServer
from test_web_browser import AXE, OFFER
from test_web_library import gate, text  # noqa: F401
from web_pages import (  # noqa: F401
    CHROMIUM,
    are,
    are_at_least,
    chromium,
    drawn_to_its_width,
    eventually,
    finish,
    has_attribute,
    has_text,
    has_value,
    is_hidden,
    open_page,
    picture,
    says,
    screen,
)

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
SCREENS = ["desktop", pytest.param("phone", marks=pytest.mark.matrix)]
SCHEMES = [("light", "desktop"), pytest.param("dark", "phone", marks=pytest.mark.matrix)]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """One server for all tests, at which hands are valued quickly."""
    folder = tmp_path_factory.mktemp("own")
    patch = pytest.MonkeyPatch()
    patch.setattr(judged, "PRECISION", replace(judged.PRECISION, first=64, most=64))
    patch.setattr(library_review, "find_leaks", partial(holdmem.find_leaks, samples=16, again=0))
    made = WebServer(OFFER, history=folder / "hands.sqlite")
    with made.running():
        yield made
    patch.undo()


def drop(page, text):  # noqa: F811
    """Drop a file of hands; wait for its dashboard, for the player called random."""
    page.set_input_files("#files", files=[{"name": "mine.txt", "mimeType": "text/plain", "buffer": text}])
    says(page, "#dashboard h2", "60 hands")
    page.select_option("#dashboard .dash-head select", "random")
    says(page, "#dashboard h2", "random: 60 hands")


def open_hand(page):
    """Open a hand in which a player decides several times, and choose that player."""
    page.select_option("[aria-label='Order of the hands']", "lost")
    are_at_least(page.locator(".hand-list li"), 50)
    page.locator(".hand-list a").first.click()
    page.wait_for_selector("#moves button")
    page.click("#tab-value")
    page.select_option("#panel-value select", "random")
    page.wait_for_selector("#panel-value .judged-list button")
    are(page.locator("#panel-value [role=status]"), 0)  # all decisions are valued


def violations(page):
    """What axe complains about on the page as it is."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --prefix page-tools")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then(result => result.violations)")
    return [(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"]) for one in found]


@pytest.mark.parametrize("on", SCREENS)
def test_a_hand_is_judged_in_step(chromium, table, text, on):  # noqa: F811
    page = open_page(chromium, table, on, "hands")
    drop(page, text)
    open_hand(page)
    decisions = page.locator("#panel-value .judged-list button")
    are(page.locator(".evaluation rect.taken"), decisions.count())
    are(page.locator(".evaluation circle.result"), 1)
    decisions.first.click()
    are_at_least(page.locator("#panel-value tbody tr"), 2)
    says(page, "#panel-value table", "±")
    says(page, "#panel-value thead", "other models")
    says(page, "#panel-value .reasons", "of the pot against")
    are(page.locator(".range-grid span"), 169)
    says(page, "#panel-value", "Assumed: the others play like")
    other = page.locator(".held button[aria-pressed=false]").first
    name = other.inner_text()
    other.click()
    has_attribute(page.locator(".range-grid"), "aria-label", re.compile(f"^{name} has"))
    picture(page, f"value-{on}")
    page.click("#tab-moves")
    are(page.locator("#moves .grade"), decisions.count())  # a mark and words, not a colour alone
    for mark in page.locator("#moves .grade > [aria-hidden]").all_inner_texts():
        assert mark.strip()[0] in "✓≈?"
    page.locator("#moves button:has(.grade)").first.click()
    says(page, "#now", re.compile("This (loses|was the best|is not told)"))
    page.click("#tab-why")
    says(page, "#panel-why", "would have done")
    assert page.complaints == []
    page.context.close()


def test_the_graph_goes_by_its_width_and_suits_of_cards_are_bare(chromium, table, text):  # noqa: F811
    page = open_page(chromium, table, path="hands")
    drop(page, text)
    are_at_least(page.locator(".hand-list .card svg"), 2)
    behind = "all => [...new Set(all.map(one => getComputedStyle(one).backgroundColor))]"
    assert page.locator(".hand-list .card svg").evaluate_all(behind) == ["rgba(0, 0, 0, 0)"]
    for on in ("phone", "desktop"):
        page.set_viewport_size(screen(on))
        eventually(page, drawn_to_its_width, True)
    page.context.close()


def test_where_nothing_can_be_valued_the_page_says_so(chromium, table, text):  # noqa: F811
    page = open_page(chromium, table, path="hands")
    hidden = re.sub(rb"Dealt to .*\n|: shows \[.*|showed \[.*|mucked \[.*", b"", text)
    page.set_input_files("#files", files=[{"name": "a.txt", "mimeType": "", "buffer": hidden}])
    page.wait_for_selector(".hand-list a")
    page.locator(".hand-list a").first.click()
    page.wait_for_selector("#moves button")
    page.click("#tab-value")
    says(page, "#panel-value .problem", "nothing can be valued")
    page.context.close()


@pytest.mark.parametrize("on", SCREENS)
def test_a_review_begins_by_itself_and_can_be_stopped(chromium, table, text, gate, on):  # noqa: F811
    page = open_page(chromium, table, on, "hands")
    page.set_input_files("#files", files=[{"name": "mine.txt", "mimeType": "text/plain", "buffer": text}])
    says(page, ".review", "First estimates, from 32 samples per action")
    says(page, ".review", "Dearest decisions")
    page.select_option("[aria-label='Order of the hands']", "lost")  # the page can be used meanwhile
    says(page, ".hand-list li:first-child .amount", "−")
    picture(page, f"reviewing-{on}")
    page.click("#stop-review")
    says(page, ".review", "The review was stopped.")
    are(page.locator(".review .figures"), 0)
    gate.set()
    page.reload()
    says(page, ".review", "The review was stopped.")  # it begins only once by itself
    page.click("#find-leaks")
    says(page, ".review h3", "What decisions cost")
    are(page.locator("#stop-review"), 0)
    assert "First estimates" not in page.inner_text(".review")
    assert page.complaints == []
    page.context.close()


@pytest.mark.parametrize("on", SCREENS)
def test_a_long_list_is_emptied_before_it_is_filled_again(chromium, table, text, on):  # noqa: F811
    page = open_page(chromium, table, on, "hands")
    drop(page, text)
    page.click("text=More hands")
    are(page.locator(".hand-list li"), 60)
    for order in ("won", "lost"):  # the second is chosen while the first is on its way
        page.select_option("[aria-label='Order of the hands']", order)
    says(page, ".hand-list li:first-child .amount", "−")
    are(page.locator(".hand-list li"), 50)
    page.select_option("#dashboard .dash-head select", "jagbot")
    says(page, "#dashboard h2", "jagbot: 60 hands")
    are(page.locator(".hand-list li"), 50)
    are(page.locator(".hand-list"), 1)
    page.context.close()


class Lists:
    """Pages of the list of hands, which can be held back."""

    def __init__(self, page):
        self.held, self.holding = [], False
        page.route("**/list?*", lambda route: self.held.append(route) if self.holding else route.continue_())

    def asked(self, words):
        return any(words in route.request.url for route in self.held)

    def let_go(self):
        self.holding = False
        for route in self.held:
            route.continue_()
        self.held.clear()


@pytest.mark.parametrize("on", SCREENS)
def test_more_hands_are_offered_once_the_first_are_there(chromium, table, text, on):  # noqa: F811
    """Asked for earlier, the second page would have begun where the first did."""
    page = open_page(chromium, table, on, "hands")
    lists = Lists(page)
    lists.holding = True
    drop(page, text)
    eventually(page, lambda _: lists.asked("player=random"), True)
    is_hidden(page, "text=More hands")
    lists.let_go()
    page.click("text=More hands")
    are(page.locator(".hand-list li"), 60)
    is_hidden(page, "text=More hands")
    page.context.close()


@pytest.mark.parametrize("on", SCREENS)
def test_hands_of_an_order_that_is_left_come_too_late(chromium, table, text, on):  # noqa: F811
    """Their page is answered when another order, or another player, is being shown."""
    page = open_page(chromium, table, on, "hands")
    drop(page, text)
    are(page.locator(".hand-list li"), 50)
    lists = Lists(page)
    lists.holding = True
    page.select_option("[aria-label='Order of the hands']", "won")
    eventually(page, lambda _: lists.asked("order=won"), True)
    page.select_option("[aria-label='Order of the hands']", "lost")
    lists.let_go()
    says(page, ".hand-list li:first-child .amount", "−")
    are(page.locator(".hand-list li"), 50)
    lists.holding = True
    page.click("text=More hands")
    eventually(page, lambda _: lists.asked("start=50"), True)
    page.select_option("#dashboard .dash-head select", "jagbot")
    says(page, "#dashboard h2", "jagbot: 60 hands")
    lists.let_go()
    are(page.locator(".hand-list li"), 50)
    page.click("text=More hands")
    are(page.locator(".hand-list li"), 60)
    page.context.close()


def test_going_back_while_the_list_is_emptied_fills_it_again(chromium, table, text):  # noqa: F811
    page = open_page(chromium, table, path="hands")
    drop(page, text)
    page.click("text=More hands")
    are(page.locator(".hand-list li"), 60)
    page.evaluate("""() => {
      const before = location.href;
      const list = document.querySelector(".hand-list");
      new MutationObserver((_, observer) => {
        observer.disconnect();
        window.wentBack = true;
        history.replaceState(null, "", before);
        dispatchEvent(new PopStateEvent("popstate"));
      }).observe(list, { childList: true });
    }""")
    page.select_option("#dashboard .dash-head select", "jagbot")
    eventually(page, lambda page: page.evaluate("window.wentBack"), True)
    says(page, "#dashboard h2", "random: 60 hands")
    are(page.locator(".hand-list li"), 50)
    page.context.close()


DROP = """files => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_files_that_are_dropped_together_are_one(chromium, table, text):  # noqa: F811
    page = open_page(chromium, table, path="hands")
    page.wait_for_selector("#file-list li")
    half = text.find(b"PokerStars Hand", len(text) // 2)
    parts = [("a.txt", text[:half].decode()), (".DS_Store", "x"), ("b.txt", text[half:].decode())]
    page.evaluate(DROP, [*parts, ("c.zip", "PK no archive"), ("empty.gz", "")])
    says(page, "#dashboard h2", "60 hands")
    has_text(page, "#problem", "empty.gz: the file is empty")
    are(page.locator("#file-list li"), 2)
    says(page, "#file-list li[aria-current]", "a.txt and 1 more")
    says(page, "#file-list li:not([aria-current])", "not read: no hands of a known kind are in it")
    page.context.close()


def test_names_in_a_file_are_text_on_the_page(chromium, table, text):  # noqa: F811
    name = "<img src=x onerror=window.hit=1>"
    page = open_page(chromium, table, path="hands")
    evil = text.replace(b"random", name.encode())
    page.set_input_files("#files", files=[{"name": f"{name}.txt", "mimeType": "", "buffer": evil}])
    says(page, "#file-list .name", f"{name}.txt")
    page.select_option("#dashboard .dash-head select", name)
    says(page, "#dashboard h2", f"{name}: 60 hands")
    page.locator(".hand-list a").first.click()
    says(page, "#felt", name)
    are(page.locator("img"), 0)
    assert page.evaluate("window.hit") is None
    assert page.complaints == []
    page.context.close()


def test_a_player_of_limit_hands_is_invited_to_limit(chromium, table, tmp_path):  # noqa: F811
    """On a small phone, where the dialog scrolls and its buttons stay in reach."""
    holdmem.record("limit", "always-call", "random", folder=tmp_path / "limit", hands=40, seed=3)
    holdmem.write_hands(tmp_path / "limit", tmp_path / "limit.txt")
    page = open_page(chromium, table, "small phone", "hands")
    page.set_input_files("#files", str(tmp_path / "limit.txt"))
    says(page, "#dashboard h2", "40 hands")
    page.select_option("[aria-label='Player to imitate']", "random")
    page.click("#make-player")
    link = page.get_by_role("link", name="Play against random")
    watched = link.get_attribute("href").replace("/?", "/watch?")
    link.click()
    page.wait_for_selector("#lobby[open] #lobby-go:enabled")
    has_value(page, "#lobby-betting", "limit")
    has_text(page, ".person[aria-pressed=true] .person-name", re.compile(r"random \(clone\)"))
    dialog, sit = (page.locator(place).bounding_box() for place in ("#lobby", "#lobby-go"))
    assert sit["y"] + sit["height"] < dialog["y"] + dialog["height"]
    page.goto(f"http://127.0.0.1:{table.port}{watched}")
    page.wait_for_selector("#start:enabled")
    has_value(page, "#game", "limit")
    page.context.close()


@pytest.mark.parametrize("on", SCREENS)
def test_a_player_is_made_played_watched_and_deleted(chromium, table, text, on):  # noqa: F811
    page = open_page(chromium, table, on, "hands")
    is_hidden(page, "#players")
    drop(page, text)
    page.select_option("[aria-label='Player to imitate']", "simplebot")
    page.click("#make-player")
    says(page, "#players", "from 60 hands of mine.txt")
    says(page, "#players", "log-loss")
    picture(page, f"players-{on}")
    page.get_by_role("link", name="Play against simplebot").click()
    page.wait_for_selector("#lobby[open] #lobby-go:enabled")
    has_attribute(page.locator(":focus"), "id", "lobby-go")
    has_text(page, ".person[aria-pressed=true] .person-name", re.compile(r"simplebot \(clone\)"))
    page.click("#lobby-go")
    says(page, "#felt", "simplebot (clone)")
    finish(page, lambda: page.click("#call"))
    says(page, "#panel-why", "simplebot")
    page.go_back()
    says(page, "#players", "from 60 hands of mine.txt")
    page.goto(f"http://127.0.0.1:{table.port}/watch")
    page.wait_for_selector("#start:enabled")
    page.select_option("#game", "nolimit")
    page.wait_for_selector("#start:enabled")
    for list_ in page.locator("#agents select").all():
        list_.select_option(label="simplebot (clone) (not measured)")
    page.click("#start")
    says(page, "#felt", "simplebot (clone) 2")
    page.goto(f"http://127.0.0.1:{table.port}/hands")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete the player simplebot").click()
    is_hidden(page, "#players")
    assert page.complaints == []
    page.context.close()


@pytest.mark.parametrize(("scheme", "on"), SCHEMES)
def test_accessibility_of_judgement_and_players(chromium, table, text, scheme, on):  # noqa: F811
    page = open_page(chromium, table, on, "hands", bypass_csp=True, color_scheme=scheme)
    drop(page, text)
    for player in ("jagbot", "random"):
        page.select_option("[aria-label='Player to imitate']", player)
        page.click("#make-player")
    are(page.locator("#players input[type=checkbox]"), 2)
    page.locator("#players input[type=checkbox]").first.check()
    assert violations(page) == []
    open_hand(page)
    for tab in ("#tab-value", "#tab-moves", "#tab-why"):
        page.click(tab)
        assert violations(page) == [], tab
    page.context.close()
