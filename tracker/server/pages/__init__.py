"""Pages for a browser: the data of commands in templates.

No rule, right or board text is written here.
"""
