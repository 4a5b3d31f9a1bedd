"""The core: what can happen in a campaign, and what follows. Pure: no clock, no randomness, no file."""
