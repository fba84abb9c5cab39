"""Hands as PokerStars' client writes them, invented: every kind of line that a reader meets."""

from typing import NamedTuple


class Sample(NamedTuple):
    """The text of a hand and what is in it, in chips (cents where it is money)."""

    text: str
    names: tuple[str, ...]
    blinds: tuple[int, ...]
    betting: tuple[int, ...]
    net: tuple[int, ...]
    rake: int = 0
    antes: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    hole: tuple[str, ...] = ()
    stacks: tuple[int, ...] = ()
    second: str = ""


F, C = -1, 0

READABLE = {
    "cash, names with verbs and colons, a chat that looks like an action, rake": Sample(
        """\
PokerStars Hand #101000000001:  Hold'em No Limit ($0.10/$0.25 USD) - 2009/07/01 13:32:38 ET
Table 'Alpha IV' 6-max Seat #2 is the button
Seat 1: Ann: calls ($25 in chips)
Seat 2: bob ($30.15 in chips)
Seat 4: c d e ($10 in chips)
Seat 5: waiter ($25 in chips) is sitting out
c d e: posts small blind $0.10
Ann: calls: posts big blind $0.25
*** HOLE CARDS ***
Dealt to bob [Ah Kd]
bob: raises $0.50 to $0.75
waiter leaves the table
c d e: folds
Ann: calls said, "bob: folds"
Ann: calls: calls $0.50
*** FLOP *** [2c 7d Th]
Ann: calls: checks
bob: bets $1
Ann: calls: folds
Uncalled bet ($1) returned to bob
bob collected $1.55 from pot
bob: doesn't show hand
*** SUMMARY ***
Total pot $1.60 | Rake $0.05
Board [2c 7d Th]
Seat 1: Ann: calls (big blind) folded on the Flop
Seat 2: bob (button) collected ($1.55)
Seat 4: c d e (small blind) folded before Flop
""",
        names=("c d e", "Ann: calls", "bob"),
        blinds=(10, 25, 0),
        betting=(75, F, C, C, 100, F),
        net=(-10, -75, 80),
        rake=5,
        hole=("", "", "AhKd"),
        stacks=(1000, 2500, 3015),
    ),
    "tournament: antes, all-ins for different amounts, a side pot, a sitter who is dealt in": Sample(
        """\
PokerStars Hand #101000000002: Tournament #555000111, $10+$1 USD Hold'em No Limit - Level V (75/150) \
- 2012/03/04 20:15:00 CET [2012/03/04 14:15:00 ET]
Table '555000111 7' 9-max Seat #9 is the button
Seat 2: Rex (500 in chips)
Seat 3: Sue (2000 in chips)
Seat 6: Tom_99 (3000 in chips)
Seat 9: Ubu Roi (1500 in chips) is sitting out
Rex: posts the ante 10
Sue: posts the ante 10
Tom_99: posts the ante 10
Ubu Roi: posts the ante 10
Rex: posts small blind 75
Sue: posts big blind 150
*** HOLE CARDS ***
Dealt to Tom_99 [Qs Qc]
Tom_99: raises 300 to 450
Ubu Roi: folds
Rex: raises 40 to 490 and is all-in
Sue: raises 1500 to 1990 and is all-in
Tom_99: calls 1540
*** FLOP *** [2d 8h 8c]
*** TURN *** [2d 8h 8c] [Jd]
*** RIVER *** [2d 8h 8c Jd] [3s]
*** SHOW DOWN ***
Sue: shows [Ac Kc] (a pair of Eights)
Tom_99: shows [Qs Qc] (two pair, Queens and Eights)
Tom_99 collected 3000 from side pot
Rex: shows [As Ad] (two pair, Aces and Eights)
Rex collected 1510 from main pot
Sue finished the tournament in 4th place
*** SUMMARY ***
Total pot 4510 Main pot 1510. Side pot 3000. | Rake 0
Board [2d 8h 8c Jd 3s]
Seat 2: Rex (small blind) showed [As Ad] and won (1510) with two pair, Aces and Eights
Seat 3: Sue (big blind) showed [Ac Kc] and lost with a pair of Eights
Seat 6: Tom_99 showed [Qs Qc] and won (3000) with two pair, Queens and Eights
Seat 9: Ubu Roi (button) folded before Flop (didn't bet)
""",
        names=("Rex", "Sue", "Tom_99", "Ubu Roi"),
        blinds=(75, 150, 0, 0),
        betting=(450, F, 490, 1990, C),
        net=(1010, -2000, 1000, -10),
        antes=(10, 10, 10, 10),
        hole=("AsAd", "AcKc", "QsQc", ""),
        stacks=(500, 2000, 3000, 1500),
    ),
    "heads-up limit for euros: the button is the small blind": Sample(
        """\
PokerStars Game #101000000003:  Hold'em Limit (€1/€2 EUR) - 2010/01/02 3:04:05 ET
Table 'Beta' 2-max Seat #1 is the button
Seat 1: Vic (€40 in chips)
Seat 2: Wim (€40 in chips)
Vic: posts small blind €0.50
Wim: posts big blind €1
*** HOLE CARDS ***
Vic: raises €1 to €2
Wim: raises €1 to €3
Vic: calls €1
*** FLOP *** [Ah 7c 2d]
Wim: bets €1
Vic: calls €1
*** TURN *** [Ah 7c 2d] [9s]
Wim: bets €2
Vic: raises €2 to €4
Wim: folds
Uncalled bet (€2) returned to Vic
Vic collected €11.50 from pot
*** SUMMARY ***
Total pot €12 | Rake €0.50
Board [Ah 7c 2d 9s]
Seat 1: Vic (button) (small blind) collected (€11.50)
Seat 2: Wim (big blind) folded on the Turn
""",
        names=("Wim", "Vic"),
        blinds=(100, 50),
        betting=(200, 300, C, 100, C, 200, 400, F),
        net=(-600, 550),
        rake=50,
    ),
    "late posts: both blinds, of which the small is dead, and a big blind alone": Sample(
        """\
PokerStars Hand #101000000004:  Hold'em No Limit ($0.05/$0.10 USD) - 2013/05/06 10:00:00 ET
Table 'Gamma' 6-max Seat #1 is the button
Seat 1: Xi ($10 in chips)
Seat 2: Yan ($10 in chips)
Seat 3: Zed ($10 in chips)
Seat 4: Abe ($10 in chips)
Seat 5: Bea ($10 in chips)
Yan: posts small blind $0.05
Zed: posts big blind $0.10
Abe: posts small & big blinds $0.15
Bea: posts big blind $0.10
*** HOLE CARDS ***
Abe: checks
Bea: raises $0.30 to $0.40
Xi: folds
Yan: folds
Zed: folds
Abe: folds
Uncalled bet ($0.30) returned to Bea
Bea collected $0.40 from pot
*** SUMMARY ***
Total pot $0.40 | Rake $0
Seat 1: Xi (button) folded before Flop (didn't bet)
Seat 2: Yan (small blind) folded before Flop
Seat 3: Zed (big blind) folded before Flop
Seat 4: Abe folded before Flop
Seat 5: Bea collected ($0.40)
""",
        names=("Yan", "Zed", "Abe", "Bea", "Xi"),
        blinds=(5, 10, 10, 10, 0),
        betting=(C, 40, F, F, F, F),
        net=(-5, -10, -15, 30, 0),
        dead=(0, 0, 5, 0, 0),
    ),
    "a dead small blind of one who missed it, timed out, lines of people who come and go": Sample(
        """\
PokerStars Zoom Hand #101000000005:  Hold'em No Limit ($0.25/$0.50) - 2014/07/08 9:10:11 ET
Table 'Delta' 6-max Seat #6 is the button
Seat 1: Cy ($50 in chips)
Seat 2: Dot ($50 in chips)
Seat 3: Eli ($50 in chips)
Seat 6: Flo ($50 in chips)
Cy: posts small blind $0.25
Dot: posts big blind $0.50
Eli: posts small blind $0.25
Gus will be allowed to play after the button
Hal joins the table at seat #4
*** HOLE CARDS ***
Eli has timed out
Eli: folds
Eli is disconnected
Flo: folds
Cy: calls $0.25
Dot: checks
*** FLOP *** [5c 5d 5h]
Cy: checks
Dot: checks
*** TURN *** [5c 5d 5h] [5s]
Cy: checks
Dot: checks
*** RIVER *** [5c 5d 5h 5s] [Ah]
Cy: checks
Dot: checks
*** SHOW DOWN ***
Cy: shows [2c 3c] (four of a kind, Fives)
Dot: shows [Kc Qc] (four of a kind, Fives)
Cy collected $0.63 from pot
Dot collected $0.62 from pot
*** SUMMARY ***
Total pot $1.25 | Rake $0
Board [5c 5d 5h 5s Ah]
Seat 1: Cy (small blind) showed [2c 3c] and won ($0.63) with four of a kind, Fives
Seat 2: Dot (big blind) showed [Kc Qc] and won ($0.62) with four of a kind, Fives
Seat 3: Eli folded before Flop
Seat 6: Flo (button) folded before Flop (didn't bet)
""",
        names=("Cy", "Dot", "Eli", "Flo"),
        blinds=(25, 50, 0, 0),
        betting=(F, F, C, C, C, C, C, C, C, C),
        net=(13, 12, -25, 0),
        dead=(0, 0, 25, 0),
        hole=("2c3c", "KcQc", "", ""),
    ),
    "play money, a walk": Sample(
        """\
PokerStars Hand #101000000006:  Hold'em No Limit (10/20) - 2015/01/01 0:00:01 ET
Table 'Epsilon II' 9-max (Play Money) Seat #3 is the button
Seat 3: Ivy (2000 in chips)
Seat 5: Jo (2000 in chips)
Seat 7: Kit (1980 in chips)
Jo: posts small blind 10
Kit: posts big blind 20
*** HOLE CARDS ***
Dealt to Jo [7h 2c]
Ivy: folds
Jo: folds [7h 2c]
Uncalled bet (10) returned to Kit
Kit collected 20 from pot
Kit: doesn't show hand
*** SUMMARY ***
Total pot 20 | Rake 0
Seat 3: Ivy (button) folded before Flop (didn't bet)
Seat 5: Jo (small blind) folded before Flop
Seat 7: Kit (big blind) collected (20)
""",
        names=("Jo", "Kit", "Ivy"),
        blinds=(10, 20, 0),
        betting=(F, F),
        net=(-10, 10, 0),
        hole=("7h2c", "", ""),
    ),
    "pounds; the loser mucks and the summary shows it; a folder shows his cards": Sample(
        """\
PokerStars Hand #101000000007:  Hold'em No Limit (£1/£2 GBP) - 2011/11/11 11:11:11 WET [2011/11/11 6:11:11 ET]
Table 'Zeta' 6-max Seat #5 is the button
Seat 1: Lou (£200 in chips)
Seat 4: Mia (£150.50 in chips)
Seat 5: Ned (£99 in chips)
Lou: posts small blind £1
Mia: posts big blind £2
*** HOLE CARDS ***
Ned: folds [9s 9d]
Lou: calls £1
Mia: checks
*** FLOP *** [Kh Kd 4c]
Lou: checks
Mia: bets £2
Lou: calls £2
*** TURN *** [Kh Kd 4c] [4d]
Lou: checks
Mia: checks
*** RIVER *** [Kh Kd 4c 4d] [2s]
Lou: bets £5
Mia: calls £5
*** SHOW DOWN ***
Lou: shows [Kc Qh] (a full house, Kings full of Fours)
Mia: mucks hand
Lou collected £17.10 from pot
*** SUMMARY ***
Total pot £18 | Rake £0.90
Board [Kh Kd 4c 4d 2s]
Seat 1: Lou (small blind) showed [Kc Qh] and won (£17.10) with a full house, Kings full of Fours
Seat 4: Mia (big blind) mucked [Ah 4h]
Seat 5: Ned (button) folded before Flop (didn't bet)
""",
        names=("Lou", "Mia", "Ned"),
        blinds=(100, 200, 0),
        betting=(F, C, C, C, 200, C, C, C, 500, C),
        net=(810, -900, 0),
        rake=90,
        hole=("KcQh", "Ah4h", "9s9d"),
    ),
    "nobody asks the big blind after an all-in call: the check is ours": Sample(
        """\
PokerStars Hand #101000000008: Tournament #555000112, Freeroll  Hold'em No Limit - Level X (200/400) \
- 2016/06/06 6:06:06 ET
Table '555000112 1' 2-max Seat #2 is the button
Seat 1: Ola (2700 in chips)
Seat 2: Pia (300 in chips)
Pia: posts small blind 200
Ola: posts big blind 400
*** HOLE CARDS ***
Pia: calls 100 and is all-in
Uncalled bet (100) returned to Ola
*** FLOP *** [2c 9d Jh]
*** TURN *** [2c 9d Jh] [Ts]
*** RIVER *** [2c 9d Jh Ts] [3d]
*** SHOW DOWN ***
Ola: shows [4s 7s] (high card Jack)
Pia: shows [Ac 8d] (high card Ace)
Pia collected 600 from pot
*** SUMMARY ***
Total pot 600 | Rake 0
Board [2c 9d Jh Ts 3d]
Seat 1: Ola (big blind) showed [4s 7s] and lost with high card Jack
Seat 2: Pia (button) (small blind) showed [Ac 8d] and won (600) with high card Ace
""",
        names=("Ola", "Pia"),
        blinds=(400, 200),
        betting=(C, C),
        net=(-300, 300),
        hole=("4s7s", "Ac8d"),
    ),
    "the button's seat is empty, one card is shown, the mail's line between hands": Sample(
        """\
*********** # 3 **************
PokerStars Home Game Hand #101000000009: {Club (of friends)} Hold'em No Limit ($1/$2 USD) \
- 2017/07/07 7:07:07 ET
Table 'Eta' 9-max Seat #8 is the button
Seat 1: Quin ($100 in chips)
Seat 4: Ria ($100 in chips)
Seat 6: Sam ($100 in chips)
Quin: posts small blind $1
Ria: posts big blind $2
*** HOLE CARDS ***
Sam: raises $4 to $6
Quin: folds
Ria: folds
Uncalled bet ($4) returned to Sam
Sam collected $5 from pot
Sam: shows [Ad] (Ace)
*** SUMMARY ***
Total pot $5 | Rake $0
Seat 1: Quin (small blind) folded before Flop
Seat 4: Ria (big blind) folded before Flop
Seat 6: Sam collected ($5)
""",
        names=("Quin", "Ria", "Sam"),
        blinds=(100, 200, 0),
        betting=(600, F, F),
        net=(-100, -200, 300),
    ),
    "a straddle acts last": Sample(
        """\
PokerStars Hand #101000000010:  Hold'em No Limit ($1/$2 USD) - 2019/09/09 9:09:09 ET
Table 'Theta' 6-max Seat #1 is the button
Seat 1: Ted ($200 in chips)
Seat 2: Una ($200 in chips)
Seat 3: Val ($200 in chips)
Seat 4: Wes ($200 in chips)
Una: posts small blind $1
Val: posts big blind $2
Wes: posts straddle $4
*** HOLE CARDS ***
Ted: calls $4
Una: folds
Val: folds
Wes: checks
*** FLOP *** [3c 6d 9h]
Wes: bets $6
Ted: folds
Uncalled bet ($6) returned to Wes
Wes collected $10.45 from pot
*** SUMMARY ***
Total pot $11 | Rake $0.55
Board [3c 6d 9h]
Seat 1: Ted (button) folded on the Flop
Seat 2: Una (small blind) folded before Flop
Seat 3: Val (big blind) folded before Flop
Seat 4: Wes collected ($10.45)
""",
        names=("Una", "Val", "Wes", "Ted"),
        blinds=(100, 200, 400, 0),
        betting=(C, F, F, C, 600, F),
        net=(-100, -200, 645, -400),
        rake=55,
    ),
    "limit heads-up without a cap": Sample(
        """\
PokerStars Hand #101000000011:  Hold'em Limit ($2/$4 USD) - 2010/10/10 10:10:10 ET
Table 'Iota' 2-max Seat #2 is the button
Seat 1: Xan ($100 in chips)
Seat 2: Yul ($100 in chips)
Yul: posts small blind $1
Xan: posts big blind $2
*** HOLE CARDS ***
Yul: raises $2 to $4
Xan: raises $2 to $6
Yul: raises $2 to $8
Xan: raises $2 to $10
Yul: raises $2 to $12
Xan: folds
Uncalled bet ($2) returned to Yul
Yul collected $19.50 from pot
*** SUMMARY ***
Total pot $20 | Rake $0.50
Seat 1: Xan (big blind) folded before Flop
Seat 2: Yul (button) (small blind) collected ($19.50)
""",
        names=("Xan", "Yul"),
        blinds=(200, 100),
        betting=(400, 600, 800, 1000, 1200, F),
        net=(-1000, 950),
        rake=50,
    ),
    "three all-in, two side pots, an ante that takes the whole stack": Sample(
        """\
PokerStars Hand #101000000012: Tournament #555000113, $1.00+$0.10 USD Hold'em No Limit \
- Match Round I, Level II (10/20) - 2018/08/08 18:08:08 ET
Table '555000113 2' 6-max Seat #4 is the button
Seat 1: Zoe (5 in chips)
Seat 2: Al (100 in chips, $0.50 bounty)
Seat 3: Bo (200 in chips, $0.50 bounty)
Seat 4: Cat (400 in chips, $0.50 bounty)
Zoe: posts the ante 5 and is all-in
Al: posts the ante 5
Bo: posts the ante 5
Cat: posts the ante 5
Al: posts small blind 10
Bo: posts big blind 20
*** HOLE CARDS ***
Cat: raises 375 to 395 and is all-in
Al: calls 85 and is all-in
Bo: calls 175 and is all-in
Uncalled bet (200) returned to Cat
*** FLOP *** [2h 3h 4h]
*** TURN *** [2h 3h 4h] [9c]
*** RIVER *** [2h 3h 4h 9c] [Ts]
*** SHOW DOWN ***
Bo: shows [9d 8d] (a pair of Nines)
Cat: shows [Kd Qd] (high card King)
Bo collected 200 from side pot-2
Al: shows [Td 8s] (a pair of Tens)
Al collected 285 from side pot-1
Zoe: shows [Jc Jd] (a pair of Jacks)
Zoe collected 20 from main pot
Bo wins the $0.50 bounty for eliminating nobody
*** SUMMARY ***
Total pot 505 Main pot 20. Side pot-1 285. Side pot-2 200. | Rake 0
Board [2h 3h 4h 9c Ts]
Seat 1: Zoe showed [Jc Jd] and won (20) with a pair of Jacks
Seat 2: Al (small blind) showed [Td 8s] and won (285) with a pair of Tens
Seat 3: Bo (big blind) showed [9d 8d] and won (200) with a pair of Nines
Seat 4: Cat (button) showed [Kd Qd] and lost with high card King
""",
        names=("Zoe", "Al", "Bo", "Cat"),
        blinds=(0, 10, 20, 0),
        betting=(395, C, C),
        net=(15, 185, 0, -200),
        antes=(5, 5, 5, 5),
        hole=("JcJd", "Td8s", "9d8d", "KdQd"),
    ),
}


def _changed(old: str, new: str, name: str = "play money, a walk") -> str:
    text = READABLE[name].text
    assert old in text
    return text.replace(old, new)


WALK = READABLE["play money, a walk"].text
FIXED_OR_NOT = "expected Hold'em No Limit or Hold'em Limit"

UNREADABLE = {
    "another game": (_changed("Hold'em No Limit", "Omaha Pot Limit"), 1, FIXED_OR_NOT),
    "pot limit": (_changed("No Limit", "Pot Limit"), 1, FIXED_OR_NOT),
    "German": (
        "PokerStars - Hand #101000000013:  Hold'em (10/20)\nTisch 'X' 9-max Platz #3 ist der Button\n",
        1,
        "expected a hand in English, got one in German",
    ),
    "Spanish": ("Mano n.º 101000000013 de PokerStars:  Hold'em (10/20)\nMesa 'X'\n", 1, "one in Spanish"),
    "French": ("Main PokerStars n°101000000013 :  Hold'em (10/20)\nTable 'X'\n", 1, "one in French"),
    "Portuguese": ("Mão PokerStars #101000000013: Torneio #5 (10/20)\nMesa 'X'\n", 1, "one in Portuguese"),
    "Russian": ("Раздача PokerStars №101000000013:  Холдем (10/20)\nСтол 'X'\n", 1, "one in Russian"),
    "German below an English header": (
        "PokerStars Hand #101000000013:  Hold'em No Limit (10/20)\nTisch 'X'\nPlatz 1: Jo (2000 in Chips)\n",
        1,
        "one in German",
    ),
    "a language without a name": (
        "PokerStars hond #101000000013:  Hold'em (10/20)\nTaafel X\n",
        1,
        "expected 'PokerStars Hand #…' in English",
    ),
    "a cap": (_changed("(10/20)", "(10/20 - 200 Cap)"), 1, "without a cap"),
    "run more than twice": (_changed("Jo: folds [7h 2c]", "*** THIRD FLOP *** [2s 3s 4s]"), 11, "two boards"),
    "a number that no column holds": (_changed("#101000000006", f"#{2**70}"), 1, "too large to store"),
    "a stack that nobody has": (_changed("(2000 in chips)", f"({2**70} in chips)"), 1, "too large to store"),
    "chips that go astray": (_changed("Kit collected 20", "Kit collected 25"), 1, "expected 20 chips in pot"),
    "a call of another amount": (_changed("Ivy: folds", "Ivy: calls 30"), 10, "a call of 20, got 30"),
    "more than one has": (_changed("Ivy: folds", "Ivy: raises 5000 to 5020"), 10, "at most 2000 chips"),
    "no opponents": (_changed("Jo: ", "Joe: ").replace("Ivy: folds\n", ""), 1, "players, got 1"),
    "cut short": ("\n".join(WALK.splitlines()[:10]), 1, "chips in pot and rake"),
    "nothing but seats": ("\n".join(WALK.splitlines()[:5]), 1, "no blinds and no actions"),
    "no such card": (_changed("[7h 2c]\nIvy", "[7h 1c]\nIvy"), 1, "expected a card"),
    "parts of a chip": (_changed("small blind 10", "small blind 10.5"), 6, "expected whole chips"),
}
