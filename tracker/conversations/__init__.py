"""Conversations: reports and sheets written question by question, for a terminal, a relay and the pages.

Knows questions, answers and the report made of them. Knows no terminal, no page and no command.
"""
