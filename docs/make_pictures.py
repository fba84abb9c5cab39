"""The pictures of the README, made from real runs: python docs/make_pictures.py [web_table]"""

import shutil
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from holdmem import find_game, make_agent, tournament
from holdmem.cli.terminal import TerminalSession
from holdmem.learning.training_batch import train
from holdmem.learning.training_runs import TrainingRun, learning_game
from holdmem.plots import heat_map
from holdmem.plots.learners import learning_curve
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby

PICTURES = Path(__file__).with_name("pictures")
SEED = 5


def terminal_hand() -> None:
    """A hand at the terminal, played by an agent in the person's seat."""
    console = Console(record=True, width=84, highlight=False, force_terminal=True, file=StringIO())
    names = ["random", "always-call"]
    agents = [make_agent(name) for name in names]
    TerminalSession(
        find_game("holdem.limit.3p"), agents, names, make_agent("always-call"), seed=SEED, console=console
    ).play(1)
    console.save_svg(
        str(PICTURES / "terminal.svg"), title="holdmem play random always-call --game holdem.limit.3p"
    )


def crosstable() -> None:
    """A round robin of memories, rules and an equilibrium."""
    agents = ["eqm", "sartre-2", "casper", "simplebot", "dpp", "always-call"]
    heat_map(tournament("limit", *agents, hands=20_000, seed=1), PICTURES / "crosstable.png")


def curve() -> None:
    """What the Action Learner wins as it learns."""
    course = TrainingRun(learning_game(2), "action-learner", ("simplebot",), hands=25_000, matches=10, seed=1)
    (report,) = train([course])
    learning_curve(report, PICTURES / "learning.png")


def web_table() -> None:
    """The web table in Chromium: the reasons after a hand, six seats, and agents on their own."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        table = WebServer(Lobby(("sartre-2",), "sartre-2"), history=Path(folder) / "hands.sqlite")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script("localStorage.setItem('holdmem-options', '{\"pace\": 0, \"animate\": false}')")
        with table.running():
            page.goto(table.address)
            play_until_a_showdown(page)
            page.screenshot(path=PICTURES / "reasons.png")
            page.emulate_media(color_scheme="dark")
            six_seats(page)
            page.screenshot(path=PICTURES / "six-seats.png")
            page.emulate_media(color_scheme="light")
            page.goto(f"http://127.0.0.1:{table.port}/watch")
            page.wait_for_selector("#start:enabled")
            for place, agent in enumerate(("sartre-2", "simplebot")):
                page.locator("#agents select").nth(place).select_option(agent)
            page.click("#start")
            page.wait_for_selector("#more:enabled")
            for _ in range(5):
                page.click("#more")
                page.wait_for_timeout(2500)
            page.screenshot(path=PICTURES / "watch.png")
        browser.close()


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


def six_seats(page: Page) -> None:
    """Sit down at six seats of no-limit and play on to a flop with bets on the table."""
    page.click("#open-lobby")
    page.select_option("#lobby-betting", "nolimit")
    page.select_option("#lobby-seats", "6")
    page.wait_for_selector("#lobby-go:enabled")
    page.click("#lobby-go")
    page.wait_for_selector(".seat:nth-child(6)")
    page.click("#tab-log")
    for _ in range(60):
        page.wait_for_selector("#call:enabled, #next:enabled")
        dealt = page.locator(".board .card:not(.empty)").count()
        if dealt == 3 and page.locator(".bet:not(.check)").count() and page.is_enabled("#call"):
            break
        page.click("#next" if page.is_visible("#next") else "#call")


if __name__ == "__main__":
    for make in (terminal_hand, crosstable, curve, web_table):
        if len(sys.argv) < 2 or make.__name__ in sys.argv[1:]:
            make()
