"""The kernel cache: it can never serve stale code, and a second start compiles nothing.

Everything happens in a copy of the package, in fresh processes, with a cache of its own.
"""

import errno
import os
import shutil
from pathlib import Path

import pytest

import holdmem
from fresh import run
from holdmem.cbr.features.kernels.betting import steps_of
from holdmem.core import cache_folder, jit, sources

HEAD = """
import sys
from holdmem.core.jit import compilations
names = []
"""

CALLER = (
    HEAD
    + """
with compilations(names.append):
    from holdmem.caller import answer
    print(answer(5), *names)
"""
)

CHIPS_OWED = (
    HEAD
    + """
import numpy as np
from holdmem.engine import find_game
from holdmem.engine.kernels.batch import legal_all
from holdmem.engine.state import HAND
hands, columns = np.zeros(1, dtype=HAND), np.zeros((3, 1), dtype=np.int64)
hands["stack"], hands["highest"] = 100, 30
with compilations(names.append):
    legal_all(find_game("limit").rules, hands, np.array([0]), *columns)
print(columns[0, 0], "engine.kernels.batch.legal_all" in names)
"""
)


class Copy:
    """A copy of the package with two small kernels more, one of which calls the other in another file."""

    def __init__(self, folder):
        self.folder = folder
        self.package = folder / "sources" / "holdmem"
        self.cache = folder / "cache"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(holdmem.__file__).parent, self.package, ignore=ignored)
        self.write(
            "callee.py",
            "from holdmem.core.jit import kernel\nSTEP = 1\n@kernel\ndef inner(x): return x + STEP\n",
        )
        self.write(
            "caller.py",
            "from holdmem.callee import inner\nfrom holdmem.core.jit import kernel\n"
            "@kernel\ndef answer(x): return inner(x)\n",
        )

    def write(self, name, text):
        (self.package / name).write_text(text, encoding="utf-8")

    def edit(self, name, old, new):
        text = (self.package / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def process(self, code, *arguments, **settings):
        settings = {"HOLDMEM_CACHE": str(self.cache)} | settings
        return run(code, *arguments, sources=self.package.parent, **settings)

    def run(self, code=CALLER, *arguments, **settings):
        return self.process(code, *arguments, **settings).stdout.split()

    def caches(self):
        """The folders of compiled code, with the number of compiled overloads in each."""
        folders = (self.cache / "kernels").iterdir()
        return {folder.name: len(list(folder.rglob("*.nbc"))) for folder in folders}


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


COMPILED = ["caller.answer", "callee.inner"]


# ------------------------------------------------------------------------------------- never stale


def test_a_second_start_compiles_nothing_and_a_changed_callee_is_seen(copy):
    assert copy.run() == ["6", *COMPILED]
    assert copy.run() == ["6"]
    copy.edit("callee.py", "STEP = 1", "STEP = 2")
    assert copy.run() == ["7", *COMPILED]
    assert sorted(copy.caches().values()) == [1, 1, 1, 1]  # one overload each, of two files, before and after


def test_a_changed_rule_is_played_by_kernels_of_other_files(copy):
    assert copy.run(CHIPS_OWED) == ["30", "True"]
    assert copy.run(CHIPS_OWED) == ["30", "False"]
    copy.edit(
        "engine/kernels/betting.py", "return min(hand.highest - hand", "return min(7 + hand.highest - hand"
    )
    assert copy.run(CHIPS_OWED) == ["37", "True"]


def test_sources_edited_before_they_are_imported_are_not_answered_from_the_cache(copy):
    copy.run()
    code = """if True:
        import sys
        from pathlib import Path
        import holdmem.core.jit  # takes the fingerprint
        callee = Path(sys.argv[1])
        callee.write_text(callee.read_text().replace("STEP = 1", "STEP = 9"))
        from holdmem.caller import answer
        print(answer(5))
    """
    assert copy.run(code, copy.package / "callee.py") == ["14"]


def test_sources_edited_while_a_process_runs_are_not_stored(copy):
    code = """if True:
        import sys
        from pathlib import Path
        from holdmem.caller import answer
        callee = Path(sys.argv[1])
        callee.write_text(callee.read_text().replace("STEP = 1", "STEP = 9"))
        print(answer(5))
    """
    assert copy.run(code, copy.package / "callee.py") == ["6"]
    assert set(copy.caches().values()) == {0}
    assert copy.run() == ["14", *COMPILED]


def test_two_processes_that_store_at_once_do_not_mix_their_overloads(copy):
    """Both have read the empty index; the one writes its index last, the other its code."""
    code = """if True:
        import sys
        from holdmem.caller import answer
        from numba.core.caching import IndexDataCacheFile as File
        save_index, save_data, waiting = File._save_index, File._save_data, []
        File._save_index = lambda self, overloads: save_index(self, overloads)
        File._save_data = lambda self, *data: waiting.append((self, *data))
        File._load_index = lambda self: {}
        answer(5)
        first, waiting = waiting, []
        answer(1.5)
        for file, *data in waiting + first:
            save_data(file, *data)
    """
    copy.run(code)
    both = CALLER.replace("print(answer(5)", "print(answer(5), answer(1.5)")
    assert copy.run(both)[:2] == ["6", "2.5"]


# ------------------------------------------------------------------------------------- what the key holds


@pytest.fixture
def here(copy, monkeypatch):
    """The copy, taken for the package by this process."""
    for module in (jit, sources):
        monkeypatch.setattr(module, "PACKAGE", copy.package)
    return copy


def test_the_fingerprint_changes_with_sources_and_data(here):
    table = here.package / "cards" / "some_table.npy"
    seen = [jit.fingerprint("engine")]
    for change in (
        lambda: here.edit("engine/state.py", "SEATS = 10", "SEATS = 11"),
        lambda: here.write("engine/more.py", ""),
        lambda: table.write_bytes(b"\0"),
        lambda: table.write_bytes(b"\1"),
        lambda: table.rename(here.package / "cards" / "another.npy"),
        (here.package / "engine" / "more.py").unlink,
        lambda: here.write("engine/more.py", "import holdmem.callee\n"),
        lambda: here.edit("callee.py", "STEP = 1", "STEP = 2"),
        lambda: here.write("engine/more.py", "from holdmem import find_game\n"),
        lambda: here.write("arena/more.py", ""),  # now all that has public names counts
    ):
        change()
        seen.append(jit.fingerprint("engine"))
    assert len(set(seen)) == len(seen)


def test_the_fingerprint_of_a_part_is_blind_to_what_it_does_not_import(here):
    first = jit.fingerprint("engine"), jit.fingerprint("caller")
    here.write("cli/more.py", "from holdmem.engine import Game\n")
    here.edit("callee.py", "STEP = 1", "STEP = 2")
    assert jit.fingerprint("engine") == first[0]
    assert jit.fingerprint("caller") != first[1]


def test_every_module_that_a_kernel_can_reach_counts_in_its_fingerprint():
    """What Python has loaded after `import holdmem.players` is the referee of what we read in the files."""
    code = """if True:
        import sys
        import holdmem.players
        from holdmem.core import sources
        counted = {str(path) for path in sources.sources_of("players")}
        loaded = {module.__file__ for name, module in sys.modules.items() if name.startswith("holdmem.")}
        print(len(loaded), *sorted(loaded - counted))
    """
    count, *missing = run(code).stdout.split()
    assert int(count) > 25
    assert missing == []


def test_the_fingerprint_changes_with_settings_of_numba_that_matter(here, monkeypatch):
    first = jit.fingerprint("caller")
    for harmless in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "HOLDMEM_CACHE"):
        monkeypatch.setenv(harmless, "5")
        assert jit.fingerprint("caller") == first
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert jit.fingerprint("caller") != first


def test_the_fingerprint_does_not_look_at_what_python_stores(here):
    first = jit.fingerprint("caller"), sources.stamp()
    (here.package / "__pycache__").mkdir()
    (here.package / "__pycache__" / "callee.pyc").touch()
    assert (jit.fingerprint("caller"), sources.stamp()) == first


def test_the_stamp_changes_with_every_edit(here):
    first = sources.stamp()
    here.edit("callee.py", "STEP = 1", "STEP = 2")
    assert sources.stamp() != first


def test_a_file_that_goes_away_while_we_look_is_an_edit(here, monkeypatch):
    monkeypatch.setattr(jit, "STAMP", sources.stamp())
    assert jit._as_at_start()
    monkeypatch.setattr(sources, "package_files", lambda: [here.package / "editor-has-renamed-me.tmp"])
    assert not jit._as_at_start()


def test_only_a_few_old_caches_are_kept(copy, monkeypatch):
    monkeypatch.setenv("HOLDMEM_CACHE", str(copy.cache))
    for number in range(9):
        folder = copy.cache / "kernels" / f"engine-old-{number}"
        folder.mkdir(parents=True)
        os.utime(folder, (number, number))
    jit.kernel_cache.__wrapped__("engine")
    kept = copy.caches()
    assert len(kept) == jit.KEPT_CACHES
    assert {f"engine-old-{number}" for number in (5, 6, 7, 8)} < set(kept)
    # A folder that another process removes while we look counts as the oldest.
    assert jit._last_used(copy.cache / "kernels" / "engine-old-0") == 0


# ------------------------------------------------------------------------------------- where it is


def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_one(copy):
    (copy.folder / "file").touch()
    (copy.folder / "tmp").mkdir()
    settings = {"HOLDMEM_CACHE": str(copy.folder / "file"), "TMPDIR": str(copy.folder / "tmp")}
    assert copy.run(**settings) == ["6", *COMPILED]
    assert len(list((copy.folder / "tmp").glob("holdmem-*/kernels/*"))) == 2


def nameless():
    raise KeyError("getpwuid(): uid not found")


def test_the_folder_of_caches_is_chosen_by_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_folder, "getuser", nameless)  # as in some containers
    (tmp_path / "file").touch()
    for chosen, writable in (("new/folder", True), ("file", False), ("file/below", False), ("", False)):
        monkeypatch.setenv("HOLDMEM_CACHE", str(tmp_path / chosen) if chosen else "/dev/null/nowhere")
        assert (cache_folder.cache_root() == tmp_path / chosen) is writable
        assert cache_folder.cache_root().name.startswith("holdmem-") is not writable
    monkeypatch.setenv("HOLDMEM_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert cache_folder.cache_root().name == "holdmem"


posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner and mode here")


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """A cache chosen by the user, and a private folder to fall back to."""
    monkeypatch.setenv("HOLDMEM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "private").mkdir()
    monkeypatch.setattr(cache_folder, "private_folder", lambda: tmp_path / "private")
    cache_folder.say.cache_clear()
    return tmp_path / "cache"


@posix
@pytest.mark.parametrize("where", ["", "kernels", "kernels/rules-1"])
@pytest.mark.parametrize("mode", [0o720, 0o702])
def test_a_cache_that_others_can_write_to_is_not_used(chosen, where, mode, capsys):
    assert cache_folder.trusted_folder("kernels", "rules-1") == chosen / "kernels" / "rules-1"
    folder = chosen / where
    folder.chmod(mode)
    for _ in range(2):  # said once
        assert (
            cache_folder.trusted_folder("kernels", "rules-1")
            == chosen.parent / "private" / "kernels" / "rules-1"
        )
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{folder} is writable by others" in line
    assert f"chmod go-w {folder}" in line
    folder.chmod(0o700)
    assert cache_folder.trusted_folder("kernels", "rules-1") == chosen / "kernels" / "rules-1"


@posix
def test_a_cache_of_another_user_is_not_used(chosen, monkeypatch):
    cache_folder.trusted_folder("kernels", "rules-1")
    monkeypatch.setattr(os, "getuid", lambda: chosen.stat().st_uid + 1)
    assert (
        cache_folder.trusted_folder("kernels", "rules-1") == chosen.parent / "private" / "kernels" / "rules-1"
    )


@posix
def test_a_new_cache_is_ours_alone_whatever_the_umask(chosen):
    before = os.umask(0)
    try:
        folder = cache_folder.trusted_folder("kernels", "rules-1")
    finally:
        os.umask(before)
    assert {one.stat().st_mode & 0o777 for one in (folder, folder.parent, chosen)} == {0o700}


def test_damaged_compiled_code_is_compiled_again(copy):
    copy.run()
    for file in copy.cache.rglob("*answer*.nbc"):
        file.write_bytes(file.read_bytes()[:-100])
    for file in copy.cache.rglob("*inner*.nbi"):
        file.write_bytes(b"")
    done = copy.process(CALLER)
    assert done.stdout.split() == ["6", *COMPILED]
    (line,) = done.stderr.splitlines()
    assert "removed damaged compiled code" in line
    second = copy.process(CALLER)
    assert (second.stdout.split(), second.stderr) == (["6"], "")


@pytest.mark.parametrize("place", [0, 30, -30, -1])
def test_one_changed_bit_of_compiled_code_is_found_before_it_is_loaded(tmp_path, place):
    file = jit._CheckedFile(str(tmp_path), "code", "stamp")
    file.save("key", {"a": list(range(50))})
    assert file.load("key") == {"a": list(range(50))}
    (path,) = tmp_path.glob("*.nbc")
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(jit._Damaged):
        file.load("key")


def test_code_that_cannot_be_kept_is_compiled_for_once(monkeypatch, capsys):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    cache_folder.say.cache_clear()
    monkeypatch.setattr(jit.FunctionCache, "save_overload", full)
    steps_of._cache.save_overload(None, None)
    assert "cannot store compiled code in" in capsys.readouterr().err


def test_kernels_outside_the_package_are_not_kept_and_not_announced(copy):
    (copy.folder / "mine.py").write_text(
        "from holdmem.core.jit import kernel\n@kernel\ndef triple(x): return 3 * x\n", encoding="utf-8"
    )
    code = """if True:
        import sys
        sys.path.append(sys.argv[1])
        from mine import triple
        print(triple(5))
        from holdmem.agent.agent_files import load_file
        print(load_file(sys.argv[1] + "/mine.py").triple(5))
    """
    done = copy.process(code, copy.folder)
    assert done.stdout.split() == ["15", "15"]
    assert done.stderr == ""
    assert sum(copy.caches().values()) == 0


# ------------------------------------------------------------------------------------- what is said


def test_one_line_says_so_when_something_is_compiled(copy):
    code = """if True:
        from holdmem.core.jit import KERNELS, compilations
        from holdmem.caller import answer
        names = []
        with compilations(names.append):  # who listens is told every name instead
            answer(5)
        print(*names)
        assert set(names) <= set(KERNELS)
        answer(1.5)
        answer(1.5j)
    """
    first, second = copy.process(code), copy.process(code)
    assert first.stdout.split() == COMPILED
    assert first.stderr == (
        "HoldMem is compiling code for this machine; `holdmem compile` does so for all commands at once.\n"
    )
    assert second.stdout.split() == []
    assert second.stderr == ""


def test_without_the_compiler_everything_runs_as_plain_python():
    code = """if True:
        import inspect, sys
        import numpy as np
        from holdmem.players import Random
        from holdmem.cards import evaluate
        from holdmem.engine import find_game
        from holdmem.core.random import Streams, hand_ids
        from holdmem.agent.kernels import views
        from holdmem.agent import legal_policy, play
        assert inspect.isfunction(views.look) is (sys.argv[1] == "plain")
        game = find_game("nolimit", 4)
        decks = Streams.of(1).decks(hand_ids(4), game.deck_cards)
        class Seat:
            def act(self, views):
                policy = legal_policy(views, [1, 2, 3, 1], views.pot[:, None] * [1, 2])
                return policy.draw(views.uniforms(Streams.of(2)))
        players = [Seat(), Random().sit(game, 4, Streams.of(3))] * 2
        print(play(game, players, decks).net.tolist(), evaluate(np.arange(7)[None]).tolist())
    """
    assert run(code, "plain", NUMBA_DISABLE_JIT="1").stdout == run(code, "compiled").stdout
