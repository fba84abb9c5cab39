"""Single hands that are valued for the replayer: in the background, kept, with ranges and reasons."""

import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import holdmem
from holdmem.cards import Range
from holdmem.cards.classes import CLASSES
from holdmem.core.statistics import NORMAL
from holdmem.ev import named_player
from holdmem.history import join, read_hands
from holdmem.web import judged, judgement, kept_model, library_review
from holdmem.web.judged import Judge, grid
from holdmem.web.library_review import review_file
from holdmem.web.library_values import values_of_hand
from holdmem.web.replay import replayed
from test_web_library import OFFER, TOKEN, dropped, opened, text, told  # noqa: F401
from test_web_server import Person, table


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    few = judged.replace(judged.PRECISION, first=64, most=64)
    monkeypatch.setattr(judged, "PRECISION", few)
    monkeypatch.setattr(judgement, "PRECISION", few)


@pytest.fixture(scope="module")
def hands(text, tmp_path_factory):  # noqa: F811
    path = tmp_path_factory.mktemp("judged") / "hands.txt"
    path.write_bytes(text)
    return join(list(read_hands(path)))


@pytest.fixture
def client(tmp_path, text):  # noqa: F811
    with opened(tmp_path) as made:
        made.get(f"/hands?token={TOKEN}")
        made.file = dropped(made, text)
        told(made, made.file)
        yield made


def asked(client, how="get", **wish):
    return getattr(client, how)("/v1/judgement", params=wish)


def valued(client, **wish):
    """What is known of a hand once it has been valued."""
    found = asked(client, "post", **wish).json()
    while found["state"] == "running":
        time.sleep(0.05)
        found = asked(client, **wish).json()
    return found


def place_of(hands, player, decisions=2):
    """The number of a hand in which a player decides at least so often."""
    for place, hand in enumerate(hands):
        with_cards = Judge(hand, player)
        if len(with_cards.decisions()) >= decisions:
            return place + 1
    raise AssertionError


def test_the_values_are_those_of_the_public_function(hands):
    hand = hands[place_of(hands, "random") - 1]
    judge = Judge(hand, "random")
    for (view, action), found in zip(judge.decisions(), judge.judged(), strict=True):
        same = holdmem.value(view, action, samples=64).as_json()
        assert [one["code"] for one in found["actions"]] == [one["code"] for one in same["actions"]]
        values = [one["bb"] for one in found["actions"]]
        assert values == pytest.approx([one["bb"] for one in same["actions"]], abs=1e-3)
        assert found["loss"] == pytest.approx(same["loss_bb"], abs=1e-3)
        assert found["actions"][found["taken"]]["words"] == same["taken"]
        assert found["step"] == view.actions
        assert found["wide"] > NORMAL  # by Student's t


def test_ranges_are_of_the_opponents_left_without_visible_cards(hands):
    hand = hands[place_of(hands, "random") - 1]
    judge = Judge(hand, "random")
    for (view, _), found in zip(judge.decisions(), judge.judged(), strict=True):
        live = {seat for seat, is_live in enumerate(view.live) if is_live} - {view.seat}
        assert {one["seat"] for one in found["ranges"]} == live
        for one in found["ranges"]:
            assert len(one["cells"]) == len(CLASSES)
            assert max(cell for cell in one["cells"] if cell is not None) == 1
            assert 0 < one["share"] <= 1
        assert any("of the pot against" in line for line in found["reasons"])
        assert found["why"]["reasons"]


def test_a_replay_says_what_a_chip_is_worth(hands):
    one, worth = hands[0], ((Fraction(1), ""), (Fraction(1, 100), "$"))
    terms = [replace(one.terms, chip=chip, currency=currency) for chip, currency in worth]
    assert [replayed(one._replace(terms=some), None)["chip"] for some in terms] == [None, "$0.01"]


def test_a_grid_leaves_out_what_is_not_possible():
    weights = np.ones(1326)
    aces = {48, 49, 50}  # only one ace is left, so a pair of aces is not possible
    found = grid(Range(weights).without(aces).weights, aces)
    assert found["cells"][CLASSES.index("AA")] is None
    assert found["cells"][CLASSES.index("KK")] == 1
    assert found["share"] == 1


def test_a_hand_is_valued_in_the_background_and_kept(client, hands, tmp_path):
    wish = {"upload": client.file, "number": place_of(hands, "random"), "player": "random"}
    assert asked(client, **wish).json()["state"] == "none"
    found = valued(client, **wish)
    assert (found["state"], found["player"]) == ("ready", "random")
    assert len(found["decisions"]) == found["total"] > 1
    assert set(found["players"]) == set(hands[0].names)
    (kept,) = tmp_path.glob(f"*-files/*/{client.file}/judged/*.json")
    with opened(tmp_path) as again:
        again.cookies = client.cookies
        assert asked(again, **wish).json()["decisions"] == found["decisions"]
        client.delete(f"/v1/hands/{client.file}")
    assert not kept.exists()


def test_a_hand_that_nobody_waits_for_is_given_up(client, hands, monkeypatch):
    monkeypatch.setattr(judgement, "PATIENCE", -1)
    wish = {"upload": client.file, "number": place_of(hands, "random"), "player": "random"}
    asked(client, "post", **wish)
    while asked(client, **wish).json()["state"] == "running":
        time.sleep(0.02)
    assert asked(client, **wish).json()["state"] == "none"


def test_where_nothing_can_be_valued_it_says_so(client, hands):
    place = place_of(hands, "random")
    for player in ("nobody here", "../x"):
        found = valued(client, upload=client.file, number=place, player=player)
        assert found["state"] == "refused"
        assert "does not play in this hand" in found["problem"]
    hidden = hands[place - 1]._replace(hole=[[-1, -1]] * 6)
    with pytest.raises(holdmem.HoldMemError, match="the hole cards of random are not known"):
        Judge(hidden, "random").decisions()
    beyond = asked(client, upload=client.file, number=10**6)
    assert beyond.status_code == 409
    assert "expected a hand from 1 to" in beyond.text
    assert asked(client, upload="0" * 16).status_code == 409
    assert asked(client, nonsense="1").status_code == 409


def test_whose_decisions_must_be_chosen_where_nobody_is_at_home(client):
    with table(client) as socket:
        person = Person(socket)
        person.say(type="watch", agents=["always-call", "always-raise"], seed=3)
        person.say(type="step", hands=1)
        while person.hear()["type"] != "spectacle":
            pass
        person.hear()
        found = asked(client, watched=0).json()
        assert found["state"] == "choose"
        assert set(found["players"]) == {"always-call", "always-raise"}
        assert valued(client, watched=0, player="always-call")["state"] == "ready"


def test_a_review_keeps_the_value_of_every_decision(client, hands, tmp_path, monkeypatch):
    monkeypatch.setattr(library_review, "find_leaks", partial(holdmem.find_leaks, samples=16, again=0))
    who = {"player": "random"}
    client.post(f"/v1/hands/{client.file}/review", params=who)
    while (review := client.get(f"/v1/hands/{client.file}/review", params=who).json())["state"] == "running":
        time.sleep(0.05)
    assert review["state"] == "ready"
    (folder,) = tmp_path.glob(f"*-files/*/{client.file}")
    total = 0
    for place, hand in enumerate(hands, 1):
        stored = values_of_hand(folder, "random", place, str(hand.number))
        total += len(stored)
        assert [one["step"] for one in stored] == [
            view.actions for view, _ in Judge(hand, "random").decisions()
        ]
        for one in stored:
            assert one["taken"] in [action["code"] for action in one["actions"]]
    assert total == review["decisions"]
    dearest = review["dearest"][0]
    found = asked(client, upload=client.file, number=dearest["place"], **who).json()["stored"]
    (same,) = (one for one in found if one["step"] == dearest["step"])
    assert dearest["loss"] == pytest.approx(same["loss"], abs=1e-3)
    file = next(folder.glob("values-*.npz"))
    for damaged in (b"damaged", file.read_bytes()[:1000]):  # the dearest decisions are left
        file.write_bytes(damaged)
        left = values_of_hand(folder, "random", dearest["place"], dearest["number"])
        assert dearest["step"] in [one["step"] for one in left if not one["actions"]]
    review_file(folder, "random").write_text("[]", encoding="utf-8")
    assert values_of_hand(folder, "random", dearest["place"], dearest["number"]) == []


def test_deleting_the_history_deletes_what_was_made_of_it(client, tmp_path):
    with table(client) as socket:
        person = Person(socket)
        person.finish(person.sit())
    (own,) = client.get("/v1/hands/own/list").json()["hands"]
    found = valued(client, own=own["number"])
    assert (found["state"], found["player"]) == ("ready", "you")
    assert list(tmp_path.glob("*-files/*/own/judged/*.json"))
    assert client.delete("/v1/history").json() == {"deleted": 1}
    assert not list(tmp_path.glob("*-files/*/own"))


def test_the_model_of_the_others_is_learned_once_and_kept(tmp_path, hands, monkeypatch):
    monkeypatch.setattr(kept_model, "ENOUGH", 20)
    monkeypatch.setattr("holdmem.ev.review.run.ENOUGH", 20)
    learned = kept_model.learned_model(tmp_path, "random", hands)
    kept = kept_model.kept_model(tmp_path, "random")
    assert learned.words == kept.words == "the others in these 60 hands on average"
    assert kept_model.kept_model(tmp_path, "jagbot") is None
    hand = hands[place_of(hands, "random") - 1]
    (one, *_), (other, *_) = (list(Judge(hand, "random", model).judged()) for model in (learned, kept))
    assert one["actions"] == other["actions"]
    assert "60 hands" in one["assumptions"]
    assert named_player("population").words not in one["assumptions"].split("and after")[0]


def test_the_same_hand_of_two_files_is_valued_by_the_model_of_each(hands, tmp_path):
    """What is known of one is not given for the other, whose others may play differently."""
    jobs = []
    desk = judgement.JudgementDesk(SimpleNamespace(submit=lambda *job: jobs.append(job)))
    judge = Judge(hands[place_of(hands, "random") - 1], "random")
    one, other = (judgement.JudgementRequest(judge, tmp_path / name) for name in ("one", "other"))
    assert desk.begin(one)["state"] == "running"
    assert desk.look(other)["state"] == "none"
    assert desk.begin(other)["state"] == "running"
    assert [asked for _, asked, _ in jobs] == [one, other]
