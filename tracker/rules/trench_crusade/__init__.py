"""Trench Crusade: injuries at the table and what the wounded carry home, as numbers and steps."""
