"""Write hands as Open Hand History: one JSON object per line, with an empty line between hands.

Where the format's own fields do not describe our game in full, our game is added in a field of its own, which
other readers ignore, so that nothing is lost.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TextIO

from holdmem.cards.notation import name as card_name
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.types import JsonObject
from holdmem.engine import UNLIMITED, Game
from holdmem.engine.steps import HandStep
from holdmem.history.formats.hand_text import UnreadableHand
from holdmem.history.formats.ohh_actions import DEALT, STREETS, VERBS
from holdmem.history.formats.ohh_fields import CODES, OURS, UNLIMITED_PLAYERS
from holdmem.history.formats.ohh_read import read_object
from holdmem.history.formats.payout import covering, payments, pot_sizes
from holdmem.history.formats.terms_json import terms_text
from holdmem.history.formats.text_terms import CENT
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand
from holdmem.history.steps import HandReplay, replay_hand

VERSION = "1.4.6"
ACTIONS = {verb: action for action, verb in VERBS.items()}


def write(
    hands: Iterable[Hands],
    file: TextIO,
    hero: str | None = None,
    refused: Callable[[str, str], None] | None = None,
) -> int:
    """Write hands one after another; return the number written.

    Known hole cards are dealt face up, those of every seat or only of `hero`, and shown at a showdown.
    `refused` is called with the location and the reason for a hand that the format cannot represent; without
    it such a hand raises NotationError.
    """
    count = 0
    for block in hands:
        for place in range(len(block)):
            try:
                written = OhhWriter(block[place], hero).checked()
            except NotationError as error:
                if refused is None:
                    raise NotationError(f"{block.where(place)}: {error}") from None
                refused(block.where(place), str(error))
                continue
            file.write(json.dumps({"ohh": written}, ensure_ascii=False, separators=(",", ":")) + "\n\n")
            count += 1
    return count


class OhhWriter:
    """Writes one hand; players have their seat's index as id, and the last seat has the button."""

    def __init__(self, hand: RecordedHand, hero: str | None) -> None:
        self.hand = hand
        self.hero = hero
        self.game: Game = hand.terms.game
        self.replay: HandReplay = replay_hand(hand)
        if hand.terms.chip not in (1, CENT):
            raise NotationError(f"expected chips worth 1 or a cent, got {hand.terms.chip}")
        if len(set(hand.names)) < len(hand.names):
            raise NotationError(f"names must be distinct, got {list(hand.names)}")

    def money(self, chips: int) -> float | int:
        """Return an amount of chips in units of the currency."""
        return chips if self.hand.terms.chip == 1 else chips / 100

    def checked(self) -> JsonObject:
        """Return the hand as JSON values that are read as the same hand, with our own fields if need be."""
        plain = self.object()
        for written in (plain, plain | self._ours()):
            if self._is_read_the_same(written):
                return written
        raise NotationError("the format cannot represent this hand: it would be read as another")

    def _is_read_the_same(self, written: JsonObject) -> bool:
        try:
            again, hand = read_object(written), self.hand
        except (UnreadableHand, HoldMemError, ValueError):
            return False
        game = replace(again.terms.game, name=hand.terms.game.name, stacks=hand.terms.game.stacks)
        ours = (tuple(hand.stacks), tuple(hand.betting), tuple(hand.board), tuple(hand.second), hand.terms)
        theirs = (again.stacks, again.betting, again.board, again.second, replace(again.terms, game=game))
        return ours == (*map(tuple, theirs[:4]), theirs[4]) and again.net == self.replay.net

    def object(self) -> JsonObject:
        """Return the fields of the specification."""
        hand, game = self.hand, self.game
        big = max(game.blinds) if game.raise_sizes is None else game.raise_sizes[0]
        small = min((blind for blind in game.blinds if blind), default=0)
        site, hero = hand.site or "HoldMem", hand.names.index(self.hero) if self.hero in hand.names else None
        when = datetime.fromtimestamp(hand.time, UTC) if hand.time != UNKNOWN else None
        return {
            "spec_version": VERSION,
            "site_name": site,
            "network_name": site,
            "internal_version": VERSION,
            "game_number": str(hand.number) if hand.number >= 0 else "",
            "start_date_utc": f"{when:%Y-%m-%dT%H:%M:%SZ}" if when else "",
            "table_name": hand.table,
            "game_type": "Holdem",
            "bet_limit": {"bet_type": "FL" if game.limit else "NL", "bet_cap": 0},
            "table_size": game.seats,
            "currency": CODES.get(hand.terms.currency, hand.terms.currency) or "XPM",
            "dealer_seat": game.seats,
            "small_blind_amount": self.money(small),
            "big_blind_amount": self.money(big),
            "ante_amount": self.money(max(self.replay.antes)),
            "hero_player_id": hero,
            "flags": ["Run_It_Twice"] if hand.second else [],
            "players": [self._player(seat) for seat in range(game.seats)],
            "rounds": self._rounds(),
            "pots": self._pots(),
        }

    def _player(self, seat: int) -> JsonObject:
        stack = self.hand.stacks[seat]
        chips = covering(self.game, self.replay) if stack == UNLIMITED else stack
        name = self.hand.names[seat]
        return {"id": seat, "seat": seat + 1, "name": name, "starting_stack": self.money(chips)}

    # Rounds

    def _rounds(self) -> list[JsonObject]:
        streets: list[list[JsonObject]] = [[] for _ in STREETS]
        streets[0] = [*self._posts(), *self._dealt()]
        for step in self.replay.steps:
            streets[step.street].append(self._step(step))
        board, second, last = self.hand.board, self.hand.second, max(len(self.hand.board) - 2, 0)
        rounds = [(street, board, streets[street]) for street in range(last + 1)]
        rounds += [(street, second, []) for street in self._run_again()]
        written = [
            {"street": STREETS[street], "cards": _new_cards(cards, street), "actions": actions}
            for street, cards, actions in rounds
        ]
        shown = self._shown()
        written += [{"street": "Showdown", "cards": [], "actions": shown}] if shown else []
        return [{"id": number, **one} for number, one in enumerate(_numbered(written))]

    def _run_again(self) -> range:
        """Return the streets that were dealt a second time."""
        first, second = self.hand.board, self.hand.second
        same = next((street for street in (3, 2, 1) if first[: DEALT[street]] == second[: DEALT[street]]), 0)
        return range(same + 1, max(len(second) - 2, 0) + 1)

    def _posts(self) -> list[JsonObject]:
        """Return the posts: antes, dead chips, small blind, big blind, then other live posts."""
        game, replay, dead = self.game, self.replay, self.game.dead or (0,) * self.game.seats
        seats = range(game.seats)
        antes = replay.antes
        posts = [self._act(seat, "posts the ante", antes[seat]) for seat in seats if antes[seat]]
        posts += [self._act(seat, "posts dead blind", dead[seat]) for seat in seats if dead[seat]]
        verbs = self._blind_verbs()
        order = [*verbs, *(seat for seat in seats if seat not in verbs)]
        return posts + [
            self._act(seat, verbs.get(seat, "posts extra blind"), replay.blinds[seat])
            for seat in order
            if replay.blinds[seat]
        ]

    def _blind_verbs(self) -> dict[int, str]:
        """Return the small blind, big blind and straddles, which end before the first seat to act."""
        blinds, seats = self.game.blinds, self.game.seats
        chain = [(self.game.first[0] - 1) % seats]
        while 0 < blinds[before := (chain[0] - 1) % seats] < blinds[chain[0]]:
            chain.insert(0, before)
        verbs = ["posts small blind", "posts big blind", *["posts straddle"] * seats]
        return dict(zip(chain, verbs if len(chain) > 1 else verbs[1:], strict=False))

    def _act(self, seat: int, verb: str, chips: int, all_in: bool = False) -> JsonObject:
        return {"player_id": seat, "action": ACTIONS[verb], "amount": self.money(chips), "is_allin": all_in}

    def _step(self, step: HandStep) -> JsonObject:
        verb = "raises" if step.verb == "bets" and step.street == 0 else step.verb
        return self._act(step.seat, verb, step.paid, step.all_in)

    def _dealt(self) -> list[JsonObject]:
        seats = [seat for seat, name in enumerate(self.hand.names) if self.hero in (None, name)]
        return [self._cards(seat, "Dealt Cards") for seat in seats if UNKNOWN not in self.hand.hole[seat]]

    def _shown(self) -> list[JsonObject]:
        """Return the cards shown or mucked at the showdown, and single cards that were seen."""
        written = []
        for seat, cards in enumerate(self.hand.hole):
            known = sum(card != UNKNOWN for card in cards)
            if known == 1 or (self.replay.shown and self.replay.live[seat]):
                written.append(self._cards(seat, "Shows Cards" if known else "Mucks Cards"))
        return written

    def _cards(self, seat: int, action: str) -> JsonObject:
        cards = [card_name(card) for card in self.hand.hole[seat] if card != UNKNOWN]
        return {"player_id": seat, "action": action, "cards": cards}

    # Results

    def _pots(self) -> list[JsonObject]:
        sizes, paid = pot_sizes(self.hand, self.replay), payments(self.hand, self.replay)
        pots = []
        for number, size in enumerate(sizes):
            wins = [(seat, chips) for pot, seat, chips in paid if pot == number]
            won = [{"player_id": seat, "win_amount": self.money(chips)} for seat, chips in wins]
            rake = self.money(size - sum(chips for _, chips in wins))
            pots.append({"number": number, "amount": self.money(size), "rake": rake, "player_wins": won})
        return pots

    # What the format has no field for

    def _ours(self) -> JsonObject:
        endless = [seat for seat, stack in enumerate(self.hand.stacks) if stack == UNLIMITED]
        ours: JsonObject = {OURS: terms_text(self.hand.terms)}
        return ours | ({UNLIMITED_PLAYERS: endless} if endless else {})


def _new_cards(board: Iterable[int], street: int) -> list[str]:
    """Return the cards that a street adds to the board."""
    begin = DEALT[street - 1] if street else 0
    return [card_name(card) for card in list(board)[begin : DEALT[street]]]


def _numbered(rounds: list[JsonObject]) -> list[JsonObject]:
    """Number the actions of the hand from 1."""
    number = 0
    for one in rounds:
        for action in one["actions"]:
            number += 1
            action["action_number"] = number
    return rounds
