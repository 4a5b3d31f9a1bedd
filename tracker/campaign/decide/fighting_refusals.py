"""What close combat forbids, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class NobodyAttacked(BadInput):
    def message(self) -> str:
        return "A fight needs one target at least: targets: [mags]."


@dataclass(eq=False)
class TargetNamedTwice(BadInput):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is named twice as a target: give all dice against one enemy together."


@dataclass(eq=False)
class NoEnemy(BadInput):
    fighter: str
    other: str

    def message(self) -> str:
        return (
            f"{self.fighter} and {self.other} are of one gang, and close combat is between enemies: look at"
            " `attacker`, `targets`, `engaged`, `assists` and `interference`."
        )


@dataclass(eq=False)
class CrewNotEngaged(RulesRefuse):
    crew: str

    def message(self) -> str:
        return (
            f"{self.crew} is Crew, and nobody is engaged with who is aboard a vehicle. To attack the vehicle,"
            " name it: targets: [{vehicle: ..., facing: side, mobile: false}]."
        )


@dataclass(eq=False)
class NotEngaged(BadInput):
    fighter: str
    attacker: str

    def message(self) -> str:
        return (
            f"{self.fighter} is not engaged with {self.attacker}. Name this fighter among the targets, or"
            " under `engaged`."
        )


@dataclass(eq=False)
class FighterProne(RulesRefuse):
    """`condition` is 'Pinned', 'Seriously Injured' or 'Webbed'."""

    fighter: str
    condition: str
    next_step: str

    def message(self) -> str:
        return (
            f"{self.fighter} is Prone and {self.condition}, and only who is Standing can be engaged (Close"
            f" Combat). {self.next_step}"
        )


@dataclass(eq=False)
class TooManyWeapons(BadInput):
    weapons: tuple[str, ...]

    def message(self) -> str:
        return (
            f"A fighter attacks with two weapons at most; {', '.join(self.weapons)} are {len(self.weapons)}"
            " (Close Combat · 2. Choose Weapons)."
        )


@dataclass(eq=False)
class UnwieldyWithAnother(RulesRefuse):
    weapon: str
    other: str

    def message(self) -> str:
        return (
            f"{self.weapon} is Unwieldy and can only be used alone: take {self.other} out (Close Combat · 2."
            " Choose Weapons)."
        )


@dataclass(eq=False)
class NoCloseCombatWeapon(RulesRefuse):
    weapon: str

    def message(self) -> str:
        return (
            f"{self.weapon} has neither the Melee nor the Sidearm trait and cannot be used in close combat."
            " Without weapons the attacks are unarmed."
        )


@dataclass(eq=False)
class MeleeWeaponAtHand(RulesRefuse):
    fighter: str
    sidearm: str
    weapons: tuple[str, ...]

    def message(self) -> str:
        return (
            f"Only one Attack dice may go to {self.fighter}'s {self.sidearm}, and the rest to a Melee weapon"
            f" before unarmed attacks: name {' or '.join(self.weapons)} as the second weapon."
        )


@dataclass(eq=False)
class CannotReachAcross(RulesRefuse):
    weapon: str
    target: str

    def message(self) -> str:
        return (
            f"{self.target} stands behind an obstacle of 1 inch or more, and {self.weapon} is not Versatile"
            " (Close Combat · Fighting Across Barricades)."
        )


@dataclass(eq=False)
class DiceShareMissing(BadInput):
    """`ways` are the shares there are, each as people write it."""

    fighter: str
    dice: int
    weapons: tuple[str, ...]
    ways: tuple[str, ...]
    targets: int

    def message(self) -> str:
        if self.targets > 1:
            whom = "say of each target how many it takes"
        else:
            whom = "say which weapon takes the odd one"
        return (
            f"{self.fighter} has {self.dice} Attack dice ({', '.join(self.weapons)}): {whom}, with `dice:`"
            f" for each weapon in that order. Altogether {' or '.join(self.ways)}."
        )


@dataclass(eq=False)
class DiceShareWrong(RulesRefuse):
    fighter: str
    given: str
    dice: int
    weapons: tuple[str, ...]
    ways: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.fighter} has {self.dice} Attack dice, shared out as {' or '.join(self.ways)}"
            f" ({', '.join(self.weapons)}), not as {self.given} (Close Combat · 3. Determine Attack Dice)."
        )


@dataclass(eq=False)
class CarriesOnlyOne(BadInput):
    fighter: str
    weapon: str

    def message(self) -> str:
        return (
            f"{self.fighter}'s card has one {self.weapon}, not two: enlist the other, or write its numbers."
        )


@dataclass(eq=False)
class SaidTwoWays(BadInput):
    """Two things that contradict each other."""

    one: str
    other: str
    why: str

    def message(self) -> str:
        return f"{self.one} and {self.other} do not go together: {self.why}."


@dataclass(eq=False)
class NoReaction(RulesRefuse):
    fighter: str
    attacker: str
    why: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot react to {self.attacker}'s attack: {self.why} (Close Combat · 7. Reaction"
            " Attacks)."
        )


@dataclass(eq=False)
class ChargeFoughtAlready(RulesRefuse):
    fighter: str
    activation: str

    def message(self) -> str:
        return (
            f"{self.fighter} charged and fought in activation {self.activation!r} already: a Charge takes the"
            " whole activation and brings one Fight. Give another fight another `activation`."
        )


@dataclass(eq=False)
class NoCoupDeGrace(RulesRefuse):
    fighter: str
    target: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot give {self.target} a Coup de Grace: it is for an enemy who is Prone and"
            " Seriously Injured."
        )


@dataclass(eq=False)
class NotPinned(RulesRefuse):
    fighter: str
    condition: str

    def message(self) -> str:
        return f"{self.fighter} is {self.condition} and has not to stand up."
