"""Names for hands that others get to see: roles such as Hero and Villain 1, or a keyed hash.

A hash without a key hides nothing: whoever suspects a name can hash it and compare. The key is drawn at
random, kept in the cache folder for this user alone, and never written anywhere else. With the same key a
player has the same pseudonym in every file.
"""

import hmac
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from holdmem.core.atomic import atomic_file
from holdmem.core.cache_folder import cache_root
from holdmem.core.errors import KnowledgeError, OutputExists
from holdmem.history.hands import Hands

HERO, VILLAIN = "Hero", "Villain"
KEY_FILE, KEY_BYTES = "names.key", 32

Rename = Callable[[str], str]
"""From a player's name to the one that others get to see; different players keep different names."""


@dataclass
class Roles:
    """One player is Hero; the others are Villain 1, Villain 2 … in the order in which they appear."""

    hero: str | None = None
    _villains: dict[str, str] = field(default_factory=dict)

    def __call__(self, name: str) -> str:
        if name == self.hero:
            return HERO
        return self._villains.setdefault(name, f"{VILLAIN} {len(self._villains) + 1}")


@dataclass(frozen=True)
class KeyedNames:
    """Names as the first 64 bits of an HMAC (Krawczyk, Bellare and Canetti 1997) with a secret key."""

    key: bytes = field(repr=False)

    def __call__(self, name: str) -> str:
        return f"p{hmac.new(self.key, name.encode(), sha256).hexdigest()[:16]}"


def keyed_names(path: Path | None = None) -> KeyedNames:
    """Return the keyed names of this machine; the key is drawn when first needed."""
    path = path or cache_root() / KEY_FILE
    if not path.exists():
        with suppress(OutputExists), atomic_file(path, new=True) as temporary:  # another process may be first
            temporary.chmod(0o600)
            temporary.write_bytes(secrets.token_bytes(KEY_BYTES))
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise KnowledgeError(f"{path}: expected a key of {KEY_BYTES} bytes, got {len(key)}")
    return KeyedNames(key)


def renamed(blocks: Iterable[Hands], rename: Rename) -> Iterator[Hands]:
    """Yield the hands with other names of players, and with numbers in place of the names of files."""
    files: dict[str, str] = {}
    for block in blocks:
        sources = tuple(
            files.setdefault(name, f"file {len(files) + 1}") if name else "" for name in block.sources
        )
        yield replace(block, players=tuple(map(rename, block.players)), sources=sources)
