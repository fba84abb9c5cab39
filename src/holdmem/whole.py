"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file beside its place, then rename it, so that no half of it is ever found there."""
    whole = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as beside:
        try:
            beside.write(whole)
            beside.flush()
            os.fsync(beside.fileno())
            Path(beside.name).chmod(0o644)
            Path(beside.name).replace(path)
        except BaseException:
            Path(beside.name).unlink(missing_ok=True)
            raise
