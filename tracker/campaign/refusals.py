"""Refusals of the table: what the rules or the state forbid, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class UnknownFighter(BadInput):
    fighter: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"No fighter {self.fighter!r} is enlisted.{nearest(self.fighter, self.known)} See"
            " 'arbitrator roster show'."
        )


@dataclass(eq=False)
class VehicleNotFighter(BadInput):
    """`crew` is the id of who drives it, or empty."""

    vehicle: str
    crew: str

    def message(self) -> str:
        told = f"{self.vehicle} is a vehicle, and a fighter is needed here. Name one"
        return f"{told}, or its crew: {self.crew!r}." if self.crew else f"{told}."


@dataclass(eq=False)
class UnknownGang(BadInput):
    gang: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"No gang {self.gang!r} is enlisted.{nearest(self.gang, self.known)} See 'arbitrator gang list'."
        )


@dataclass(eq=False)
class UnknownWeapon(BadInput):
    weapon: str
    fighter: str
    known: tuple[str, ...]

    def message(self) -> str:
        carried = ", ".join(self.known) or "nothing"
        return (
            f"{self.fighter} carries no weapon {self.weapon!r}.{nearest(self.weapon, self.known)} On"
            f" the card: {carried}."
            f" A borrowed weapon can be written out: weapon: {{name: ..., S: 4, AP: -1, D: 1}}."
        )


@dataclass(eq=False)
class ProfileNotNamed(BadInput):
    weapon: str
    fighter: str
    profile: str | None
    known: tuple[str, ...]

    def message(self) -> str:
        if self.profile is None:
            return (
                f"{self.fighter}'s {self.weapon} has several profiles: say which with profile:"
                f" ({', '.join(self.known)})."
            )
        return (
            f"{self.fighter}'s {self.weapon} has no profile"
            f" {self.profile!r}.{nearest(self.profile, self.known)}"
            f" It has: {', '.join(self.known)}."
        )


@dataclass(eq=False)
class CampaignOpenAlready(RulesRefuse):
    name: str

    def message(self) -> str:
        return f"The campaign {self.name!r} is open already."


@dataclass(eq=False)
class CampaignNotOpen(RulesRefuse):
    def message(self) -> str:
        return "This campaign has not begun: 'arbitrator campaign new NAME' opens one."


@dataclass(eq=False)
class BattleUnderWayAlready(RulesRefuse):
    battle: str

    def message(self) -> str:
        return f"Battle {self.battle!r} is still under way; it must end before this."


@dataclass(eq=False)
class NoBattleUnderWay(RulesRefuse):
    what: str

    def message(self) -> str:
        return f"No battle is under way, so {self.what} cannot happen."


@dataclass(eq=False)
class FighterOfAnotherGang(BadInput):
    fighter: str
    gang: str
    own_gang: str

    def message(self) -> str:
        return f"{self.fighter} fights for {self.own_gang}, not for {self.gang}."


@dataclass(eq=False)
class FighterListedTwice(BadInput):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is listed twice in one crew."


@dataclass(eq=False)
class FighterNotInBattle(RulesRefuse):
    fighter: str
    battle: str

    def message(self) -> str:
        return (
            f"{self.fighter} takes no part in battle {self.battle!r}: name this fighter in the gang's"
            " crew, or leave the crew out."
        )


@dataclass(eq=False)
class FighterOutOfPlay(RulesRefuse):
    fighter: str
    battle: str

    def message(self) -> str:
        return (
            f"{self.fighter} went Out of Action earlier in battle {self.battle!r} and takes no further"
            " part in it."
        )


@dataclass(eq=False)
class FighterHasFled(RulesRefuse):
    fighter: str
    battle: str

    def message(self) -> str:
        return f"{self.fighter} fled earlier in battle {self.battle!r} and takes no further part in it."


@dataclass(eq=False)
class FighterGone(RulesRefuse):
    fighter: str
    standing: str

    def message(self) -> str:
        return f"{self.fighter} is {self.standing}: nothing more can be done with this fighter."


@dataclass(eq=False)
class HitsThemselves(BadInput):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot be both attacker and target. Leave the attacker out for a hit that"
            " nobody made."
        )


@dataclass(eq=False)
class WeaponMissing(BadInput):
    def message(self) -> str:
        return "A hit needs a weapon: its name on the attacker's card, or its numbers written out."


@dataclass(eq=False)
class StrengthMissing(BadInput):
    weapon: str

    def message(self) -> str:
        return f"{self.weapon} hits with its wielder's Strength, but no attacker is named."


@dataclass(eq=False)
class NoStrength(BadInput):
    weapon: str

    def message(self) -> str:
        return (
            f"{self.weapon} has no Strength, and none of its traits (Gas, Toxin) wounds without one."
            f" Give its S, or the trait."
        )


@dataclass(eq=False)
class SaveNotAvailable(RulesRefuse):
    fighter: str
    asked: str
    available: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.fighter} cannot save with {self.asked.replace('_', ' ')} here."
            f" Possible: {', '.join(self.available).replace('_', ' ') or 'no save at all'} (Resolve"
            " Hits · 2. Make a Save Roll)."
        )


@dataclass(eq=False)
class NothingToAward(BadInput):
    amount: int

    def message(self) -> str:
        return f"An award of {self.amount} XP is none: give a whole number from 1 to 100."
