"""Read Open Hand History: one JSON object per hand (hh-specs.handhistory.org, version 1.4.6).

Objects are separated by empty lines. Each is decoded on its own, so a damaged hand does not affect the next.
Numbers are kept as text until they are checked. Amounts of actions are the chips paid by that action.
"""

import calendar
import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from holdmem.core.types import JsonObject
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.ohh_actions import read_pots, read_rounds
from holdmem.history.formats.ohh_fields import BAD_FIELD, CODES, JsonFields, amount, stored_terms
from holdmem.history.formats.text_record import record
from holdmem.history.hands import UNKNOWN, RecordedHand, Terms

STARTS = re.compile(r'\s*"ohh"\s*:')
SEVERAL = re.compile(r'(?<=\})[\s,]*(?=\{\s*"ohh"\s*:)')
"""Between two hands on one line."""
HOLDEM = {"holdem", "hold'em", "texas holdem", "texas hold'em"}
PLAY_MONEY = ("", "PPC", "XPM")
CURRENCIES = {code: sign for sign, code in CODES.items()}
SITES = {"HoldMem": ""}
"""Names of sites that do not assign numbers."""


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the lines of each hand.

    A hand begins with a brace in the first column, after an empty line, or at the brace before "ohh".
    """
    begin, hand, gap = 1, list[str](), False
    for number, line in enumerate(lines, start=1):
        text = line.strip("\ufeff\r\n")
        if hand and (gap or text.startswith("{")):
            yield begin, hand
            hand = []
        elif STARTS.match(text) and len(hand) > 1:
            if "".join(hand[:-1]).strip("[], \t"):
                yield begin, hand[:-1]
            begin, hand = number - 1, hand[-1:]
        gap = not text.strip()
        if not gap:
            begin = begin if hand else number
            *whole, last = SEVERAL.split(text)
            for one in whole:
                yield begin, [*hand, one]
                begin, hand = number, []
            hand.append(last)
    if hand:
        yield begin, hand


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    return read_object(_decoded(lines, begin), begin)


def read_object(found: JsonObject, begin: int = UNKNOWN) -> RecordedHand:
    """Parse one hand from the fields of its object, whose numbers may be text."""
    fields = JsonFields(found, begin)
    try:
        terms = stored_terms(fields)
        text = _header(fields, begin, terms)
        _players(text, fields)
        read_rounds(text, fields)
        read_pots(text, fields)
    except (TypeError, KeyError, AttributeError) as error:
        raise UnreadableHand(begin, f"{BAD_FIELD}: {error}", BAD_FIELD) from None
    return record(text, terms)


def _decoded(lines: list[str], begin: int) -> JsonObject:
    try:
        decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
        whole = "\n".join(lines).lstrip("[, \t")
        found, end = decoder.raw_decode(whole)
    except (ValueError, RecursionError) as error:
        raise UnreadableHand(begin, f"expected JSON: {error}", "not JSON") from None
    rest = whole[end:].strip(" \t\n,]")
    if rest or not isinstance(found, dict) or not isinstance(found.get("ohh"), dict):
        reason = f'expected one object {{"ohh": {{…}}}}, got {(rest or whole)[:60]!r}'
        raise UnreadableHand(begin, reason, "not a hand")
    return found["ohh"]  # type: ignore[no-any-return]


def _header(fields: JsonFields, line: int, terms: Terms | None) -> HandText:
    """Check what is played, and return an empty hand of it."""
    kind, limits = fields.text("game_type"), JsonFields(fields.get("bet_limit") or {}, line)
    betting = limits.text("bet_type").upper()
    if kind.lower() not in HOLDEM or betting not in ("NL", "FL"):
        reason = f"expected Holdem with bet_type NL or FL, got {kind} {betting}"
        raise UnreadableHand(line, reason, "a game other than limit or no-limit hold'em")
    if float(limits.get("bet_cap") or 0):
        raise UnreadableHand(line, "expected no bet_cap", "stakes that cannot be read")
    blinds = [str(fields.get(name) or "0") for name in ("small_blind_amount", "big_blind_amount")]
    code = fields.text("currency")
    currency = "" if code in PLAY_MONEY or fields.get("tournament") is True else CURRENCIES.get(code, code)
    cents = bool(currency) or _has_cents(fields)
    if terms is not None:
        currency, cents = terms.currency, terms.chip != 1
    number, site = _number(fields)
    text = HandText("ohh", number, _time(fields), betting == "FL", currency, (0, 0), cents, site, line=line)
    small, big = (amount(text, blind) for blind in blinds)
    text.stakes = (big, 2 * big) if text.limit else (small, big)
    text.table = fields.text("table_name")
    text.button = fields.whole("dealer_seat")
    return text


def _has_cents(fields: JsonFields) -> bool:
    """Return whether blinds or stacks have a part that is not zero after the point."""
    amounts = [fields.get("small_blind_amount"), fields.get("big_blind_amount")]
    amounts += [player.get("starting_stack") for player in fields.objects("players")]
    return any(str(one or "").partition(".")[2].strip("0") for one in amounts)


def _number(fields: JsonFields) -> tuple[int, str]:
    """Return the number of the hand and the site that assigns it, if it is made of digits and hyphens."""
    digits = fields.text("game_number").replace("-", "")
    site = fields.text("network_name") or fields.text("site_name")
    if not re.fullmatch(r"[0-9]{1,18}", digits):
        return UNKNOWN, ""
    return int(digits), SITES.get(site, site)


def _time(fields: JsonFields) -> int:
    when = fields.text("start_date_utc")
    if not when:
        return UNKNOWN
    return calendar.timegm(datetime.fromisoformat(when).utctimetuple())


def _players(text: HandText, fields: JsonFields) -> None:
    for player in fields.objects("players"):
        seat = player.whole("seat")
        if seat in text.names:
            text.stop(f"expected one player per seat, got two at seat {seat}", "two players at one seat")
        text.names[seat] = player.text("name")
        text.stacks[seat] = amount(text, player.value("starting_stack"))
