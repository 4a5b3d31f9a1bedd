"""Krug of the Iron Hawks and Mags of the Sump Rats: events, board rows and names for the reports' tests."""

from __future__ import annotations

from typing import Any

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Characteristics, Weapon, WeaponProfile
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.reports.names import Names

HOSTILE = "\x1b[2J[/bold]|=cmd\u202e\u200b\x9b`<b>"
"""Clears the screen, breaks markup, splits a cell, runs a formula, turns the line round."""
HOSTILE_SAFE = "[2J[/bold]|=cmd`<b>"

NAMES = Names(
    fighters={"krug": "Krug", "mags": "Mags"},
    gangs={"hawks": "Iron Hawks", "rats": "Sump Rats"},
    battles={"sump-raid": 3},
)
CARD = Characteristics(
    movement=5, weapon_skill=4, ballistic_skill=3, strength=3, toughness=3, wounds=1, initiative=4, attacks=1,
    leadership=7, cool=7, willpower=8, intelligence=8,
)  # fmt: skip
AUTOGUN = Weapon(weapon="autogun", profiles=(WeaponProfile(strength=3),), cost_credits=15)
FLAK = Armour(name="flak armour", save=6)
WOUND_4 = Die(purpose="wound", die="D6", faces=(4,), fighter="mags")
HIT = records.ResolveHit(attacker="krug", weapon="autogun", target="mags")


def roll(**given: Any) -> records.RollMade:
    """A typed wound roll of 4 on Mags, but for what is given."""
    made = {
        "number": 0, "purpose": "wound", "die": "D6", "faces": (4,), "symbol": None, "source": "typed",
        "fighter": "mags", "rolled_by": "hawks", "target": 3, "passed": True, "outcome": "wounds",
        "section": "Resolve Hits · 1",
    }  # fmt: skip
    return records.RollMade(**(made | given))


def injury(**given: Any) -> records.LastingInjurySuffered:
    """Mags is Hobbled by Krug, but for what is given."""
    made = {
        "fighter": "mags", "by": "krug", "table": "lasting_injuries", "cell": "46", "injury": "hobbled",
        "name": "Hobbled", "counts_as": None, "occurrence": 1, "within": None, "battle": 3,
        "section": "Lasting Injury Table",
    }  # fmt: skip
    return records.LastingInjurySuffered(**(made | given))


def recorded(
    event: records.Event,
    *,
    seq: int,
    entry: int,
    position: int,
    slot: int | None = None,
    causation: int | None = None,
) -> RecordedEvent:
    """An event in its place, on the evening of the first battle."""
    return RecordedEvent(
        seq=seq, entry=entry, position=position, slot=entry if slot is None else slot, at="2026-03-01T20:14:09Z",
        actor="vic", policy_version="printed", policy_digest="0a1b", causation=causation, event=event,
    )  # fmt: skip


def entry_57() -> tuple[RecordedEvent, ...]:
    """Krug's autogun takes Mags Out of Action."""
    events: tuple[records.Event, ...] = (
        records.DecisionTaken(command=HIT, dice=(WOUND_4,)),
        roll(outcome="Strength 3 against Toughness 3: wounds", target=4),
        records.FighterWentOutOfAction(
            fighter="mags", by="krug", reason="injury_dice", out_of_action_dice=1, lasting_injury_rolls=1
        ),
        records.ExperienceGained(
            fighter="krug", amount=2, reason="Mags Out of Action", victim="mags", section="Experience"
        ),
        injury(),
    )
    return tuple(
        recorded(
            event, seq=200 + place, entry=57, position=place, causation=199 + place if place > 1 else None
        )
        for place, event in enumerate(events, start=1)
    )


STUB_GUN: dict[str, Any] = {
    "weapon": "stub gun", "cost_credits": 5, "counts_as": 1, "profiles": [{
        "name": "", "strength": 3, "armour_penetration": 0, "damage": 1, "traits": ["Sidearm", "Plentiful"],
        "range_short_inches": 6, "range_long_inches": 12, "accuracy_short": 2, "accuracy_long": 0, "ammo": 4,
    }],
}  # fmt: skip


def fighter_row(**given: Any) -> dict[str, Any]:
    """Mags as the roster board shows her, but for what is given."""
    return {
        "fighter": "mags", "gang": "rats", "name": "Mags", "category": "champion", "kind": "Sump Boss",
        "status": "in_recovery", "standing": "enlisted", "cost_credits": 95, "experience": 6,
        "characteristics": dict(CARD),
        "skills": ["fearsome"], "grudges": ["hawks"], "armour": {"name": "flak armour", "save": 6},
        "field_armour": None, "weapons": [STUB_GUN],
        "wargear": ["photo-goggles"],
        "injuries": [{"injury": "hobbled", "name": "Hobbled", "counted_as": "hobbled", "battle_number": 3}],
        "enemies_taken_out": 1, "times_out_of_action": 2, "battles_fought": 3,
    } | given  # fmt: skip


def gang_row(**given: Any) -> dict[str, Any]:
    """The Sump Rats as the standings board shows them, but for what is given."""
    return {
        "gang": "rats", "name": "Sump Rats", "house": "cawdor", "player": "Ana", "credits": 40,
        "reputation": 3, "rating_credits": 95, "wealth_credits": 155, "battles": 3, "won": 2, "drawn": 0, "lost": 1,
        "enemies_taken_out": 1,
    } | given  # fmt: skip


DISPUTE_ROW: dict[str, Any] = {
    "dispute": 61, "status": "open", "raised_by": "Ana", "reason": "cocked die", "rule": None, "target_seq": 202,
    "target_entry": 57, "target_position": 2, "target_slot": 57, "at": "2026-03-08T19:00:00Z", "ruling": None,
}  # fmt: skip
