"""Bluff unit (§4.2.3) and Dynamic Postflop Aggression Control (§4.2.4).

Both adapt how often to bet to the opponent's range and aggression.
"""
