"""The verbs of the public API, one module per group; `holdmem` has them all.

Games and agents may be given as values or by name.
"""
