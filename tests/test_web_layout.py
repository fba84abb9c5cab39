"""The felt as it is drawn: two to ten seats on four screens, measured in Chromium in the course of hands."""

import pytest

from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby
from web_pages import CHROMIUM, SCREENS, chromium, drawn, listened, open_page, ready, screen  # noqa: F401

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

MEASURE = """() => {
  const shown = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
  const all = (where) => [...document.querySelectorAll(where)].filter(shown);
  const what = all(".seat .card:not(.empty), .plate, .bet, .disc, .pot, .board .card, .controls button,"
    + ".controls input");
  const boxes = what.map((one) => [one.className || one.id, one.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([name, box], place) => {
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
      found.push(`${name} is off screen: ${Math.round(box.left)}, ${Math.round(box.top)}`);
    for (const [other, its] of boxes.slice(0, place))
      if (box.left < its.right - 0.5 && its.left < box.right - 0.5
          && box.top < its.bottom - 0.5 && its.top < box.bottom - 0.5)
        found.push(`${name} overlaps ${other}`);
  });
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const own = document.querySelector(".seat.you .card").getBoundingClientRect();
  return {found, share: felt.width * felt.height / innerWidth / innerHeight, own: own.width,
          wide: document.documentElement.scrollWidth > innerWidth};
}"""


def problems(page, width):
    found = page.evaluate(MEASURE)
    said = list(found["found"])
    if found["wide"]:
        said.append("the page is wider than the screen")
    if found["share"] < 0.55:
        said.append(f"the table takes {found['share']:.0%} of the screen")
    if found["own"] < (72 if width >= 1024 else 44):
        said.append(f"own cards are {found['own']} wide")
    return said


FIRST = ((2, "limit"), (6, "nolimit"), (9, "nolimit"), (10, "nolimit"))
"""What every run measures; `make check-all` has the rest."""
TABLES = [
    pytest.param(seats, game, marks=() if (seats, game) in FIRST else pytest.mark.matrix)
    for seats in range(2, 11)
    for game in ("limit", "nolimit")
]


@pytest.mark.parametrize(("seats", "game"), TABLES)
def test_nothing_overlaps_or_is_off_screen(chromium, tmp_path, seats, game):  # noqa: F811
    table = WebServer(
        Lobby(("always-call",) * (seats - 1), "always-call", game), history=tmp_path / "hands.sqlite"
    )
    seen = 0
    with table.running():
        page = open_page(chromium, table)
        ready(page)
        for number in range(6):
            for name, (width, height) in SCREENS.items():
                page.set_viewport_size({"width": width, "height": height})
                drawn(page)
                assert problems(page, width) == [], (name, seats, game)
                seen += page.locator(".bet").count()
            over = ready(page)
            raises = not over and number % 2 and page.is_enabled("#raise")
            page.click("#next" if over else "#raise" if raises else "#call")
        assert seen  # bets were on the table, so that they were measured
        assert page.complaints == []
        page.context.close()


def test_a_phone_needs_no_scrolling_to_act(chromium, tmp_path):  # noqa: F811
    table = WebServer(
        Lobby(("always-call",) * 8, "always-call", "nolimit"), history=tmp_path / "hands.sqlite"
    )
    with table.running():
        page = open_page(chromium, table, "small phone")
        for _ in range(8):
            place = "#next" if ready(page) else "#call"
            assert page.evaluate("scrollY") == 0
            box = page.locator(place).bounding_box()
            assert box["y"] + box["height"] <= screen("small phone")["height"]
            page.click(place)
        page.context.close()
