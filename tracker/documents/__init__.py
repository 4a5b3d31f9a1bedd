"""What people write: battle reports and gang sheets, read strictly and turned into commands.

Knows files, YAML and where in a file a thing stands. Knows no campaign state: whether a gang, a fighter
or a weapon exists is for the command handlers to say.
"""
