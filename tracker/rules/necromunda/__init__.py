"""Necromunda's chapters: what the books print as steps. They read knobs and tables, never a book's name."""
