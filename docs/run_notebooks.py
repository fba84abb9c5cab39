"""Execute the notebooks: python docs/run_notebooks.py build/notebooks [NAME …]

Each runs in a new kernel and an empty folder. What comes out is written to the folder given; the notebooks of
the repository have no outputs, because these change with every version of anything.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path(__file__).with_name("notebooks")
SECONDS = 600
"""Limit for one cell: the first may have to wait for compiled code."""


def execute(path: Path, folder: Path) -> str | None:
    """Execute one notebook; return what went wrong."""
    notebook: Any = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as empty:
        client = NotebookClient(
            notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": empty}}
        )
        try:
            client.execute()
        except CellExecutionError as error:
            return str(error)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, folder / path.name)
    return None


def main(folder: Path, names: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if not names or path.stem in names]
    failed = 0
    for path in chosen:
        began, wrong = time.perf_counter(), execute(path, folder)
        failed += wrong is not None
        print(f"{path.stem}: {wrong or f'{time.perf_counter() - began:.0f} s'}", flush=True)
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
