"""Pages of the web table in the system's Chromium, for tests."""

import json
import os
import shutil
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = os.environ.get("HOLDMEM_PICTURES")
PATIENCE = 60_000
"""Milliseconds that a step may take, on a machine with other work to do."""
SCREENS = {
    "desktop": (1440, 900),
    "small desktop": (1024, 768),
    "phone": (390, 844),
    "small phone": (360, 640),
}
AT_ONCE = {"pace": 0, "animate": False}


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def screen(name):
    width, height = SCREENS[name]
    return {"width": width, "height": height}


def open_page(browser, table, on="desktop", path="", options=None, **choices):
    """Open a page of the table in a fresh browser, with these options kept from before."""
    context = browser.new_context(viewport=screen(on), **choices)
    context.set_default_timeout(PATIENCE)
    kept = json.dumps(json.dumps(AT_ONCE | (options or {})))
    context.add_init_script(
        f"if (!localStorage.getItem('holdmem-options')) localStorage.setItem('holdmem-options', {kept})"
    )
    page = listened(context.new_page())
    page.goto(table.address.replace("/?", f"/{path}?"))
    return page


def listened(page):
    """Note everything that is complained about in the console."""
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
    return page.is_visible("#next")


def played_hands(page):
    text = page.text_content("#score")
    return int(text.split(" in ")[1].split(" hand")[0])


def finish(page, act):
    """Play a hand to its end; `act` makes one decision."""
    while not ready(page):
        act()


def sit_down(page, betting="limit", seats=2, format="cash", agents=()):
    """Choose a table in the lobby and sit down."""
    page.click("#open-lobby")
    page.select_option("#lobby-betting", betting)
    page.select_option("#lobby-format", format)
    if format != "match":
        page.select_option("#lobby-seats", str(seats))
    page.wait_for_selector("#lobby-go:enabled")
    for agent in agents:
        page.click(f".person[data-agent='{agent}']")
    page.click("#lobby-go")
    page.wait_for_selector(f".seat:nth-child({seats})")
