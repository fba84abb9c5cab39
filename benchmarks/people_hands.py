"""Hands played by the shipped clones, for their explanations: the file `people-hands.parquet`."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from holdmem import Game, Streams
from holdmem.agent import hand_ids, play
from holdmem.cbr.remembered import HandPool
from holdmem.core.data import DATA
from holdmem.engine import find_game
from holdmem.engine.state import SEATS
from holdmem.history import Hands, join
from holdmem.people.memory import PersonMemory, read_person
from holdmem.players.clone import POPULATION, SMALL_STAKES, CloneSeat, PeopleStyle
from holdmem.players.clone_hands import FILE, PlayedHands, played_hands, shipped_hands

TABLES = ((6, 100), (6, 40), (9, 100), (2, 100))
"""Seats and stacks, in big blinds, of the tables at which the clones play."""
DEALT = 5_000
"""Hands dealt at each table."""
KEPT = 1_500
"""Hands kept of each clone."""
SEED = 1


def people_hands(study: Any, args: Namespace) -> dict[str, Any]:
    """Let each clone play against its population, keep what shows most of its decisions, and write it.

    Clones whose files are not in the folder keep the hands that are shipped.
    """
    kept, found = [], {}
    for style in get_args(PeopleStyle):
        if not (study.folder / f"{style}.people").exists():
            kept.append(shipped_hands().with_player(style))
            continue
        population = SMALL_STAKES if style.startswith(SMALL_STAKES) else POPULATION
        person, others = (_person(study.folder, name) for name in (style, population))
        played = played_hands(dealt(style, person, others, DEALT, SEED), person, style)
        chosen = played.hands[most_telling(played, KEPT)]
        kept.append(chosen)
        fresh = played_hands(dealt(style, person, others, DEALT, SEED + 1), person, style)
        found[style] = {"decisions with a hand to show": _covered(played_hands(chosen, person, style), fresh)}
    target = study.folder / FILE.name
    target.write_bytes(packed(join(kept)))
    return {"hands": sum(map(len, kept)), "bytes": target.stat().st_size, **found}


def _person(folder: Path, style: str) -> PersonMemory:
    file = folder / f"{style}.people"
    return read_person(file if file.exists() else DATA / file.name)


def dealt(style: str, person: PersonMemory, others: PersonMemory, count: int, seed: int) -> Hands:
    """Deal hands at all tables; the clone moves round the table, the other seats are the population's."""
    blocks, rng = [], Streams.of(seed, "hands of", style)
    for number, (seats, depth) in enumerate(TABLES):
        game = _game(seats, depth)
        where = hand_ids(count, first_hand=number * count)
        agents = [CloneSeat(person if k == 0 else others, rng.spawn("seat", k)) for k in range(seats)]
        lineup = (np.arange(seats) - np.arange(count)[:, None]) % seats
        done = play(game, agents, rng.decks(where, game.deck_cards), lineup=lineup, where=where)
        blocks.append(Hands.of(done, (style, *(f"other {k}" for k in range(1, seats)))))
    return join(blocks)


def _game(seats: int, depth: int) -> Game:
    game = find_game("nolimit").with_seats(seats)
    return replace(game, stacks=(depth * game.big_blind,) * seats)


def most_telling(played: PlayedHands, most: int) -> np.ndarray:
    """Choose hands greedily by how many decisions they have something to show for.

    A cell of the memory counts as often as it was met, and half as much for each hand that shows it already.
    """
    _, cell, counts = np.unique(played.cells, axis=0, return_inverse=True, return_counts=True)
    worth, chosen = counts.astype(np.float64), list[int]()
    pairs = np.unique(np.column_stack([played.hand, cell.reshape(-1)]), axis=0)
    left = np.ones(len(played.hands))
    for _ in range(min(most, len(played.hands))):
        gain = np.bincount(pairs[:, 0], worth[pairs[:, 1]], minlength=len(played.hands)) * left
        best = int(gain.argmax())
        chosen.append(best)
        left[best] = 0
        worth[pairs[pairs[:, 0] == best, 1]] /= 2
    return np.sort(chosen)


def _covered(kept: PlayedHands, fresh: PlayedHands) -> float:
    known = {tuple(cell) for cell in kept.cells.tolist()}
    return float(np.mean([tuple(cell) in known for cell in fresh.cells.tolist()]))


def packed(hands: Hands) -> bytes:
    """Return the file of these hands, in the order that compresses best."""
    styles = np.isin(hands.players, get_args(PeopleStyle))
    seats = np.zeros((len(hands), SEATS), dtype=np.bool_)
    seated = hands.rows["player"] >= 0
    seats[seated] = styles[hands.rows["player"][seated]]
    return HandPool.of(hands, seats).arranged().to_bytes()
