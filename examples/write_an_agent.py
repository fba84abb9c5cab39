"""An agent in ten lines, and a match that measures how good it is, with an interval."""

from holdmem import CALL, FOLD, bot, find_game, match
from holdmem.cards import RANKS, rank


@bot
def rock(view, lowest="T"):
    """Raises with pairs and two high cards, and pays little for anything else."""
    first, second = map(rank, view.hole)
    good = first == second or min(first, second) >= RANKS.index(lowest)
    if good and view.max_raise_to:
        return view.min_raise_to
    return CALL if good or view.to_call * 6 <= view.pot else FOLD


for agent in (rock, rock.with_params(lowest="8")):
    result = match(find_game("limit"), agent, "simplebot", hands=5_000, seed=1)
    mine = result.estimates()[0]
    print(f"{dict(agent.settings)}: {mine.mean:+.3f} {mine.unit}", end=" ")
    print(f"(95%: {mine.low:+.3f} to {mine.high:+.3f}) in {result.hands:,} hands against simplebot")
