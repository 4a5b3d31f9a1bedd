"""What people write: battle reports and gang sheets, read strictly and turned into commands.

Knows files, YAML and positions in a file. Knows no campaign state: the command handlers check whether a gang,
a fighter or a weapon exists.
"""
