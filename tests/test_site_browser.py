"""The built site in Chromium: it fits phones and desktops, follows light and dark, and its search finds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web_pages import CHROMIUM, PATIENCE, chromium, expect, listened  # noqa: F401

SITE = Path(__file__).parents[1] / "build" / "site"
PAGES = (
    *("index", "docs/install", "docs/README", "docs/glossary", "docs/reference/holdmem"),
    *("docs/start/play", "docs/start/research", "docs/start/bot", "docs/start/learn", "docs/class"),
)
SCROLLED_SIDEWAYS = """
    Array.from(document.querySelectorAll("html, .content"))
        .filter(one => one.scrollWidth > one.clientWidth)
        .map(one => one.tagName)
"""
"""Narrow screens scroll the theme's `.content`, wide ones the page. Only code and tables may scroll."""
pytestmark = [
    pytest.mark.matrix,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="`make docs` has not built the site"),
]


@pytest.fixture(params=[(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")], ids=str)
def page(request: Any, chromium: Any) -> Iterator[Any]:  # noqa: F811
    """A page on a screen of this width, for somebody who prefers light or dark."""
    width, scheme = request.param
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    context.set_default_timeout(PATIENCE)
    page = listened(context.new_page())
    page.dark = scheme == "dark"
    yield page
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_the_screen_and_its_colours(page: Any, name: str) -> None:
    page.goto((SITE / f"{name}.html").as_uri())
    page.wait_for_selector("article h1")
    assert page.evaluate(SCROLLED_SIDEWAYS) == []
    assert page.evaluate("Array.from(document.images).filter(one => one.complete && !one.naturalWidth)") == []
    red, green, blue = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
    )
    assert (red + green + blue < 3 * 64) if page.dark else (red + green + blue > 3 * 192)
    assert page.complaints == []


@pytest.mark.parametrize(
    ("words", "found"), [("exploitability", "exploit.html"), ("read_hands", "reference/holdmem.html")]
)
def test_the_search_finds_without_a_server(page: Any, words: str, found: str) -> None:
    page.goto((SITE / "search.html").as_uri() + f"?q={words}")
    expect(page.locator(f"#search-results a[href*='{found}']").first).to_be_visible()
    assert page.complaints == []
