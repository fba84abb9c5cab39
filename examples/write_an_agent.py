"""An agent in ten lines, and a match that measures how good it is, with an interval."""

from holdmem import CALL, FOLD, Range, bot, match

GOOD = Range.parse("22+, AT+, KT+, QT+, JT")


@bot
def rock(view, odds=6):
    """Raises with pairs and two high cards, and pays little for anything else."""
    good = view.hole in GOOD
    if good and view.max_raise_to:
        return view.min_raise_to
    return CALL if good or view.to_call * odds <= view.pot else FOLD


for agent in (rock, rock.with_params(odds=3)):
    result = match("limit", agent, "simplebot", hands=5_000, seed=1)
    mine = result.estimates()[0]
    print(f"{dict(agent.settings)}: {mine.mean:+.3f} {mine.unit}", end=" ")
    print(f"(95%: {mine.low:+.3f} to {mine.high:+.3f}) in {result.hands:,} hands against simplebot")
