"""Where real hands are looked for: in HOLDMEM_DATA, else beside the project in shared/data."""

import os
from pathlib import Path

import pytest

FULL = bool(os.environ.get("HOLDMEM_FULL"))
DATA = Path(os.environ.get("HOLDMEM_DATA") or Path(__file__).parents[2] / "shared" / "data")
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no recorded hands at {DATA}; set HOLDMEM_DATA")
