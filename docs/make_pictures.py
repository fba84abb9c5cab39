"""Pictures of the documentation, made from real runs: python docs/make_pictures.py [NAME…]

A name is `crosstable`, `curve` or one of `SHOTS`, pictures of the web table. Two other pictures are made by
commands that stand with them, exploitability.png (exploit.md) and playable.png (plicas.md), and the drawings
of the class by make_class.py.
"""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from holdmem import tournament
from holdmem.learning.training_batch import train as train_learners
from holdmem.learning.training_runs import TrainingRun, learning_game
from holdmem.plots import heat_map
from holdmem.plots.learners import learning_curve
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby

PICTURES = Path(__file__).with_name("pictures")
PATIENCE = 900_000
"""Milliseconds that a step may take, on a machine that first has to compile."""
SUITS = [(192, 24, 42), (11, 83, 181), (12, 112, 53), (22, 25, 26)]
"""Red, blue, green and black: too few dots to get a colour of their own."""
AT_ONCE = "localStorage.setItem('holdmem-options', '{\"pace\": 0, \"animate\": false}')"


def crosstable() -> None:
    """A round robin of memories, rules and an equilibrium."""
    agents = ["eqm", "sartre-2", "casper", "simplebot", "dpp", "always-call"]
    heat_map(tournament("limit", *agents, hands=20_000, seed=1), PICTURES / "crosstable.png")
    shrink("crosstable")


def curve() -> None:
    """What the Action Learner wins as it learns."""
    course = TrainingRun(learning_game(2), "action-learner", ("simplebot",), hands=25_000, matches=10, seed=1)
    (report,) = train_learners([course])
    learning_curve(report, PICTURES / "learning.png")
    shrink("learning")


def shrink(name: str) -> None:
    """Reduce a picture to 256 colours, those of the suits among them: a quarter of the size."""
    path = PICTURES / f"{name}.png"
    drawn = Image.open(path).convert("RGB")
    usual = drawn.quantize(256 - len(SUITS), Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*usual[: 3 * (256 - len(SUITS))], *(part for colour in SUITS for part in colour)])
    drawn.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def web_table(shots: list[Callable[[Page], None]]) -> None:
    """The web table in Chromium, each of its pages in a browser of its own."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        table = WebServer(Lobby(("sartre-2",), "sartre-2"), history=Path(folder) / "hands.sqlite")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with table.running():
            for shot in shots:
                page = browser.new_page(**SHOTS[shot])
                page.set_default_timeout(PATIENCE)
                page.add_init_script(AT_ONCE)
                page.goto(table.address)
                shot(page)
                save(page, shot.__name__.replace("_", "-"))
                page.context.close()
        browser.close()


def save(page: Page, name: str) -> None:
    """Store what the page shows."""
    page.mouse.move(1, 1)  # over nothing that would light up
    page.screenshot(path=PICTURES / f"{name}.png")
    shrink(name)


def reasons(page: Page) -> None:
    """A hand that went to a showdown, and why the agent acted as it did."""
    play_until_a_showdown(page)


def hands(page: Page) -> None:
    """The page of hands with the example, whose review is shipped."""
    page.click("nav >> text=Hands")
    page.wait_for_selector("#file-list li")  # the page is ready, and knows of no files or some
    page.click("#example")
    page.wait_for_selector(".leaks li")
    page.wait_for_selector(".hand-list li")
    page.evaluate("scrollTo(0, 0)")


def train(page: Page) -> None:
    """A spot from the example's leaks after the answer."""
    hands(page)
    page.click("nav >> text=Train")
    page.click("#make-leaks:enabled")
    page.locator("#answers button:enabled").first.click()
    page.wait_for_selector("#next:visible")
    page.wait_for_selector("#feedback table")


def watch(page: Page) -> None:
    """Two agents on their own."""
    page.click("nav >> text=Watch")
    page.wait_for_selector("#start:enabled")
    for place, agent in enumerate(("sartre-2", "simplebot")):
        page.locator("#agents select").nth(place).select_option(agent)
    page.click("#start")
    page.click("#pause:enabled")
    for _ in range(5):
        before = page.inner_text("#about")
        page.click("#more")
        page.wait_for_function(
            "before => document.getElementById('about').innerText !== before"
            " && document.getElementById('waiting').hidden",
            arg=before,
        )
    while "remembered" not in page.inner_text("#panel-why"):
        page.click("#step")
        page.wait_for_timeout(500)


def six_seats(page: Page) -> None:
    """Six seats of no-limit at a flop with bets on the table."""
    sit_down(page)
    page.click("#tab-log")
    play_until_a_bet_on_the_flop(page)


def phone(page: Page) -> None:
    """The same on a phone."""
    sit_down(page)
    play_until_a_bet_on_the_flop(page)


DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
SHOTS: dict[Callable[[Page], None], dict[str, Any]] = {
    reasons: DESKTOP,
    hands: {"viewport": {"width": 1600, "height": 1000}},
    train: DESKTOP,
    watch: DESKTOP,
    six_seats: DESKTOP | {"color_scheme": "dark"},
    phone: {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "has_touch": True},
}


def play_until_a_showdown(page: Page) -> None:
    """Call hands down until one is shown in which the agent bet; then open its reasons."""
    for _ in range(60):
        page.wait_for_selector("#call:enabled, #next:enabled")
        if not page.is_visible("#next"):
            page.click("#call")
        elif page.locator(".card.win").count() and "sartre-2 raises" in page.inner_text("#log"):
            break
        else:
            page.click("#next")
    page.click("#why")
    page.wait_for_selector("#panel-why details[open]")


def sit_down(page: Page) -> None:
    """Sit down at six seats of no-limit."""
    page.click("#open-lobby")
    page.select_option("#lobby-betting", "nolimit")
    page.select_option("#lobby-seats", "6")
    page.click("#lobby-go:enabled")
    page.wait_for_selector(".seat:nth-child(6)")


def play_until_a_bet_on_the_flop(page: Page) -> None:
    """Call hands down until somebody has bet on the flop."""
    for _ in range(60):
        page.wait_for_selector("#call:enabled, #next:enabled")
        dealt = page.locator(".board .card:not(.empty)").count()
        if dealt == 3 and page.locator(".bet:not(.check)").count() and page.is_enabled("#call"):
            break
        page.click("#next" if page.is_visible("#next") else "#call")


if __name__ == "__main__":
    wanted = sys.argv[1:] or [make.__name__ for make in (crosstable, curve, *SHOTS)]
    for make in (crosstable, curve):
        if make.__name__ in wanted:
            make()
    if shots := [shot for shot in SHOTS if shot.__name__ in wanted]:
        web_table(shots)
