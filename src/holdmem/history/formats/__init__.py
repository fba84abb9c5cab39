"""Formats of hand histories: one module each, with helpers next to it."""
