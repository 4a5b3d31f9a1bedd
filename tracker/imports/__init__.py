"""Imports: other tools' files as gang sheets, with a report on every fact of the source."""
