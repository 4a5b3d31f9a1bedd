"""Necromunda's chapters: what the books tell as steps. They read knobs and tables, never a book's name."""
