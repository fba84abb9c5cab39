"""Optional libraries: which extra of HoldMem installs them, and the error where one is missing."""

from importlib.util import find_spec

from holdmem.core.errors import MissingExtra

EXTRAS = {
    "cluster": ("distributed",),
    "mcp": ("mcp",),
    "plots": ("matplotlib",),
    "rl": ("gymnasium", "pettingzoo"),
    "web": ("fastapi", "h11", "pydantic", "starlette", "uvicorn", "websockets"),
}
"""Libraries that HoldMem imports only if an extra is used, by extra, as in pyproject.toml."""

FOR_HARDWARE = {"cuda": ("cupy",)}
"""The same for extras that not every machine can use; the extra `all` leaves them out."""


def require(extra: str, purpose: str, *libraries: str) -> None:
    """Raise MissingExtra unless these libraries, by default all of the extra's, are installed."""
    for library in libraries or (EXTRAS | FOR_HARDWARE)[extra]:
        if find_spec(library) is None:
            raise MissingExtra(
                f"{purpose} needs {library}, which is not installed: pip install 'holdmem[{extra}]'"
            )
