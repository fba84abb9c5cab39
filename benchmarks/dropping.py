"""Hands dropped on the page: how soon there is something to see, and how long the page ever stops."""

import http.client
import io
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks.example_hands import OTHERS
from benchmarks.measure import Line
from holdmem import Streams, make_agent
from holdmem.agent import hand_ids, play
from holdmem.core.atomic import write_atomically
from holdmem.engine import PARTS, find_game
from holdmem.history import Hands
from holdmem.history.formats import FORMATS
from holdmem.history.formats.format import WriteOptions
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby

REVIEWED, BROWSED = 10_000, 100_000
"""Hands that are reviewed, and hands that are looked through."""
BLOCK = 5_000
"""Hands dealt at a time."""
SEED = 27
PEOPLE = tuple(f"clone:style={style}" for style in ("tight-aggressive", *OTHERS))
BOTS = ("simplebot", "jagbot", "megabot", "always-call", "dpp", "random")
NAMES = ["Hero", *(f"Villain {k + 1}" for k in range(5))]
FIRST_PAGE, REVIEW, FREEZE = 20.0, 180.0, 200.0
"""Bars: seconds to the first page and to the whole review, milliseconds of the longest task."""
PATIENCE = 3_600_000
"""Milliseconds that anything may take on a busy machine."""
PAGES = 20
"""Times that more hands are asked for, fifty at a time."""
PAUSE = 0.2
"""Seconds between two requests for another page."""
OBSERVED = """new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longTasks.push(task.duration);
}).observe({ type: "longtask", buffered: true })"""
SCREENS = {"1440×900": (1440, 900), "390×844": (390, 844)}


def dealt(agents: tuple[str, ...], count: int) -> Iterator[Hands]:
    """Yield no-limit hands at six seats, in blocks; the players change seats from hand to hand.

    Pots that split into half chips are left out, as no site pays them.
    """
    game, rng = find_game("nolimit", 6), Streams.of(SEED, "dropped hands")
    lineup = (np.arange(6)[None] + np.arange(BLOCK)[:, None]) % 6
    first = 0
    while count:
        seats = [make_agent(name).sit(game, BLOCK, rng.spawn("player", k)) for k, name in enumerate(agents)]
        ids = hand_ids(BLOCK, first_hand=first)
        played = play(game, seats, rng.decks(ids, game.deck_cards), lineup=lineup, where=ids)
        found = Hands.of(played, NAMES)
        found.rows["number"] += 250_000_000_001 + first
        found = found[(found.rows["net"] % PARTS == 0).all(axis=1)][:count].packed()
        first, count = first + BLOCK, count - len(found)
        yield found


def history(agents: tuple[str, ...], count: int, file: Path) -> None:
    """Write such hands as a history of Hero's, in which cards are seen that Hero sees."""
    text, write = io.StringIO(), FORMATS["pokerstars"].write_lines
    assert write is not None
    write(dealt(agents, count), text, WriteOptions(".txt", hero="Hero"))
    write_atomically(file, text.getvalue())


class Opened(NamedTuple):
    """A server without files: pages of it in Chromium by the size of their screen, and its port."""

    page: Callable[[str], Any]
    port: int


@contextmanager
def pages() -> Iterator[Opened]:
    """Open a server without files, and a browser."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        table = WebServer(Lobby(("always-call",), "always-call"), history=Path(folder) / "hands.sqlite")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context()
        context.add_init_script(f"window.longTasks = []; {OBSERVED}")

        def opened(size: str) -> Any:
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            width, height = SCREENS[size]
            page.set_viewport_size({"width": width, "height": height})
            page.goto(table.address.replace("/?", "/hands?"))
            return page

        with table.running():
            yield Opened(opened, table.port)
        browser.close()


@contextmanager
def asking(work: str, port: int) -> Iterator[list[Line]]:
    """Fill a list with how long another page of this server took, asked for again and again meanwhile."""
    found, times, over = list[Line](), list[float](), threading.Event()

    def ask() -> None:
        while not over.wait(PAUSE):
            begin = perf_counter()
            line = http.client.HTTPConnection("127.0.0.1", port)
            line.request("GET", "/page/style.css")
            assert line.getresponse().read()
            line.close()
            times.append(1000 * (perf_counter() - begin))

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield found
    finally:
        over.set()
        asker.join()
    for name, share in (("median", 50), ("99th percentile", 99), ("longest", 100)):
        found.append(Line(work, f"another page meanwhile, {name}", float(np.percentile(times, share)), "ms"))


def drop(page: Any, file: Path) -> float:
    """Drop a file on the page; return the seconds until its dashboard is there."""
    begin = perf_counter()
    page.set_input_files("#files", str(file))
    page.wait_for_selector("#dashboard .hand-list li")
    return perf_counter() - begin


def browse(page: Any) -> None:
    """Add a thousand rows, change order and player, and open a hand and come back."""
    for count in range(2, PAGES + 2):
        page.click("#dashboard >> text=More hands")
        page.wait_for_selector(f".hand-list li >> nth={50 * count - 1}", state="attached")
    for order in ("lost", "won", "pot", "played"):
        page.select_option("[aria-label='Order of the hands']", order)
        page.wait_for_selector(".hand-list li >> nth=49", state="attached")
        page.wait_for_selector(".hand-list li >> nth=50", state="detached")
    for player in ("Villain 2", "Hero"):
        page.select_option("#dashboard .dash-head select", player)
        page.wait_for_selector(f"#dashboard h2:has-text('{player}')")
        page.wait_for_selector("#dashboard .hand-list li")


def reviewing(opened: Opened, file: Path) -> Iterator[Line]:
    """Measure a file that is reviewed by itself, while the page is used and others are asked for."""
    work = f"{REVIEWED:,} hands dropped"
    with asking(work, opened.port) as answers:
        yield from reviewed(work, opened.page("1440×900"), file)
    yield from answers


def reviewed(work: str, page: Any, file: Path) -> Iterator[Line]:
    """Drop a file, look through it, and wait for its review."""
    begin = perf_counter()
    with traced(work, "longest task", page) as tasks:
        first = drop(page, file)
        yield Line(work, "first page", first, "s", bar=f"{FIRST_PAGE:.0f} s", reached=first < FIRST_PAGE)
        page.wait_for_selector(".review .figures")
        yield Line(work, "first estimates of losses and leaks", perf_counter() - begin, "s")
        browsed = perf_counter()
        browse(page)
        yield Line(work, "looking through it meanwhile", perf_counter() - browsed, "s")
    yield from tasks
    page.wait_for_selector("#stop-review", state="detached")
    page.wait_for_selector(".review h3")
    whole = perf_counter() - begin
    yield Line(work, "whole review", whole, "s", bar=f"{REVIEW:.0f} s", reached=whole < REVIEW)


@contextmanager
def traced(work: str, who: str, page: Any) -> Iterator[list[Line]]:
    """Fill a list with the longest task of a page in this context, by the clock and by processor time.

    On a busy machine a task waits for a processor; processor time is what it costs on a quiet one.
    """
    found: list[Line] = []
    browser = page.context.browser
    browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline", "__metadata"])
    yield found
    events = json.loads(browser.stop_tracing())["traceEvents"]
    observed = max(page.evaluate("window.longTasks"), default=0.0)
    found.append(Line(work, f"{who}, as the page observes it", observed, "ms"))
    threads = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    tasks = [one for one in events if one["name"] == "RunTask" and (one["pid"], one["tid"]) in threads]
    for how, key in (("", "dur"), (", processor time", "tdur")):
        most = max(task.get(key, 0) for task in tasks) / 1000
        found.append(Line(work, f"{who}{how}", most, "ms", bar=f"{FREEZE:.0f} ms", reached=most < FREEZE))


def browsing(opened: Opened, file: Path) -> Iterator[Line]:
    """Measure a large file that is read and looked through on two screens, while others are asked for."""
    work = f"{BROWSED:,} hands looked through"
    with asking(work, opened.port) as answers:
        yield from looked_through(work, opened, file)
    yield from answers


def looked_through(work: str, opened: Opened, file: Path) -> Iterator[Line]:
    """Drop a file and look through it, then again on the other screen."""
    for size in SCREENS:
        page = opened.page(size)
        with traced(work, f"longest task, {size}", page) as tasks:
            if size == "1440×900":
                yield Line(work, "first page", drop(page, file), "s")
            else:
                page.click("#file-list a >> nth=0")
                page.wait_for_selector("#dashboard .hand-list li")
            browse(page)
        yield from tasks


def dropping(seconds: float) -> Iterator[Line]:
    """Time to the first page and to the whole review, and the longest task of the browser."""
    try:
        import playwright.sync_api  # noqa: F401, PLC0415
    except ImportError:
        yield Line("hands dropped", "first page", remark="not installed: Chromium and playwright")
        return
    with TemporaryDirectory() as folder:
        files = Path(folder) / "reviewed.txt", Path(folder) / "browsed.txt"
        for agents, count, file in zip((PEOPLE, BOTS), (REVIEWED, BROWSED), files, strict=True):
            history(agents, count, file)
        for measured, file in zip((browsing, reviewing), (files[1], files[0]), strict=True):
            with pages() as opened:
                yield from measured(opened, file)
