"""The archive: the append-only log, its bytes, its chain and the database that keeps it. Knows no rule."""
