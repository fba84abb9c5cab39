"""Full citations of the five publications. docs/references.md lists all sources."""

CASPER = (
    "Rubin, J. (2007). CASPER: Design and Development of a Case-Based Poker Player."
    " MSc thesis, University of Auckland."
)
SARTRE = (
    "Rubin, J. and Watson, I. (2010). Similarity-Based Retrieval and Solution Re-use Policies"
    " in the Game of Texas Hold'em. ICCBR 2010."
)
IMITATORS = (
    "Rubin, J. and Watson, I. (2011). On Combining Decisions from Multiple Expert Imitators"
    " for Performance. IJCAI 2011."
)
PLICAS = "Friedrich, C. and Schwind, M. (2011). PLICAS: A Texas Hold'em Poker Bot."
LEARNERS = (
    "Marques, J. P. (n.d.; 2013 or later by its own references). Reinforcement Learning applied to"
    " the game of Poker. MSc thesis, FEUP, University of Porto."
)
