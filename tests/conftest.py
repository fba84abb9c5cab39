"""Settings of all tests.

Property tests try the same examples in every run, so that a failure is of the change and not of the day.
`make test-search` lets them look for new ones.
"""

from hypothesis import settings

settings.register_profile("holdmem", deadline=None, max_examples=60, derandomize=True, database=None)
settings.register_profile("search", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("holdmem")
