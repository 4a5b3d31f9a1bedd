"""Conversations: reports and sheets written question by question, for a terminal, a relay and the pages.

Knows questions, answers and how a report grows by them. Knows no terminal, no page and no command.
"""
