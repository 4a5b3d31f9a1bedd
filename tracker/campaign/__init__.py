"""The table: what can happen in a campaign, and what follows. Pure: no clock, no chance, no file."""
