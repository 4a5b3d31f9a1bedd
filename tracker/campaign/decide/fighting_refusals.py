"""What close combat forbids, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class NobodyAttacked(BadInput):
    """A fight needs one target at least: targets: [mags]."""


class TargetNamedTwice(BadInput):
    """{fighter} is named twice as a target: give all dice against one enemy together."""

    fighter: str


class NoEnemy(BadInput):
    """{fighter} and {other} are of one gang, and close combat is between enemies: look at `attacker`,
    `targets`, `engaged`, `assists` and `interference`.
    """

    fighter: str
    other: str


class CrewNotEngaged(RulesRefuse):
    """{crew} is Crew, and nobody is engaged with who is aboard a vehicle. To attack the vehicle, name it:
    targets: [{{vehicle: ..., facing: side, mobile: false}}].
    """

    crew: str


class NotEngaged(BadInput):
    """{fighter} is not engaged with {attacker}. Name this fighter among the targets, or under `engaged`."""

    fighter: str
    attacker: str


class FighterProne(RulesRefuse):
    """{fighter} is Prone and {condition}, and only who is Standing can be engaged (Close Combat).
    {next_step}
    """

    # `condition` is 'Pinned', 'Seriously Injured' or 'Webbed'.

    fighter: str
    condition: str
    next_step: str


class TooManyWeapons(BadInput):
    weapons: tuple[str, ...]

    def message(self) -> str:
        return (
            f"A fighter attacks with two weapons at most; {', '.join(self.weapons)} are {len(self.weapons)}"
            " (Close Combat · 2. Choose Weapons)."
        )


class UnwieldyWithAnother(RulesRefuse):
    """{weapon} is Unwieldy and can only be used alone: take {other} out (Close Combat · 2. Choose
    Weapons).
    """

    weapon: str
    other: str


class NoCloseCombatWeapon(RulesRefuse):
    """{weapon} has neither the Melee nor the Sidearm trait and cannot be used in close combat. Without
    weapons the attacks are unarmed.
    """

    weapon: str


class MeleeWeaponAtHand(RulesRefuse):
    fighter: str
    sidearm: str
    weapons: tuple[str, ...]

    def message(self) -> str:
        return (
            f"Only one Attack dice may go to {self.fighter}'s {self.sidearm}, and the rest to a Melee weapon"
            f" before unarmed attacks: name {' or '.join(self.weapons)} as the second weapon."
        )


class CannotReachAcross(RulesRefuse):
    """{target} stands behind an obstacle of 1 inch or more, and {weapon} is not Versatile (Close Combat ·
    Fighting Across Barricades).
    """

    weapon: str
    target: str


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


class CarriesOnlyOne(BadInput):
    """{fighter}'s card has one {weapon}, not two: enlist the other, or write its numbers."""

    fighter: str
    weapon: str


class SaidTwoWays(BadInput):
    """{one} and {other} do not go together: {why}."""

    one: str
    other: str
    why: str


class NoReaction(RulesRefuse):
    """{fighter} cannot react to {attacker}'s attack: {why} (Close Combat · 7. Reaction Attacks)."""

    fighter: str
    attacker: str
    why: str


class ChargeFoughtAlready(RulesRefuse):
    """{fighter} charged and fought in activation {activation!r} already: a Charge takes the whole activation
    and brings one Fight. Give another fight another `activation`.
    """

    fighter: str
    activation: str


class NoCoupDeGrace(RulesRefuse):
    """{fighter} cannot give {target} a Coup de Grace: it is for an enemy who is Prone and Seriously
    Injured.
    """

    fighter: str
    target: str


class NotPinned(RulesRefuse):
    """{fighter} is {condition} and has not to stand up."""

    fighter: str
    condition: str
