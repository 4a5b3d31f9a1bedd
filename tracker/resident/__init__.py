"""A resident that has the program read in already, so that a command takes a tenth of its time. Optional.

Knows processes and how a terminal reaches one. Knows no command.
"""
