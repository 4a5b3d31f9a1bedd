"""The campaign that a conversation is about, and the armoury that somebody brings to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tracker.documents.armoury import Armoury, read_armoury
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
    """What the file lists; None without one."""
    if file is None:
        return None
    book = loader.book(chosen.tracker.boards.state_at(chosen.campaign).book)
    return read_armoury(read_document(file), characteristics=book.characteristics)
