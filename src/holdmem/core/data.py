"""The folder of shipped data: tables, strategies and case bases."""

from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
"""Kernels get large tables as arguments and none is compiled into them, so compiled code does not depend on
this folder: it is left out of the fingerprint, which would otherwise read all of it at every start."""
