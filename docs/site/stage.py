"""Lay out the pages of the site: python docs/site/stage.py build/site-source

Pages link to each other all over the repository, so that they read well there. Here every page keeps its path
in the repository, and a link changes only where it leads to a folder, to source code or to the front page.
Pages that the repository has in another form are made: results, the reference by package, linked source code.
"""

import posixpath
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import notebooks
import results

ROOT = Path(__file__).parents[2]
NAVIGATION = Path(__file__).with_name("navigation.toml")
PAGES = ("*.md", "docs/**/*.md", "benchmarks/*.md", "results/*.md")
PICTURES = ("docs/pictures/*", "results/*/*.png")
SOURCES = (".py", ".csv", ".txt", ".ipynb")
FRONT, HOME = "README.md", "index.md"
REFERENCE = "docs/reference.md"
LINK = re.compile(r"(\]\()([^)#\s:]+)(?=[)#])")
SECTIONS = "Parameters|Attributes|Returns|Raises|Examples|Methods and properties"
FENCE = re.compile(r"(?ms)(^```.*?^```$)")


def main(folder: Path) -> None:
    """Write what has changed, and remove what is gone."""
    pages = {moved(path): linked(text, path).encode() for path, text in all_pages().items()}
    files = pages | {path: (ROOT / path).read_bytes() for path in found(PICTURES)}
    files |= {path: made for path, made in notebooks.pages(ROOT).items() if isinstance(made, bytes)}
    for old in [path for path in folder.rglob("*") if path.is_file()]:
        if old.relative_to(folder).as_posix() not in files:
            old.unlink()
    for path, content in files.items():
        write(folder / path, content)


def write(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def found(patterns: tuple[str, ...]) -> list[str]:
    """Paths in the repository."""
    return [path.relative_to(ROOT).as_posix() for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def all_pages() -> dict[str, str]:
    """Every page of the site by its path: Markdown as it is in the repository, or made here."""
    pages = {path: read(path) for path in found(PAGES)}
    pages |= results.pages(ROOT / "results") | reference_pages()
    worked = {path: made for path, made in notebooks.pages(ROOT).items() if isinstance(made, str)}
    pages |= worked
    pages[f"{notebooks.FOLDER}/README.md"] += tree([f"/{path}" for path in worked])
    for target in sorted({target for path, text in pages.items() for target in targets(text, path)}):
        if (ROOT / target).is_dir() and f"{target}/README.md" not in pages:
            pages |= folder_pages(target)
        elif target.endswith(SOURCES) and f"{target}.md" not in pages:
            pages[f"{target}.md"] = source_page(target)
    for part in parts():
        pages[part["start"]] += tree([f"/{path}" for path in part["pages"]])
    pages[FRONT] += tree([f"{part['caption']} <{part['start']}>" for part in parts()])
    return pages


def parts() -> list[dict[str, Any]]:
    """The parts of the navigation."""
    return list(tomllib.loads(NAVIGATION.read_text(encoding="utf-8"))["part"])


def tree(entries: list[str]) -> str:
    """What belongs below a page in the navigation, as Sphinx reads it."""
    return "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n" if entries else ""


# Links


def where(link: str, page: str) -> str:
    """Where a link of a page leads, as a path in the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def targets(markdown: str, page: str) -> Iterator[str]:
    """Where all links of a page lead."""
    for match in LINK.finditer(FENCE.sub("", markdown)):
        yield where(match[2], page)


def linked(markdown: str, page: str) -> str:
    """The page with its links as the site needs them, code left alone."""

    def lead(match: re.Match[str]) -> str:
        target = where(match[2], page)
        if (ROOT / target).is_dir():
            return f"{match[1]}{match[2].rstrip('/')}/README.md"
        if target == FRONT:
            return f"{match[1]}{match[2].removesuffix(FRONT)}{HOME}"
        return f"{match[0]}.md" if target.endswith(SOURCES) else match[0]

    parts = FENCE.split(markdown)
    return "".join(part if index % 2 else LINK.sub(lead, part) for index, part in enumerate(parts))


def moved(path: str) -> str:
    return HOME if path == FRONT else path


# Pages made of other files


def source_page(path: str) -> str:
    """Source code as a page."""
    kind = "python" if path.endswith(".py") else "text"
    head = f"---\norphan: true\n---\n# {posixpath.basename(path)}\n\n`{path}`\n\n"
    return f"{head}````{kind}\n{read(path).rstrip()}\n````\n"


def folder_pages(folder: str) -> dict[str, str]:
    """A folder as a list of its pages and source files, and these files as pages."""
    inside = [path for path in found((f"{folder}/*",)) if path.endswith((".md", *SOURCES))]
    lines = [f"- [{title(path)}]({posixpath.basename(path)})" for path in inside]
    name = posixpath.basename(folder).capitalize()
    within = tree([posixpath.basename(path) for path in inside if path.endswith(".md")])
    made = {f"{path}.md": source_page(path) for path in inside if path.endswith(SOURCES)}
    return {f"{folder}/README.md": f"# {name}\n\n" + "\n".join(lines) + within, **made}


def title(path: str) -> str:
    """The first heading of a page; the name of a source file and the first line of its docstring."""
    if path.endswith(".md"):
        return read(path).partition("\n")[0].removeprefix("# ")
    summary = re.match(r'"""(.*?)(?:"""|\n)', read(path))
    return f"`{posixpath.basename(path)}`" + (f": {summary[1]}" if summary else "")


def reference_pages() -> dict[str, str]:
    """The reference by package: four thousand lines are too long for one page."""
    head, *parts = re.split(r"(?m)^## ", read(REFERENCE))
    made = {f"reference/{part.split()[0]}.md": package_page(part) for part in parts}
    lines = [f"- [`{path[10:-3]}`]({path}){summary(text)}" for path, text in made.items()]
    overview = f"{head}\n## Packages\n\n" + "\n".join(lines) + tree(list(made))
    return {REFERENCE: overview, **{f"docs/{path}": text for path, text in made.items()}}


def summary(text: str) -> str:
    """What follows the heading of a package, unless it is the next heading."""
    first = text.split("\n\n")[1]
    return "" if first.startswith("#") else f": {first}".replace("](../", "](")


def package_page(part: str) -> str:
    """One package with its headings a level up, its signatures as Python that may wrap."""
    signature = r"\1```{code-block} python\n:class: signature\n"
    text = re.sub(r"(?m)^(### .*\n\n)```text$", signature, part)
    text = re.sub(r"\(docs/([\w-]+)\.md\)", r"([\1](../\1.md))", text)
    text = re.sub(
        r"(?m)^(Parameters|Attributes|Returns|Raises|Examples|Methods and properties):$", r"**\1**", text
    )
    return "# " + re.sub(r"(?m)^### ", "## ", text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
