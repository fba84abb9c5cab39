"""Notebooks as pages of the site: text, code, and what `make notebooks` found, if it has run."""

import base64
import json
from pathlib import Path
from typing import Any

FOLDER = "docs/notebooks"
NOT_RUN = "*Without results: `make notebooks` executes the notebooks, and the next `make docs` shows them.*"


def pages(root: Path) -> dict[str, str | bytes]:
    """One page per notebook and its pictures, by path in the repository."""
    made: dict[str, str | bytes] = {}
    for path in sorted((root / FOLDER).glob("*.ipynb")):
        made |= page(path, root / "build" / "notebooks" / path.name)
    return made


def page(path: Path, executed: Path) -> dict[str, str | bytes]:
    """A notebook and its pictures; with results if the executed copy has the same cells."""
    cells, done = read(path), read(executed) if executed.is_file() else []
    ran = [source(cell) for cell in cells] == [source(cell) for cell in done]
    files: dict[str, str | bytes] = {}
    parts = [] if ran else [NOT_RUN]
    for number, cell in enumerate(done if ran else cells):
        if cell["cell_type"] == "markdown":
            parts.append(source(cell).replace(".ipynb)", ".ipynb.md)"))
        else:
            parts.append(f"```python\n{source(cell)}\n```")
            parts += [output(one, f"{path.stem}-{number}", files) for one in cell["outputs"]]
    if not ran:
        parts[0], parts[1] = parts[1], parts[0]  # the title comes first
    return {f"{FOLDER}/{path.name}.md": "\n\n".join(filter(None, parts)) + "\n", **files}


def read(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text(encoding="utf-8"))["cells"])


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def output(found: dict[str, Any], name: str, files: dict[str, str | bytes]) -> str:
    """One output: a table, a picture, or text."""
    if found["output_type"] == "stream":
        return "" if found["name"] == "stderr" else f"```text\n{''.join(found['text']).rstrip()}\n```"
    data = found.get("data", {})
    if "image/png" in data:
        files[f"{FOLDER}/{name}.png"] = base64.b64decode("".join(data["image/png"]))
        return f"![Figure of the notebook]({name}.png)"
    if "text/html" in data:
        lines = [line for line in "".join(data["text/html"]).splitlines() if line.strip()]
        return "<div class='wide'>" + "\n".join(lines) + "</div>"
    return f"```text\n{''.join(data.get('text/plain', ''))}\n```"
