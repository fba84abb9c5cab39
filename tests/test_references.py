"""Works cited in code and docs are in the references, and the changelog's new names exist."""

import ast
import re
from calendar import month_name
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "holdmem"
SURNAME = r"(?:[Vv]an den )?[^\W\d_a-z][\w’-]+"
CITATION = re.compile(
    rf"\b(?P<names>{SURNAME}(?P<others> et al[.]|(?:, {SURNAME})*,? and {SURNAME})?)(?:'s)?,? "
    r"\[?\(?(?P<years>(?:19|20)\d\d(?:, (?:19|20)\d\d)*)\b"
)
NOT_AUTHORS = {*month_name, "ICCBR", "IJCAI", "Chat", "The"}
"""Words before a year that name no author: dates, proceedings, "Internet Relay Chat, 1995 to 2001"."""


def entries() -> list[tuple[str, str]]:
    """Authors and year of each entry of the references, as written."""
    text = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    found = re.findall(r"^- (?:[*][*].*?[*][*] )?([^(\n]*) \((\d{4})\)", text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^- .*\(\d{4}\)[.]", text, re.MULTILINE))
    return found


def citations(text: str) -> set[tuple[str, str]]:
    """Names and year of each citation "Name (year)", "Name and Name (year)" or "Name et al. (year)"."""
    plain = re.sub(r"\s+(?:# )?", " ", text)
    return {
        (match["names"], year)
        for match in CITATION.finditer(plain)
        if match["names"] not in NOT_AUTHORS
        for year in match["years"].split(", ")
    }


def has_entry(names: str, year: str, listed: list[tuple[str, str]]) -> bool:
    """Whether an entry of this year has all the names; with "et al.", whether it begins with the first."""
    if names.endswith(" et al."):
        first = names.removesuffix(" et al.")
        return any(year == when and authors.startswith(first) for authors, when in listed)
    cited = re.split(r",? and |, ", names)
    return any(
        year == when and all(re.search(rf"\b{name}\b", authors) for name in cited) and len(cited) == people
        for authors, when in listed
        for people in [len(re.findall(r"(?:^|, |and )[^\W\d_][\w’ -]+(?:, [A-Z][.]|$)", authors))]
    )


def documents() -> list[Path]:
    pages = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name != "references.md"]
    notebooks = sorted((ROOT / "docs").rglob("*.ipynb"))
    benchmarks = sorted((ROOT / "benchmarks").glob("*.py"))
    return [ROOT / "README.md", *pages, *notebooks, *benchmarks, *sorted(PACKAGE.rglob("*.py"))]


def test_every_work_that_is_cited_has_its_entry() -> None:
    listed = entries()
    missing = {
        (str(path.relative_to(ROOT)), *citation)
        for path in documents()
        for citation in citations(path.read_text(encoding="utf-8"))
        if not has_entry(*citation, listed)
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as in Rubin (2007).", {("Rubin", "2007")}),
        ("Rubin and Watson (2010, 2011)", {("Rubin and Watson", "2010"), ("Rubin and Watson", "2011")}),
        ("(Czado, Gneiting and\n    Held, 2009)", {("Czado, Gneiting and Held", "2009")}),
        ("Moravčík et al. (2016)", {("Moravčík et al.", "2016")}),
        ("Leitner's (1972) boxes", {("Leitner", "1972")}),
        ("hands of July 2009", set()),
        ("since 2007", set()),
    ],
)
def test_citations_are_found(text: str, found: set[tuple[str, str]]) -> None:
    assert citations(text) == found


def test_an_entry_is_found_by_all_its_authors() -> None:
    listed = [("Rubin, J. and Watson, I.", "2011"), ("Rubin, J.", "2007"), ("Student", "1908")]
    assert has_entry("Rubin and Watson", "2011", listed)
    assert has_entry("Rubin et al.", "2011", listed)
    assert has_entry("Student", "1908", listed)
    assert not has_entry("Rubin", "2011", listed), "two authors, one cited"
    assert not has_entry("Watson et al.", "2011", listed)
    assert not has_entry("Rubin and Watson", "2007", listed)


def renamed() -> list[tuple[str, str]]:
    """Module and name, "" for the module itself, of every new name in the changelog's tables."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    rows = text.partition("\n### Renamed and moved\n")[2].partition("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row.startswith("| `")]
    modules = [(module, "") for row in cells if len(row) == 2 for module in re.findall("`(.+?)`", row[1])]
    return modules + [(row[0].strip("`"), row[2].strip("`")) for row in cells if len(row) == 3]


@cache
def defined(module: str) -> set[str] | None:
    """Names that a module defines, methods included; None if there is no such module."""
    parts = [] if module == "holdmem" else module.split(".")
    path = PACKAGE.joinpath(*parts)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file():
        return None
    return names_of(ast.parse(file.read_text(encoding="utf-8")).body)


def names_of(body: list[ast.stmt]) -> set[str]:
    found: set[str] = set()
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= names_of(node.body)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id for one in targets for name in ast.walk(one) if isinstance(name, ast.Name)}
    return found


def test_everything_renamed_is_where_the_changelog_says() -> None:
    rows = renamed()
    assert len(rows) > 400, "the tables are read"
    missing_modules = {module for module, _ in rows if defined(module) is None}
    assert missing_modules == set()
    assert [row for row in rows if row[1] and row[1] not in (defined(row[0]) or ())] == []
