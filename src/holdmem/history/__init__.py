"""Hand histories: a columnar record shared by all formats, with readers, writers, storage and replay."""

from holdmem.history.formats.parquet import StoredHands
from holdmem.history.hands import RECORD, Hands, RecordedHand, Terms
from holdmem.history.hands_builder import HandsBuilder, join
from holdmem.history.pseudonyms import KeyedNames, Roles, keyed_names, renamed
from holdmem.history.read import HandReader, read_hands
from holdmem.history.reading_cache import cached
from holdmem.history.replay import Decisions, replay, replay_results
from holdmem.history.write import write_hands

__all__ = [
    "RECORD",
    "Decisions",
    "HandReader",
    "Hands",
    "HandsBuilder",
    "KeyedNames",
    "RecordedHand",
    "Roles",
    "StoredHands",
    "Terms",
    "cached",
    "join",
    "keyed_names",
    "read_hands",
    "renamed",
    "replay",
    "replay_results",
    "write_hands",
]
