"""Refusals of shooting: situations that contradict themselves, weapons that cannot be fired."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class SituationContradicts(BadInput):
    """Two statements about one shot cannot both be true."""

    said: str
    against: str

    def message(self) -> str:
        return f"{self.said} does not go with {self.against}: put one of them right (Shooting)."


@dataclass(eq=False)
class BookKnowsNot(RulesRefuse):
    """Something was stated of which this book says nothing."""

    book: str
    what: str

    def message(self) -> str:
        return f"{self.book} knows of no {self.what} (Shooting)."


@dataclass(eq=False)
class WrongReloadAction(RulesRefuse):
    fighter: str
    action: str
    needed: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot reload as a {self.action.title()} action: under the rules in force a"
            f" Reload is a {self.needed.title()} one. Say so, or leave 'action' out."
        )


@dataclass(eq=False)
class NothingShotAt(BadInput):
    weapon: str

    def message(self) -> str:
        return f"{self.weapon} is fired at nothing: name a target, or 'point: true' for a Blast weapon."


@dataclass(eq=False)
class RangeNotStated(BadInput):
    weapon: str

    def message(self) -> str:
        return f"Say how far {self.weapon} fires: range: short, long or beyond (Shooting · 3. Measure Range)."


@dataclass(eq=False)
class NotForShooting(BadInput):
    weapon: str
    missing: str

    def message(self) -> str:
        return (
            f"{self.weapon} cannot be fired: its profile has no {self.missing}. Give it, or another weapon."
        )


@dataclass(eq=False)
class ShootsOwnGang(RulesRefuse):
    fighter: str
    target: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot choose {self.target} of the same gang as a target: ranged attacks are"
            " made against enemies. Friends are hit under a marker, a template or by strays."
        )


@dataclass(eq=False)
class ShooterDown(RulesRefuse):
    """`condition` is 'Seriously Injured' or 'Webbed'."""

    fighter: str
    condition: str

    def message(self) -> str:
        return (
            f"{self.fighter} is {self.condition} and makes no ranged attack. Record the recovery first, or"
            " look at the entries before."
        )


@dataclass(eq=False)
class TargetHides(RulesRefuse):
    target: str

    def message(self) -> str:
        return (
            f"{self.target} is Prone and in cover and cannot be targeted (Shooting · 1. Assess Target"
            " Priority). If this fighter stands again, write 'prone: false'."
        )


@dataclass(eq=False)
class SkipNotFree(RulesRefuse):
    model: str
    because: str
    fault: str

    def message(self) -> str:
        return (
            f"{self.model} cannot be skipped as {self.because.replace('_', ' ')}: {self.fault}. Leave"
            " 'because' out and roll the Cool test, or record first what happened."
        )


@dataclass(eq=False)
class PostureContradicted(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} is Seriously Injured and so Prone, not standing. Record the recovery first, or"
            " take 'prone: false' out."
        )


@dataclass(eq=False)
class TooManyFirepowerDice(BadInput):
    weapon: str
    asked: int
    allowed: int

    def message(self) -> str:
        return (
            f"{self.weapon} rolls 1 to {self.allowed} Firepower dice, not {self.asked}"
            " (Shooting · The Firepower Dice)."
        )


@dataclass(eq=False)
class NotASidearm(RulesRefuse):
    weapon: str

    def message(self) -> str:
        return (
            f"{self.weapon} is no Sidearm, and only two Sidearms are fired together (Shooting · Twin Guns"
            " Blazing)."
        )


@dataclass(eq=False)
class CrewFiresSidearms(RulesRefuse):
    crew: str
    weapon: str

    def message(self) -> str:
        return (
            f"{self.crew} is the crew of a vehicle and fires Sidearms alone of what crew carry;"
            f" {self.weapon} is none. If it is the vehicle's weapon, write 'from_vehicle' with its id;"
            " house rules that allow more: 'arbitrator rules show crew.own_weapons'."
        )


@dataclass(eq=False)
class UnwieldyNeedsDouble(RulesRefuse):
    weapon: str

    def message(self) -> str:
        return f"{self.weapon} is Unwieldy: firing it is a Double action, not a Basic one (Weapon Traits)."


@dataclass(eq=False)
class SkillNotHeld(RulesRefuse):
    fighter: str
    skill: str

    def message(self) -> str:
        return f"{self.fighter} does not have the skill {self.skill.replace('_', ' ').title()}."


@dataclass(eq=False)
class WeaponOutOfAmmo(RulesRefuse):
    fighter: str
    weapon: str

    def message(self) -> str:
        return (
            f"{self.fighter}'s {self.weapon} is Out of Ammo: record a successful 'reload:' first (Shooting ·"
            " The Firepower Dice)."
        )


@dataclass(eq=False)
class WeaponDoneForBattle(RulesRefuse):
    fighter: str
    weapon: str
    why: str

    def message(self) -> str:
        return f"{self.fighter}'s {self.weapon} is done for this battle: {self.why}."


@dataclass(eq=False)
class NoReloadNow(RulesRefuse):
    """`condition` is 'Broken', 'Seriously Injured' or 'Webbed'."""

    fighter: str
    condition: str

    def message(self) -> str:
        return (
            f"{self.fighter} is {self.condition} and makes no Reload action. Record the rally or the recovery"
            " first, or look at the entries before."
        )


@dataclass(eq=False)
class NothingToReload(RulesRefuse):
    fighter: str
    weapon: str

    def message(self) -> str:
        return f"{self.fighter}'s {self.weapon} is not Out of Ammo, so there is nothing to reload."
