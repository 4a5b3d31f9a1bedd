"""The actions on a board, by the names that players use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms
from tracker.documents.wizard.legal_entries import choices, is_open
from tracker.documents.wizard.prompts import prompts_of
from tracker.documents.wizard.vehicle_candidates import driven
from tracker.rules.special_rules import MarkerGoes

SHOOT: Final = "shoot"
_CHART: Final = "injury_chart"
_ATTACKS: Final = (SHOOT, "fight", _CHART)
"""What is listed weapon by weapon, before everything else that somebody may do."""
_WEAPON_KEYS: Final = {SHOOT: "weapon"}
_AS_VICTIM: Final = frozenset({"out_of_action", "seriously_injured", "flesh_wound", "fall", "injury_roll"})
"""What happens to somebody, rather than what they do."""

_DOES: Final[Mapping[str, str]] = {
    "bottle": "Bottle check",
    "catch_fire": "Catch fire?",
    "condition": "A condition begins or ends",
    "control": "Loss of Control test",
    "driver": "The driver is hurt",
    "experience": "Gain XP",
    "fall": "Fall",
    "fight": "Fight",
    "flee": "Flee the battle",
    "hit": "Take a hit struck at the table",
    "injury_chart": "Attack: Injury Chart",
    "injury_roll": "Injury dice",
    "marker": "Marker in the End phase",
    "morale": "Morale check",
    "nerve": "Nerve test",
    "rally": "Rally test",
    "recovery": "Recovery test",
    "reload": "Reload",
    "restart": "Restart",
    "rolls_on": "It rolls on",
    "shoot": "Shoot",
    "stand": "Stand up",
    "thrown_clear": "Thrown clear",
    "trauma": "Fate",
    "unpin": "Stand up",
    "vehicle_hit": "Hit a vehicle",
    "vehicle_nerve": "Nerve test",
}
"""Kinds of entries, as somebody at the table calls them; others by their own name."""


class Action(NamedTuple):
    """Something that somebody may do now: the answers that begin it, and what it is called."""

    lines: str
    words: str
    about: str
    weapon: str = ""


def does(kind: str) -> str:
    """What a kind of entry is called at the table."""
    words = _DOES.get(kind) or kind.replace("_", " ")
    return words[:1].upper() + words[1:]


def actions_of(
    context: Context, who: str, kinds: Sequence[str]
) -> tuple[list[Action], list[Action], list[Action]]:
    """What somebody may do: attacks by weapon, the rest, and what may happen to them."""
    first = [action for kind in _ATTACKS if kind in kinds for action in attacks(context, kind, who)]
    more: list[Action] = []
    suffers: list[Action] = []
    if _CHART in kinds:  # by nobody
        suffers.append(
            Action(f"{_CHART}\n\n{who}", "Is hit, and nobody attacked", battle_forms()[_CHART].about)
        )
    for kind in kinds:
        if kind not in _ATTACKS:
            listed = suffers if kind in _AS_VICTIM else more
            listed.append(Action(f"{kind} {who}", does(kind), battle_forms()[kind].about))
    return first, more, suffers


def attacks(context: Context, kind: str, who: str, *, from_vehicle: str = "") -> Iterator[Action]:
    """An attack for each weapon that it can be made with, where the weapon is asked for by itself.

    The crew of a vehicle are asked first whether the weapon is the vehicle's.
    """
    form, said = battle_forms()[kind], {"attacker": who}
    drives = kind == SHOOT and driven(context, said) != ()
    if from_vehicle:
        said["from_vehicle"] = from_vehicle
    key = _WEAPON_KEYS.get(kind)
    prompt = next((prompt for prompt in prompts_of(form) if prompt.key == key), None)
    weapons = choices(context, form, prompt, said) if prompt is not None else None
    if not weapons:
        if not drives:
            yield Action(f"{kind} {who}", does(kind), form.about)
        return
    begun = [f"{kind} {who}", *([from_vehicle] if drives else [])]
    only = len(weapons) == 1  # then nothing is asked
    for weapon in weapons:
        lines = begun if only else [*begun, weapon.value]
        yield Action("\n".join(lines), f"{does(kind)}: {weapon.name}", form.about, weapon.value)


def reactions(context: Context, last: RecordedEvent) -> Iterator[tuple[str, list[Action]]]:
    """Who may react to the fight that was the last thing to happen, with each of their weapons."""
    battle, said = context.state.under_way, last.event
    fought = isinstance(said, records.DecisionTaken) and isinstance(said.command, records.Fight)
    if battle is None or battle.last_fight is None or not fought:
        return
    form = battle_forms()["fight"]
    prompt = next(prompt for prompt in prompts_of(form) if prompt.key == "weapons")
    for who in battle.last_fight.may_react:
        attack = {"attacker": who, "targets": [battle.last_fight.fighter], "reaction": True}
        card = context.state.fighter(who)
        if card is None or who in battle.last_fight.reacted or not is_open(context, form, attack):
            continue
        named = choices(context, form, prompt, attack) or ()
        armed = [(f"With {weapon.name}", {**attack, "weapons": [weapon.written]}) for weapon in named]
        yield (
            card.name,
            [
                Action(json.dumps({"fight": entry}), words, form.about)
                for words, entry in [*armed, ("Unarmed", attack)]
            ],
        )


def markers(context: Context) -> Iterator[str]:
    """The markers that lie on the battlefield, and what ends each."""
    battle = context.state.under_way
    for marker in battle.markers if battle is not None else ():
        row = context.book.traits.get(marker.trait)
        card = context.state.fighter(marker.by)
        ends = [effect for effect in row.effects if isinstance(effect.then, MarkerGoes)] if row else []
        how = "until this round ends"
        if any(isinstance(effect.then, MarkerGoes) and effect.then.strikes for effect in ends):
            how = "strikes in the End phase"
        elif any(effect.roll is not None for effect in ends):
            how = "a die in the End phase says whether it stays"
        whose = f", by {card.name}" if card is not None else ""
        yield f"{row.name if row else marker.trait} of {marker.weapon}{whose}: {how}"
