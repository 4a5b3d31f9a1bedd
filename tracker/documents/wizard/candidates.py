"""Candidates: which function finds what a key of an entry could name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tracker.documents.wizard import battle_candidates as battle
from tracker.documents.wizard import context
from tracker.documents.wizard import post_battle_candidates as after
from tracker.documents.wizard.context import Answers, Choice, Context
from tracker.documents.wizard.forms import Form

Finder: TypeAlias = Callable[[Context, Answers], tuple[Choice, ...] | None]

_GENERAL: Final[Mapping[str, Finder]] = {
    "attacker": context.all_fighters,
    "assisted_by": context.friends,
    "by": context.actor_candidates,
    "captive": after.captives,
    "fighter": context.all_fighters,
    "fighters": context.friends,
    "gang": context.gangs,
    "patient": after.critical,
    "profile": battle.profiles,
    "target": context.enemies_first,
    "targets": context.enemies,
    "vehicle": context.vehicles,
    "weapon": battle.weapons,
    "without": context.friends,
    "weapons": battle.weapons,
    "worked_by": context.friends,
}
_SPECIAL: Final[Mapping[tuple[str, str], Finder]] = {
    ("advance", "set"): after.sets,
    ("advance", "skill"): after.skills,
    ("advance", "take"): after.advancements,
    ("advance", "type"): after.new_types,
    ("battle_experience", "deeds"): context.friends,
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
    ("crew", "fighter"): context.friends,
    ("escape", "fighter"): after.captured,
    ("equipment", "item"): after.on_offer,
    ("equipment", "territory"): after.territories,
    ("experience", "fighter"): context.all_combatants,
    ("flee", "engaged"): battle.leaving,
    ("flee", "near"): battle.tested_to_flee,
    ("ganger_roll", "set"): after.any_set,
    ("hand_over", "from"): after.bearers,
    ("hand_over", "item"): after.items,
    ("hand_over", "to"): after.receivers,
    ("hire", "type"): after.types_for_hire,
    ("income", "territory"): after.territories,
    ("learn", "tables"): after.skill_tables,
    ("learn", "choose"): after.skill_tables,
    ("lose_territory", "territory"): after.territories,
    ("mutation", "fighter"): battle.to_mutate,
    ("nerve", "because_of"): battle.hurt_friends,
    ("new_leader", "fighter"): context.friends,
    ("promotions", "troops"): context.friends,
    ("patronage", "against"): after.other_gangs,
    ("ransom", "fighter"): after.for_ransom,
    ("recruit", "territory"): after.territories,
    ("reload", "fighter"): battle.out_of_ammo,
    ("sell", "item"): after.stash,
    ("shoot", "at_risk"): context.enemies_first,
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
    ("trauma", "fighter"): battle.out_of_action_fighters,
    ("unpin", "fighter"): battle.pinned,
}


def candidates(table: Context, form: Form, key: str, answers: Answers) -> tuple[Choice, ...] | None:
    """Everything that this key of an entry could name; None where it is free. Empty: nothing to ask."""
    finder = _SPECIAL.get((form.kind, key)) or _GENERAL.get(key)
    if finder is not None:
        return finder(table, answers)
    words = form.question(key).words
    return tuple(Choice(value=word, name=word) for word in words) or None
