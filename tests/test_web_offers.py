"""Whom the web table offers: nobody who is offered may be refused."""

import json
import re
from pathlib import Path

import pytest

import holdmem.web
from holdmem.core.errors import AgentError, GameError
from holdmem.engine import find_game
from holdmem.engine.game_file import BUILT_IN, SHORT_NAMES
from holdmem.players.clone import STYLES
from holdmem.web import messages as said
from holdmem.web.offers import Lobby, can_sit, field_rates
from holdmem.web.sessions import ClientSession
from holdmem.web.store import Store
from selections import quick_and_long

OFFER = Lobby(("sartre-2",), "sartre-2")


@pytest.fixture
def person(tmp_path):
    store = Store(tmp_path / "hands.sqlite")
    yield ClientSession("somebody", OFFER, store)
    store.close()


def sit_with_everybody_offered(person, **wish):
    """Sit down once with each agent that is offered for such a table, in all seats; how many they were."""
    (told,) = person.answer(said.Who(type="who", **wish))
    chips = {name: wish.get(name) for name in ("big_blind", "stacks")}
    for name in told["agents"]:
        opponents = [name] * (wish["seats"] - 1)
        sit = said.Sit(type="sit", game=wish["game"], opponents=opponents, adviser=name, **chips)
        assert person.answer(sit)[-1]["type"] == "state"
    if told["agents"]:
        sit = said.Sit(type="sit", game=wish["game"], opponents=told["opponents"], **chips)
        assert person.answer(sit)[-1]["table"]["adviser"] in told["agents"]
    return len(told["agents"])


@pytest.mark.parametrize(
    "game",
    quick_and_long(
        [name for name in OFFER.games() if name not in SHORT_NAMES],
        ["casper", "holdem.limit.2p.reverse_blinds", "holdem.limit.3p"],
    ),
)
def test_everybody_who_is_offered_sits_down(person, game):
    counts = [sit_with_everybody_offered(person, game=game, seats=seats) for seats in range(2, 11)]
    assert all(count < len(OFFER.agents()) for count in counts)  # some play other games alone
    assert min(counts) > 10


LOBBY = Path(holdmem.web.__file__).with_name("page") / "lobby.js"


def lobby_tables():
    """Every betting, format, number of seats and stack that the page's lobby lets one choose."""
    stacks = re.search(r"const STACKS = (\{.*?\});", LOBBY.read_text(encoding="utf-8"))[1]
    for kind, depths in json.loads(stacks).items():
        betting, _, format = kind.partition("/")
        for place, depth in enumerate(depths or [None]):
            for seats in (2,) if format == "match" else range(2, 11):
                wish = {"game": betting, "format": format, "seats": seats, "stacks": depth and [depth]}
                quick = place == 0 and seats in (2, 6, 10)
                yield pytest.param(
                    wish, marks=() if quick else pytest.mark.long, id=f"{kind}-{seats}-{depth}"
                )


@pytest.mark.parametrize("wish", list(lobby_tables()))
def test_nothing_that_the_lobby_offers_is_refused(person, wish):
    """Everybody who is listed for such a table sits down at it, in groups that fill it, and gives advice."""
    (told,) = person.answer(said.Who(type="who", **wish))
    agents, others = told["agents"], wish["seats"] - 1
    assert len(agents) > 8
    choice = {name: wish[name] for name in ("game", "format", "stacks")}
    for first in range(0, len(agents), others):
        group = (agents[first:] + agents)[:others] if others <= len(agents) else (agents * 2)[:others]
        sit = said.Sit(type="sit", opponents=group, adviser=group[0], **choice)
        state = person.answer(sit)[-1]
        assert state["type"] == "state"
        assert state["table"]["opponents"] == group


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "nolimit", "seats": 2, "stacks": [50]},
        {"game": "nolimit", "seats": 2, "stacks": [200, 50]},
        {"game": "nolimit", "seats": 3, "stacks": [100, 40, 15]},
        {"game": "nolimit", "seats": 2, "big_blind": 4},
        {"game": "limit", "seats": 2, "big_blind": 20},
        {"game": "limit", "seats": 2, "stacks": [5]},
        {"game": "casper", "seats": 4, "stacks": [3]},
    ],
)
def test_stakes_and_stacks_count_too(person, wish):
    assert sit_with_everybody_offered(person, **wish) > 10


def test_styles_of_people_sit_down_under_their_own_names(person):
    (told,) = person.answer(said.Who(type="who", game="nolimit", seats=3))
    assert {f"clone:style={style}" for style in STYLES} <= set(told["agents"])
    opponents = ["clone:style=passive", "simplebot"]
    state = person.answer(said.Sit(type="sit", game="nolimit", opponents=opponents))[-1]
    assert {seat["name"] for seat in state["seats"]} == {"you", "passive", "simplebot"}
    welcome = person.welcome()
    shown = {one["name"]: one["shown"] for one in welcome["agents"]}
    assert shown["clone:style=passive"] == "passive"
    assert shown["sartre-2"] == "sartre-2"


def test_the_strongest_opponent_advises_where_the_usual_adviser_cannot_play(person):
    rates = {name: [one["mean"] for one in found if (one["game"], one["seats"]) == ("nolimit", 6)]
             for name, found in field_rates().items()}  # fmt: skip
    assert rates["simplebot"] > rates["random"]
    opponents = ["random", "simplebot", "always-call"]
    state = person.answer(said.Sit(type="sit", game="nolimit", opponents=opponents))[-1]
    assert state["table"]["adviser"] == "simplebot"


def test_names_of_one_game_are_one_game():
    for short, name in SHORT_NAMES.items():
        assert find_game(short) == BUILT_IN[name]()


def test_the_launchs_opponents_are_usual_where_they_can_play(person):
    def usual(**wish):
        (told,) = person.answer(said.Who(type="who", **wish))
        return told["opponents"], told["adviser"]

    assert usual(game="limit", seats=2) == (["sartre-2"], "sartre-2")
    assert usual(game="nolimit", seats=2) == (["simplebot"], None)
    assert usual(game="limit", seats=3) == (["simplebot", "dpp"], None)
    with pytest.raises(GameError):
        usual(game="nolimit", seats=2, big_blind=3)


def test_who_cannot_is_not_offered_and_is_refused(person):
    assert not can_sit("sartre-2", find_game("nolimit"))
    with pytest.raises(AgentError):
        person.answer(said.Sit(type="sit", game="nolimit", opponents=["sartre-2"]))
    assert person.sitting is None


def test_an_agent_of_ones_own_that_raises_is_not_offered(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Bad:\n    def sit(self, game, tables, rng):\n        raise RuntimeError('no')\n",
        encoding="utf-8",
    )
    offer = Lobby((f"{bot}:Bad",), "random")
    assert f"{bot}:Bad" in offer.agents()
    assert f"{bot}:Bad" not in offer.able(find_game("limit"))


def test_a_table_is_left_when_an_opponent_fails(person):
    sit = said.Sit(type="sit", game="limit", opponents=["always-call"], adviser="always-call")
    *_, state = person.answer(sit)
    person.sitting.seats[1] = None
    check = said.Act(type="act", hand=state["hand"], action="call")
    *_, left = [person.answer(check) for _ in range(2)]  # the second on the flop, where the opponent is next
    assert left == [
        {
            "type": "left",
            "why": "this hand cannot go on: always-call failed; the server's log says why",
        }
    ]
    assert person.sitting is None


def test_a_game_of_ones_own_is_offered():
    assert "my.game" in Lobby(("random",), "random", game="my.game").games()
