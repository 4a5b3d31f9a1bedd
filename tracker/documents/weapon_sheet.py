"""Weapons on a card, as the user typed them: their names, profiles and numbers.

Knows their format. The rules know what a number means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Self

from pydantic import ConfigDict, Discriminator, Field, Tag, ValidationInfo, model_validator

from tracker.campaign.profiles import Weapon, WeaponProfile, range_shown, wielders_strength
from tracker.documents import card_numbers
from tracker.documents.known_names import book_has_other_numbers
from tracker.documents.nodes import Path
from tracker.documents.text import Name
from tracker.documents.validation import Problems, StrictModel, copied, fault


class RangeBands(StrictModel):
    """Short and long range: in inches, or both in times the wielder's Strength, such as Sx3."""

    short: card_numbers.RangeInches = None
    """Up to here the short accuracy counts."""
    long: card_numbers.RangeInches = None
    """Nothing beyond this is in range."""

    @model_validator(mode="after")
    def _short_before_long(self) -> Self:
        kept = self.kept()
        short, long = kept["range_short_inches"], kept["range_long_inches"]
        shown = [range_shown(number, of_strength=isinstance(written, card_numbers.TimesStrength))
                 for number, written in ((short, self.short), (long, self.long))]  # fmt: skip
        both = f"a Short range of {shown[0]} does not go with a Long range of {shown[1]}"
        if short is None or long is None:
            return self
        if isinstance(self.short, int) != isinstance(self.long, int):
            raise fault(f"{both}: write both in inches, or both as Sx3.")
        if short > long:
            raise fault(f"{both}: Short comes first. Look at both numbers on the card.")
        return self

    def kept(self) -> dict[str, Any]:
        """The ranges as a profile keeps them."""
        short, long = (
            written.times if isinstance(written, card_numbers.TimesStrength) else written
            for written in (self.short, self.long)
        )
        kept: dict[str, Any] = {"range_short_inches": short, "range_long_inches": long}
        if any(isinstance(written, card_numbers.TimesStrength) for written in (self.short, self.long)):
            kept["range_of_strength"] = True
        return kept


class Accuracies(StrictModel):
    """Hit modifiers at short and at long range."""

    short: card_numbers.Accuracy = 0
    """Modifier at short range."""
    long: card_numbers.Accuracy = 0
    """Modifier at long range."""


_NONE_OF_THESE: Final = {"S": "-", "AP": "-", "D": "-"}
"""What a weapon has of them in a book whose cards print none."""


def _not_required(schema: dict[str, Any]) -> None:
    schema["required"] = [key for key in schema["required"] if key not in _NONE_OF_THESE]
    if not schema["required"]:
        del schema["required"]


class HitNumbers(StrictModel):
    """What a weapon does to whom it hits."""

    strength: card_numbers.WeaponStrength = Field(alias="S")
    """Strength; `user` or `S` for the wielder's own, `S+1` for one more."""
    armour_penetration: card_numbers.ArmourPenetration = Field(alias="AP")
    """Armour Penetration: 0, negative, or +1 of a weapon that armour withstands better."""
    damage: card_numbers.Damage = Field(alias="D")
    """Damage; "-" for a weapon that removes no Wounds."""
    traits: list[Name] = Field(default=[], max_length=30)
    """Traits, such as Toxin or Rapid Fire (1)."""

    @model_validator(mode="before")
    @classmethod
    def _none_where_the_book_prints_none(cls, given: Any, info: ValidationInfo) -> Any:
        """Weapons of a book of other numbers have no S, AP and D."""
        none = book_has_other_numbers(info) and isinstance(given, dict)
        return {**_NONE_OF_THESE, **given} if none else given

    @classmethod
    def stated_of(cls, profile: WeaponProfile) -> dict[str, Any]:
        """A profile's numbers as they are written."""
        strength: int | str | None = profile.strength
        if strength is None:
            strength = wielders_strength(profile.strength_added) if profile.strength_added else "user"
        damage = "-" if profile.damage is None else profile.damage
        stated = {"S": strength, "AP": profile.armour_penetration, "D": damage}
        return {**stated, "traits": [*profile.traits]} if profile.traits else stated

    def profile_called(self, name: str) -> WeaponProfile:
        """The profile, under that name."""
        return copied(self, WeaponProfile, name=name, **self.strength_kept())

    def strength_kept(self) -> dict[str, Any]:
        """The Strength as a profile keeps it."""
        if isinstance(self.strength, int):
            return {"strength": self.strength}
        return {"strength": None, "strength_added": self.strength.added}


_USUAL: Final = {"range": None, "accuracy": 0}


class ProfileNumbers(HitNumbers):
    """One way to use a weapon, without its name."""

    # The schema knows no book: in most the three are needed all the same.
    model_config = ConfigDict(json_schema_extra=_not_required)

    range: RangeBands = RangeBands()
    """Range bands; left out for a weapon of close combat."""
    accuracy: Accuracies = Accuracies()
    """Hit modifiers."""
    ammo: card_numbers.AmmoRoll = None
    """Ammo roll: 4 or 4+."""

    @classmethod
    def stated_of(cls, profile: WeaponProfile) -> dict[str, Any]:
        ranges: tuple[int | str | None, ...] = (profile.range_short_inches, profile.range_long_inches)
        if profile.range_of_strength:
            ranges = tuple(None if times is None else f"Sx{times}" for times in ranges)
        apart: dict[str, dict[str, int | str | None]] = {
            "range": {"short": ranges[0], "long": ranges[1]},
            "accuracy": {"short": profile.accuracy_short, "long": profile.accuracy_long},
        }
        more: dict[str, Any] = {
            key: said
            for key, numbers in apart.items()
            if (said := {end: number for end, number in numbers.items() if number != _USUAL[key]})
        }
        more |= {} if profile.ammo is None else {"ammo": profile.ammo}
        return {**super().stated_of(profile), **more}

    def profile_called(self, name: str) -> WeaponProfile:
        return copied(
            self,
            WeaponProfile,
            name=name,
            **self.range.kept(),
            accuracy_short=self.accuracy.short,
            accuracy_long=self.accuracy.long,
            **self.strength_kept(),
        )


class WeaponNumbers(HitNumbers):
    """A weapon's numbers, written in the report because they stand on nobody's card."""

    name: Name
    """What to call it in the log."""


class WeaponFullNumbers(ProfileNumbers):
    """A weapon's numbers, range and ammo included, because they stand on nobody's card."""

    model_config = ConfigDict(json_schema_extra=None)  # shots and fights are of the books that have all three

    name: Name
    """What to call it in the log."""


def _weapon_written(given: Any) -> str:
    return "<numbers>" if isinstance(given, dict) else "<name>"


WeaponUsed = Annotated[
    Annotated[WeaponNumbers, Tag("<numbers>")] | Annotated[Name, Tag("<name>")],
    Discriminator(_weapon_written),
]
WeaponFired = Annotated[
    Annotated[WeaponFullNumbers, Tag("<numbers>")] | Annotated[Name, Tag("<name>")],
    Discriminator(_weapon_written),
]


def weapon_stated(record: Any, numbers: type[HitNumbers]) -> dict[str, Any]:
    """The weapon that a command names or gives the numbers of, under its key; nothing where it has none."""
    if record.profile is None:
        return {} if record.weapon is None else {"weapon": record.weapon}
    return {"weapon": {"name": record.weapon, **numbers.stated_of(record.profile)}}


class NamedProfile(ProfileNumbers):
    """One of a weapon's profiles."""

    name: Name | None = None
    """What the card calls this profile, such as solid."""


class WeaponWithProfiles(StrictModel):
    """A weapon that can be used in several ways."""

    name: Name
    """The weapon's name, by which reports call it."""
    cost: card_numbers.Credits = 0
    """Price in {game.credits}."""
    counts_as: card_numbers.WeaponsCounted = 1
    """2 for a weapon that counts as two of those a fighter may carry."""
    profiles: list[NamedProfile] = Field(min_length=1, max_length=10)
    """Its profiles, each with a name of its own."""

    def record(self) -> Weapon:
        """As the campaign keeps it."""
        profiles = tuple(profile.profile_called(profile.name or "") for profile in self.profiles)
        return Weapon(weapon=self.name, profiles=profiles, cost_credits=self.cost, counts_as=self.counts_as)


class WeaponWithOneProfile(ProfileNumbers):
    """A weapon whose only profile stands beside its name."""

    name: Name
    """The weapon's name, by which reports call it."""
    cost: card_numbers.Credits = 0
    """Price in {game.credits}."""
    counts_as: card_numbers.WeaponsCounted = 1
    """2 for a weapon that counts as two of those a fighter may carry."""

    def record(self) -> Weapon:
        """As the campaign keeps it."""
        profiles = (self.profile_called(""),)
        return Weapon(weapon=self.name, profiles=profiles, cost_credits=self.cost, counts_as=self.counts_as)


def _weapon_kind(given: Any) -> str:
    return _ONE_PROFILE if isinstance(given, dict) and "profiles" not in given else _PROFILES


# Never keys of a document: they appear in Pydantic's paths and are passed over when a place is looked up.
_PROFILES, _ONE_PROFILE = "<profiles>", "<one profile>"

WeaponOnSheet = Annotated[
    Annotated[WeaponWithProfiles, Tag(_PROFILES)] | Annotated[WeaponWithOneProfile, Tag(_ONE_PROFILE)],
    Discriminator(_weapon_kind),
]


def check_profile_names(
    weapons: Sequence[WeaponWithProfiles | WeaponWithOneProfile | str], path: Path, problems: Problems
) -> None:
    """Adds a problem for each profile of a weapon that no report could name, the card standing at `path`."""
    for weapon_position, weapon in enumerate(weapons):
        names = (
            [profile.name for profile in weapon.profiles] if isinstance(weapon, WeaponWithProfiles) else []
        )
        for profile_position, name in enumerate(names):
            if name in names[:profile_position]:
                problems.add(
                    (*path, "weapons", weapon_position, "profiles", profile_position),
                    "this profile needs a `name` of its own, so that a report can say which one was used.",
                )


def check_weapon_known(weapon: HitNumbers | str, *, profile: str | None, attacker: str | None) -> None:
    """Refuses a profile of a weapon that is but one, and a weapon's name where no card is named."""
    if isinstance(weapon, str):
        if attacker is None:
            raise fault("a weapon's name needs an `attacker` whose card it is on; else write its numbers.")
    elif profile is not None:
        raise fault("numbers written in the report are one profile: take `profile` out.")
