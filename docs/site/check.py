"""Check the built site: python docs/site/check.py build/site

Every link leads to a file and an anchor that exist, and no page loads anything from elsewhere.
"""

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """The links of a page, what it loads, and the anchors it offers."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value or "")
            elif (tag, name) in LOADS:
                self.loads.append(value or "")
            elif (tag, name) == ("a", "href"):
                self.links.append(value or "")


read = cache(Page)


def faults(path: Path) -> list[str]:
    """What is wrong with the links of a page."""
    page = read(path)
    outside = [f"loads {link}" for link in page.loads if urlsplit(link).netloc]
    missing = [link for link in page.links + page.loads if local(link) and not leads(link, path)]
    return outside + [f"leads nowhere: {link}" for link in missing]


def local(link: str) -> bool:
    parts = urlsplit(link)
    return not parts.scheme and not parts.netloc


def leads(link: str, path: Path) -> bool:
    """Whether file and anchor exist."""
    parts = urlsplit(link)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return False
    return target.suffix != ".html" or unquote(parts.fragment) in read(target).anchors


def main(site: Path) -> int:
    """Print what is wrong, or what was checked."""
    paths = sorted(site.resolve().rglob("*.html"))
    wrong = [f"{path.relative_to(site.resolve())}: {fault}" for path in paths for fault in faults(path)]
    links = sum(len(read(path).links) + len(read(path).loads) for path in paths)
    print("\n".join(wrong) or f"{site}/index.html: {len(paths)} pages, {links:,} links and files checked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
