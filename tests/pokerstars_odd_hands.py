"""More invented hands as PokerStars writes them: run twice, cashed out, from before 2008, short blinds."""

from pokerstars_hands import READABLE, C, F, Sample

CASHED_OUT = """\
PokerStars Hand #101000000021:  Hold'em No Limit ($0.50/$1 USD) - 2021/02/03 4:05:06 ET
Table 'Kappa' 6-max Seat #3 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Ben ($60 in chips)
Seat 3: Cas ($20 in chips)
Ann: posts small blind $0.50
Ben: posts big blind $1
*** HOLE CARDS ***
Cas: raises $19 to $20 and is all-in
Ann: raises $20 to $40 and is all-in
Ben: calls $39
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [Qs]
*** RIVER *** [2c 7d Jh Qs] [3d]
*** SHOW DOWN ***
Ann: shows [Jc Js] (three of a kind, Jacks)
Ben: shows [Ac Ad] (a pair of Aces)
Ann cashed out the hand for $30.10 | Cash Out Fee $0.30
Cas: shows [Qd Qc] (three of a kind, Queens)
Cas collected $58.50 from main pot
*** SUMMARY ***
Total pot $100 Main pot $58.50. Side pot $39. | Rake $2.50
Board [2c 7d Jh Qs 3d]
Seat 1: Ann (small blind) showed [Jc Js] and won ($39) with three of a kind, Jacks \
(pot not awarded as player cashed out)
Seat 2: Ben (big blind) showed [Ac Ad] and lost with a pair of Aces
Seat 3: Cas (button) showed [Qd Qc] and won ($58.50) with three of a kind, Queens
"""

RUN_TWICE = """\
PokerStars Hand #101000000022:  Hold'em No Limit ($0.50/$1 USD) - 2019/02/03 4:05:06 ET
Table 'Lambda' 6-max Seat #1 is the button
Seat 1: Dov ($50 in chips)
Seat 2: Eva ($50 in chips)
Dov: posts small blind $0.50
Eva: posts big blind $1
*** HOLE CARDS ***
Dov: raises $2 to $3
Eva: calls $2
*** FLOP *** [2c 7d Jh]
Eva: bets $47 and is all-in
Dov: calls $47 and is all-in
*** FIRST TURN *** [2c 7d Jh] [Qs]
*** FIRST RIVER *** [2c 7d Jh Qs] [3d]
*** SECOND TURN *** [2c 7d Jh] [Ah]
*** SECOND RIVER *** [2c 7d Jh Ah] [4d]
*** FIRST SHOW DOWN ***
Eva: shows [Jc Js] (three of a kind, Jacks)
Dov: shows [Ac As] (a pair of Aces)
Eva collected $49 from pot
*** SECOND SHOW DOWN ***
Eva: shows [Jc Js] (three of a kind, Jacks)
Dov: shows [Ac As] (three of a kind, Aces)
Dov collected $49 from pot
*** SUMMARY ***
Total pot $100 | Rake $2
Hand was run twice
FIRST Board [2c 7d Jh Qs 3d]
SECOND Board [2c 7d Jh Ah 4d]
Seat 1: Dov (button) (small blind) showed [Ac As] and lost with a pair of Aces, \
and won ($49) with three of a kind
Seat 2: Eva (big blind) showed [Jc Js] and won ($49) with three of a kind, Jacks, \
and lost with three of a kind
"""

SHORT_BIG_BLIND = """\
PokerStars Hand #101000000023: Tournament #555000114, Freeroll  Hold'em No Limit - Level X (50/100) \
- 2016/06/06 6:06:06 ET
Table '555000114 1' 9-max Seat #4 is the button
Seat 1: Fay (1000 in chips)
Seat 2: Gil (70 in chips)
Seat 3: Hue (1000 in chips)
Seat 4: Ike (1000 in chips)
Fay: posts small blind 50
Gil: posts big blind 70 and is all-in
*** HOLE CARDS ***
Hue: calls 100
Ike: folds
Fay: calls 50
*** FLOP *** [2c 7d Jh]
Fay: checks
Hue: checks
*** TURN *** [2c 7d Jh] [Qs]
Fay: checks
Hue: checks
*** RIVER *** [2c 7d Jh Qs] [3d]
Fay: checks
Hue: checks
*** SHOW DOWN ***
Fay: shows [Ac 9c] (high card Ace)
Hue: shows [Kc 7c] (a pair of Sevens)
Hue collected 60 from side pot
Gil: shows [Jc 8s] (a pair of Jacks)
Gil collected 210 from main pot
*** SUMMARY ***
Total pot 270 Main pot 210. Side pot 60. | Rake 0
Board [2c 7d Jh Qs 3d]
Seat 1: Fay (small blind) showed [Ac 9c] and lost with high card Ace
Seat 2: Gil (big blind) showed [Jc 8s] and won (210) with a pair of Jacks
Seat 3: Hue showed [Kc 7c] and won (60) with a pair of Sevens
Seat 4: Ike (button) folded before Flop (didn't bet)
"""

NO_CHIPS_FOR_A_BLIND = """\
PokerStars Hand #101000000024: Tournament #555000115, Freeroll  Hold'em No Limit - Level X (50/100) \
- 2016/06/06 6:06:06 ET
Table '555000115 1' 9-max Seat #4 is the button
Seat 1: Jan (1000 in chips)
Seat 2: Kim (10 in chips)
Seat 3: Leo (1000 in chips)
Seat 4: Max (1000 in chips)
Jan: posts the ante 10
Kim: posts the ante 10 and is all-in
Leo: posts the ante 10
Max: posts the ante 10
Jan: posts small blind 50
*** HOLE CARDS ***
Leo: calls 100
Max: folds
Jan: folds
Uncalled bet (50) returned to Leo
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [Qs]
*** RIVER *** [2c 7d Jh Qs] [3d]
*** SHOW DOWN ***
Leo: shows [Kc 7c] (a pair of Sevens)
Leo collected 100 from side pot
Kim: shows [Jc 8s] (a pair of Jacks)
Kim collected 40 from main pot
*** SUMMARY ***
Total pot 140 Main pot 40. Side pot 100. | Rake 0
Board [2c 7d Jh Qs 3d]
Seat 1: Jan (small blind) folded before Flop
Seat 2: Kim (big blind) showed [Jc 8s] and won (40) with a pair of Jacks
Seat 3: Leo showed [Kc 7c] and won (100) with a pair of Sevens
Seat 4: Max (button) folded before Flop (didn't bet)
"""


def _without_uncalled(name: str) -> Sample:
    """The hand as exports without a line for the bet that came back have it."""
    sample = READABLE[name]
    lines = [line for line in sample.text.splitlines(keepends=True) if not line.startswith("Uncalled bet")]
    assert len(lines) < len(sample.text.splitlines())
    return sample._replace(text="".join(lines))


ODD = {
    "cashed out: the pot goes by the cards": Sample(
        CASHED_OUT,
        names=("Ann", "Ben", "Cas"),
        blinds=(50, 100, 0),
        betting=(2000, 4000, C),
        net=(-100, -4000, 3850),
        rake=250,
        hole=("JcJs", "AcAd", "QdQc"),
    ),
    "run twice: the record stands": Sample(
        RUN_TWICE,
        names=("Eva", "Dov"),
        blinds=(100, 50),
        betting=(300, C, 4700, C),
        net=(-100, -100),
        rake=200,
        second="2c7dJhAh4d",
    ),
    "a short big blind that others call in full": Sample(
        SHORT_BIG_BLIND,
        names=("Fay", "Gil", "Hue", "Ike"),
        blinds=(50, 100, 0, 0),
        betting=(C, F, C, C, C, C, C, C, C),
        net=(-100, 140, -40, 0),
        hole=("Ac9c", "Jc8s", "Kc7c", ""),
    ),
    "an ante that leaves nothing for the big blind": Sample(
        NO_CHIPS_FOR_A_BLIND,
        names=("Jan", "Kim", "Leo", "Max"),
        blinds=(50, 100, 0, 0),
        betting=(C, F, F),
        net=(-60, 30, 40, -10),
        antes=(10, 10, 10, 10),
        hole=("", "Jc8s", "Kc7c", ""),
    ),
    **{f"without a line for the uncalled bet: {name}": _without_uncalled(name) for name in (
        "play money, a walk",
        "heads-up limit for euros: the button is the small blind",
        "three all-in, two side pots, an ante that takes the whole stack",
        "cash, names with verbs and colons, a chat that looks like an action, rake",
    )},
}  # fmt: skip
