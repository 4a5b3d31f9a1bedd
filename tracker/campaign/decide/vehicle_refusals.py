"""Refusals of the chapter on vehicles."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest


class UnknownVehicle(BadInput):
    """There is no vehicle {vehicle!r} in this campaign.{vehicle:nearest} Known: {known:or none}."""

    vehicle: str
    known: tuple[str, ...]


class FighterNotVehicle(BadInput):
    """{fighter} is a fighter, and this is about a vehicle. For a fighter write `hit`."""

    fighter: str


class VehicleNotInBattle(RulesRefuse):
    """{vehicle} takes no part in battle {battle!r}: its crew must be among the gang's fighters, and it must
    not be In Repair.
    """

    vehicle: str
    battle: str


class VehicleWreckedAlready(RulesRefuse):
    """{vehicle} was wrecked earlier in battle {battle!r} and takes no further part in it."""

    vehicle: str
    battle: str


class VehicleNotWrecked(RulesRefuse):
    """{vehicle} is not wrecked, so nobody is thrown clear of it."""

    vehicle: str


class CrewIsNotThrownClear(RulesRefuse):
    """{fighter} is the crew of {vehicle} and went Out of Action with it: only who was aboard besides is
    thrown clear.
    """

    fighter: str
    vehicle: str


class MobileAndNot(BadInput):
    """{vehicle} is said to be {said}, but {known}. Put one of the two right."""

    vehicle: str
    said: str
    known: str


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


class UnknownChoice(BadInput):
    what: str
    given: str
    known: tuple[str, ...]

    def message(self) -> str:
        guess = nearest(self.given, self.known)
        return f"{self.given!r} is no {self.what}.{guess} Known: {', '.join(self.known)}."


class NothingCanBeHit(BadInput):
    """Every location of {vehicle} is said to be impossible to hit: leave out at least one."""

    vehicle: str


class TraitMeansNothingToVehicles(RulesRefuse):
    """{trait} acts on fighters, and the book at hand does not say what it does to {vehicle}. Agree at the
    table, and record a hit by plain numbers if there is one.
    """

    trait: str
    vehicle: str


class HitsOwnVehicle(BadInput):
    """{fighter} is the crew of {vehicle} and cannot hit it. Leave the attacker out."""

    fighter: str
    vehicle: str


class VehicleEnlistedAlready(RulesRefuse):
    """The id {vehicle!r} is taken by a {known_as} of this campaign. Give this one another."""

    vehicle: str
    known_as: str


class CrewNotInGang(BadInput):
    """The crew of {vehicle}, {crew!r}, is no fighter of its gang.{crew:nearest}"""

    vehicle: str
    crew: str
    known: tuple[str, ...]


class CrewHasVehicle(BadInput):
    """{crew} drives {other} already and cannot be the crew of {vehicle} too."""

    vehicle: str
    crew: str
    other: str


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


class NoWreckToTestFor(RulesRefuse):
    """{vehicle} takes no Nerve test for {wreck}, which {why}: vehicles test for friendly wrecks alone."""

    vehicle: str
    wreck: str
    why: str


class VehicleNotDescribed(BadInput):
    """{vehicle} is a vehicle: say how it is hit, as {{vehicle: ID, facing: front, mobile: true}} in the place
    of its id alone.
    """

    vehicle: str


class CrewInsideVehicle(RulesRefuse):
    """{fighter} drives {vehicle} and is hit through it alone. Name the vehicle."""

    fighter: str
    vehicle: str


class WeaponOfAnotherGang(RulesRefuse):
    """{fighter} cannot man a weapon of {vehicle}, which is another gang's."""

    fighter: str
    vehicle: str


class MansAnotherVehicle(RulesRefuse):
    """{fighter} drives {other} and cannot man a weapon of {vehicle}."""

    fighter: str
    vehicle: str
    other: str


class DriverUnconscious(RulesRefuse):
    """The driver of {vehicle} has blacked out and {what}. Record 'driver:' in the End phase first: the driver
    may wake up.
    """

    vehicle: str
    what: str


class NeedsNoRestart(RulesRefuse):
    """{vehicle} is Mobile: only a vehicle that is Stationary and Stalled takes a Restart test."""

    vehicle: str


class DriverUnhurt(RulesRefuse):
    """The driver of {vehicle} is neither wounded nor unconscious: nothing is rolled."""

    vehicle: str


class DoesNotRoll(RulesRefuse):
    """{vehicle} does not roll on: only a vehicle that rolled over while Mobile does, once and at once."""

    vehicle: str


class ChoosesAndNot(BadInput):
    """Every result against {vehicle} is applied where nobody chooses: take the location and damage that are
    kept out, or say whether the attacker or the vehicle chooses.
    """

    vehicle: str
