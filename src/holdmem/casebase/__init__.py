"""Memory: the cycle of case-based reasoning, from features of a view to a decision and back into memory.

features and similarity say what a case is, retrieve finds the cases, reuse decides, retain keeps new cases
while playing, maintenance keeps the case base small, storage keeps it on disk. docs/memory.md is the guide.
"""
