"""Refusals of the hall: what was asked for by name and is not there, and what moved on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tracker.errors import BadInput, Refusal, RulesRefuse, nearest


@dataclass(eq=False)
class UnknownCampaign(BadInput):
    campaign: str
    known: tuple[str, ...]

    def message(self) -> str:
        if not self.known:
            return (
                f"There is no campaign {self.campaign!r}: none has begun. 'arbitrator campaign new"
                " NAME' opens one."
            )
        return (
            f"There is no campaign {self.campaign!r}.{nearest(self.campaign, self.known)}"
            f" See 'arbitrator campaign list'."
        )


@dataclass(eq=False)
class CampaignNameTaken(RulesRefuse):
    slug: str

    def message(self) -> str:
        return (
            f"A campaign {self.slug!r} exists already. Choose another name, or 'arbitrator campaign"
            f" use {self.slug}'."
        )


@dataclass(eq=False)
class EntryRefused(Refusal):
    """One decision among several was refused; none of them was recorded."""

    label: str
    refusal: Refusal

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # the inner refusal's own
        return self.refusal.exit_code

    def facts(self) -> dict[str, Any]:
        return {"where": self.label, "refusal": type(self.refusal).__name__, **self.refusal.facts()}

    def message(self) -> str:
        return f"{self.label}: {self.refusal.message()} Nothing of this file was recorded."


@dataclass(eq=False)
class DryRunRollsNothing(BadInput):
    def message(self) -> str:
        return (
            "A dry run rolls no dice: they would be seen before they count. Leave out --roll to see"
            " which die is"
            " missing, or leave out --dry-run."
        )


@dataclass(eq=False)
class NoSuchEvent(BadInput):
    address: str
    entries: int

    def message(self) -> str:
        return (
            f"There is no event {self.address} in this campaign, whose log ends with entry {self.entries}."
            f" An event is named ENTRY.EVENT, such as 57.3; see 'arbitrator log show'."
        )


@dataclass(eq=False)
class EntryStands(RulesRefuse):
    """A ruling was to void or keep what no ruling moves."""

    entry: int

    def message(self) -> str:
        return (
            f"Entry {self.entry} stands as it is: the opening of the campaign, disputes and rulings are not"
            f" voided, kept or given dice. Dispute what they led to instead."
        )


@dataclass(eq=False)
class NoSuchBattle(BadInput):
    battle: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no battle {self.battle!r}.{nearest(self.battle, self.known)} See 'arbitrator"
            " battle list'."
        )


@dataclass(eq=False)
class PreviewStale(Refusal):
    expected: int
    found: int

    exit_code = 3

    def message(self) -> str:
        return (
            f"The log moved on since that preview: it had {self.expected} events then and has"
            f" {self.found} now."
            f" Look at 'arbitrator dispute preview' again."
        )


@dataclass(eq=False)
class NoFacesGiven(BadInput):
    purpose: str

    def message(self) -> str:
        return (
            f"Say what the {self.purpose} die should have shown: --faces 2 (a D66 as 4-6), or"
            " --confirm, or --void."
        )


@dataclass(eq=False)
class UnknownPurpose(BadInput):
    purpose: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"No die is rolled for {self.purpose!r}.{nearest(self.purpose, self.known)} Known:"
            f" {', '.join(self.known)}."
        )
