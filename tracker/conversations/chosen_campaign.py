"""The campaign that a conversation is about, and the armoury that it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tracker.documents.armoury import Armoury, armoury_kept, read_armoury
from tracker.documents.yaml_reader import read_document
from tracker.rules import loader

if TYPE_CHECKING:
    from tracker.service.application import Tracker


class ChosenCampaign(Protocol):
    """A campaign that somebody chose, and the service that has it."""

    @property
    def tracker(self) -> Tracker:
        """The application service."""

    @property
    def campaign(self) -> str:
        """The campaign's id."""

    @property
    def slug(self) -> str:
        """The campaign's short name, as people type it."""


def armoury_of(chosen: ChosenCampaign, file: str | None) -> Armoury | None:
    """The armoury in the file; without a file, the campaign's own; None if it has none."""
    tracker, campaign = chosen.tracker, chosen.campaign
    if file is None:
        kept = tracker.people.armoury(campaign)
        return None if kept is None else armoury_kept(kept, tracker.boards.state_at(campaign).book)
    book = loader.book(tracker.boards.state_at(campaign).book)
    return read_armoury(read_document(file), characteristics=book.characteristics)
