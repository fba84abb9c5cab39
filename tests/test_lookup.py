"""Features and representations are found by name, whatever was imported before."""

from fresh import run

FEATURES = """if True:
    import sys
    from pathlib import Path
    from holdmem.cbr import *
    from holdmem.cbr import features
    assert Features(pot_odds=Linear(1.0), round_now=Equal(), sized_betting=Equal(), ehs=Linear(1.0))
    assert "holdmem.players" not in sys.modules
    modules = [path.stem for path in Path(features.__file__).parent.glob("*.py")]
    print(*(name for name in modules if f"{features.__name__}.{name}" not in sys.modules))
"""
REPRESENTATIONS = """if True:
    import sys
    from holdmem.cbr import find_representation
    for name in sys.argv[1:]:
        assert find_representation(name).name == name
"""


def test_every_feature_is_known_without_importing_a_player() -> None:
    """No module of features is left out."""
    assert run(FEATURES).stdout.split() == ["__init__"]


def test_the_representation_of_a_player_is_found_by_name_alone() -> None:
    imitators = ("imitator-limit", "imitator-nolimit", "imitator-limit-ring", "imitator-nolimit-ring")
    run(REPRESENTATIONS, "casper", "sartre-1", "sartre-2", *imitators)
