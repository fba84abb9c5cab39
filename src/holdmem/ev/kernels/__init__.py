"""Compiled code of the values of actions."""
