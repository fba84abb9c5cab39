"""The public API, `holdmem` and `holdmem.api`: keywords, examples, errors and what names print."""

import doctest
import inspect
import pickle
import re
import subprocess
import sys
from dataclasses import make_dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdmem as hm
import holdmem.api as hm_api
from holdmem.acpc import view_of
from holdmem.agent import name_of
from holdmem.arena import Estimate
from holdmem.arena.exact_result import ExactExploitability
from holdmem.core.display import html_bar, html_cards, html_shares, html_table
from holdmem.core.errors import AgentError, NotationError
from holdmem.engine import write_game
from holdmem.history import Hands
from holdmem.papers import Finding, Grid, Picture, Row

LONGEST_REPR = 200
FRONT = {name: getattr(hm, name) for name in hm.__all__}
PUBLIC = FRONT | {name: getattr(hm_api, name) for name in hm_api.__all__}
FUNCTIONS = [name for name, thing in PUBLIC.items() if inspect.isfunction(thing)]
RESULTS = (
    "Improvement", "MatchResult", "MemoryCosts", "Review", "SolveResult", "SpotSolution", "Tournament",
    "TrainingReport",
)  # fmt: skip
CLASSES = [*RESULTS, *(name for name, thing in FRONT.items() if inspect.isclass(thing))]


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("api") / "hands"
    return hm.record("limit", "jagbot", "random", folder=folder, hands=300, seed=1)


@pytest.fixture(scope="module")
def cases(hands: Any) -> hm.CaseBase:
    return hm.learn(hands, "jagbot")


SPOT = hm.Situation(hole="AhKd", board="Kc8s2d", betting="rc/r")
DOT = Picture("a dot", lambda figure: figure.subplots().plot([1]), (1.0, 1.0))


# Names


def test_dir_shows_only_public_names() -> None:
    environments = {"TableAEC", "TableEnv", "TableVectorEnv"}  # they need an extra
    assert dir(hm) == sorted([*hm.__all__, *environments, "__version__"])
    assert all(inspect.isclass(getattr(hm, name)) for name in environments)
    assert not environments & {*hm.__all__}
    assert 35 <= len(hm.__all__) <= 45
    assert not {*hm.__all__} & {*hm_api.__all__}


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import sys, holdmem; print(sum(m.startswith(('holdmem.', 'numpy', 'numba')) for m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "0"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_typed_and_documented(name: str) -> None:
    function = PUBLIC[name]
    said = inspect.signature(function)
    assert said.return_annotation is not inspect.Signature.empty
    for parameter in said.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        assert parameter.kind is not inspect.Parameter.VAR_KEYWORD
        assert parameter.name in function.__doc__.partition("Parameters\n")[2].partition("Returns\n")[0]
    for section in ("Parameters", "Returns", "Raises", "Examples"):
        assert f"{section}\n    {'-' * len(section)}\n" in function.__doc__


@pytest.mark.parametrize(
    "result",
    [Hands, hm.CaseBase, hm.TableAEC, hm.TableEnv, hm.TableVectorEnv, *(PUBLIC[name] for name in RESULTS)],
    ids=lambda result: result.__name__,
)
def test_methods_of_results_say_what_they_take_and_return(result: type) -> None:
    methods = {key: one for key, one in vars(result).items() if not key.startswith("_")}
    for key, one in methods.items():
        function = getattr(one, "__func__", one)  # of a class method
        if not inspect.isfunction(function):
            continue
        said, doc = inspect.signature(function), inspect.getdoc(function) or ""
        listed = doc.partition("Parameters\n----------\n")[2].partition("Returns\n")[0]
        missing = [given for given in list(said.parameters)[1:] if not re.search(rf"\b{given}\b", listed)]
        assert not missing, (key, missing)
        assert said.return_annotation in (None, "None") or "Returns\n-------\n" in doc, key


@pytest.mark.parametrize("name", [name for name in CLASSES if not issubclass(PUBLIC[name], Exception)])
def test_classes_have_examples(name: str) -> None:
    _, section, examples = PUBLIC[name].__doc__.partition("    Examples\n    --------\n")
    assert section
    assert "    >>> " in examples


@pytest.mark.parametrize("name", hm.__all__)
def test_examples_give_what_they_show(name: str) -> None:
    thing = FRONT[name]
    finder = doctest.DocTestFinder(recurse=inspect.isclass(thing))
    module = inspect.getmodule(thing) if callable(thing) else None
    for test in finder.find(thing, name, module=module, globs=dict(FRONT)) if callable(thing) else ():
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("bot", "register")])
def test_a_misspelt_keyword_is_named(name: str) -> None:
    with pytest.raises(TypeError, match=rf"{name}\(\).*'hnds'"):
        PUBLIC[name](hnds=3)


# Games and agents by name or value


def test_games_and_agents_by_name_or_value(tmp_path: Path) -> None:
    caller, path = hm.make_agent("always-call"), tmp_path / "mine.game"
    write_game(hm.find_game("limit"), path)
    by_name = hm.match("limit", "random", "always-call", hands=20)
    by_value = hm.match(hm.find_game("limit"), hm.make_agent("random"), caller, hands=20)
    by_file = hm.match(str(path), "random", caller, hands=20)
    assert by_name.units == by_value.units == by_file.units
    assert by_name.hash == by_value.hash
    assert hm.match("limit", "random", "random", "random", hands=2).design.game.seats == 3
    assert hm.tournament("nolimit", *["random"] * 3, seats=3, hands=2).game.seats == 3


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: hm.match("limits", "random", "random"), "did you mean limit"),
        (lambda: hm.match(3, "random", "random"), "expected a Game, a name or the path"),  # type: ignore[arg-type]
        (lambda: hm.match("limit", "random"), "expected at least two agents, got only random"),
        (lambda: hm.match("limit"), "expected at least two agents, got none"),
        (lambda: hm.match("limit", "random", "randon"), "did you mean random"),
        (lambda: hm.match("limit", ["random"], "random"), "expected an agent or its name"),  # type: ignore[arg-type]
        (lambda: hm.match("limit", type(hm.make_agent("random")), "random"), r"write Random\(\) instead"),  # type: ignore[arg-type]
        (lambda: hm.match("limit", "random", "random", kind="blitz"), "expected kind duplicate, ring"),  # type: ignore[arg-type]
        (lambda: hm.tournament("limit", ["random", "random"]), "expected an agent or its name"),  # type: ignore[arg-type]
        (lambda: hm.exploit("always-call", first_street="end"), "expected a first street"),
        (lambda: hm.solve("kuhn", weighting="lin"), "did you mean linear"),  # type: ignore[arg-type]
        (lambda: hm.solve("kuhn", tilt="passive"), "tilt applies to hold'em"),
        (lambda: hm.solve("limit", resume=True, boards=1, buckets=(2, 2, 2, 2)), "name the checkpoint"),
        (lambda: hm.read_hands("nowhere"), "no such file or folder"),
        (lambda: hm.write_hands("nowhere", "hands.doc"), "expected a format of acpc"),
        (lambda: hm.equity("AhKd", "AhQs"), "Ah twice"),
    ],
)
def test_mistakes_are_explained(mistake: Any, message: str) -> None:
    with pytest.raises(hm.HoldMemError, match=message):
        mistake()


def test_two_agents_of_a_class_without_a_file_are_not_confused() -> None:
    namespace = {"sit": lambda self, game, tables, rng: None, "__module__": "notebook"}
    kind = make_dataclass("Folds", [("often", int)], frozen=True, namespace=namespace)
    assert name_of(kind(1)) != name_of(kind(2))


# Situations


def test_a_situation_is_what_the_engine_shows() -> None:
    theirs = view_of("MATCHSTATE:1:0:rc/r:|AhKd/Kc8s2d", hm.find_game("limit"))
    assert (SPOT.views.rows == theirs.rows).all()  # field by field: the bytes between fields are undefined
    assert SPOT.views.history.tolist() == theirs.history.tolist()
    assert hm.Situation(hole=(50, 45), board=[44, 27, 1], betting="rc / r") != SPOT
    assert hm.Situation(hole=(50, 45), board=[44, 27, 1], betting="rc/r") == SPOT
    assert str(SPOT).startswith("flop, seat 1 with AhKd, Kc8s2d; pot 50, 10 to call")


@pytest.mark.parametrize(
    ("game", "betting", "street", "to_call", "pot"),
    [
        ("limit", "", 0, 5, 15),
        ("limit", "c", 0, 0, 20),
        ("limit", "cc", 1, 0, 20),
        ("limit", "cc/", 1, 0, 20),
        ("nolimit", "r300c/r600", 1, 600, 1200),
        ("casper", "fffffff", 0, 5, 15),
    ],
)
def test_betting_is_played_by_the_rules(game: str, betting: str, street: int, to_call: int, pot: int) -> None:
    view = hm.Situation("AhKd", "Kc8s2d" if street else "", betting, game).view
    assert (view.street, view.to_call, view.pot, view.hole) == (street, to_call, pot, (50, 45))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hole": "Ah"}, "expected two hole cards"),
        ({"hole": "AhXd"}, "expected a card"),
        ({"board": "Kc8s"}, "expected a board of 0, 3, 4 or 5 cards, got 2"),
        ({"board": "AhKc2d", "betting": "cc"}, "Ah twice"),
        ({"board": "Kc8s2d"}, "the hand is on the preflop: expected 0 cards on the board, got 3"),
        ({"betting": "cc"}, "on the flop: expected 3 cards on the board, got 0"),
        ({"betting": "ccr"}, "expected a '/' before the flop"),
        ({"betting": "r/"}, "expected an action"),
        ({"betting": "call"}, "expected f, c, r and /"),
        ({"betting": "f"}, "nobody is left to act"),
        ({"betting": "fc"}, "the hand is over before the end"),
        ({"betting": "rrrr"}, "no more raises are allowed"),
        ({"betting": "r", "game": "nolimit"}, "expected r<chips> in no-limit"),
        ({"betting": "r0", "game": "nolimit"}, "expected a raise to at least one chip"),
        ({"betting": "r120", "game": "nolimit"}, "raise to 200 up to 20000, got raise to 120"),
    ],
)
def test_situations_that_cannot_be(fields: dict[str, str], message: str) -> None:
    with pytest.raises(hm.HoldMemError, match=message):
        hm.Situation(**{"hole": "AhKd", **fields})  # type: ignore[arg-type]


# Hands


def test_hands_go_through_every_format(hands: Any, tmp_path: Path) -> None:
    for name in ("a.log", "b.phhs", "c.txt", "d.parquet", "e"):
        assert hm.write_hands(hands, tmp_path / name) == 300
        again = hm.read_hands(tmp_path / name, game="limit").collect()
        assert len(again) == 300
        assert sorted(again.players) == ["jagbot", "random"]
    assert hm.write_hands(again, tmp_path / "f.doc", format="acpc") == 300
    assert (tmp_path / "f.doc").read_bytes() == (tmp_path / "a.log").read_bytes()
    with pytest.raises(hm.HoldMemError, match="already exists"):
        hm.write_hands(again, tmp_path / "a.log")


def test_hands_as_a_frame(hands: Any) -> None:
    frame = next(iter(hands)).frame()
    assert frame.columns == ["hand", "game", "seat", "player", "hole", "board", "net"]
    assert frame.height == 600
    assert frame["net"].sum() == 0


# Case bases


def test_learning_from_files_blocks_and_memory_is_the_same(hands: Any, cases: hm.CaseBase) -> None:
    for source in (hands.path, [hands.path], hm.read_hands(hands.path), next(iter(hands))):
        assert hm.learn(source, "jagbot").digest == cases.digest
    assert hm.learn(hands, ["jagbot"], held_out=0).digest != cases.digest
    assert hm.learn(hands, "jagbot", tests=hands).about["held_out_decisions"] > 500


def test_a_case_base_is_saved_and_loaded(cases: hm.CaseBase, tmp_path: Path) -> None:
    cases.save(tmp_path / "cases")
    for again in (hm.read_cases(tmp_path / "cases"), hm.CaseBase.load(tmp_path / "cases")):
        assert again.digest == cases.digest
        assert again.about["imitation"] == cases.about["imitation"]
    with pytest.raises(hm.HoldMemError, match="already exists"):
        cases.save(tmp_path / "cases")


def test_neighbors_are_those_that_a_scan_finds(cases: hm.CaseBase) -> None:
    similarities, indices = cases.neighbors(SPOT.views, k=7)
    flop, target = cases.streets[1], cases.streets[1].features.of(SPOT.views)
    every = np.mean(
        [local(target[name], flop.values[name]) for name, local in flop.features.similarities], axis=0
    )
    order = np.lexsort((np.arange(len(flop)), -flop.solutions.seen, -every))[:7]
    assert indices.shape == similarities.shape == (1, 7)
    assert similarities[0] == pytest.approx(every[order], abs=1e-8)
    assert every[indices[0]] == pytest.approx(every[order])
    assert cases.frame("flop").height == len(flop)


def test_neighbors_beyond_the_cases_are_marked(cases: hm.CaseBase) -> None:
    similarities, indices = cases.neighbors(SPOT.views, k=len(cases.streets[1]) + 3)
    assert (indices[0, -3:] == -1).all()
    assert (similarities[0, -3:] == 0).all()
    empty = hm.CaseBase.empty(cases.representation).neighbors(SPOT.views, k=2)
    assert empty[1].tolist() == [[-1, -1]]
    with pytest.raises(hm.HoldMemError, match="at least one case"):
        cases.neighbors(SPOT.views, k=0)


def test_an_unsaved_case_base_plays_as_a_saved_one(cases: hm.CaseBase, tmp_path: Path) -> None:
    cases.save(tmp_path / "cases")
    unsaved = hm.match("limit", cases.player(), "random", hands=60)
    saved = hm.match("limit", f"memory:cases={tmp_path / 'cases'}", "random", hands=60)
    assert unsaved.units == saved.units
    other = hm.match("limit", cases.player("probabilistic"), cases.player(), hands=60)
    assert other.design.agents[0] != other.design.agents[1]
    with pytest.raises(AgentError, match="exists only in this process"):
        hm.match("limit", cases.player(), "random", workers=2)


def test_a_player_of_cases_is_a_value(cases: hm.CaseBase) -> None:
    player = cases.player()
    copy = pickle.loads(pickle.dumps(player))
    assert copy == player
    assert hash(copy) == hash(player)
    assert player != cases.player(retain="own")
    assert hm.check_agent(player, ["limit"], seed=1).problems == []


def test_features_are_found_whatever_was_imported() -> None:
    code = "from holdmem.cbr.features.feature import find_feature; print(find_feature('position').name)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "position"


# Results


class _Tags(HTMLParser):
    """Checks that every tag is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def results(hands: Any, cases: hm.CaseBase) -> dict[str, Any]:
    long = f"sartre-2:policy=probabilistic,cases={hands.path.parent / ('long' * 20)}"
    cases.save(long.partition("cases=")[2])
    return {
        "match": hm.match("limit", long, long, hands=10),
        "ring": hm.match("limit", *["random"] * 10, hands=1),
        "tournament": hm.tournament("limit", long, "random", "always-call", "always-raise", hands=10),
        "exploit": hm.exploit("always-call", hands=32),
        "equity": hm.equity("AhKd", "88+, A9s+, KTs+, QJs, AJo+, KQo", "random", samples=100),
        "solve": hm.solve("kuhn", iterations=20),
        "review": hm.review(hands, "random", against=cases.player()),
        "explain": hm.explain(cases.player(), SPOT),
        "train": hm.train("outcome-learner", long, game="limit", hands=10),
        "cases": cases,
        "hands": next(iter(hands)),
        "similar": cases.similar(SPOT),
    }


def test_results_print_shortly_and_as_html_and_as_frames(hands: Any, cases: hm.CaseBase) -> None:
    for name, result in results(hands, cases).items():
        assert len(repr(result)) < LONGEST_REPR, name
        assert "\n" not in repr(result), name
        tags = _Tags()
        tags.feed(result._repr_html_())
        assert tags.open == [], name
        assert isinstance(result.frame(), pl.DataFrame), name
        assert result.frame().height > 0, name


@pytest.mark.parametrize(
    "thing",
    [SPOT, SPOT.view, SPOT.views, hm.check_agent("always-call", ["limit"], seed=1)],
    ids=lambda thing: type(thing).__name__,
)
def test_other_things_print_shortly_too(thing: Any) -> None:
    assert len(repr(thing)) < LONGEST_REPR
    assert " at 0x" not in repr(thing)


def test_html_is_escaped() -> None:
    assert "<script>" not in html_table(["<script>"], [["<script>"]], "<script>")
    assert "<script>" not in html_bar(0.5, "<script>") + html_shares({"<script>": 1}) + html_cards("<script>")


def test_pictures_are_html(hands: Any) -> None:
    hand = next(iter(hands))[0]
    shown: dict[str, Any] = {
        "A♥": SPOT,
        "K♦": SPOT.view,
        "Hand 0": hand,
        "hands": hands,
        "AKs": hm.Range.parse("AKs:0.5, 22"),
        "no verdict": Finding((Row("x", verdict="no verdict"),), (Grid("g", ("a",), (("b",),)),), (DOT,)),
    }
    for text, thing in shown.items():
        tags = _Tags()
        tags.feed(thing._repr_html_())
        assert tags.open == []
        assert text in thing._repr_html_()


def test_shares_and_similarities_are_those_of_the_memory(cases: hm.CaseBase) -> None:
    """The global similarity is the weighted mean of the local ones (Rubin 2007, equation 3.6)."""
    found = cases.similar(SPOT, k=7)
    weights = np.array(found.cases.features.weights)
    local = np.array(list(found.local_similarities().values()))
    np.testing.assert_allclose(weights @ local / weights.sum(), found.similarities, atol=1e-6)
    assert found.frame()["case"].to_list() == cases.neighbors(SPOT.views, 7)[1][0].tolist()
    with pytest.raises(NotationError, match="at least 1, got 0"):
        cases.similar(SPOT, k=0)


def test_shipped_memories_are_read_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hm.CaseBase.load("sartre-1").representation.name == "sartre-1"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sartre-1").mkdir()
    with pytest.raises(hm.HoldMemError, match=r"sartre-1.*header of a case base"):
        hm.read_cases("sartre-1")  # a folder that is there comes first
    with pytest.raises(hm.HoldMemError, match="header of a case base"):
        hm.read_cases("no-such-memory")


def test_a_clone_is_played_from_its_file(hands: Any, tmp_path: Path) -> None:
    copy = hm.imitate(hands, "random", output=tmp_path / "copy.people")
    assert hm.match("limit", copy.player(), "always-call", hands=2).hands == 4
    assert "hands" in copy._repr_html_()
    like = hm.resemble(hands, "random")
    assert "none of them" in like._repr_html_()
    assert like.frame()["probability"].sum() == pytest.approx(1)
    assert repr(like) == f"Resemblance({like.answer}: {like.decisions:,} decisions in {like.hands:,} hands)"
    with pytest.raises(hm.HoldMemError, match=r"output=FILE"):
        hm.imitate(hands, "random").player()


def test_exact_exploitability_is_a_frame_by_street() -> None:
    rates = {"self-play": (0.0, 0.0), "preflop": (500.0, 700.0)}
    samples = {"self-play": (0.0, 0.0), "preflop": (550.0, 650.0)}
    whole = Estimate(600.0, 50.0, 0.0, 1200.0, "mbb/h", 2)
    found = ExactExploitability("x", hm.find_game("limit"), 2, 1, whole, None, (500, 700), rates, samples)
    assert found.frame()["mean"].to_list() == [0.0, 600.0]
    assert found.frame()["from"].to_list() == ["self-play", "preflop"]


def test_a_table_is_reproduced_from_python() -> None:
    found = hm.reproduce("learners", "table5-1", scale="smoke")
    assert {row.verdict for row in found.rows} == {"no verdict"}
    with pytest.raises(NotationError, match="table5-1"):
        hm.reproduce("learners", "table5-l")


def test_solves_are_saved(tmp_path: Path) -> None:
    told: list[Any] = []
    solved = hm.solve("kuhn", iterations=100, progress=told.append)
    solved.save(tmp_path / "kuhn.json")
    assert told == list(solved.reports)
    assert solved.iterations == 100
    assert (tmp_path / "kuhn.json").is_file()
    small = hm.solve(hm.find_game("limit"), iterations=1, buckets=(2, 2, 2, 2), boards=1, recall="perfect")
    small.save(tmp_path / "limit.strategy")
    assert small.exploitability is not None
    assert hm.match("limit", f"eqm:strategy={tmp_path / 'limit.strategy'}", "random", hands=2).hands == 4
