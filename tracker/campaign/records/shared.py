"""Refusals that commands of several chapters share."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest


class UnknownFighter(BadInput):
    """No fighter {fighter!r} is enlisted.{fighter:nearest} See 'arbitrator roster show'."""

    fighter: str
    known: tuple[str, ...]


class VehicleNotFighter(BadInput):
    """`crew` is the driver's id, or empty."""

    vehicle: str
    crew: str

    def message(self) -> str:
        need = f"{self.vehicle} is a vehicle, and a fighter is needed here. Name one"
        return f"{need}, or its crew: {self.crew!r}." if self.crew else f"{need}."


class UnknownGang(BadInput):
    """No {game.gang} {gang!r} is enlisted.{gang:nearest} See 'arbitrator gang list'."""

    gang: str
    known: tuple[str, ...]


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


class WeaponOnVehicle(BadInput):
    """{weapon} is on {vehicle}, which {fighter} drives. Name the vehicle too: `from_vehicle: {vehicle_id}` in
    a `shoot`, `on_vehicle: {vehicle_id}` in a `reload`. Any other entry takes the weapon's numbers.
    """

    weapon: str
    fighter: str
    vehicle: str
    vehicle_id: str


class ProfileNotNamed(BadInput):
    lacks = "profile"
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


class CampaignOpenAlready(RulesRefuse):
    """The campaign {name!r} is open already."""

    name: str


class CampaignNotOpen(RulesRefuse):
    """This campaign has not begun: 'arbitrator campaign new NAME' opens one."""


class BattleUnderWayAlready(RulesRefuse):
    """Battle {battle!r} is still under way; it must end before this. 'arbitrator battle continue FILE' goes
    on with it, 'arbitrator battle close' ends it, 'arbitrator rollback preview --battle {battle}' strikes it.
    """

    battle: str


class NoBattleUnderWay(RulesRefuse):
    """No battle is under way, so {what} cannot happen."""

    what: str


class FighterOfAnotherGang(BadInput):
    """{fighter} fights for {own_gang}, not for {gang}."""

    fighter: str
    gang: str
    own_gang: str


class FighterListedTwice(BadInput):
    """{fighter} is listed twice: name everybody once."""

    fighter: str


class FighterNotInBattle(RulesRefuse):
    """{fighter} takes no part in battle {battle!r}: name this fighter in the {game.gang}'s crew, or leave the
    crew out.
    """

    fighter: str
    battle: str


class FighterOutOfPlay(RulesRefuse):
    """{fighter} went Out of Action earlier in battle {battle!r} and takes no further part in it."""

    fighter: str
    battle: str


class FighterHasFled(RulesRefuse):
    """{fighter} fled earlier in battle {battle!r} and takes no further part in it."""

    fighter: str
    battle: str


class FighterGone(RulesRefuse):
    """{fighter} is {standing}: nothing more can be done with this fighter."""

    fighter: str
    standing: str


class TargetsSelf(BadInput):
    """{fighter} cannot be both attacker and target. Leave the attacker out for a hit that nobody made."""

    rules_out = True
    fighter: str


class WeaponMissing(BadInput):
    """A hit needs a weapon: its name on the attacker's card, or its numbers written out."""


class StrengthMissing(BadInput):
    """{weapon} hits with its wielder's Strength, but no attacker is named."""

    weapon: str


class NoStrength(BadInput):
    """{weapon} has no Strength, and none of its traits acts without one, as Gas, Toxin or Flash do. Give
    its S, or the trait.
    """

    weapon: str


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


class NothingToAward(BadInput):
    """{amount} XP cannot be awarded: give a whole number from 1 to 100."""

    rules_out = True
    amount: int
