"""Work without poker for the tests of the cluster; imports next to nothing, so that workers start quickly."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Task:
    """A number to square; with `deadly`, its worker is killed, once or always, after this many seconds."""

    number: int
    deadly: Path | None = None
    always: bool = False
    after: float = 0.0


def square(task: Task) -> int:
    if task.deadly is not None and (task.always or not task.deadly.exists()):
        task.deadly.write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(task.after)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.01)
    return task.number**2
