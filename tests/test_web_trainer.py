"""The trainer: the order in which spots come back, decks, values, answers, and its page."""

import json
import re
import time
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as some

import holdmem
from holdmem.cbr import CaseBase
from holdmem.engine import CALL, FOLD
from holdmem.ev import Assumptions, Precision, named_player, value_decision
from holdmem.ev.review.situations import classes_of_views
from holdmem.history import join, read_hands, replay
from holdmem.history.stats import POSITIONS
from holdmem.web import trainer_decks, trainer_desk, trainer_sources, trainer_values
from holdmem.web.app import app
from holdmem.web.hosts import Hosts
from holdmem.web.launch import WebServer
from holdmem.web.library import HandLibrary
from holdmem.web.library_routes import EXAMPLE, EXAMPLE_REVIEW, HERO, LibraryDesk
from holdmem.web.offers import Lobby
from holdmem.web.store import Store
from holdmem.web.trainer_decks import Deck, score
from holdmem.web.trainer_messages import Position, read_deck
from holdmem.web.trainer_schedule import (
    WAITS,
    Answer,
    Card,
    after,
    asking_order,
    cards_after,
    counts,
    next_spot,
)
from holdmem.web.trainer_sources import leak_spots, memory_spots, spread
from holdmem.web.trainer_values import agreed_answers, is_right, valued_answers
from web_pages import (  # noqa: F401
    CHROMIUM,
    are,
    are_at_least,
    chromium,
    has_text,
    is_hidden,
    open_page,
    picture,
    says,
)

HOST, TOKEN = "127.0.0.1:9", "the-token-of-this-launch"
OFFER = Lobby(("always-call",), "always-raise")
FLOP = {"kind": "situation", "betting": "limit", "seats": 2, "street": 1, "facing": 1}
AXE = Path(__file__).parents[1] / "page-tools" / "node_modules" / "axe-core" / "axe.min.js"
FEW = Precision(first=16, most=16)


@pytest.fixture(scope="module", autouse=True)
def few_samples():
    """Values of few samples, and small decks: what is tested is not how precise they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer_values, "SPOT", FEW)
        patch.setattr(trainer_sources, "MOST_SPOTS", 12)
        patch.setattr(trainer_sources, "BLOCK", 60)
        patch.setattr(trainer_desk, "field_model", lambda *_: named_player("population"))
        yield


# The order of spots

given_answers = some.lists(
    some.tuples(some.integers(0, 7), some.booleans(), some.floats(0, 1e6)), max_size=30
).map(lambda rows: [Answer(spot, at, 0, right) for (spot, right, at) in sorted(rows, key=lambda r: r[2])])


@given(given_answers, some.floats(0, 1e8))
def test_every_spot_comes_once_due_ones_first_then_new_ones(answers, now):
    order = list(asking_order(8, answers, now))
    cards = cards_after(answers)
    assert sorted(order) == list(range(8))
    groups = [0 if s in cards and cards[s].due <= now else 1 if s not in cards else 2 for s in order]
    assert groups == sorted(groups)
    for group in (0, 2):
        dues = [cards[s].due for s, its in zip(order, groups, strict=True) if its == group]
        assert dues == sorted(dues)
    new = [s for s, its in zip(order, groups, strict=True) if its == 1]
    assert new == sorted(new)
    told = counts(8, answers, now)
    assert [told["due"], told["new"], told["later"]] == [groups.count(k) for k in range(3)]


@given(given_answers, some.floats(0, 1e8), some.lists(some.sampled_from([True, False, None]), min_size=8))
def test_nothing_is_repeated_before_its_time_while_a_spot_is_being_valued(answers, now, states):
    cards = cards_after(answers)
    order = list(asking_order(8, answers, now))
    spot = next_spot(8, answers, now, lambda one: states[one])
    early = [one for one in order if one in cards and cards[one].due > now]
    in_time = [one for one in order if one not in early]
    ready = [one for one in in_time if states[one]]
    if ready or any(states[one] is None for one in in_time):
        assert spot == (ready[0] if ready else None)
    elif spot is not None:
        assert states[spot]
        assert spot in early


@given(given_answers)
def test_boxes_follow_from_the_answers_one_by_one(answers):
    card = None
    for one in [one for one in answers if one.spot == 3]:
        card = after(card, one.right, one.time)
    assert cards_after(answers).get(3) == card


@given(some.one_of(some.none(), some.builds(Card, some.integers(0, 5), some.just(0.0))), some.floats(0, 1e9))
def test_a_wrong_answer_comes_back_soonest_and_a_right_one_never_sooner_than_before(card, now):
    wrong, right = after(card, False, now), after(card, True, now)
    assert wrong == Card(0, now + WAITS[0])
    assert right.due > wrong.due
    if card is not None:
        assert right.box >= card.box
        assert WAITS[right.box] >= WAITS[card.box]
    assert list(WAITS) == sorted(WAITS)


def test_a_deck_answered_right_is_gone_through_once_before_anything_repeats():
    answers: list[Answer] = []
    for step in range(10):
        spot = next(asking_order(10, answers, now=60.0 * step))
        answers.append(Answer(spot, 60.0 * step, 0, right=True))
    assert [one.spot for one in answers] == list(range(10))


@given(some.integers(0, 50))
def test_a_spread_has_every_place_once_and_is_always_the_same(count):
    assert sorted(spread(count)) == list(range(count))


# Scores


def test_a_score_has_intervals_and_counts_first_answers_apart():
    losses = [0.0, 1.0, 0.5, 2.0, 0.5, 1.0]
    answers = [Answer(k % 4, k, 0, loss < 1, loss, 0.1) for k, loss in enumerate(losses)]
    told = score([answers, [Answer(0, 0, 0, True, share=0.8)]])
    assert told["answers"] == 7
    assert told["first_right"]["opportunities"] == 5
    assert (told["right"]["made"], told["first_right"]["made"]) == (4, 3)
    reach = 2.5706 * np.std(losses, ddof=1) / np.sqrt(6)  # Student's t with five degrees of freedom
    assert told["lost"]["mean"] == pytest.approx(np.mean(losses))
    assert told["lost"]["high"] - told["lost"]["mean"] == pytest.approx(reach, rel=1e-4)
    assert told["agreed"] == {"mean": 0.8, "low": None, "high": None, "of": 1}


def test_an_answer_is_wrong_only_if_it_is_clearly_worse():
    assert is_right(0.04, 0.0)
    assert not is_right(0.06, 0.0)
    assert is_right(1.0, 0.6)
    assert not is_right(1.0, 0.4)
    assert is_right(-0.5, 0.1)


# Values


def test_exact_losses_are_those_of_each_action_taken():
    spot = holdmem.Situation(hole="AhKd", board="Kc8s2d7h3c", betting="cc/cc/cc/").view
    model = named_player("always-call")
    told = valued_answers(spot, Assumptions(model, model))
    assert "exact" in told["assumed"]
    assert [one["code"] for one in told["answers"]] == [CALL, 20]
    for one in told["answers"]:
        found = value_decision(spot, one["code"], Assumptions(model, model))
        assert one["loss"] == pytest.approx(found.loss / found.unit)
        assert one["error"] == 0


def test_sampled_losses_are_those_of_each_action_taken():
    """Two ways to the same number: all answers at once, and one taken at a time from the same deals."""
    spot = holdmem.Situation(hole="AhKd", board="Kc8s2d", betting="rc/").view
    model = named_player("always-call")
    precision = Precision(first=2000, most=2000)
    told = valued_answers(spot, Assumptions(model, model), precision)
    for one in told["answers"]:
        found = value_decision(spot, one["code"], Assumptions(model, model), precision, seed=1)
        apart = abs(one["loss"] - found.loss / found.unit)
        assert apart <= 6 * np.hypot(one["error"], found.loss_error / found.unit)
    assert told["answers"][told["best"]]["right"]


def test_without_an_expected_value_the_share_of_the_expert_is_judged():
    views = holdmem.Situation(hole="AhKd", board="Kc8s2d", betting="rc/cr10").view.alone
    told = agreed_answers(views, "always-call")
    assert [(one["code"] > 0, one["share"], one["right"]) for one in told["answers"]] == [
        (False, 0.0, False),
        (False, 1.0, True),
        (True, 0.0, False),
    ]
    assert told["judge"] == "agreement"
    assert all("loss" not in one for one in told["answers"])
    json.dumps(told)


# Where spots come from


@pytest.fixture(scope="module")
def hands():
    return join(list(read_hands(EXAMPLE)))


def test_spots_of_a_leak_are_decisions_of_its_class(hands):
    review = json.loads(EXAMPLE_REVIEW.read_text(encoding="utf-8"))
    leak = review["leaks"][0]
    found = leak_spots(hands, HERO, review, leak["situation"], lambda place: f"/{place}")
    examples = [(one["place"], one["step"]) for one in leak["examples"]]
    places = [int(one["address"][1:]) for one in found.extra]
    assert list(zip(places, found.steps, strict=True))[: len(examples)] == examples
    assert len(set(zip(places, found.steps, strict=True))) == len(found)
    for place, step in zip(places, found.steps, strict=True):
        one = hands[place - 1 : place]
        decisions = next(iter(replay(one)))
        row = int(np.flatnonzero(decisions.views.actions == step)[0])
        assert one.players[decisions.player[row]] == HERO
        assert classes_of_views(decisions.views[[row]])[leak["family"]] == [leak["situation"]]


def test_all_leaks_take_turns_and_the_dearest_bring_what_the_review_stored(hands):
    review = json.loads(EXAMPLE_REVIEW.read_text(encoding="utf-8"))
    found = leak_spots(hands, HERO, review, trainer_sources.ALL_LEAKS, str)
    first = [one["examples"][0] for one in review["leaks"]]
    assert found.steps[: len(first)] == [one["step"] for one in first]
    for one, told in zip(review["leaks"], found.extra, strict=False):
        assert told["habit"] == f"{one['situation']}: {one['habit']}"
    dearest = leak_spots(hands, HERO, review, trainer_sources.DEAREST, str)
    assert dearest.extra[0]["review"] == {
        name: review["dearest"][0][name] for name in ("taken", "loss", "error")
    }
    with pytest.raises(holdmem.HoldMemError, match="no such leak"):
        leak_spots(hands, HERO, review, "limping", str)
    with pytest.raises(holdmem.HoldMemError, match="not been reviewed"):
        leak_spots(hands, HERO, {"state": "none"}, trainer_sources.ALL_LEAKS, str)


def test_a_memory_gives_its_commonest_decisions_street_by_street():
    found = memory_spots("sartre-1")
    streets = CaseBase.load("sartre-1").streets
    for number, street in enumerate(streets):
        times = np.sort(street.solutions.counts.sum(axis=1))[::-1]
        told = [one["times"] for one in found.extra[number::4]]
        assert told == times[: len(told)].tolist()


# Requests


def opened(folder):
    return TestClient(app(OFFER, Store(folder / "hands.sqlite"), TOKEN, Hosts(9)), base_url=f"http://{HOST}")


@pytest.fixture
def client(tmp_path):
    with opened(tmp_path) as made:
        made.get(f"/train?token={TOKEN}")
        yield made


def asked(client, deck):
    """The next spot, once it is valued."""
    while True:
        found = client.get(f"/v1/trainer/{deck}").json()
        if found["state"] in ("asked", "refused"):
            return found
        time.sleep(0.02)


def made(client, wish):
    answer = client.post("/v1/trainer", json=wish)
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def test_a_spot_shows_nothing_that_gives_the_answer_away(client):
    found = asked(client, made(client, FLOP))
    assert found["state"] == "asked"
    assert found["table"]["street"] == "flop"
    for seat in found["table"]["seats"]:
        assert (seat["cards"] is not None) == seat["you"] == seat["acting"]
    assert [set(one) for one in found["answers"]] == [{"code", "words"}] * len(found["answers"])
    assert FOLD in [one["code"] for one in found["answers"]]
    assert not {"best", "reasons", "assumed"} & set(found)


def test_answers_are_judged_kept_and_asked_again_after_a_restart(tmp_path):
    with opened(tmp_path) as client:
        client.get(f"/train?token={TOKEN}")
        deck = made(client, FLOP)
        assert made(client, FLOP) == deck  # the same deck is not made twice
        first = asked(client, deck)
        wish = {"spot": first["spot"], "turn": 0, "code": first["answers"][0]["code"]}
        told = client.post(f"/v1/trainer/{deck}", json=wish).json()
        assert [one["code"] for one in told["answers"]] == [one["code"] for one in first["answers"]]
        assert told["chosen"] == told["answers"][0]
        assert told["right"] == is_right(told["chosen"]["loss"], told["chosen"]["error"])
        assert told["score"]["lost"]["mean"] == told["chosen"]["loss"]
        assert told["reasons"]["reasons"]
        assert told["by"] == "eqm"
        twice = client.post(f"/v1/trainer/{deck}", json=wish)
        assert (twice.status_code, twice.text) == (409, "this spot has been answered already")
        cookies = client.cookies
    with opened(tmp_path) as client:
        client.cookies = cookies
        again = asked(client, deck)
        assert (again["turn"], again["later"]) == (1, 1)
        assert again["spot"] != first["spot"]
        (listed,) = client.get("/v1/trainer").json()["decks"]
        assert (listed["id"], listed["score"]["answers"]) == (deck, 1)
        assert client.delete(f"/v1/trainer/{deck}").status_code == 200
        assert client.get("/v1/trainer").json()["decks"] == []
    assert not list(tmp_path.glob(f"**/{deck}*"))


def test_a_deck_of_leaks_goes_with_its_file(client, tmp_path):
    number = client.post("/v1/hands/example").json()["id"]
    while not (sources := client.get("/v1/trainer").json()["sources"]["leaks"]):
        time.sleep(0.05)
    assert sources[0]["file"] == number
    assert sources[0]["leaks"][-2:] == ["all leaks", "dearest decisions"]
    deck = made(client, {"kind": "leak", "file": number, "leak": "dearest decisions"})
    found = asked(client, deck)
    assert all(seat["stack"] is not None for seat in found["table"]["seats"])
    code = found["answers"][0]["code"]
    wish = {"spot": found["spot"], "turn": 0, "code": code}
    told = client.post(f"/v1/trainer/{deck}", json=wish).json()
    assert told["address"].startswith(f"/replay?upload={number}&number=")
    review = json.loads(EXAMPLE_REVIEW.read_text(encoding="utf-8"))["dearest"][found["spot"]]
    assert told["review"]["loss"] == review["loss"]
    client.delete(f"/v1/hands/{number}")
    assert client.get("/v1/trainer").json()["decks"] == []
    assert client.get(f"/v1/trainer/{deck}").status_code == 409


def test_nobody_sees_the_decks_of_others(client):
    deck = made(client, FLOP)
    asked(client, deck)
    client.cookies.delete("holdmem-session")
    client.get(f"/train?token={TOKEN}")
    assert client.get("/v1/trainer").json()["decks"] == []
    assert client.get(f"/v1/trainer/{deck}").status_code == 409
    assert client.delete(f"/v1/trainer/{deck}").status_code == 409


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{" * 3000, 409, "expected a deck"),
        (b"\xff\xfe", 409, "expected a deck"),
        (b" " * 5000, 413, "at most 4,096 bytes"),
        (b'{"kind":"situation","betting":"limit","seats":99,"street":1}', 409, "seats"),
        (b'{"kind":"situation","betting":"limit","seats":2,"street":1,"position":"../x"}', 409, "position"),
        (b'{"kind":"memory","memory":"/etc"}', 409, "memory"),
        (b'{"kind":"memory","memory":"casper","more":1}', 409, "more"),
        (b'{"kind":"leak","file":"../../../../etc","leak":"a"}', 409, "file"),
        (b'{"kind":"leak","file":"0123456789abcdef","leak":"a"}', 409, "no such file"),
    ],
)
def test_hostile_wishes_leave_one_line(client, body, status, words):
    answer = client.post("/v1/trainer", content=body)
    assert answer.status_code == status
    assert words in answer.text
    assert "\n" not in answer.text
    assert client.get("/v1/trainer").json()["decks"] == []


def test_every_position_may_be_asked_for():
    assert get_args(Position) == POSITIONS


def test_hostile_answers_leave_one_line(client):
    deck = made(client, FLOP)
    spot = asked(client, deck)["spot"]
    for body, words in (
        ({"spot": spot, "turn": 0, "code": 999_999}, "offered"),
        ({"spot": 10**6, "turn": 0, "code": 0}, "not being asked"),
        ({"spot": spot, "turn": 7, "code": 0}, "already"),
        ({"spot": "x"}, "spot"),
        ([], "expected an answer"),
    ):
        answer = client.post(f"/v1/trainer/{deck}", json=body)
        assert answer.status_code == 409
        assert words in answer.text
        assert "\n" not in answer.text
    assert client.get(f"/v1/trainer/{deck}").json()["turn"] == 0


def test_what_cannot_be_made_says_why_and_can_be_forgotten(client):
    deck = made(client, FLOP | {"seats": 3, "position": "UTG"})  # nobody sits there
    found = asked(client, deck)
    assert found["state"] == "refused"
    assert found["problem"] == "expected a position of SB, BB, BTN, got UTG"
    assert client.delete(f"/v1/trainer/{deck}").status_code == 200
    assert client.get("/v1/trainer").json()["decks"] == []


def test_damaged_decks_are_said_and_do_not_hide_others(client, tmp_path):
    deck = made(client, FLOP)
    found = asked(client, deck)
    (folder,) = tmp_path.glob(f"**/{deck}")
    (folder / f"spot-{found['spot']}.json").write_text("{", encoding="utf-8")
    (folder / "answers.json").write_text('[{"spot": 0, "odd": 1}]', encoding="utf-8")
    assert asked(client, deck)["state"] == "asked"
    (folder.parent / "0123456789abcdef").mkdir()
    (folder.parent / "0123456789abcdef" / "deck.json").write_text("nothing", encoding="utf-8")
    listed = client.get("/v1/trainer").json()["decks"]
    assert sorted("problem" in one for one in listed) == [False, True]
    with pytest.raises(holdmem.HoldMemError, match="damaged"):
        Deck.read(folder.parent / "0123456789abcdef")


class Later:
    """An executor that only notes what it is to do."""

    def __init__(self):
        self.jobs = []

    def submit(self, work, *values):
        self.jobs.append((work, values))


@pytest.fixture
def desk(tmp_path):
    """A desk that makes and values nothing by itself."""
    store = Store(tmp_path / "hands.sqlite")
    made = trainer_desk.TrainerDesk(LibraryDesk(HandLibrary(tmp_path / "files"), store))
    made.maker, made.valuer = Later(), Later()
    yield made
    store.close()


def test_a_value_that_cannot_be_kept_is_not_computed_over_and_over(desk, tmp_path, monkeypatch):
    """As on a full disk; the next question tries again."""
    monkeypatch.setattr(trainer_desk, "_value_of", lambda *_: {"answers": []})
    deck, full = Deck(tmp_path, {"steps": [0, 0]}), [True]
    write = trainer_decks.write_if_there
    monkeypatch.setattr(trainer_decks, "write_if_there", lambda *what: full[0] or write(*what))
    for kept in (0, 1, 2):
        desk._value_ahead(deck)
        work, values = desk.valuer.jobs.pop()
        work(*values)
        assert len(desk.valuer.jobs) == (kept == 1)
        assert len(list(tmp_path.glob("spot-*.json"))) == kept
        full[0] = False
        desk.valuer.jobs.clear()
        desk._valuing.clear()


def test_decks_that_are_being_made_count_too(desk, monkeypatch):
    monkeypatch.setattr(trainer_desk, "MOST_DECKS", 3)
    for seed in range(3):
        desk.make("somebody", read_deck(json.dumps(FLOP | {"seed": seed}).encode()))
    with pytest.raises(holdmem.HoldMemError, match="3 decks already"):
        desk.make("somebody", read_deck(json.dumps(FLOP | {"seed": 3}).encode()))
    desk.make("somebody else", read_deck(json.dumps(FLOP).encode()))
    assert len(desk.maker.jobs) == 4


def test_nothing_is_kept_of_a_history_that_is_deleted_while_its_deck_is_made(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(desk, "_found", lambda *_: (trainer_sources.FoundSpots("Leaks", "clone"), None))
    number = desk.make("somebody", read_deck(b'{"kind":"leak","file":"own","leak":"limping"}'))["id"]
    ((work, values),) = desk.maker.jobs
    work(*values)
    found = desk.ask("somebody", number)
    assert (found["state"], found["problem"]) == ("refused", "you have not played a hand here yet")
    assert not list(tmp_path.glob("files/*/own/*"))


def test_few_decks_are_kept_in_memory(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(trainer_desk, "OPEN_DECKS", 2)
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "deck.json").write_text('{"steps": []}', encoding="utf-8")
    first = desk._deck(tmp_path / "a")
    desk._deck(tmp_path / "b")
    assert desk._deck(tmp_path / "a") is first
    desk._deck(tmp_path / "c")
    assert [folder.name for folder in desk._decks] == ["a", "c"]


def test_strangers_are_refused(tmp_path):
    with opened(tmp_path) as client:
        assert client.get("/v1/trainer").status_code == 403
        assert client.post("/v1/trainer", json=FLOP).status_code == 403


# The page

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = WebServer(OFFER, history=tmp_path_factory.mktemp("trainer") / "hands.sqlite")
    with made.running():
        yield made


def begin(page):
    """Make a deck of flops from the page."""
    page.select_option("#betting", "limit")
    page.select_option("#seats", "2")
    page.select_option("#street", "1")
    page.select_option("#facing", "1")
    page.click("#from-situation button")
    page.wait_for_selector("#answers button:enabled")


@needs_chromium
@pytest.mark.parametrize("on", ["desktop", "small phone"])
def test_ten_spots_by_keys_and_by_touch(chromium, server, on):  # noqa: F811
    page = open_page(chromium, server, on, "train")
    begin(page)
    picture(page, f"trainer-{on}-asked")
    for number in range(10):
        page.wait_for_selector("#answers button:enabled")
        is_hidden(page, "#after")
        if on == "desktop":
            page.keyboard.press("fc2"[number % 3])
        else:
            page.locator("#answers button").nth(number % 2).click()
        page.wait_for_selector("#after:not([hidden])")
        says(page, "#verdict", re.compile(r"\w"))
        are_at_least(page.locator("#feedback tbody tr"), 2)
        says(page, "#score", f"of {number + 1}")
        box = page.locator("#next").bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"]
        if number == 0:
            picture(page, f"trainer-{on}-answered")
        if on == "desktop":
            page.keyboard.press("Space")
        else:
            page.click("#next")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if on == "desktop":
        page.keyboard.press("Escape")
    else:
        page.click("#leave")
    says(page, "#deck-list", "of 10")
    page.reload()
    says(page, "#deck-list", "of 10")
    assert page.complaints == []
    page.context.close()


@needs_chromium
def test_leaks_of_the_example_are_two_clicks_away(chromium, server):  # noqa: F811
    page = open_page(chromium, server, "desktop", "train")
    page.click("#example")
    page.wait_for_selector("#make-leaks:enabled")
    picture(page, "trainer-choose")
    page.click("#make-leaks")
    page.wait_for_selector("#answers button:enabled")
    are(page.locator(".seat:not(.you) .card:not(.back):not(.empty)"), 0)
    page.keyboard.press("1")
    page.wait_for_selector("#replay:not([hidden])")
    picture(page, "trainer-leak")
    page.click("#replay")
    page.wait_for_selector("#panel-value .judged-list button")
    assert page.complaints == []
    page.context.close()


@needs_chromium
def test_a_review_leads_to_the_training_of_its_leaks(chromium, server):  # noqa: F811
    page = open_page(chromium, server, "desktop", "hands")
    page.click("#example")
    page.get_by_role("link", name="Train on these leaks").click()
    page.wait_for_selector("#make-leaks:enabled")
    has_text(page, "#leak-file option:checked", "example-hands.txt.gz")
    page.context.close()


@needs_chromium
@pytest.mark.parametrize("on", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility_by_axe(chromium, server, scheme, on):  # noqa: F811
    """No violation by axe-core, where `npm ci` in page-tools has fetched it."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --prefix page-tools")
    page = open_page(chromium, server, on, "train", bypass_csp=True, color_scheme=scheme)

    def violations():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run().then(result => result.violations)")
        return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]

    page.wait_for_selector("#deck-list li")
    assert violations() == []
    begin(page)
    assert violations() == []
    page.locator("#answers button").first.click()
    page.wait_for_selector("#feedback tbody tr")
    assert violations() == []
    page.click("#open-options")
    assert violations() == []
    page.click("#options-close")
    page.context.close()


@needs_chromium
def test_the_header_fits_a_small_phone(chromium, server):  # noqa: F811
    page = open_page(chromium, server, "small phone")
    for path in ("", "watch", "replay", "hands", "train", "sessions", "results"):
        page.goto(f"http://127.0.0.1:{server.port}/{path}")
        page.wait_for_selector("nav a")
        assert page.evaluate(
            "[...document.querySelectorAll('header a, header button')].every("
            "one => one.getBoundingClientRect().right <= innerWidth)"
        ), path
        nav = page.evaluate("(n => [n.scrollWidth, n.clientWidth])(document.querySelector('nav'))")
        assert nav[0] <= nav[1] + 1, path
    page.context.close()
