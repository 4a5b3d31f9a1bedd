"""Pages for a browser: the commands' own data in templates.

No rule, no right and no text of a board is written here.
"""
