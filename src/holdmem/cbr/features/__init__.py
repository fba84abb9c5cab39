"""Features of a case: what a view is compared by.

Every module that declares features is imported here, so that each feature can be found by its name.
"""

from holdmem.cbr.features import bet_sizes, betting_summary, casper, feature

__all__ = ["bet_sizes", "betting_summary", "casper", "feature"]
