"""The exact best response of graphics cards, run as C++ on short decks beside the one for processors."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from holdmem.arena import exact_device
from holdmem.arena.exact import exact_response
from holdmem.arena.exact_export import exported
from holdmem.cfr.device import responder
from holdmem.cfr.device.responder import CudaDevice, Export, FlopFile, HostDevice, Responder, reduced, respond
from holdmem.cfr.exact_response import ExactResponse, respond_to_flop
from holdmem.cfr.public_game import PublicGame
from holdmem.core.errors import AgentError
from holdmem.engine import find_game
from test_exact_response import RandomTables, short_tree

compiled = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("c++", "g++", "clang++")), reason="needs a C++ compiler"
)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A random strategy on a deck of ten cards, and its export."""
    game, tree = PublicGame(5, 2, (0, 1, 1, 1)), short_tree((1, 1, 2, 2))
    response = ExactResponse(tree, RandomTables(tree, game, 3), game, np.float64)
    path = tmp_path_factory.mktemp("export") / "short.npz"
    arrays = exported(response, "random", [*range(5)], listed=True)
    np.savez_compressed(path, **arrays)
    return response, path


@compiled
@pytest.mark.parametrize("self_play", [True, pytest.param(False, marks=pytest.mark.long)])
def test_every_flop_of_a_short_deck_is_as_on_the_processor(short, self_play):
    response, path = short
    export = Export(path)
    device = Responder(export, HostDevice(), self_play)
    for number, flop in enumerate(response.game.deals(1)):
        found, expected = reduced(export, number, device.flop(number)), respond_to_flop(response, flop)
        np.testing.assert_allclose(found.best, expected.best, atol=1e-4)
        ways = expected.by_way if self_play else np.where(np.arange(4), expected.by_way, 0)
        np.testing.assert_allclose(found.by_way, ways, atol=2e-3)


def test_a_file_of_flops_whose_first_line_was_cut_is_refused(short, tmp_path):
    _, path = short
    export = Export(path)
    finished = FlopFile(tmp_path / "some.flops", export)
    (tmp_path / "some.flops").write_text(json.dumps(finished.head), encoding="utf-8")
    with pytest.raises(ValueError, match="expected a file of finished flops"):
        FlopFile(tmp_path / "some.flops", export)


@compiled
def test_a_run_that_is_cut_goes_on_and_damaged_flops_are_computed_again(short, tmp_path):
    _, path = short
    export, device = Export(path), HostDevice()
    finished = FlopFile(tmp_path / "flops", export)
    assert list(respond(export, finished, device, flops=[3, 1])) == [3, 1]
    whole = finished.path.read_bytes()
    finished.path.write_bytes(whole[:-9])  # the last record was not written to its end
    assert sorted(finished.read()) == [3]
    assert list(respond(export, finished, device, flops=[3, 1])) == [1]
    assert finished.path.read_bytes() == whole
    damaged = bytearray(whole)
    damaged[len(whole) - finished.kind.itemsize + 40] ^= 1
    finished.path.write_bytes(damaged)
    assert sorted(FlopFile(finished.path, export).read()) == [3]


@compiled
def test_the_program_runs_without_the_package(short, tmp_path):
    """Two files copied elsewhere, with numpy alone."""
    _, path = short
    for name in ("responder.py", "exact_response.cu"):
        shutil.copy(Path(responder.__file__).with_name(name), tmp_path)
    command = [sys.executable, "-I", str(tmp_path / "responder.py"), str(path), str(tmp_path / "flops")]
    done = subprocess.run(
        [*command, "--device", "host", "--flops", "1"], capture_output=True, encoding="utf-8", check=True
    )
    assert "random: 1 flops" in done.stdout
    assert list(FlopFile(tmp_path / "flops", Export(path)).read()) == [0]


def test_files_of_other_strategies_or_other_kinds_are_refused(short, tmp_path):
    _, path = short
    export, place = Export(path), tmp_path / "flops"
    for content in (b"", b"not json\n", b"[]\n", json.dumps({"format": "x", "self_play": True}).encode()):
        place.write_bytes(content)
        with pytest.raises(ValueError, match="flops"):
            FlopFile(place, export)
    for content in (b"", b"PK\x03\x04 damaged", path.read_bytes()[:5000]):
        place.write_bytes(content)
        with pytest.raises(ValueError, match="expected an exported strategy"):
            Export(place)


def test_kept_flops_of_another_program_are_not_taken_up(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDMEM_CACHE", str(tmp_path / "cache"))
    place = exact_device._place("a strategy")
    assert exact_device._place("a strategy") == place != exact_device._place("another")
    changed = tmp_path / "exact_response.cu"
    changed.write_bytes(responder.SOURCE.read_bytes() + b"// changed\n")
    monkeypatch.setattr(responder, "SOURCE", changed)
    assert exact_device._place("a strategy") != place


def test_an_agent_whose_classes_the_card_does_not_know_is_refused():
    with pytest.raises(AgentError, match="leave out --device"):
        exported(exact_response("simplebot", find_game("limit"), False), "simplebot", [0])


@pytest.mark.skipif(shutil.which("nvidia-smi") is None, reason="needs a graphics card and CuPy")
def test_the_card_computes_what_the_kernels_compute_as_a_program(short):
    pytest.importorskip("cupy")
    _, path = short
    export = Export(path)
    card, program = Responder(export, CudaDevice()), Responder(export, HostDevice())
    for one, other in zip(card.flop(0), program.flop(0), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-3)
