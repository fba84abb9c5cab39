"""Hands as data: one columnar record for every source, readers, writers, storage and replay."""

from holdmem.history.records import RECORD, Builder, Hands, RecordedHand, Terms, join
from holdmem.history.replaying import Decisions, outcomes, replay
from holdmem.history.storage import StoredHands, write_hands

__all__ = [
    "RECORD",
    "Builder",
    "Decisions",
    "Hands",
    "RecordedHand",
    "StoredHands",
    "Terms",
    "join",
    "outcomes",
    "replay",
    "write_hands",
]
