"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("holdmem", deadline=None, max_examples=60)
settings.load_profile("holdmem")
