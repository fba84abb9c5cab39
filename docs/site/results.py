"""Pages of `holdmem reproduce` as pages of the site, with its colours, navigation and search."""

import base64
import re
from pathlib import Path

PICTURE = re.compile(r"<figure><img alt='([^']*)' src='data:image/png;base64,([^']+)'></figure>")
HEADING = re.compile(r"(?s)<h([1-6])>(.*?)</h\1>")


def pages(folder: Path) -> dict[str, str]:
    """One page per publication, by path in the repository; the summary ends the folder's README."""
    made = {f"results/{path.stem}.md": page(path) for path in sorted(folder.glob("*.html"))}
    summary = re.sub(r"(?m)^(#+ )", r"#\1", made.pop("results/index.md"))
    tree = "\n".join(path.removeprefix("results/") for path in made)
    text = (folder / "README.md").read_text(encoding="utf-8")
    return {**made, "results/README.md": f"{text}\n{summary}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"}


def page(path: Path) -> str:
    """The body of a page, its headings and pictures as Markdown."""
    body = re.search(r"(?s)<body>(.*)</body>", path.read_text(encoding="utf-8"))
    if body is None:
        raise SystemExit(f"{path}: expected an HTML page with a body")
    text = re.sub(r"(?s)<nav>.*?</nav>|</?(?:section|main)[^>]*>", "", body[1])
    text = re.sub(r"<p><a href='(\.\./docs/[^']+)'>([^<]*)</a></p>", r"\n\n[\2](\1)\n\n", text)
    text = PICTURE.sub(lambda found: f"\n\n![{found[1]}]({file_of(found[2], path.parent)})\n\n", text)
    text = re.sub(r"(?s)(?<!<div class='wide'>)(<table.*?</table>)", r"<div class='wide'>\1</div>", text)
    text = re.sub(
        r"(?=<(?:p|pre|ul|div|details|figure)[ >])|(?<=</div>)|(?<=</details>)|(?<=</figure>)", "\n\n", text
    )
    return HEADING.sub(lambda found: f"\n\n{'#' * int(found[1])} {found[2]}\n\n", text)


def file_of(encoded: str, folder: Path) -> str:
    """The file in the folder that holds this picture."""
    content = base64.b64decode(encoded)
    for path in sorted(folder.glob("*/*.png")):
        if path.read_bytes() == content:
            return path.relative_to(folder).as_posix()
    raise SystemExit(f"{folder}: expected a PNG for each picture of the pages, found none for one of them")
