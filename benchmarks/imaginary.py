"""What `dynamic` gains by imaginary observations: the share of (best member − even mixture) in 3,000 hands.

    python -m benchmarks.imaginary --opponent eqm --matches 20
    python -m benchmarks.imaginary --opponent simplebot --game nolimit --matches 20

Six imitators and `dynamic` with each utility play the same decks in both orders against the opponent. Results
are adjusted for luck, which keeps the mean. The best member is the one that wins most in these hands, so the
share is if anything too low. Every player's results are kept in `--folder`, and a run that is started again
with the same source code goes on with those that are missing.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import t as student

import holdmem as hm
from holdmem.agent import WatchingSeat, name_of, play
from holdmem.arena.dependencies import PLAY
from holdmem.arena.units import make_hand_ids
from holdmem.engine import PARTS
from holdmem.players.imitators.imitator import basic_imitators
from holdmem.variance import adjusted

UTILITIES = ("divat", "money", "imaginary")
AT_ONCE = 200
"""Hands of each match that are played at once if nobody learns."""


def results(text: str, opponent: str, game: hm.Game, matches: int, hands: int, seed: int) -> np.ndarray:
    """Return a player's adjusted results by match, in units of the game per hand."""
    rng, tables = hm.Streams.of(seed), 2 * matches
    seats = [
        hm.make_agent(name).sit(game, tables * AT_ONCE, rng.spawn("player", place))
        for place, name in enumerate((text, opponent))
    ]
    learns = any(isinstance(seat, WatchingSeat) for seat in seats)
    step, total = 1 if learns else AT_ONCE, np.zeros(matches)
    for first in range(0, hands, step):
        number = np.arange(first, min(first + step, hands))
        match, order, hand = (
            grid.ravel() for grid in np.meshgrid(np.arange(matches), np.arange(2), number, indexing="ij")
        )
        where = make_hand_ids(match, order, hand)
        decks = rng.spawn("cards").decks(make_hand_ids(match, 0, hand), game.deck_cards)
        lineup = np.array([[0, 1], [1, 0]])[order]
        found = play(game, seats, decks, lineup=lineup, where=where)
        total += np.bincount(match, found.by_player(2, adjusted(found))[:, 0], minlength=matches)
    return total / (PARTS * game.unit[0] * 2 * hands)


def interval(values: np.ndarray) -> tuple[float, float]:
    """Return the mean and the half-width of its 95% interval over matches."""
    reach = float(student.ppf(0.975, len(values) - 1)) if len(values) > 1 else float("nan")
    return float(values.mean()), reach * float(values.std(ddof=1)) / np.sqrt(len(values))


def share_of(gain: np.ndarray, most: np.ndarray) -> tuple[float, float]:
    """Return a ratio of means over matches, with the half-width of its interval by the delta method."""
    share = float(gain.mean() / most.mean())
    return share, interval(gain - share * most)[1] / abs(float(most.mean()))


def report(members: dict[str, np.ndarray], found: dict[str, np.ndarray], unit: str) -> None:
    """Print what the members earn, and how much of the difference between them each utility gains."""
    for name, values in members.items():
        print(f"{name}: {'{:+.4f} ± {:.4f}'.format(*interval(values))} {unit}")
    best = max(members, key=lambda name: members[name].mean())
    even = np.mean(list(members.values()), axis=0)
    most = members[best] - even
    print(f"best ({best}) less an even mixture: {'{:+.4f} ± {:.4f}'.format(*interval(most))} {unit}")
    for name, values in found.items():
        share, reach = share_of(values - even, most)
        gain = "{:+.4f} ± {:.4f}".format(*interval(values - even))
        print(f"{name}: {gain} {unit} over the mixture, {share:.0%} ± {reach:.0%} of the best", flush=True)


def main() -> None:
    """Play all players, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opponent", default="eqm")
    parser.add_argument("--game", default="limit")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--hands", type=int, default=3000, help="hands of a match, each in both orders")
    parser.add_argument("--seed", type=int, default=27)
    parser.add_argument("--utilities", nargs="*", default=UTILITIES)
    parser.add_argument("--folder", type=Path, default=Path("build/imaginary"))
    asked = parser.parse_args()
    game = hm.find_game(asked.game)
    names = [name_of(one) for one in basic_imitators(game, "max-frequency", "probabilistic")]
    kept = {
        text: _kept(text, asked, game)
        for text in [*names, *(f"dynamic:utility={utility}" for utility in asked.utilities)]
    }
    report(_some(kept, names), _some(kept, [text for text in kept if text not in names]), game.unit[1])


def _some(kept: dict[str, np.ndarray], names: Sequence[str]) -> dict[str, np.ndarray]:
    return {name: kept[name] for name in names}


def _kept(text: str, asked: argparse.Namespace, game: hm.Game) -> np.ndarray:
    """Return a player's results, from the folder if they are there."""
    label = f"{text}-{asked.opponent}-{game.name}-{asked.matches}-{asked.hands}-{asked.seed}-{PLAY}"
    file = asked.folder / f"{''.join(c if c.isalnum() else '-' for c in label)}.npy"
    if not file.exists():
        asked.folder.mkdir(parents=True, exist_ok=True)
        print(f"playing {text} against {asked.opponent}", flush=True)
        np.save(file, results(text, asked.opponent, game, asked.matches, asked.hands, asked.seed))
    found: np.ndarray = np.load(file)
    return found


if __name__ == "__main__":
    main()
