"""People: who they are, what they may sign in with, which campaigns they are members of.

Rows beside the log, which only knows a person's id. Knows no event, no rule and no way of signing in.
"""
