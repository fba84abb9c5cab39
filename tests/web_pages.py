"""Pages of the web table in the system's Chromium, for tests.

A page changes when it likes. So what a test expects of one is waited for: reading it once, right after
a click, passes on an idle machine and fails on a busy one.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

try:
    from playwright.sync_api import expect
except ImportError:  # the tests that need it are skipped
    expect = None

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = os.environ.get("HOLDMEM_PICTURES")
PATIENCE = 120_000
"""Milliseconds that a step may take, on a machine with other work to do."""
if expect:
    expect.set_options(timeout=PATIENCE)
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


def says(page, place, text):
    """Wait until this can be read there."""
    expect(page.locator(place)).to_contain_text(text)


def has_played(page, hands):
    says(page, "#score", re.compile(rf" in {hands} hand"))


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"


def drawn(page):
    """Wait until everything that has reached the page, or that it was told to do, has been drawn.

    What is sent to a page comes in order, so this is also enough to see that something did not happen.
    """
    page.evaluate(DRAWN)


def eventually(page, read, expected):
    """Wait until reading the page gives what is expected."""
    for _ in range(PATIENCE // 50):
        if read(page) == expected:
            return
        page.wait_for_timeout(50)
    assert read(page) == expected


def drawn_to_its_width(page):
    """Return whether the graph of winnings has the size at which its letters have theirs."""
    return page.locator(".winnings").evaluate(
        "(graph) => Math.abs(graph.viewBox.baseVal.width - graph.clientWidth) <= 1"
    )


def has_text(page, place, text):
    """Wait until exactly this can be read there."""
    expect(page.locator(place)).to_have_text(text)


def has_value(page, place, value):
    expect(page.locator(place)).to_have_value(value)


def are(locator, number):
    """Wait until there are exactly this many."""
    expect(locator).to_have_count(number)


def are_at_least(locator, number):
    locator.nth(number - 1).wait_for(state="attached")


def is_hidden(page, place):
    expect(page.locator(place)).to_be_hidden()


def is_disabled(page, place):
    expect(page.locator(place)).to_be_disabled()


def has_attribute(locator, name, value):
    expect(locator).to_have_attribute(name, value)
