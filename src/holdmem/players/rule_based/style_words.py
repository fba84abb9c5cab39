"""The rules of `style_rules` in sentences, for one view."""

from holdmem.agent import View
from holdmem.agent.words.english import percent
from holdmem.players.rule_based.style_rules import top_shares
from holdmem.players.rule_based.words import among_best, beats, improves, no_raise
from holdmem.strength import outlook


def style_reasons(view: View, loose: float, aggressive: float) -> list[str]:
    """Say how strong the hand is and which rule follows from looseness and aggression."""
    return _before(view, loose, aggressive) if view.street == 0 else _after(view, loose, aggressive)


def _before(view: View, loose: float, aggressive: float) -> list[str]:
    share = float(top_shares()[view.hole])
    played = loose if view.raises < 2 else loose / 2
    raised = loose * aggressive / 2 / 2.0**view.raises
    sometimes = aggressive / 5 if view.raises < 2 else 0.0
    rule = f"It raises the best {percent(raised)} here"
    if played > raised:
        rule += f" and calls with the best {percent(played)}"
        rule += f", raising {percent(sometimes)} of those too" if sometimes else ""
    return [among_best(share), f"{rule}; the rest it folds or checks"]


def _after(view: View, loose: float, aggressive: float) -> list[str]:
    seen, opponents = outlook(view.alone), sum(view.live) - 1
    rank = float(seen.ihs[0]) ** min(opponents, 2)
    strength = beats(float(seen.ihs[0]))
    if opponents > 1:
        strength += f", which counts as {percent(rank)} against several opponents"
    if not view.to_call:
        bets = f"It bets hands that beat {percent(1 - aggressive)} or more"
        return [strength, f"{bets}, and bluffs with {percent(aggressive / 2)} of the weaker ones"]
    border = max(1.0 - aggressive / 2.0**view.raises, 0.0)
    bluff = f" and raises {percent(aggressive / 10)} of the rest as a bluff" if view.raises < 2 else ""
    misses = ", which this one just misses," if rank < border and percent(rank) == percent(border) else ""
    rule = f"It raises hands that beat {percent(border)} or more{misses}{bluff}"
    rule += f", and calls with those that beat {percent(1 - loose)} or more"
    draw = f"; {improves(float(seen.ppot[0]))}" if view.street < 3 else ""
    rule += " or with a draw at the right price" if view.street < 3 else ""
    return [f"{strength}{draw}", rule, *no_raise(view)]
