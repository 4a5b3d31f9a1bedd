"""Things with their numbers, as a sheet or an armoury writes them."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Discriminator, Field, Tag, ValidationInfo, model_validator

from tracker.campaign.profiles import Armour, Item, ItemKind, Weapon
from tracker.documents.card_numbers import Credits, SaveNumber, WeaponsCounted
from tracker.documents.known_names import book_has_other_numbers
from tracker.documents.text import Name
from tracker.documents.validation import StrictModel, fault
from tracker.documents.weapon_sheet import NamedProfile, ProfileNumbers


class WeaponProfiles(StrictModel):
    """A weapon with several profiles."""

    profiles: list[NamedProfile] = Field(min_length=1, max_length=10)
    """Its profiles, each with a name of its own."""


def _weapon_written(given: Any) -> str:
    return "<profiles>" if isinstance(given, dict) and "profiles" in given else "<one profile>"


WeaponNumbersGiven = Annotated[
    Annotated[WeaponProfiles, Tag("<profiles>")] | Annotated[ProfileNumbers, Tag("<one profile>")],
    Discriminator(_weapon_written),
]


class ItemOnSheet(StrictModel):
    """A thing with its price and numbers."""

    name: Name
    """What it is called."""
    kind: ItemKind | None = None
    """What it is; a weapon where numbers of one are written, else wargear."""
    cost: Credits
    """Price in {game.credits}."""
    counts_as: WeaponsCounted = 1
    """2 for a weapon that counts as two of those a fighter may carry."""
    weapon: WeaponNumbersGiven | None = None
    """A weapon's numbers: one profile, or `profiles`."""
    save: SaveNumber | None = None
    """Of armour and fields: the lowest D6 that saves."""

    @model_validator(mode="before")
    @classmethod
    def _no_numbers_where_the_book_prints_none(cls, given: Any, info: ValidationInfo) -> Any:
        """Weapons of a book of other numbers may have none at all."""
        bare = isinstance(given, dict) and given.get("kind") == "weapon" and given.get("weapon") is None
        return {**given, "weapon": {}} if bare and book_has_other_numbers(info) else given

    @model_validator(mode="after")
    def _kind_and_numbers_agree(self) -> Self:
        kind = self.what
        if kind == "weapon" and self.weapon is None:
            raise fault("a weapon needs its numbers, under `weapon`.")
        if kind != "weapon" and self.weapon is not None:
            raise fault(f"`weapon` holds a weapon's numbers, and the kind is {kind}.")
        if kind in ("armour", "field_armour") and self.save is None:
            raise fault("armour needs its `save`.")
        if isinstance(self.weapon, WeaponProfiles):
            named = [profile.name for profile in self.weapon.profiles]
            if len(set(named)) < len(named):
                raise fault(
                    "each profile needs a `name` of its own, so that a report can say which was used."
                )
        return self

    @property
    def what(self) -> ItemKind:
        """Its kind, as written or as its numbers show."""
        return self.kind or ("weapon" if self.weapon is not None else "wargear")

    def record(self) -> Item:
        """The thing as the campaign keeps it."""
        weapon, armour = None, None
        if isinstance(self.weapon, WeaponProfiles):
            profiles = tuple(profile.profile_called(profile.name or "") for profile in self.weapon.profiles)
            weapon = Weapon(
                weapon=self.name, profiles=profiles, cost_credits=self.cost, counts_as=self.counts_as
            )
        elif self.weapon is not None:
            weapon = Weapon(
                weapon=self.name,
                profiles=(self.weapon.profile_called(""),),
                cost_credits=self.cost,
                counts_as=self.counts_as,
            )
        if self.what in ("armour", "field_armour") and self.save is not None:
            armour = Armour(name=self.name, save=self.save)
        return Item(name=self.name, kind=self.what, cost_credits=self.cost, weapon=weapon, armour=armour)
