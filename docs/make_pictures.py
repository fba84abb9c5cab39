"""The pictures of the README, made from real runs: python docs/make_pictures.py"""

import shutil
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
    """The web table in Chromium: the reasons after a hand, and agents on their own."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        table = WebServer(Lobby(("sartre-2",), "sartre-2"), history=Path(folder) / "hands.sqlite")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script("localStorage.setItem('holdmem-options', '{\"pace\": 0}')")
        with table.running():
            page.goto(table.address)
            play_until_a_showdown(page)
            page.screenshot(path=PICTURES / "reasons.png")
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


if __name__ == "__main__":
    terminal_hand()
    crosstable()
    curve()
    web_table()
