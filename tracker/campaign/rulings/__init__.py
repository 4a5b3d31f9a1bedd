"""Rulings: slots decided again, what a dispute touches, where unrolled dice could lead."""
