"""Explain a decision of a solved strategy: the strength of the hand here, and how the betting was solved."""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Detail, Explanation, Policy, View, explained
from holdmem.agent.words.english import joined, percent, plain
from holdmem.cfr.betting_tree import ALL_IN
from holdmem.cfr.lookup import StrategyLookup
from holdmem.players.rule_based.style_rules import top_shares
from holdmem.strength import outlook

DRAW = 0.15
"""A hand that wins so much more often than it is ahead owes that to its draws."""
SIZES = {0.5: "half the pot", 1.0: "the pot", 2.0: "twice the pot"}


def explain_strategy(player: StrategyLookup, view: View, policy: Policy) -> Explanation:
    """Explain one decision, with nodes and buckets as details; `policy` is the strategy's at this view."""
    views, strategy = view.alone, player.strategy
    places, bucket = player.places(views), int(player.buckets(views)[0])
    held = places.nodes[0] >= 0
    nodes, weights = places.nodes[0][held].tolist(), places.weights[0][held].tolist()
    details = [
        Detail(f"node {node}", float(weight), _facts(strategy.tree.actions(node), strategy.at(node, bucket)))
        for node, weight in zip(nodes, weights, strict=True)
    ]
    details.insert(0, Detail(f"bucket {bucket} of {strategy.buckets.sizes[view.street]}", 1.0))
    solved = (
        f"it plays a strategy that was solved to be hard to exploit, whoever the opponent is{_tilt(player)}"
    )
    return explained(
        view, policy, [strength_words(view), solved, *_mapping(player, nodes, weights)], details=details
    )


def _tilt(player: StrategyLookup) -> str:
    """Say how the solved game differs from the real one, if it does."""
    fold, _ = player.strategy.about.tilt
    if fold == 1:
        return ""
    more = "more" if fold > 1 else "less"
    return f", but as if making others fold paid {more}, so that it bets {more}"


def strength_words(view: View) -> str:
    """Say where the hand stands among all hands that are possible here."""
    if view.street == 0:
        return f"it holds {_among(float(top_shares()[view.hole]))} of starting hands"
    seen = outlook(view.alone)
    now, average = float(seen.ihs[0]), float(seen.e_hs[0])
    said = f"it holds {_among(1 - now)} of hands here"
    if view.street == 3:
        return said
    wins = f"wins {percent(average)} of the time against a random hand"
    drawing = average > now + DRAW
    return f"{said} so far, but with the cards to come it {wins}" if drawing else f"{said}, which {wins}"


def _among(best: float) -> str:
    """Place a hand among all by the share that is better."""
    end, share = ("strongest", best) if best <= 0.5 else ("weakest", 1 - best)
    return f"one of the {end} {percent(max(share, 0.01))}"


def _mapping(player: StrategyLookup, nodes: list[int], weights: list[float]) -> list[str]:
    """Say how betting that the strategy was not solved for is answered."""
    if not nodes:
        return ["In the betting that was solved everybody would be all-in by now, so it checks and calls"]
    if len(nodes) == 1:
        return []
    sizes: dict[float, float] = {}  # paths that differ earlier may end in bets of one size
    for node, weight in zip(nodes, weights, strict=True):
        size = round(float(player.paths.faced[node]), 2)
        sizes[size] = sizes.get(size, 0.0) + weight
    if len(sizes) < 2:
        return ["The bets were of sizes that were not solved, so it mixes its answers to the nearest ones"]
    said = [f"{size_words(size)} ({percent(weight)})" for size, weight in sizes.items()]
    return [f"A bet of this size was not solved, so it mixes its answers to {joined(said)}"]


def size_words(size: float) -> str:
    """Return a bet as a share of the pot in words."""
    if size <= 0:
        return "no bet"
    return f"a bet of {SIZES.get(round(size, 2)) or f'{plain(size, 2)} times the pot'}"


def _facts(fractions: list[float], probabilities: NDArray[np.float64]) -> dict[str, float | str]:
    names = {-1.0: "fold", 0.0: "call", ALL_IN: "all-in"}
    return {
        names.get(fraction, f"{fraction:g} pot"): round(probability, 3)
        for fraction, probability in zip(fractions, probabilities.tolist(), strict=True)
    }
