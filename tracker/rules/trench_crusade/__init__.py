"""Trench Crusade: injuries at the table and their consequences after it, as numbers and steps."""
