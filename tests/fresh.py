"""Running a few lines in a fresh process, against the same sources as the tests themselves."""

import os
import subprocess
import sys
from pathlib import Path

import holdmem

SOURCES = Path(holdmem.__file__).parent.parent


def run(code, *arguments, sources=SOURCES, **settings):
    """What the code prints in a new process; `settings` are environment variables. Warnings are errors."""
    environment = os.environ | {"PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"} | settings
    command = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done
