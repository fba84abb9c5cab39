"""What no file of the repository may contain: paths of one machine, names of private notes, double names."""

import ast
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Written in pieces, so that this file does not contain what it looks for.
FOLDERS = "home", "root", "work", "Users", "tmp"
ABSOLUTE = re.compile(rf"(?<![\w.>:/~-])/(?:{'|'.join(FOLDERS)})/[\w.]")
NOTES = "STYLE", "HOUSE", "AUDIT", "EXACT", "FAULTS", "MISSION", "EXPERIMENTS", "TRAPS", "FIELD"
PRIVATE = re.compile(rf"\b(?:{'|'.join(NOTES)})[.]md\b|\b(?i:document)[ _]00[0-9]")


def tracked() -> list[str]:
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git repository")
    return [name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()]


def text_files() -> dict[str, str]:
    """All tracked files that are text, by name."""
    found = {}
    for name in tracked():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content:
            found[name] = content.decode("utf-8", errors="replace")
    return found


def test_no_file_has_a_path_of_one_machine_or_the_name_of_a_private_note() -> None:
    for name, text in text_files().items():
        assert not PRIVATE.search(text), (name, PRIVATE.search(text))
        paths = set(ABSOLUTE.findall(text))
        assert not paths, (name, paths)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_patterns_find_what_they_are_for(folder: str) -> None:
    assert ABSOLUTE.search(f'open("/{folder}/data")')
    assert not ABSOLUTE.search(f"docs/{folder}/data")
    assert PRIVATE.search("see HOUSE" + ".md")
    assert PRIVATE.search("Document " + "003")
    assert not PRIVATE.search("docs/field.md")


def public_classes() -> dict[str, list[str]]:
    """Where each public class of the package is defined, at the top of a module."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "src" / "holdmem").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_no_public_class_name_is_defined_twice() -> None:
    assert {name: files for name, files in public_classes().items() if len(files) > 1} == {}


def aliases() -> dict[str, list[str]]:
    """Where each public alias of a type is defined: a capitalised name at the top of a module."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "src" / "holdmem").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            for target in targets:
                if isinstance(target, ast.Name) and re.match("[A-Z][a-z]", target.id):
                    found[target.id].append(str(path.relative_to(ROOT)))
    return found


def test_no_alias_of_a_type_is_defined_twice() -> None:
    found, classes = aliases(), public_classes()
    assert "Floats" in found, "aliases are seen"
    assert {name: files for name, files in found.items() if len(files) > 1 or name in classes} == {}
