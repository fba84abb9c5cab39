"""What comes too early, too late or twice at the web table: clicks, keys, answers and connections.

Nothing here depends on how fast the machine is: what should be late is held back until it is let go.
"""

import json

import pytest

from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby
from web_pages import (  # noqa: F401
    CHROMIUM,
    PATIENCE,
    are,
    chromium,
    drawn,
    eventually,
    finish,
    is_disabled,
    open_page,
    ready,
    says,
    screen,
)

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
OWN_ACTIONS = "#log li.action.mine"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    made = WebServer(
        Lobby(("always-call",), "always-raise"), history=tmp_path_factory.mktemp("races") / "hands.sqlite"
    )
    with made.running():
        yield made


class Line:
    """The connection of a page, whose answers can be held back."""

    def __init__(self, page):
        self.held, self.sent, self.routes, self.holding = [], [], [], False
        page.route_web_socket("**/v1/table", self._open)

    def _open(self, route):
        server = route.connect_to_server()
        self.routes.append(route)
        route.on_message(lambda text: (self.sent.append(json.loads(text)), server.send(text)))
        server.on_message(lambda text: self.held.append(text) if self.holding else route.send(text))

    def sittings(self):
        """The tables whose states are held back, in their order."""
        states = [one for one in map(json.loads, self.held) if one["type"] == "state"]
        return list(dict.fromkeys(one["table"]["sitting"] for one in states))

    def let_go(self, sitting=None):
        """Send what was held back: the states of this table, or everything."""
        now = [text for text in self.held if sitting is None or sitting in text]
        self.held = [text for text in self.held if text not in now]
        for text in now:
            self.routes[-1].send(text)


@pytest.fixture
def made(chromium, table):  # noqa: F811
    """A page that has not been opened yet."""
    context = chromium.new_context(viewport=screen("desktop"))
    context.set_default_timeout(PATIENCE)
    context.add_init_script("localStorage.setItem('holdmem-options', '{\"pace\": 0, \"animate\": false}')")
    yield context.new_page()
    context.close()


def test_a_late_answer_of_the_table_that_is_left_is_not_shown(made, table):
    """Whoever acted on it would act at the new table."""
    line = Line(made)
    made.goto(table.address)
    assert not ready(made)
    line.holding = True
    made.click("#call")
    eventually(made, lambda _: len(line.sittings()), 1)
    made.click("#open-lobby")
    made.click("#lobby-first")
    eventually(made, lambda _: len(line.sittings()), 2)
    old, _ = line.sittings()
    line.let_go(old)
    drawn(made)
    is_disabled(made, "#call")
    says(made, "#waiting", "Preparing a table")
    line.holding = False
    line.let_go()
    ready(made)
    are(made.locator("#log li.hand"), 1)  # the log of the table that was left is gone
    are(made.locator(OWN_ACTIONS), 0)


def test_the_second_click_of_a_double_click_decides_nothing(chromium, table):  # noqa: F811
    """It comes when the next decision has taken the place of the one before."""
    page = open_page(chromium, table)
    assert not ready(page)
    page.evaluate("""() => {
      const call = document.getElementById("call");
      new MutationObserver(() => {
        if (call.disabled || window.clicked) return;
        window.clicked = true;
        call.dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true }));
      }).observe(call, { attributes: true });
    }""")
    page.click("#call")
    eventually(page, lambda page: page.evaluate("window.clicked"), True)
    assert not ready(page)
    are(page.locator(OWN_ACTIONS), 1)
    page.click("#call")
    are(page.locator(OWN_ACTIONS), 2)
    page.context.close()


def test_a_key_that_is_held_down_decides_once(chromium, table):  # noqa: F811
    page = open_page(chromium, table)
    assert not ready(page)
    page.focus("#call")
    page.keyboard.down("Enter")
    are(page.locator(OWN_ACTIONS), 1)
    assert not ready(page)
    page.focus("#call")
    page.keyboard.down("Enter")  # repeats, since it has not come up
    page.keyboard.up("Enter")
    drawn(page)
    assert not ready(page)
    are(page.locator(OWN_ACTIONS), 1)
    page.context.close()


@pytest.mark.parametrize("path", ["", "watch", "replay"])
def test_nothing_can_be_clicked_before_the_scripts_are_there(made, table, path):
    waiting = []

    def hold(route):
        waiting.append(route)

    made.route("**/page/wire.js", hold)  # without it no module runs
    made.goto(table.address.replace("/?", f"/{path}?"), wait_until="commit")
    eventually(made, lambda _: len(waiting), 1)
    for button in made.locator("header button").all():
        playwright.expect(button).to_be_disabled(timeout=PATIENCE)
    waiting[0].continue_()
    for button in made.locator("header button").all():
        playwright.expect(button).to_be_enabled(timeout=PATIENCE)


def test_a_replayed_hand_survives_a_lost_connection(made, table):
    line = Line(made)
    made.goto(table.address)
    finish(made, lambda: made.click("#call"))
    made.click("#replay-last")
    made.wait_for_selector("#moves button")
    are(made.locator("#own-hands li"), 1)
    before = len(line.routes)
    line.routes[-1].close()
    eventually(made, lambda _: len(line.routes), before + 1)
    asked = sum(one["type"] == "history" for one in line.sent)
    eventually(made, lambda _: sum(one["type"] == "history" for one in line.sent) >= asked, True)
    drawn(made)
    are(made.locator("#own-hands h2"), 1)  # the list is not there twice
    says(made, "#problem", "")


def test_no_card_is_marked_as_winning_during_a_hand(chromium, table):  # noqa: F811
    """The element of a card that comes again in the same place is kept, but not its mark."""
    page = open_page(chromium, table)
    assert not ready(page)
    page.evaluate("document.querySelector('.seat.you .card').classList.add('win')")
    page.click("#call")
    are(page.locator(OWN_ACTIONS), 1)
    are(page.locator(".card.win"), 0)
    page.context.close()


@pytest.mark.parametrize("on", ["desktop", "phone", "small phone"])
def test_a_hint_leaves_every_button_on_the_screen(chromium, table, on):  # noqa: F811
    page = open_page(chromium, table, on)
    assert not ready(page)
    buttons = [page.locator(f"#{name}") for name in ("fold", "call", "raise", "ask")]
    before = [button.bounding_box() for button in buttons]
    page.click("#ask")
    says(page, "#advice", "always-raise would raise to 20. Its rule is to")
    after = [button.bounding_box() for button in buttons]
    assert [round(box["x"] + box["width"]) for box in after] == [
        round(box["x"] + box["width"]) for box in before
    ]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= screen(on)["width"] for box in after)
    page.context.close()
