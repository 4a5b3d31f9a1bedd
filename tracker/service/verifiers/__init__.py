"""Programs that travel in an archive, for people who have no other."""
