"""Results published by Marques (n.d.): hands per bucket (tables 5.1 to 5.4), final bankrolls (chapter 6)."""

COLUMNS = ("LNU-HS", "LU-HS", "LNU-HSQ", "LU-HSQ")
"""Bucketings of the tables: non-uniform and uniform, by E[HS] and by E[HS²]."""

Counts = dict[str, tuple[int, ...]]

TABLE_5_1: Counts = {
    "LNU-HS": (11, 74, 171, 229, 224, 245, 188, 116, 26, 16, 11, 15),
    "LU-HS": (0, 0, 0, 3, 125, 374, 418, 296, 72, 23, 15, 0),
    "LNU-HSQ": (590, 270, 213, 125, 70, 20, 12, 9, 8, 8, 1, 0),
    "LU-HSQ": (0, 59, 72, 430, 445, 256, 81, 23, 13, 6, 0, 0),
}
TABLE_5_2: Counts = {
    "LNU-HS": (
        11, 28, 44, 69, 95, 113, 90, 98, 114, 122, 98, 116, 94, 79, 61, 32, 18, 6, 3, 8, 10, 6, 6, 5,
    ),
    "LU-HS": (
        0, 0, 0, 0, 0, 0, 0, 2, 40, 103, 177, 181, 201, 201, 177, 135, 55, 18, 10, 14, 9, 3, 0, 0,
    ),
    "LNU-HSQ": (
        592, 133, 118, 108, 87, 82, 61, 48, 31, 19, 9, 3, 3, 6, 7, 3, 5, 2, 4, 3, 2, 0, 0, 0,
    ),
    "LU-HSQ": (
        0, 0, 0, 0, 7, 77, 181, 236, 228, 208, 160, 110, 57, 24, 6, 10, 9, 8, 3, 2, 0, 0, 0, 0,
    ),
}  # fmt: skip
TABLE_5_3: Counts = {
    "LNU-HS": (
        254513, 1076500, 366680, 293216, 193235, 132113, 100220, 72684, 45550, 46277, 14495, 3477,
    ),
    "LU-HS": (1, 13907, 240605, 399431, 408125, 367112, 327456, 318807, 228396, 164727, 100161, 30232),
    "LNU-HSQ": (1145348, 934679, 205581, 107335, 71502, 41161, 30160, 33393, 19758, 6063, 2968, 1012),
    "LU-HSQ": (49901, 547910, 547537, 377092, 363660, 255514, 166199, 118538, 75462, 56248, 35948, 4951),
}  # fmt: skip
TABLE_5_4: Counts = {
    "LNU-HS": (
        254187, 758128, 296908, 197201, 161341, 159351, 133046, 105993, 88937, 74661, 61852, 51871, 48155,
        44330, 35397, 27163, 21440, 20844, 23941, 18991, 9142, 2757, 2655, 669,
    ),
    "LU-HS": (
        0, 1, 319, 13567, 80037, 160263, 195640, 203771, 205196, 202890, 190398, 177114, 153623, 173705,
        173473, 145673, 125197, 102931, 87706, 77136, 50769, 49326, 26070, 4155,
    ),
    "LNU-HSQ": (
        1144982, 699475, 222073, 123174, 83517, 59331, 48449, 41697, 32346, 23808, 19287, 15643, 13973,
        15211, 16345, 14611, 10133, 6216, 3406, 1443, 1117, 1897, 729, 97,
    ),
    "LU-HSQ": (
        220, 49811, 228511, 318667, 296230, 251543, 203820, 173725, 184804, 178642, 143107, 112499, 91819,
        74050, 62043, 56892, 43505, 32017, 25804, 30229, 25894, 10153, 3242, 1733,
    ),
}  # fmt: skip

BOTS = ("always-all-in", "always-call", "whlbot", "megabot", "simplebot")
"""The five test bots, in the order of the figures."""

TABLE_6_1 = {
    ("always-all-in", "always-call"): -63,
    ("always-all-in", "whlbot"): -5_449,
    ("always-all-in", "megabot"): -3_740,
    ("always-all-in", "simplebot"): -20_776,
    ("always-call", "whlbot"): -20_742,
    ("always-call", "megabot"): -2_513,
    ("always-call", "simplebot"): -20_742,
    ("whlbot", "megabot"): -52_237,
    ("whlbot", "simplebot"): -76_198,
    ("megabot", "simplebot"): -19_258,
}
"""Dollars that the first won from the second in 100,000 games with a big blind of ten cents."""
MISPRINTS_6_1 = {
    ("always-call", "whlbot"): "the other half of the table has WHLBot at +2,794",
    ("megabot", "simplebot"): "the other half of the table has SimpleBot at +19,528",
}

BANKROLLS: dict[tuple[str, str], tuple[int | None, ...]] = {
    ("outcome-learner", "LNU"): (-179, -98_176, 14_595, -25_272, -103_907),
    ("outcome-learner", "NNU"): (-599, -638, -3_498, -15_119, None),
    ("action-learner", "LNU"): (92_386, 91_957, 101_087, 6_280, 2_040),
    ("action-learner", "NNU"): (99_280, 99_596, 85_790, 8_940, 2_760),
}
"""Dollars won in 200,000 games against each of `BOTS`; one is not published."""

DOLLAR = 10.0
"""One dollar in big blinds."""


def bb_per_hand(dollars: float, hands: int) -> float:
    """Convert a bankroll in dollars to big blinds per hand."""
    return DOLLAR * dollars / hands
