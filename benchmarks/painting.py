"""How soon the table is seen in Chromium, and how much it loads."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measure import Line
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby

WORK = "the page of the web table"
STARTS = 7
FIRST, MOST = 1000.0, 500.0
"""Milliseconds to the first paint and kilobytes loaded, at most."""
SEATED = """() => new Promise((seen) => {
  const shown = () => document.querySelector(".seat .card");
  const look = () => (shown() ? seen(performance.now()) : requestAnimationFrame(look));
  look();
})"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
WEIGHT = "performance.getEntries().reduce((sum, one) => sum + (one.encodedBodySize || 0), 0)"


def painting(seconds: float) -> Iterator[Line]:
    """First paint, the first cards on the felt and bytes loaded, with the server warm and nothing cached."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415
    except ImportError:
        chromium = None
    if chromium is None:
        yield Line(WORK, "first paint", remark="not installed: Chromium and playwright")
        return
    paints, seats, weight = [], [], 0.0
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        table = WebServer(Lobby(("always-call",), "always-call"), history=Path(folder) / "hands.sqlite")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with table.running():
            for _ in range(STARTS + 1):  # the first is not counted: it warms the server
                page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
                page.goto(table.address)
                seats.append(page.evaluate(SEATED))
                paints.append(page.evaluate(PAINT))
                weight = page.evaluate(WEIGHT) / 1000
                page.context.close()
        browser.close()
    paint = median(paints[1:])
    yield Line(WORK, "first paint", paint, "ms", bar=f"{FIRST:.0f} ms", reached=paint < FIRST)
    yield Line(WORK, "cards on the felt", median(seats[1:]), "ms")
    yield Line(WORK, "loaded", weight, "kB", bar=f"{MOST:.0f} kB", reached=weight < MOST)
