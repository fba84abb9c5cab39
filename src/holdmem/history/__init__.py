"""Hand histories: a columnar record shared by all formats, with readers, writers, storage and replay."""

from holdmem.history.reading import Reading, read_hands
from holdmem.history.records import RECORD, Builder, Hands, RecordedHand, Terms, join
from holdmem.history.replaying import Decisions, outcomes, replay
from holdmem.history.storage import StoredHands, write_hands

__all__ = [
    "RECORD",
    "Builder",
    "Decisions",
    "Hands",
    "Reading",
    "RecordedHand",
    "StoredHands",
    "Terms",
    "join",
    "outcomes",
    "read_hands",
    "replay",
    "write_hands",
]
