"""The README as the registry shows it: links relative to the repository become absolute.

They lead to `[tool.holdmem] repository` of pyproject.toml. That is empty until there is a public address, and
then the text is left as it is. Everything else is in pyproject.toml.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
LINK = re.compile(r"(\]\()(?![a-z]+:|#)([^)\s]+)")
PICTURE = re.compile(r'(<img src=")(?![a-z]+:)([^"]+)')


def absolute(text: str, repository: str, tag: str) -> str:
    """Return Markdown with links and pictures of a repository under its public address, at a tag."""
    if not repository:
        return text
    address = repository.rstrip("/")
    linked = LINK.sub(rf"\g<1>{address}/blob/{tag}/\g<2>", text)
    return PICTURE.sub(rf"\g<1>{address}/raw/{tag}/\g<2>", linked)


def main() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["holdmem"]
    version = re.search(
        r'__version__ = "(.+)"', (ROOT / "src/holdmem/__init__.py").read_text(encoding="utf-8")
    )
    if version is None:
        raise SystemExit("src/holdmem/__init__.py: expected __version__")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    setup(
        long_description=absolute(readme, settings["repository"], f"v{version[1]}"),
        long_description_content_type="text/markdown",
    )


if __name__ == "__main__":
    main()
