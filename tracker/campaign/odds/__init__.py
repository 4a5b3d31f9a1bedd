"""Exact chances: the rules run once for every way that the dice can fall."""
