"""Names for hands that others get to see: nobody's real name is left, and players stay different."""

import json
import stat
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem import Game, read_hands, record
from holdmem.cli import app
from holdmem.core.errors import KnowledgeError
from holdmem.history.pseudonyms import KeyedNames, Roles, keyed_names, renamed

THREE = Game("three", blinds=(50, 100, 0), stacks=(10_000,) * 3)
PLAYERS = ("always-call", "random", "simplebot")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    record(THREE, *PLAYERS, folder=tmp_path / "hands", hands=40, seed=3)
    return tmp_path / "hands"


def run(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


@given(st.lists(st.text(), unique=True, min_size=1))
def test_different_players_keep_different_names(names: list[str]) -> None:
    for rename in (Roles(names[0]), Roles(), KeyedNames(b"k" * 32)):
        once, again = [[rename(name) for name in names] for _ in range(2)]
        assert once == again
        assert len(set(once)) == len(names)


def test_the_key_is_drawn_once_and_for_this_user_alone(tmp_path: Path) -> None:
    first, other = keyed_names(tmp_path / "names.key"), keyed_names(tmp_path / "other.key")
    assert stat.S_IMODE((tmp_path / "names.key").stat().st_mode) == 0o600
    assert keyed_names(tmp_path / "names.key")("bob") == first("bob")
    assert first("bob") != other("bob")
    assert first.key.hex() not in repr(first)
    (tmp_path / "names.key").write_bytes(b"short")
    with pytest.raises(KnowledgeError, match="expected a key of 32 bytes, got 5"):
        keyed_names(tmp_path / "names.key")


def test_hands_stay_the_same_but_for_names_and_files(folder: Path) -> None:
    before = read_hands(folder).collect()
    after = next(renamed([before], Roles("simplebot")))
    assert sorted(after.players) == ["Hero", "Villain 1", "Villain 2"]
    assert (after.rows == before.rows).all()
    assert str(folder) not in " ".join(after.sources)


def test_converted_hands_have_the_names_that_were_asked_for(folder: Path) -> None:
    run("convert", folder, "-o", "plain.phhs")
    assert "simplebot" in Path("plain.phhs").read_text(encoding="utf-8")
    run("convert", folder, "-o", "roles.phhs", "--hero", "simplebot")
    run("convert", folder, "-o", "hashed.phhs", "--anonymous")
    for name in ("roles.phhs", "hashed.phhs"):
        text = Path(name).read_text(encoding="utf-8")
        assert not any(player in text for player in PLAYERS)
        assert len(read_hands(name).collect()) == len(read_hands("plain.phhs").collect())
    assert {"Hero", "Villain 1", "Villain 2"} == set(read_hands("roles.phhs").collect().players)
    hashed = set(read_hands("hashed.phhs").collect().players)
    assert hashed == {keyed_names()(player) for player in PLAYERS}


def test_statistics_by_other_names_are_the_same(folder: Path) -> None:
    plain = json.loads(run("stats", folder, "--player", "simplebot", "--json"))
    told = json.loads(
        run("stats", folder, "--player", "simplebot", "--hero", "simplebot", "-o", "s.parquet", "--json")
    )
    assert told["players"][0].pop("name") == "Hero"
    assert plain["players"][0].pop("name") == "simplebot"
    assert told["players"] == plain["players"]
    assert "simplebot" not in str(pl.read_parquet("s.parquet").to_dicts())


def test_a_review_to_be_shared_names_nobody(folder: Path) -> None:
    text = run("review", folder, "--player", "simplebot", "--against", "simplebot")
    assert "simplebot compared with" in text
    for words, name in (
        ((), "Hero"),
        (("--names",), "simplebot"),
        (("--anonymous",), keyed_names()("simplebot")),
    ):
        run("review", folder, "--player", "simplebot", "--against", "dpp", "--html", "r.html", *words)
        page = Path("r.html").read_text(encoding="utf-8")
        assert f"{name} compared with" in page
        assert ("simplebot" in page) == (words == ("--names",))
        assert (str(folder) in page) <= (words == ("--names",))
    done = CliRunner().invoke(
        app, ["review", str(folder), "--player", "simplebt", "--html", "x.html", "--against", "dpp"]
    )
    assert "no player 'simplebt' in these hands; did you mean simplebot?" in str(done.exception)


def test_an_anonymous_clone_does_not_name_its_player(folder: Path) -> None:
    hashed = keyed_names()("simplebot")
    told = json.loads(run("imitate", folder, "--player", "simplebot", "--anonymous", "--json"))
    assert told["name"] == hashed
    assert b"simplebot" not in Path(f"{hashed}.people").read_bytes()
