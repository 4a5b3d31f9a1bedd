"""Exact chances: runs the rules once for every possible roll of the dice."""
