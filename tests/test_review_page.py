"""The report of `holdmem review --html`, opened from disk in Chromium without a network.

HOLDMEM_PICTURES=FOLDER keeps screenshots there. Without Chromium these tests say so and are skipped.
"""

import pytest

from example_review import example_hands, example_report
from holdmem.plots.hand_review import hand_review_page
from test_web_own_pages import violations
from web_pages import (  # noqa: F401
    CHROMIUM,
    PATIENCE,
    are_at_least,
    chromium,
    listened,
    picture,
    says,
    screen,
)

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of the shipped example."""
    file = tmp_path_factory.mktemp("report") / "review of Hero.html"
    hand_review_page(example_report(example_hands()), file)
    return file


@pytest.fixture
def opened(chromium, report, request):  # noqa: F811
    """The report on a screen, and what it asked for."""
    on, scheme = request.param
    context = chromium.new_context(viewport=screen(on), color_scheme=scheme, offline=True)
    context.set_default_timeout(PATIENCE)
    asked = []
    context.on("request", lambda one: asked.append(one.url))
    page = listened(context.new_page())
    page.goto(report.as_uri())
    yield page, asked, f"{on}-{scheme}"
    context.close()


EVERYWHERE = [
    (on, scheme)
    if (on, scheme) == ("phone", "dark")
    else pytest.param((on, scheme), marks=pytest.mark.matrix)
    for on in ("desktop", "phone")
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize("opened", EVERYWHERE, indirect=True, ids="-".join)
def test_the_report_needs_nothing_but_itself(opened, report):
    page, asked, name = opened
    says(page, "h1", "Review of Hero")
    are_at_least(page.locator("h3"), 2)
    picture(page, f"report-{name}")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0
    assert page.evaluate(SMALLEST_TEXT) >= 11
    assert page.locator("script").count() == 0
    assert violations(page) == []
    assert set(asked) == {report.as_uri()}
    assert page.complaints == []


SMALLEST_TEXT = """() => Math.min(...[...document.querySelectorAll('svg text')].map((text) =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
"""The smallest text of a plot on the screen, in pixels."""
