"""Refusals of shooting: situations that contradict themselves, weapons that cannot be fired."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class SituationContradicts(BadInput):
    """{said} does not go with {against}: put one of them right (Shooting)."""

    said: str
    against: str


class BookKnowsNot(RulesRefuse):
    """{book} knows of no {what} (Shooting)."""

    book: str
    what: str


class WrongReloadAction(RulesRefuse):
    fighter: str
    action: str
    needed: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot reload as a {self.action.title()} action: under the rules in force a"
            f" Reload is a {self.needed.title()} one. Say so, or leave 'action' out."
        )


class NothingShotAt(BadInput):
    """{weapon} is fired at nothing: name a target, or 'point: true' for a Blast weapon."""

    weapon: str


class RangeNotStated(BadInput):
    """Say how far {weapon} fires: range: short, long or beyond (Shooting · 3. Measure Range)."""

    weapon: str


class NotForShooting(BadInput):
    """{weapon} cannot be fired: its profile has no {missing}. Give it, or another weapon."""

    weapon: str
    missing: str


class ShootsOwnGang(RulesRefuse):
    """{fighter} cannot choose {target} of the same gang as a target: ranged attacks are made against enemies.
    Friends are hit under a marker, a template or by strays.
    """

    fighter: str
    target: str


class ShooterDown(RulesRefuse):
    """{fighter} is {condition} and makes no ranged attack. Record the recovery first, or look at the entries
    before.
    """

    # `condition` is 'Seriously Injured' or 'Webbed'.

    fighter: str
    condition: str


class TargetHides(RulesRefuse):
    """{target} is Prone and in cover and cannot be targeted (Shooting · 1. Assess Target Priority). If this
    fighter stands again, write 'prone: false'.
    """

    target: str


class SkipNotFree(RulesRefuse):
    """{model} cannot be skipped as {because:words}: {fault}. Leave 'because' out and roll the Cool test, or
    record first what happened.
    """

    model: str
    because: str
    fault: str


class PostureContradicted(RulesRefuse):
    """{fighter} is Seriously Injured and so Prone, not standing. Record the recovery first, or take 'prone:
    false' out.
    """

    fighter: str


class TooManyFirepowerDice(BadInput):
    """{weapon} rolls 1 to {allowed} Firepower dice, not {asked} (Shooting · The Firepower Dice)."""

    weapon: str
    asked: int
    allowed: int


class NotASidearm(RulesRefuse):
    """{weapon} is no Sidearm, and only two Sidearms are fired together (Shooting · Twin Guns Blazing)."""

    weapon: str


class CrewFiresSidearms(RulesRefuse):
    """{crew} is the crew of a vehicle and fires Sidearms alone of what crew carry; {weapon} is none. If it is
    the vehicle's weapon, write 'from_vehicle' with its id; house rules that allow more: 'arbitrator rules
    show crew.own_weapons'.
    """

    crew: str
    weapon: str


class UnwieldyNeedsDouble(RulesRefuse):
    """{weapon} is Unwieldy: firing it is a Double action, not a Basic one (Weapon Traits)."""

    weapon: str


class SkillNotHeld(RulesRefuse):
    fighter: str
    skill: str

    def message(self) -> str:
        return f"{self.fighter} does not have the skill {self.skill.replace('_', ' ').title()}."


class WeaponOutOfAmmo(RulesRefuse):
    """{fighter}'s {weapon} is Out of Ammo: record a successful 'reload:' first (Shooting · The Firepower
    Dice).
    """

    fighter: str
    weapon: str


class WeaponDoneForBattle(RulesRefuse):
    """{fighter}'s {weapon} is done for this battle: {why}."""

    fighter: str
    weapon: str
    why: str


class NoReloadNow(RulesRefuse):
    """{fighter} is {condition} and makes no Reload action. Record the rally or the recovery first, or look at
    the entries before.
    """

    # `condition` is 'Broken', 'Seriously Injured' or 'Webbed'.

    fighter: str
    condition: str


class NothingToReload(RulesRefuse):
    """{fighter}'s {weapon} is not Out of Ammo, so there is nothing to reload."""

    fighter: str
    weapon: str
