"""The roster: one row for each fighter, with a status that says whether they can fight.

Knows a fighter's record. Knows no history: other boards explain the numbers.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec

from tracker.campaign.fighters import Fighter, InjurySuffered, Standing
from tracker.campaign.profiles import Category
from tracker.projections.row_json import FieldCache, as_json, plain_weapons

Status: TypeAlias = Literal[
    "available",
    "convalescing",
    "in_recovery",
    "away",
    "capture_pending",
    "captive",
    "critical",
    "retired",
    "dead",
    "sold",
]
STATUSES: tuple[Status, ...] = (
    "available", "convalescing", "in_recovery", "away", "capture_pending", "captive", "critical", "retired",
    "dead", "sold",
)  # fmt: skip


class InjuryOnCard(TypedDict):
    """A lasting injury as the roster shows it."""

    injury: str
    name: str
    counted_as: str
    battle_number: int | None


class FighterRow(TypedDict):
    """A fighter as the roster shows them. `recovering_since` is a battle number."""

    fighter: str
    gang: str
    name: str
    category: Category
    kind: str
    status: Status
    standing: Standing
    cost_credits: int
    experience: int
    characteristics: dict[str, int]
    skills: list[str]
    grudges: list[str]
    flags: list[str]
    promoted_from: str | None
    brought_from: str | None
    armour: dict[str, Any] | None
    field_armour: dict[str, Any] | None
    weapons: list[dict[str, Any]]
    wargear: list[str]
    injuries: list[InjuryOnCard]
    convalescing: bool
    recovering_since: int | None
    capture_pending: bool
    captor: str | None
    held_by: str | None
    rescue: str | None
    works_at: str | None
    absent_since: int | None
    critical: bool
    enemies_taken_out: int
    times_out_of_action: int
    battles_fought: int
    experience_spent: int
    advancements: int
    times_improved: dict[str, int]
    bionics: list[str]
    mutations: list[str]
    mutations_to_choose: int
    daemon: bool


def status(fighter: Fighter) -> Status:
    """The most serious status of a fighter."""
    if fighter.standing != "enlisted":
        return fighter.standing
    if fighter.critical:
        return "critical"
    if fighter.held_by is not None:
        return "captive"
    if fighter.capture_pending:
        return "capture_pending"
    if fighter.recovering_since is not None:
        return "in_recovery"
    if fighter.absent_since is not None:
        return "away"
    return "convalescing" if fighter.convalescing else "available"


def is_gone(fighter: Fighter) -> bool:
    """Whether a fighter left for good: dead, retired or sold."""
    return fighter.standing != "enlisted"


def fighter_row(fighter: Fighter) -> FighterRow:
    """A fighter's row of the board."""
    parts = {
        "characteristics": dict(fighter.characteristics),
        "skills": list(fighter.skills),
        "grudges": list(fighter.grudges),
        "flags": list(fighter.flags),
        "armour": _plain(fighter.armour),
        "field_armour": _plain(fighter.field_armour),
        "weapons": plain_weapons(fighter.weapons),
        "wargear": list(fighter.wargear),
        "injuries": _injuries(fighter.injuries),
        "times_improved": dict(fighter.times_improved),
        "bionics": list(fighter.bionics),
        "mutations": list(fighter.mutations),
    }
    return _row(fighter, parts)


def fighter_text(fighter: Fighter) -> str:
    """A fighter's row as the JSON that the board stores."""
    return as_json(_row(fighter, _CACHED.fields_of(fighter.fighter, fighter)))


def _row(fighter: Fighter, parts: Mapping[str, Any]) -> FighterRow:
    return FighterRow(
        fighter=fighter.fighter,
        gang=fighter.gang,
        name=fighter.name,
        category=fighter.category,
        kind=fighter.kind,
        status=status(fighter),
        standing=fighter.standing,
        cost_credits=fighter.cost_credits,
        experience=fighter.experience,
        characteristics=parts["characteristics"],
        skills=parts["skills"],
        grudges=parts["grudges"],
        flags=parts["flags"],
        promoted_from=fighter.promoted_from,
        brought_from=fighter.brought_from,
        armour=parts["armour"],
        field_armour=parts["field_armour"],
        weapons=parts["weapons"],
        wargear=parts["wargear"],
        injuries=parts["injuries"],
        convalescing=fighter.convalescing,
        recovering_since=fighter.recovering_since,
        capture_pending=fighter.capture_pending,
        captor=fighter.captor,
        held_by=fighter.held_by,
        rescue=fighter.rescue,
        works_at=fighter.works_at,
        absent_since=fighter.absent_since,
        critical=fighter.critical,
        enemies_taken_out=fighter.enemies_taken_out,
        times_out_of_action=fighter.times_out_of_action,
        battles_fought=fighter.battles_fought,
        experience_spent=fighter.experience_spent,
        advancements=fighter.advancements,
        times_improved=parts["times_improved"],
        bionics=parts["bionics"],
        mutations=parts["mutations"],
        mutations_to_choose=fighter.mutations_to_choose,
        daemon=fighter.daemon,
    )


def _injuries(injuries: Sequence[InjurySuffered]) -> list[InjuryOnCard]:
    return [
        InjuryOnCard(
            injury=injury.injury,
            name=injury.name,
            counted_as=injury.counted_as,
            battle_number=injury.battle,
        )
        for injury in injuries
    ]


def _plain(record: Any) -> Any:
    # Tuples become lists, as they do when a row is read back.
    return msgspec.json.decode(msgspec.json.encode(record))


_CACHED = FieldCache(
    *("characteristics", "skills", "grudges", "flags", "armour", "field_armour", "weapons", "wargear"),
    *("injuries", "times_improved", "bionics", "mutations"),
    rows={"injuries": _injuries, "weapons": plain_weapons},
)
