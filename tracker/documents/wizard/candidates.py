"""Candidates: which function finds what a key of an entry could name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tracker.documents.wizard import after_candidates as after
from tracker.documents.wizard import battle_candidates as battle
from tracker.documents.wizard import tables
from tracker.documents.wizard.forms import Form
from tracker.documents.wizard.tables import Answers, Choice, Table

Finder: TypeAlias = Callable[[Table, Answers], tuple[Choice, ...] | None]

_GENERAL: Final[Mapping[str, Finder]] = {
    "attacker": tables.anybody,
    "assisted_by": tables.friends,
    "by": tables.by,
    "captive": after.captives,
    "fighter": tables.anybody,
    "fighters": tables.friends,
    "gang": tables.gangs,
    "patient": after.critical,
    "profile": battle.profiles,
    "target": tables.enemies_first,
    "targets": tables.enemies,
    "vehicle": tables.vehicles,
    "weapon": battle.weapons,
    "without": tables.friends,
    "weapons": battle.weapons,
    "worked_by": tables.friends,
}
_SPECIAL: Final[Mapping[tuple[str, str], Finder]] = {
    ("advance", "set"): after.sets,
    ("advance", "skill"): after.skills,
    ("advance", "take"): after.advancements,
    ("advance", "type"): after.new_types,
    ("battle_experience", "deeds"): tables.friends,
    ("bionic", "improves"): after.characteristics,
    ("bionic", "item"): after.stash,
    ("bionic", "place"): after.injuries,
    ("buy", "for"): after.buyers,
    ("buy", "item"): after.on_offer,
    ("buy", "vehicle"): after.vehicles_to_fit,
    ("captive_works", "territory"): after.workplaces,
    ("capture", "captive"): after.may_be_captured,
    ("coup_de_grace", "target"): battle.lying_enemies,
    ("credits", "from"): after.accounts,
    ("credits", "to"): after.accounts,
    ("crew", "fighter"): tables.friends,
    ("escape", "fighter"): after.captured,
    ("equipment", "item"): after.on_offer,
    ("equipment", "territory"): after.territories,
    ("experience", "fighter"): tables.everybody,
    ("flee", "engaged"): battle.leaving,
    ("flee", "near"): battle.staying,
    ("ganger_roll", "set"): after.any_set,
    ("hand_over", "from"): after.bearers,
    ("hand_over", "item"): after.things,
    ("hand_over", "to"): after.receivers,
    ("hire", "type"): after.types_for_hire,
    ("income", "territory"): after.territories,
    ("learn", "tables"): after.skill_tables,
    ("learn", "choose"): after.skill_tables,
    ("lose_territory", "territory"): after.territories,
    ("mutation", "fighter"): battle.to_mutate,
    ("nerve", "because_of"): battle.hurt_friends,
    ("new_leader", "fighter"): tables.friends,
    ("promotions", "troops"): tables.friends,
    ("patronage", "against"): after.other_gangs,
    ("ransom", "fighter"): after.for_ransom,
    ("recruit", "territory"): after.territories,
    ("reload", "fighter"): battle.out_of_ammo,
    ("sell", "item"): after.stash,
    ("shoot", "at_risk"): tables.enemies_first,
    ("shoot", "cover"): battle.cover,
    ("shoot", "firepower_dice"): battle.firepower,
    ("shoot", "range"): battle.shot_range,
    ("shoot", "target"): battle.shot_at,
    ("shoot", "under_marker"): battle.under_marker,
    ("shoot", "under_template"): battle.under_template,
    ("shoot", "weapon"): battle.fired,
    ("territory", "kind"): after.kinds_of_territory,
    ("territory", "name"): after.names_of_territory,
    ("trade_captive", "to"): after.other_gangs,
    ("trauma", "fighter"): battle.fallen,
    ("unpin", "fighter"): battle.pinned,
}


def candidates(table: Table, form: Form, key: str, answers: Answers) -> tuple[Choice, ...] | None:
    """Everything that this key of an entry could name; None where it is free. Empty: nothing to ask."""
    finder = _SPECIAL.get((form.kind, key)) or _GENERAL.get(key)
    if finder is not None:
        return finder(table, answers)
    words = form.question(key).words
    return tuple(Choice(value=word, name=word) for word in words) or None
