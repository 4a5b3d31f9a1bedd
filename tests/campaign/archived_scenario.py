"""Given, when, then under the archived book."""

from scenario import Table, given, phrases

from tracker.campaign import records

ARCHIVE = "necromunda_archive"


def archived(*cards: object, **more: object) -> Table:
    """The two gangs, under the archived book."""
    return given(*cards, book=ARCHIVE, **more)  # type: ignore[arg-type]


def carried_home(table: Table) -> tuple[str, ...]:
    """What the last command did, without Mags' XP for taking Vex out."""
    return phrases(
        event
        for event in table.events
        if not (isinstance(event, records.ExperienceGained) and event.reason == "Vex Out of Action")
    )
