"""A door for assistants: HoldMem's tools over the Model Context Protocol (docs/assistants.md).

`HandFiles` is all that may be read, `Tools` does the work without knowing the protocol, and `serve` connects
them to standard input and output.
"""

from holdmem.mcp.files import HandFiles
from holdmem.mcp.server import serve
from holdmem.mcp.tools import Tools

__all__ = ["HandFiles", "Tools", "serve"]
