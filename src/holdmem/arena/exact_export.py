"""A tabular strategy as one file, with which `cfr.device.responder` computes best responses anywhere.

The file has the deck and its exchanges of suits, the flops, the betting of each street as each seat sees it,
the strategy's probabilities, and how the class of a holding on a board is found: listed, by strength against
a random holding (buckets), or by hand type and texture.
"""

import json
from hashlib import blake2b
from typing import Any

import numpy as np

from holdmem.agent.tabular import ConstantTables
from holdmem.arena.exact_result import all_flops
from holdmem.cards.evaluator_tables import MIXER, PLACE_MASK, PLACE_SHIFT, ROW_SHIFT, ROWS
from holdmem.cards.kernels.evaluator import (
    CARD_KEYS,
    FLUSH_BITS,
    FLUSHES,
    NO_CARDS,
    SHIFTS,
    UNSUITED,
)
from holdmem.cbr.features.hand_types import MADE
from holdmem.cbr.features.kernels.hand_types import DRAWS
from holdmem.cbr.tabulate import CaseTables, hand_types_on
from holdmem.cfr.device.responder import FORMAT, Street, boards_after, pairs
from holdmem.cfr.exact_response import ExactResponse
from holdmem.cfr.public_game import HOLDEM, PublicDeal
from holdmem.cfr.strategy_tables import StrategyTables
from holdmem.cfr.street_shape import street_shape
from holdmem.core.array_file import Arrays
from holdmem.core.errors import AgentError
from holdmem.core.types import Floats, Ints
from holdmem.players.imitators.ensemble import VoteTables
from holdmem.strength.table_files import STEP

STREETS = (1, 2, 3)


def exported(response: ExactResponse, agent: str, order: list[int], listed: bool = False) -> Arrays:
    """Return the arrays of the file.

    Parameters
    ----------
    response : the strategy and its game.
    agent : the name it is known by.
    order : the flops in the order in which they are to be computed.
    listed : list the classes of all boards, for short decks and strategies of other kinds.
    """
    game, flops = response.game, _flops(response)
    number = {card: place for place, card in enumerate(game.cards.tolist())}
    places = np.array([number.get(card, 0) for card in range(52)], np.uint8)
    deck = game.cards.astype(np.uint8)
    found: Arrays = {
        "deck": deck,
        "holdings": places[game.holdings],
        "exchanges": places[game.permutations[:, game.cards]].astype(np.int64),
        "flops": places[np.array([flop.cards for flop in flops])],
        "weights": np.array([flop.weight for flop in flops]),
        "hold_class": game.classes,
    }
    for seat in (0, 1):
        found[f"reach{seat}"] = response.preflop.own_reach(seat)
    ways = ["listed"] * 4
    for street in STREETS:
        found |= _betting(response, street)
    if listed:
        found |= _listed(response, found, STREETS)
    else:
        found |= _classes(response, found, ways)
    found |= _evaluator()
    chance = [0.0, *(game.chance(street) for street in STREETS)]
    facts = {"format": FORMAT, "chance": chance, "classes": ways}
    meta = facts | {"agent": agent, "order": order, "run": _digest(found, facts)}
    return found | {"meta": np.array(json.dumps(meta))}


def _digest(found: Arrays, facts: dict[str, Any]) -> str:
    """Return a hash of all that a result depends on, which files of results carry."""
    digest = blake2b(json.dumps(facts).encode(), digest_size=12)
    for name in sorted(found):
        array = np.ascontiguousarray(found[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode() + array.tobytes())
    return digest.hexdigest()


def _flops(response: ExactResponse) -> list[PublicDeal]:
    return list(all_flops()) if response.game is HOLDEM else list(response.game.deals(1))


def _betting(response: ExactResponse, street: int) -> Arrays:
    """Return a street's betting as either seat sees it, and the rows of its table by root and decision."""
    found: Arrays = {f"street{street}/decisions": response.nodes[street].decisions}
    for seat in (0, 1):
        shape = street_shape(response.tree, street, seat)
        for name in Street._fields:
            found[f"street{street}/seat{seat}/{name}"] = np.array(getattr(shape, name))
    return found


def _table(street: int, table: Floats) -> Arrays:
    """Return a table [decision, action, class] as distinct rows, and the row of each decision and class."""
    rows = np.ascontiguousarray(table.transpose(0, 2, 1)).reshape(-1, 3)
    if not np.allclose(rows.sum(axis=1), 1):
        raise AgentError("expected probabilities that add up to one at every decision and class")
    values, index = np.unique(rows, axis=0, return_inverse=True)
    kind = np.uint16 if len(values) < 1 << 16 else np.uint32
    return {
        f"street{street}/values": values,
        f"street{street}/index": index.reshape(table.shape[0], table.shape[2]).astype(kind),
    }


def _classes(response: ExactResponse, found: Arrays, ways: list[str]) -> Arrays:
    """Return tables and how classes are found; `ways` is filled in. AgentError if there is no such way."""
    strategy = response.strategy
    if isinstance(strategy, StrategyTables):
        return _by_strength(response, strategy, found, ways)
    if isinstance(strategy, CaseTables | VoteTables | ConstantTables):
        ways[1:] = ["hand type"] * 3
        return {name: part for street in STREETS for name, part in _by_hand_type(strategy, street).items()}
    raise AgentError(
        f"{type(strategy).__name__}: its classes differ from board to board in a way that the graphics card"
        " does not know; leave out --device and --export"
    )


def _by_hand_type(strategy: CaseTables | VoteTables | ConstantTables, street: int) -> Arrays:
    place = np.full(len(MADE) * DRAWS, -1, np.int32)
    types = hand_types_on(street)
    place[types] = np.arange(len(types))
    table = strategy.on(_any_board(street)).table
    if isinstance(strategy, ConstantTables):
        table = np.repeat(table, len(types) * 18, axis=2)
    return {f"street{street}/place": place, **_table(street, table)}


def _any_board(street: int) -> Any:
    return np.arange(0, 5 * (street + 2), 5).astype(np.uint8)


def _by_strength(response: ExactResponse, strategy: StrategyTables, found: Arrays, ways: list[str]) -> Arrays:
    """Return buckets: those of flops as a list, of turns and rivers by the hands beaten on the rivers."""
    buckets = strategy.strategy.buckets
    if buckets.recall != "imperfect":
        raise AgentError("expected a strategy with imperfect recall of buckets")
    ways[2:] = ["strength"] * 2
    turn, river = buckets.cuts[1], buckets.cuts[2]
    most = 2 * pairs(len(response.game.cards) - 7)
    units = np.rint(np.arange(most + 1) / most / STEP).astype(np.int64)
    tables = {name: part for s in STREETS for name, part in _table(s, strategy.tables[s]).items()}
    cuts = {f"cuts/{name}": getattr(turn, name).astype(np.int64) for name in ("outer", "inner", "start")}
    by_wins = river.buckets_of(units, units).astype(np.int32)
    return tables | cuts | {"by_wins": by_wins} | _listed_classes(response, found, 1)


def _listed(response: ExactResponse, found: Arrays, streets: tuple[int, ...]) -> Arrays:
    out: Arrays = {}
    for street in streets:
        table = response.strategy.on(_first_board(found, street)).table
        out |= _table(street, table) | _listed_classes(response, found, street)
    return out


def _first_board(found: Arrays, street: int) -> Any:
    return found["deck"][_boards(found, 0, street)[0].astype(int)]


def _boards(found: Arrays, flop: int, street: int) -> Ints:
    """Return the boards of a flop on a street, in the responder's order, as places in the deck."""
    cards = found["flops"][flop]
    if street == 1:
        return np.asarray(cards[None])
    return np.asarray(boards_after(cards, found["exchanges"])[street - 2].boards)


def _listed_classes(response: ExactResponse, found: Arrays, street: int) -> Arrays:
    """Return the class of each holding on every board of a street, -1 where they share a card."""
    rows, first = [], [0]
    for flop in range(len(found["flops"])):
        for board in found["deck"][_boards(found, flop, street).astype(int)]:
            classes = np.asarray(response.strategy.on(board).classes)
            rows.append(np.where(response.game.free(tuple(board.tolist())), classes, -1))
        first.append(len(rows))
    return {
        f"street{street}/listed": np.array(rows, np.int16),
        f"street{street}/first": np.array(first[:-1], np.int64),
    }


def _evaluator() -> Arrays:
    """Return the evaluator's tables; see `cards.kernels.evaluator`."""
    rule = [NO_CARDS, FLUSH_BITS, MIXER, PLACE_SHIFT, PLACE_MASK, ROWS, ROW_SHIFT]
    return {
        "evaluator/keys": CARD_KEYS.astype(np.int64),
        "evaluator/shifts": SHIFTS.astype(np.int64),
        "evaluator/unsuited": UNSUITED.astype(np.uint16),
        "evaluator/flushes": FLUSHES.astype(np.uint16),
        "evaluator/rule": np.array(rule, np.int64),
    }
