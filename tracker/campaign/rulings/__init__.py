"""Rulings: slots decided again, what a dispute may change, where unrolled dice could lead."""
