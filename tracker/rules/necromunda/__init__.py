"""Necromunda's chapters: the rules that books print as steps. They read knobs and tables, never a book's
name.
"""
