"""Refusals of the chapter on vehicles."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class UnknownVehicle(BadInput):
    vehicle: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no vehicle {self.vehicle!r} in this campaign.{nearest(self.vehicle, self.known)}"
            f" Known: {', '.join(self.known) or 'none'}."
        )


@dataclass(eq=False)
class FighterNotVehicle(BadInput):
    """A fighter was named where a vehicle is needed."""

    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is a fighter, and this is about a vehicle. For a fighter write `hit`."


@dataclass(eq=False)
class VehicleNotInBattle(RulesRefuse):
    vehicle: str
    battle: str

    def message(self) -> str:
        return (
            f"{self.vehicle} takes no part in battle {self.battle!r}: its crew must be among the gang's"
            " fighters, and it must not be In Repair."
        )


@dataclass(eq=False)
class VehicleWreckedAlready(RulesRefuse):
    vehicle: str
    battle: str

    def message(self) -> str:
        return (
            f"{self.vehicle} was wrecked earlier in battle {self.battle!r} and takes no further part in it."
        )


@dataclass(eq=False)
class VehicleNotWrecked(RulesRefuse):
    vehicle: str

    def message(self) -> str:
        return f"{self.vehicle} is not wrecked, so nobody is thrown clear of it."


@dataclass(eq=False)
class CrewIsNotThrownClear(RulesRefuse):
    fighter: str
    vehicle: str

    def message(self) -> str:
        return (
            f"{self.fighter} is the crew of {self.vehicle} and went Out of Action with it: only who was"
            " aboard besides is thrown clear."
        )


@dataclass(eq=False)
class MobileAndNot(BadInput):
    """What is stated contradicts what is known."""

    vehicle: str
    said: str
    known: str

    def message(self) -> str:
        return f"{self.vehicle} is said to be {self.said}, but {self.known}. Put one of the two right."


@dataclass(eq=False)
class DieNotChosen(BadInput):
    """Several Location dice fell, and nobody said which is kept."""

    vehicle: str
    rolled: tuple[str, ...]
    chooser: str

    def message(self) -> str:
        return (
            f"{self.vehicle} was hit on {' and '.join(self.rolled)}; the {self.chooser} keeps one of"
            f" them. Say which, or an order of preference: choose: {{location: [{', '.join(self.rolled)}]}}."
        )


@dataclass(eq=False)
class UnknownChoice(BadInput):
    what: str
    given: str
    known: tuple[str, ...]

    def message(self) -> str:
        guess = nearest(self.given, self.known)
        return f"{self.given!r} is no {self.what}.{guess} Known: {', '.join(self.known)}."


@dataclass(eq=False)
class NothingCanBeHit(BadInput):
    vehicle: str

    def message(self) -> str:
        return f"Every location of {self.vehicle} is said to be impossible to hit: leave out at least one."


@dataclass(eq=False)
class TraitMeansNothingToVehicles(RulesRefuse):
    trait: str
    vehicle: str

    def message(self) -> str:
        return (
            f"{self.trait} acts on fighters, and the book at hand does not say what it does to"
            f" {self.vehicle}. Agree at the table, and record a hit by plain numbers if there is one."
        )


@dataclass(eq=False)
class HitsOwnVehicle(BadInput):
    fighter: str
    vehicle: str

    def message(self) -> str:
        return f"{self.fighter} is the crew of {self.vehicle} and cannot hit it. Leave the attacker out."


@dataclass(eq=False)
class VehicleEnlistedAlready(RulesRefuse):
    vehicle: str
    known_as: str

    def message(self) -> str:
        return (
            f"The id {self.vehicle!r} is taken by a {self.known_as} of this campaign. Give this one another."
        )


@dataclass(eq=False)
class CrewNotInGang(BadInput):
    vehicle: str
    crew: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"The crew of {self.vehicle}, {self.crew!r}, is no fighter of its gang."
            f"{nearest(self.crew, self.known)}"
        )


@dataclass(eq=False)
class CrewHasVehicle(BadInput):
    vehicle: str
    crew: str
    other: str

    def message(self) -> str:
        return f"{self.crew} drives {self.other} already and cannot be the crew of {self.vehicle} too."


@dataclass(eq=False)
class VehicleNumberOutOfRange(BadInput):
    vehicle: str
    number: str
    value: int
    lowest: int
    highest: int

    def message(self) -> str:
        mark = {"handling": "+", "save": "+", "movement": '"'}.get(self.number, "")
        what = self.number.replace("_", " ").capitalize()
        return (
            f"{self.vehicle}: {what} {self.value}{mark} cannot be: the book prints {self.lowest}{mark} to"
            f" {self.highest}{mark}. Put the card right."
        )


@dataclass(eq=False)
class NoWreckToTestFor(RulesRefuse):
    vehicle: str
    wreck: str
    why: str

    def message(self) -> str:
        return (
            f"{self.vehicle} takes no Nerve test for {self.wreck}, which {self.why}: vehicles test for"
            " friendly wrecks alone."
        )


@dataclass(eq=False)
class VehicleNotDescribed(BadInput):
    vehicle: str

    def message(self) -> str:
        return (
            f"{self.vehicle} is a vehicle: say how it is hit, as {{vehicle: ID, facing: front, mobile: true}}"
            " in the place of its id alone."
        )


@dataclass(eq=False)
class CrewInsideVehicle(RulesRefuse):
    fighter: str
    vehicle: str

    def message(self) -> str:
        return f"{self.fighter} drives {self.vehicle} and is hit through it alone. Name the vehicle."


@dataclass(eq=False)
class WeaponOfAnotherGang(RulesRefuse):
    fighter: str
    vehicle: str

    def message(self) -> str:
        return f"{self.fighter} cannot man a weapon of {self.vehicle}, which is another gang's."


@dataclass(eq=False)
class MansAnotherVehicle(RulesRefuse):
    fighter: str
    vehicle: str
    other: str

    def message(self) -> str:
        return f"{self.fighter} drives {self.other} and cannot man a weapon of {self.vehicle}."


@dataclass(eq=False)
class DriverUnconscious(RulesRefuse):
    vehicle: str
    what: str

    def message(self) -> str:
        return (
            f"The driver of {self.vehicle} has blacked out and {self.what}. Record 'driver:' in the End phase"
            " first: the driver may wake up."
        )


@dataclass(eq=False)
class NeedsNoRestart(RulesRefuse):
    vehicle: str

    def message(self) -> str:
        return (
            f"{self.vehicle} is Mobile: only a vehicle that is Stationary and Stalled takes a Restart test."
        )


@dataclass(eq=False)
class DriverUnhurt(RulesRefuse):
    vehicle: str

    def message(self) -> str:
        return f"The driver of {self.vehicle} is neither wounded nor unconscious: nothing is rolled."


@dataclass(eq=False)
class DoesNotRoll(RulesRefuse):
    vehicle: str

    def message(self) -> str:
        return (
            f"{self.vehicle} does not roll on: only a vehicle that rolled over while Mobile does, once and at"
            " once."
        )


@dataclass(eq=False)
class ChoosesAndNot(BadInput):
    vehicle: str

    def message(self) -> str:
        return (
            f"Every result against {self.vehicle} is applied where nobody chooses: take the location and"
            " damage that are kept out, or say whether the attacker or the vehicle chooses."
        )
