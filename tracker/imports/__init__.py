"""Imports: other tools' files as gang sheets, with a word on every fact of the source."""
