"""`@bot`: a plain function of one view is an agent like any other."""

import pickle

import numpy as np
import pytest

from fresh import run
from holdmem.agent import CALL, FOLD, Agent, Bot, View, bot, make_agent, play
from holdmem.agent.bot import BotSeat
from holdmem.core.errors import AgentError, UnknownAgent
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import find_game
from situations import moment

LIMIT = find_game("limit")
DECKS = Streams.of(1, "cards").decks(hand_ids(30), LIMIT.deck_cards)

IN_A_FILE = """
from holdmem.agent import CALL, FOLD, bot

@bot
def cautious(view, patience=4):
    return FOLD if view.to_call * patience > view.pot else CALL
"""


@bot
def plain(view):
    """Calls."""
    return CALL


@bot
def cautious(view, patience=4, nerve=0.5):
    """Gives up when the price is high."""
    return FOLD if view.to_call * patience > view.pot else CALL


def undecorated(view):
    return CALL


renamed = bot(undecorated)


def play_bots(first, second=plain):
    players = [agent.sit(LIMIT, 30, Streams.of(k)) for k, agent in enumerate((first, second))]
    return play(LIMIT, players, DECKS, names=["Ann", "Bob"])


def answering(answer):
    return bot(lambda view: answer)


def made(text):
    """The bot `f` that these lines define, as if the module had been written so."""
    space = {"__name__": __name__, "CALL": CALL}
    exec(text, space)
    return bot(space["f"])


# ------------------------------------------------------------------------------------- an agent like others


def test_a_bot_is_an_agent_and_still_a_function():
    assert isinstance(plain, Agent)
    assert isinstance(plain.sit(LIMIT, 1, Streams.of(0)), BotSeat)
    _, _, views = moment(LIMIT, 0)
    assert [plain(view) for view in views] == [CALL] * len(views)


def test_a_bot_is_asked_about_one_view_after_another():
    seen = []

    @bot
    def noting(view):
        seen.append(view)
        return CALL

    _, _, views = moment(LIMIT, 3)
    codes = noting.sit(LIMIT, 6, Streams.of(0)).act(views).codes
    assert codes.tolist() == [CALL] * len(views)
    assert all(isinstance(view, View) for view in seen)
    assert [str(view) for view in seen] == [str(view) for view in views]


def test_a_bot_with_no_views_has_no_actions():
    _, _, views = moment(LIMIT, 0)
    assert len(plain.sit(LIMIT, 6, Streams.of(0)).act(views[:0])) == 0


def test_settings_reach_the_function():
    patient, hasty = cautious.with_params(patience=0), cautious.with_params(patience=1000)
    assert (play_bots(plain, patient).net == play_bots(plain).net).all()
    assert (play_bots(plain, hasty).net[:, 1] == -5).all()
    _, _, views = moment(LIMIT, 0)
    assert [hasty(view) for view in views] == [FOLD if view.to_call else CALL for view in views]


# ------------------------------------------------------------------------------------- values


def test_having_changes_only_what_is_named():
    assert cautious.defaults == {"patience": 4, "nerve": 0.5}
    assert plain.defaults == {}
    assert cautious.settings == ()
    assert cautious.with_params(nerve=1, patience=2).settings == (("nerve", 1), ("patience", 2))
    assert cautious.with_params(patience=2).with_params(nerve=1) == cautious.with_params(nerve=1, patience=2)
    assert (
        cautious.with_params(patience=2).with_params(patience=4)
        == cautious.with_params(nerve=0.5)
        == cautious
    )


def test_an_unknown_setting_suggests_the_nearest():
    with pytest.raises(
        UnknownAgent, match=r"cautious: unknown parameter 'patiense'; did you mean patience\?"
    ):
        cautious.with_params(patiense=3)
    with pytest.raises(UnknownAgent, match=r"plain: unknown parameter 'depth'; it takes none"):
        plain.with_params(depth=3)


SAME = "def f(view, a=1): return CALL"


@pytest.mark.parametrize(
    "other",
    [
        "def f(view, a=1): return 1000",  # another constant
        "def f(view, a=2): return CALL",  # another default
        "def f(view, b=1): return CALL",  # another name of a setting
        "def f(view, *, a=2): return CALL",
        "def f(view, a=1): return FOLD",  # another name that is looked up
        "def f(view, a=1): return view.pot",
        "def outer(n):\n def f(view, a=1): return CALL\n return f\nf = outer(1)",  # another place
    ],
)
def test_bots_are_equal_by_what_they_do(other):
    assert made(SAME) == made(SAME)
    assert hash(made(SAME)) == hash(made(SAME))
    assert made(SAME) != made(other)
    assert made(SAME) != made(SAME).function


def test_bots_are_equal_by_what_they_close_over():
    def closing(n):
        return bot(lambda view: n)

    assert closing(1) == closing(1)
    assert closing(1) != closing(2)


def test_settings_are_part_of_the_value():
    bots = {
        cautious,
        cautious.with_params(patience=3),
        cautious.with_params(patience=3),
        cautious.with_params(patience=4),
        plain,
    }
    assert len(bots) == 3


# ------------------------------------------------------------------------------------- pickling


@pytest.mark.parametrize("agent", [plain, cautious, cautious.with_params(patience=9), renamed])
def test_a_pickled_bot_is_the_same_bot(agent):
    copy = pickle.loads(pickle.dumps(agent))
    assert copy == agent
    assert hash(copy) == hash(agent)
    assert (play_bots(copy).net == play_bots(agent).net).all()


def test_a_bot_from_a_file_is_the_same_in_a_fresh_process(tmp_path):
    path = tmp_path / "mybot.py"
    path.write_text(IN_A_FILE, encoding="utf-8")
    agent = make_agent(f"{path}:cautious:patience=7")
    code = """if True:
        import pickle, sys
        agent = pickle.loads(bytes.fromhex(sys.argv[1]))
        print(agent.settings, agent.function.__name__, agent.function.__code__.co_filename)
        from holdmem.agent import make_agent
        print(agent == make_agent(sys.argv[2]), pickle.dumps(agent).hex() == sys.argv[1])
    """
    printed = run(code, pickle.dumps(agent).hex(), f"{path}:cautious:patience=7").stdout.splitlines()
    assert printed == [f"(('patience', 7),) cautious {path}", "True True"]


def test_a_bot_that_no_other_process_could_find_is_not_pickled():
    @bot
    def inner(view):
        return CALL

    for hidden in (inner, answering(CALL), made("def plain(view): return 3\nf = plain")):
        with pytest.raises(pickle.PicklingError, match=r"at the top level of a module: .* cannot be found"):
            pickle.dumps(hidden)


# ------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    "answer", [None, "call", 1.0, True, False, (CALL,), np.float64(0), 2**70, -(2**70), [0]]
)
@pytest.mark.parametrize("mixed", [False, True])
def test_an_answer_that_is_no_int_names_the_player_and_the_answer(answer, mixed):
    calls = iter([CALL] if mixed else [])
    strange = bot(lambda view: next(calls, answer))
    with pytest.raises(
        AgentError, match=r"^Ann: expected FOLD, CALL or the total of a raise as an int, got"
    ) as info:
        play_bots(strange)
    assert repr(answer) in str(info.value)


@pytest.mark.parametrize("kind", [int, np.int64, np.int8, np.uint16])
def test_any_whole_number_is_an_answer(kind):
    assert (play_bots(answering(kind(CALL))).net == play_bots(plain).net).all()


def test_an_error_in_a_bot_names_the_player_and_the_view():
    @bot
    def stumbling(view):
        return view.hole[2]

    with pytest.raises(
        AgentError, match=r"^Ann: raised IndexError.* at preflop, seat 0 with \w{4}, no board"
    ):
        play_bots(stumbling)


def test_a_setting_needs_a_default():
    with pytest.raises(AgentError, match="eager: every parameter after the view must have a default"):

        @bot
        def eager(view, depth):
            return CALL


def test_a_bot_is_a_function_of_a_view():
    with pytest.raises(AgentError, match="blind: a bot must take at least one argument, the view"):

        @bot
        def blind():
            return CALL


def test_a_bot_shows_what_it_is():
    assert isinstance(cautious, Bot)
    assert "cautious" in repr(cautious.with_params(patience=3))
    assert "('patience', 3)" in repr(cautious.with_params(patience=3))
