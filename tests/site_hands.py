"""Three invented hands, each as several sites would write them.

1. A showdown with rake. 2. A bet that nobody calls. 3. Three players all-in for different amounts.
Villain 1 and Villain 2 are `Villain 1` and `Villain 2` everywhere, except where a site adds an identifier.
"""

import json
from typing import Any, NamedTuple

F, C = -1, 0


class Told(NamedTuple):
    """What is in a hand, whoever tells it; chips are cents."""

    names: tuple[str, ...]
    stacks: tuple[int, ...]
    betting: tuple[int, ...]
    net: tuple[int, ...]
    rake: int
    board: str
    shown: dict[str, str]


HANDS = (
    Told(
        ("Villain 1", "Villain 2", "Hero"),
        (8050, 12000, 10000),
        (300, F, C, C, 400, C, C, C, 600, C),
        (-50, -1300, 1220),
        130,
        "2c7dThQs3h",
        {"Hero": "QcQd", "Villain 2": "AhTc"},
    ),
    Told(
        ("Villain 2", "Hero", "Villain 1"),
        (10700, 11220, 8000),
        (250, F, 900, C, 1000, F),
        (-50, 860, -900),
        90,
        "Ks8h4d",
        {"Hero": "JcJd"},
    ),
    Told(
        ("Hero", "Villain 1", "Villain 2"),
        (5000, 3500, 2000),
        (2000, 5000, C),
        (-550, -3500, 3850),
        200,
        "5c7h9dJd2s",
        {"Hero": "KcKd", "Villain 1": "QsQc", "Villain 2": "AsAd"},
    ),
)

GGPOKER = (
    """\
Poker Hand #HD90000001: Hold'em No Limit ($0.5/$1) - 2025/03/04 20:15:00
Table 'NLHOne' 6-max Seat #1 is the button
Seat 1: Hero ($100 in chips)
Seat 3: Villain 1 ($80.5 in chips)
Seat 5: Villain 2 ($120 in chips)
Villain 1: posts small blind $0.5
Villain 2: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [Qc Qd]
Dealt to Villain 1
Dealt to Villain 2
Hero: raises $2 to $3
Villain 1: folds
Villain 2: calls $2
*** FLOP *** [2c 7d Th]
Villain 2: checks
Hero: bets $4
Villain 2: calls $4
*** TURN *** [2c 7d Th] [Qs]
Villain 2: checks
Hero: checks
*** RIVER *** [2c 7d Th Qs] [3h]
Villain 2: bets $6
Hero: calls $6
Villain 2: shows [Ah Tc] (a pair of Tens)
Hero: shows [Qc Qd] (three of a kind, Queens)
*** SHOWDOWN ***
Hero collected $25.2 from pot
*** SUMMARY ***
Total pot $26.5 | Rake $1 | Jackpot $0.3 | Bingo $0 | Fortune $0 | Tax $0
Board [2c 7d Th Qs 3h]
Seat 1: Hero (button) showed [Qc Qd] and won ($25.2) with three of a kind, Queens
Seat 3: Villain 1 (small blind) folded before Flop
Seat 5: Villain 2 (big blind) showed [Ah Tc] and lost with a pair of Tens
""",
    """\
Poker Hand #HD90000002: Hold'em No Limit ($0.5/$1) - 2025/03/04 20:16:00
Table 'NLHOne' 6-max Seat #3 is the button
Seat 1: Hero ($112.2 in chips)
Seat 3: Villain 1 ($80 in chips)
Seat 5: Villain 2 ($107 in chips)
Villain 2: posts small blind $0.5
Hero: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [Jc Jd]
Villain 1: raises $1.5 to $2.5
Villain 2: folds
Hero: raises $6.5 to $9
Villain 1: calls $6.5
*** FLOP *** [Ks 8h 4d]
Hero: bets $10
Villain 1: folds
Uncalled bet ($10) returned to Hero
*** SHOWDOWN ***
Hero collected $17.6 from pot
*** SUMMARY ***
Total pot $18.5 | Rake $0.9 | Jackpot $0 | Bingo $0
Board [Ks 8h 4d]
Seat 1: Hero (big blind) won ($17.6)
""",
    """\
Poker Hand #HD90000003: Hold'em No Limit ($0.5/$1) - 2025/03/04 20:17:00
Table 'NLHOne' 6-max Seat #5 is the button
Seat 1: Hero ($50 in chips)
Seat 3: Villain 1 ($35 in chips)
Seat 5: Villain 2 ($20 in chips)
Hero: posts small blind $0.5
Villain 1: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [Kc Kd]
Villain 2: raises $19 to $20 and is all-in
Hero: raises $30 to $50 and is all-in
Villain 1: calls $34 and is all-in
Uncalled bet ($15) returned to Hero
*** FLOP *** [5c 7h 9d]
*** TURN *** [5c 7h 9d] [Jd]
*** RIVER *** [5c 7h 9d Jd] [2s]
Hero: shows [Kc Kd] (a pair of Kings)
Villain 1: shows [Qs Qc] (a pair of Queens)
Villain 2: shows [As Ad] (a pair of Aces)
*** SHOWDOWN ***
Villain 2 collected $58.5 from pot
Hero collected $29.5 from pot
*** SUMMARY ***
Total pot $90 | Rake $2 | Jackpot $0 | Bingo $0
Board [5c 7h 9d Jd 2s]
""",
)

WINAMAX = (
    """\
Winamax Poker - CashGame - HandId: #7001-11-1741119300 - Holdem no limit (0.50€/1€) - 2025/03/04 20:15:00 UTC
Table: 'Nice 01' 6-max (real money) Seat #1 is the button
Seat 1: Hero (100€)
Seat 3: Villain 1 (80.50€)
Seat 5: Villain 2 (120€)
*** ANTE/BLINDS ***
Villain 1 posts small blind 0.50€
Villain 2 posts big blind 1€
Dealt to Hero [Qc Qd]
*** PRE-FLOP ***
Hero raises 2€ to 3€
Villain 1 folds
Villain 2 calls 2€
*** FLOP *** [2c 7d Th]
Villain 2 checks
Hero bets 4€
Villain 2 calls 4€
*** TURN *** [2c 7d Th][Qs]
Villain 2 checks
Hero checks
*** RIVER *** [2c 7d Th Qs][3h]
Villain 2 bets 6€
Hero calls 6€
*** SHOW DOWN ***
Villain 2 shows [Ah Tc] (One pair : 10)
Hero shows [Qc Qd] (Trips of Queens)
Hero collected 25.20€ from pot
*** SUMMARY ***
Total pot 25.20€ | Rake 1.30€
Board: [2c 7d Th Qs 3h]
Seat 1: Hero (button) showed [Qc Qd] and won 25.20€ with Trips of Queens
""",
    """\
Winamax Poker - CashGame - HandId: #7001-12-1741119360 - Holdem no limit (0.50€/1€) - 2025/03/04 20:16:00 UTC
Table: 'Nice 01' 6-max (real money) Seat #3 is the button
Seat 1: Hero (112.20€)
Seat 3: Villain 1 (80€)
Seat 5: Villain 2 (107€)
*** ANTE/BLINDS ***
Villain 2 posts small blind 0.50€
Hero posts big blind 1€
Dealt to Hero [Jc Jd]
*** PRE-FLOP ***
Villain 1 raises 1.50€ to 2.50€
Villain 2 folds
Hero raises 6.50€ to 9€
Villain 1 calls 6.50€
*** FLOP *** [Ks 8h 4d]
Hero bets 10€
Villain 1 folds
Hero collected 17.60€ from pot
*** SUMMARY ***
Total pot 17.60€ | Rake 0.90€
Board: [Ks 8h 4d]
""",
    """\
Winamax Poker - Go Fast - HandId: #7001-13-1741119420 - Holdem no limit (0.5€/1€) - 2025/03/04 20:17:00 UTC
Table: 'Pau' 6-max (real money) Seat #5 is the button
Seat 1: Hero (50€)
Seat 3: Villain 1 (35€)
Seat 5: Villain 2 (20€)
*** ANTE/BLINDS ***
Hero posts small blind 0.50€
Villain 1 posts big blind 1€
Dealt to Hero [Kc Kd]
*** PRE-FLOP ***
Villain 2 raises 19€ to 20€ and is all-in
Hero raises 30€ to 50€ and is all-in
Villain 1 calls 34€ and is all-in
*** FLOP *** [5c 7h 9d]
*** TURN *** [5c 7h 9d][Jd]
*** RIVER *** [5c 7h 9d Jd][2s]
*** SHOW DOWN ***
Hero shows [Kc Kd] (One pair : Kings)
Villain 1 shows [Qs Qc] (One pair : Queens)
Villain 2 shows [As Ad] (One pair : Aces)
Villain 2 collected 58.50€ from main pot
Hero collected 29.50€ from side pot 1
*** SUMMARY ***
Total pot 88€ | Rake 2€
Board: [5c 7h 9d Jd 2s]
""",
)

PACIFIC = (
    """\
#Game No : 90000001
***** 888poker Hand History for Game 90000001 *****
$0.50/$1 Blinds No Limit Holdem - *** 04 03 2025 20:15:00
Table Lima 6 Max (Real Money)
Seat 1 is the button
Total number of players : 3
Seat 1: Hero ( $100 )
Seat 3: Villain 1 ( $80.50 )
Seat 5: Villain 2 ( $120 )
Villain 1 posts small blind [$0.50]
Villain 2 posts big blind [$1]
** Dealing down cards **
Dealt to Hero [ Qc, Qd ]
Hero raises [$3]
Villain 1 folds
Villain 2 calls [$2]
** Dealing flop ** [ 2c, 7d, Th ]
Villain 2 checks
Hero bets [$4]
Villain 2 calls [$4]
** Dealing turn ** [ Qs ]
Villain 2 checks
Hero checks
** Dealing river ** [ 3h ]
Villain 2 bets [$6]
Hero calls [$6]
** Summary **
Villain 2 shows [ Ah, Tc ]
Hero shows [ Qc, Qd ]
Hero collected [ $25.20 ]
""",
    """\
#Game No : 90000002
***** 888poker Hand History for Game 90000002 *****
0,50 $/1 $ Blinds No Limit Holdem - *** 04 03 2025 20:16:00
Table Lima 6 Max (Real Money)
Seat 3 is the button
Total number of players : 3
Seat 1: Hero ( 112,20 $ )
Seat 3: Villain 1 ( 80 $ )
Seat 5: Villain 2 ( 107 $ )
Villain 2 posts small blind [0,50 $]
Hero posts big blind [1 $]
** Dealing down cards **
Dealt to Hero [ Jc, Jd ]
Villain 1 raises [2,50 $]
Villain 2 folds
Hero raises [8 $]
Villain 1 calls [6,50 $]
** Dealing flop ** [ Ks, 8h, 4d ]
Hero bets [10 $]
Villain 1 folds
** Summary **
Hero did not show his hand
Hero collected [ 17,60 $ ]
""",
    """\
#Game No : 90000003
***** 888poker Hand History for Game 90000003 *****
$0.50/$1 Blinds No Limit Holdem - *** 04 03 2025 20:17:00
Table Lima 6 Max (Real Money)
Seat 5 is the button
Total number of players : 3
Seat 1: Hero ( $50 )
Seat 3: Villain 1 ( $35 )
Seat 5: Villain 2 ( $20 )
Hero posts small blind [$0.50]
Villain 1 posts big blind [$1]
** Dealing down cards **
Dealt to Hero [ Kc, Kd ]
Villain 2 raises [$20]
Hero raises [$49.50]
Villain 1 calls [$34]
** Dealing flop ** [ 5c, 7h, 9d ]
** Dealing turn ** [ Jd ]
** Dealing river ** [ 2s ]
** Summary **
Hero shows [ Kc, Kd ]
Villain 1 mucks [ Qs, Qc ]
Villain 2 shows [ As, Ad ]
Villain 2 collected [ $58.50 ]
Hero collected [ $29.50 ]
""",
)

PARTYPOKER = (
    """\
***** Hand History for Game 90000001 *****
$100 USD NL Texas Hold'em - Tuesday, March 04, 20:15:00 EST 2025
Table Oslo (Real Money)
Seat 1 is the button
Total number of players : 3/6
Seat 1: Hero ( $100 USD )
Seat 3: Villain 1 ( $80.50 USD )
Seat 5: Villain 2 ( $120 USD )
Villain 1 posts small blind [$0.50 USD].
Villain 2 posts big blind [$1 USD].
** Dealing down cards **
Dealt to Hero [  Qc Qd ]
Hero raises [$3 USD]
Villain 1 folds
Villain 2 calls [$2 USD]
** Dealing Flop ** [ 2c, 7d, Th ]
Villain 2 checks
Hero bets [$4 USD]
Villain 2 calls [$4 USD]
** Dealing Turn ** [ Qs ]
Villain 2 checks
Hero checks
** Dealing River ** [ 3h ]
Villain 2 bets [$6 USD]
Hero calls [$6 USD]
Villain 2 shows [ Ah, Tc ]a pair of Tens.
Hero shows [ Qc, Qd ]three of a kind, Queens.
Hero wins $25.20 USD from the main pot with three of a kind, Queens.
""",
    """\
***** Hand History for Game 90000002 *****
$0.50/$1 USD NL Texas Hold'em - Tuesday, March 04, 20:16:00 EST 2025
Table Oslo (Real Money)
Seat 3 is the button
Total number of players : 3/6
Seat 1: Hero ( $112.20 USD )
Seat 3: Villain 1 ( $80 USD )
Seat 5: Villain 2 ( $107 USD )
Villain 2 posts small blind [$0.50 USD].
Hero posts big blind [$1 USD].
** Dealing down cards **
Dealt to Hero [  Jc Jd ]
Villain 1 raises [$2.50 USD]
Villain 2 folds
Hero raises [$8 USD]
Villain 1 calls [$6.50 USD]
** Dealing Flop ** [ Ks, 8h, 4d ]
Hero bets [$10 USD]
Villain 1 folds
Hero does not show cards.
Hero wins $27.60 USD
""",
    """\
***** Hand History for Game 90000003 *****
$100 USD NL Texas Hold'em - Tuesday, March 04, 20:17:00 EST 2025
Table Oslo (Real Money)
Seat 5 is the button
Total number of players : 3/6
Seat 1: Hero ( $50 USD )
Seat 3: Villain 1 ( $35 USD )
Seat 5: Villain 2 ( $20 USD )
Hero posts small blind [$0.50 USD].
Villain 1 posts big blind [$1 USD].
** Dealing down cards **
Dealt to Hero [  Kc Kd ]
Villain 2 is all-In  [$20 USD]
Hero is all-In  [$49.50 USD]
Villain 1 is all-In  [$34 USD]
** Dealing Flop ** [ 5c, 7h, 9d ]
** Dealing Turn ** [ Jd ]
** Dealing River ** [ 2s ]
Hero shows [ Kc, Kd ]a pair of Kings.
Villain 1 shows [ Qs, Qc ]a pair of Queens.
Villain 2 shows [ As, Ad ]a pair of Aces.
Hero wins $15 USD from the side pot 2 with a pair of Kings.
Hero wins $29.50 USD from the side pot 1 with a pair of Kings.
Villain 2 wins $58.50 USD from the main pot with a pair of Aces.
""",
)

IPOKER_HEADER = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="1234">
 <general>
  <mode>real</mode>
  <gametype>Holdem NL $0.50/$1</gametype>
  <tablename>Quito, 12</tablename>
  <currency>USD</currency>
  <nickname>Hero</nickname>
 </general>
"""
IPOKER = (
    """\
 <game gamecode="90000001">
  <general><startdate>2025-03-04 20:15:00</startdate>
   <players>
    <player seat="1" name="Hero" chips="$100" dealer="1" win="$25.20" bet="$13" />
    <player seat="3" name="Villain 1" chips="$80.50" dealer="0" win="$0" bet="$0.50" />
    <player seat="5" name="Villain 2" chips="$120" dealer="0" win="$0" bet="$13" />
   </players>
  </general>
  <round no="0">
   <action no="2" player="Villain 2" type="2" sum="$1" cards="" />
   <action no="1" player="Villain 1" type="1" sum="$0.50" cards="" />
  </round>
  <round no="1">
   <cards type="Pocket" player="Hero">CQ DQ</cards>
   <cards type="Pocket" player="Villain 1">X X</cards>
   <cards type="Pocket" player="Villain 2">HA C10</cards>
   <action no="3" player="Hero" type="23" sum="$3" cards="" />
   <action no="4" player="Villain 1" type="0" sum="$0" cards="" />
   <action no="5" player="Villain 2" type="3" sum="$2" cards="" />
  </round>
  <round no="2">
   <cards type="Flop" player="">C2 D7 H10</cards>
   <action no="6" player="Villain 2" type="4" sum="$0" cards="" />
   <action no="7" player="Hero" type="5" sum="$4" cards="" />
   <action no="8" player="Villain 2" type="3" sum="$4" cards="" />
  </round>
  <round no="3">
   <cards type="Turn" player="">SQ</cards>
   <action no="9" player="Villain 2" type="4" sum="$0" cards="" />
   <action no="10" player="Hero" type="4" sum="$0" cards="" />
  </round>
  <round no="4">
   <cards type="River" player="">H3</cards>
   <action no="11" player="Villain 2" type="5" sum="$6" cards="" />
   <action no="12" player="Hero" type="3" sum="$6" cards="" />
  </round>
 </game>
""",
    """\
 <game gamecode="90000002">
  <general><startdate>2025-03-04 20:16:00</startdate>
   <players>
    <player seat="1" name="Hero" chips="$112.20" dealer="0" win="$27.60" bet="$19" />
    <player seat="3" name="Villain 1" chips="$80" dealer="1" win="$0" bet="$9" />
    <player seat="5" name="Villain 2" chips="$107" dealer="0" win="$0" bet="$0.50" />
   </players>
  </general>
  <round no="0">
   <action no="1" player="Villain 2" type="1" sum="$0.50" cards="" />
   <action no="2" player="Hero" type="2" sum="$1" cards="" />
  </round>
  <round no="1">
   <cards type="Pocket" player="Hero">CJ DJ</cards>
   <action no="3" player="Villain 1" type="23" sum="$2.50" cards="" />
   <action no="4" player="Villain 2" type="0" sum="$0" cards="" />
   <action no="5" player="Hero" type="23" sum="$9" cards="" />
   <action no="6" player="Villain 1" type="3" sum="$6.50" cards="" />
  </round>
  <round no="2">
   <cards type="Flop" player="">SK H8 D4</cards>
   <action no="7" player="Hero" type="5" sum="$10" cards="" />
   <action no="8" player="Villain 1" type="0" sum="$0" cards="" />
  </round>
 </game>
""",
    """\
 <game gamecode="90000003">
  <general><startdate>2025-03-04 20:17:00</startdate>
   <players>
    <player seat="1" name="Hero" chips="$50" dealer="0" win="$29.50" bet="$35" />
    <player seat="3" name="Villain 1" chips="$35" dealer="0" win="$0" bet="$35" />
    <player seat="5" name="Villain 2" chips="$20" dealer="1" win="$58.50" bet="$20" />
   </players>
  </general>
  <round no="0">
   <action no="1" player="Hero" type="1" sum="$0.50" cards="" />
   <action no="2" player="Villain 1" type="2" sum="$1" cards="" />
  </round>
  <round no="1">
   <cards type="Pocket" player="Hero">CK DK</cards>
   <cards type="Pocket" player="Villain 1">SQ CQ</cards>
   <cards type="Pocket" player="Villain 2">SA DA</cards>
   <action no="3" player="Villain 2" type="7" sum="$20" cards="" />
   <action no="4" player="Hero" type="7" sum="$49.50" cards="" />
   <action no="5" player="Villain 1" type="7" sum="$34" cards="" />
  </round>
  <round no="2"><cards type="Flop" player="">C5 H7 D9</cards></round>
  <round no="3"><cards type="Turn" player="">DJ</cards></round>
  <round no="4"><cards type="River" player="">S2</cards></round>
 </game>
""",
)

POKERNOW = (
    """\
-- starting hand #1 (id: abc1) (No Limit Texas Hold'em) (dealer: "Hero @ h1") --
Player stacks: #1 "Hero @ h1" (100.00) | #3 "Villain 1 @ v1" (80.50) | #5 "Villain 2 @ v2" (120.00)
Your hand is Q♣, Q♦
"Villain 1 @ v1" posts a small blind of 0.50
"Villain 2 @ v2" posts a big blind of 1.00
"Hero @ h1" raises to 3.00
"Villain 1 @ v1" folds
"Villain 2 @ v2" calls 3.00
Flop:  [2♣, 7♦, 10♥]
"Villain 2 @ v2" checks
"Hero @ h1" bets 4.00
"Villain 2 @ v2" calls 4.00
Turn: 2♣, 7♦, 10♥ [Q♠]
"Villain 2 @ v2" checks
"Hero @ h1" checks
River: 2♣, 7♦, 10♥, Q♠ [3♥]
"Villain 2 @ v2" bets 6.00
"Hero @ h1" calls 6.00
"Hero @ h1" shows a Q♣, Q♦.
"Villain 2 @ v2" shows a A♥, 10♣.
"Hero @ h1" collected 26.50 from pot with Three of a Kind, Q's (combination: Q♣, Q♦, Q♠, 10♥, 7♦)
-- ending hand #1 --
""",
    """\
-- starting hand #2 (No Limit Texas Hold'em) (dealer: "Villain 1 @ v1") --
Player stacks: #1 "Hero @ h1" (112.20) | #3 "Villain 1 @ v1" (80.00) | #5 "Villain 2 @ v2" (107.00)
Your hand is J♣, J♦
"Villain 2 @ v2" posts a small blind of 0.50
"Hero @ h1" posts a big blind of 1.00
"Villain 1 @ v1" raises to 2.50
"Villain 2 @ v2" folds
"Hero @ h1" raises to 9.00
"Villain 1 @ v1" calls 9.00
Flop:  [K♠, 8♥, 4♦]
"Hero @ h1" bets 10.00
"Villain 1 @ v1" folds
Uncalled bet of 10.00 returned to "Hero @ h1"
"Hero @ h1" collected 18.50 from pot
-- ending hand #2 --
""",
    """\
-- starting hand #3 (No Limit Texas Hold'em) (dealer: "Villain 2 @ v2") --
Player stacks: #1 "Hero @ h1" (50.00) | #3 "Villain 1 @ v1" (35.00) | #5 "Villain 2 @ v2" (20.00)
Your hand is K♣, K♦
"Hero @ h1" posts a small blind of 0.50
"Villain 1 @ v1" posts a big blind of 1.00
"Villain 2 @ v2" raises to 20.00 and go all in
"Hero @ h1" raises to 50.00 and go all in
"Villain 1 @ v1" calls 35.00 and go all in
Uncalled bet of 15.00 returned to "Hero @ h1"
"Hero @ h1" shows a K♣, K♦.
"Villain 1 @ v1" shows a Q♠, Q♣.
"Villain 2 @ v2" shows a A♠, A♦.
Flop:  [5♣, 7♥, 9♦]
Turn: 5♣, 7♥, 9♦ [J♦]
River: 5♣, 7♥, 9♦, J♦ [2♠]
"Villain 2 @ v2" collected 60.00 from pot with Pair, A's (combination: A♠, A♦, J♦, 9♦, 7♥)
"Hero @ h1" collected 30.00 from pot with Pair, K's (combination: K♣, K♦, J♦, 9♦, 7♥)
-- ending hand #3 --
""",
)


def _csv(entries: str, minute: int) -> str:
    """The entries as rows of a log, newest first."""
    rows = []
    for number, entry in enumerate(entries.splitlines()):
        quoted = entry.replace('"', '""')
        rows.append(f'"{quoted}",2025-03-04T20:{minute}:00.000Z,1741119{minute}00{number:02}\n')
    return "".join(reversed(rows))


# Open Hand History, written down by hand: players are (id, seat), actions are words


def _action(words: str) -> dict[str, Any]:
    player, kind, *rest = words.split("|")
    action: dict[str, Any] = {"player_id": int(player), "action": kind}
    if kind in ("Dealt Cards", "Shows Cards"):
        return action | {"cards": rest[0].split()}
    return action | {"amount": float(rest[0]) if rest else 0.0, "is_allin": False}


def _ohh(number: int, dealer: int, stacks: tuple[float, ...], rounds: list[str], pots: list[Any]) -> str:
    names, seats = ("Hero", "Villain 1", "Villain 2"), (1, 3, 5)
    streets = ("Preflop", "Flop", "Turn", "River", "Showdown")
    parts = [one.split("; ") for one in rounds]
    hand = {
        "spec_version": "1.4.6",
        "site_name": "PokerStars",
        "network_name": "PokerStars",
        "internal_version": "1.0",
        "game_number": str(90000000 + number),
        "start_date_utc": f"2025-03-04T20:{14 + number}:00Z",
        "table_name": "Rome",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0.0},
        "table_size": 6,
        "currency": "USD",
        "dealer_seat": dealer,
        "small_blind_amount": 0.5,
        "big_blind_amount": 1.0,
        "ante_amount": 0.0,
        "hero_player_id": 0,
        "players": [
            {"id": place, "seat": seats[place], "name": names[place], "starting_stack": stacks[place]}
            for place in range(3)
        ],
        "rounds": [
            {
                "id": place,
                "street": streets[place] if one[0] != "Showdown" else "Showdown",
                "cards": [] if one[0] == "Showdown" else one[0].split(),
                "actions": [_action(words) for words in one[1:]],
            }
            for place, one in enumerate(parts)
        ],
        "pots": [
            {
                "number": place,
                "amount": size,
                "rake": rake,
                "player_wins": [{"player_id": who, "win_amount": won}],
            }
            for place, (size, rake, who, won) in enumerate(pots)
        ],
    }
    return json.dumps({"ohh": hand}, indent=2) + "\n"


OHH = (
    _ohh(
        1,
        1,
        (100.0, 80.5, 120.0),
        [
            "; 1|Post SB|0.5; 2|Post BB|1; 0|Dealt Cards|Qc Qd; 0|Raise|3; 1|Fold; 2|Call|2",
            "2c 7d Th; 2|Check; 0|Bet|4; 2|Call|4",
            "Qs; 2|Check; 0|Check",
            "3h; 2|Bet|6; 0|Call|6",
            "Showdown; 2|Shows Cards|Ah Tc; 0|Shows Cards|Qc Qd",
        ],
        [(26.5, 1.3, 0, 25.2)],
    ),
    _ohh(
        2,
        3,
        (112.2, 80.0, 107.0),
        [
            "; 2|Post SB|0.5; 0|Post BB|1; 0|Dealt Cards|Jc Jd; 1|Raise|2.5; 2|Fold; 0|Raise|8; 1|Call|6.5",
            "Ks 8h 4d; 0|Bet|10; 1|Fold",
        ],
        [(18.5, 0.9, 0, 17.6)],
    ),
    _ohh(
        3,
        5,
        (50.0, 35.0, 20.0),
        [
            "; 0|Post SB|0.5; 1|Post BB|1; 0|Dealt Cards|Kc Kd; 2|Raise|20; 0|Raise|49.5; 1|Call|34",
            "5c 7h 9d",
            "Jd",
            "2s",
            "Showdown; 0|Shows Cards|Kc Kd; 1|Shows Cards|Qs Qc; 2|Shows Cards|As Ad",
        ],
        [(60.0, 1.5, 2, 58.5), (30.0, 0.5, 0, 29.5)],
    ),
)


class Site(NamedTuple):
    """A file of one site: what is before the hands, the hands, and what is after them."""

    hands: tuple[str, ...]
    before: str = ""
    between: str = "\n\n"
    after: str = ""
    raked: bool = True

    def text(self, hands: tuple[str, ...] | None = None) -> str:
        """The file, with its own hands or others."""
        return self.before + self.between.join(self.hands if hands is None else hands) + self.after


SITES = {
    "ohh": Site(OHH, between="\n"),
    "ggpoker": Site(GGPOKER),
    "winamax": Site(WINAMAX),
    "888": Site(PACIFIC),
    "partypoker": Site(PARTYPOKER),
    "ipoker": Site(IPOKER, IPOKER_HEADER, "", "</session>\n"),
    "pokernow": Site(
        tuple(_csv(entries, 15 + place) for place, entries in reversed(list(enumerate(POKERNOW)))),
        "entry,at,order\n",
        "",
        raked=False,
    ),
}
"""Files by format; PokerNow's is newest first and takes no rake."""
