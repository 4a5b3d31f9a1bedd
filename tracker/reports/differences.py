"""Differences: what stands otherwise in one state of a campaign than in another, card by card.

Knows two states and no history: why something changed is the preview's to tell. A difference is a
plain row `{gang, fighter, what, before, after}`: ids (None where it is about no gang or fighter), then
words; `before` None means it is new, `after` None that it is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypedDict

from tracker.campaign.holdings import rating, wealth
from tracker.campaign.refusals import UnknownGang
from tracker.campaign.state import (
    BattleUnderWay,
    CampaignState,
    Combatant,
    Fighter,
    Gang,
    InjurySuffered,
    PolicyInForce,
)
from tracker.projections.roster import status
from tracker.reports.cards import characteristic_name, characteristic_shown, plain, status_words, titled
from tracker.reports.names import Names
from tracker.reports.paper import json_text, safe


class Difference(TypedDict):
    """One thing that stands otherwise. Made for JSON as it is."""

    gang: str | None
    fighter: str | None
    what: str
    before: str | None
    after: str | None


def differences(before: CampaignState, after: CampaignState, names: Names) -> list[Difference]:
    """Everything a person would see on a roster, in standings or at the table, in roster order."""
    found = _pairs(None, None, _campaign(before, names), _campaign(after, names))
    for gang in _ids(before.gangs, after.gangs):
        old, new = before.gangs.get(gang), after.gangs.get(gang)
        if old is not new:
            found += _gang_differences(gang, old, new, names)
    for fighter in _ids(_combatants(before.under_way), _combatants(after.under_way)):
        old_one = _combatants(before.under_way).get(fighter)
        new_one = _combatants(after.under_way).get(fighter)
        if old_one is not new_one:
            own = after.gang_of.get(fighter) or before.gang_of.get(fighter)
            facts = _at_the_table(old_one), _at_the_table(new_one)
            if old_one is None or new_one is None:
                # The battle itself came or went: only what befell them in it is worth a line.
                facts = _befallen(facts[0]), _befallen(facts[1])
            found += _pairs(own, fighter, *facts)
    return found


def differences_lines(found: Sequence[Difference], names: Names) -> list[str]:
    """'Mags (Iron Hawks): Ballistic Skill 5+ -> 4+', one line each; one line where there is none."""
    return [_line(one, names) for one in found] or ["Nothing stands otherwise on any roster."]


def about_whom(found: Sequence[Difference], who: str | None, names: Names) -> list[Difference]:
    """Those about one gang or one fighter, by id or name; all of them when nobody is named."""
    if who is None:
        return list(found)
    fighter, wanted = names.fighter_called(who), who.casefold()
    if fighter in names.fighters:
        return [one for one in found if one["fighter"] == fighter]
    for gang, name in names.gangs.items():
        if wanted in (gang, name.casefold()):
            return [one for one in found if one["gang"] == gang]
    raise UnknownGang(gang=who, known=(*names.gangs, *names.fighters))


def roster_diff_text(
    found: Sequence[Difference], names: Names, *, heading: str, words: tuple[str, ...]
) -> str:
    """The lines under a heading that names both points."""
    return "\n".join([f"{heading}: {words[0]} -> {words[1]}", "", *differences_lines(found, names)])


def roster_diff_json(found: Sequence[Difference], *, points: tuple[str, ...]) -> str:
    """The rows for programs, with both points as they can be typed."""
    return json_text(
        "roster-diff", {"from": points[0], "to": points[1], "differences": [dict(one) for one in found]}
    )


Facts = dict[str, str]


def _line(one: Difference, names: Names) -> str:
    who = ""
    if one["fighter"] is not None:
        gang = f" ({names.gang(one['gang'])})" if one["gang"] is not None else ""
        who = f"{names.fighter(one['fighter'])}{gang}: "
    elif one["gang"] is not None:
        who = f"{names.gang(one['gang'])}: "
    if one["before"] is None:
        return f"{who}gains {one['what']}: {one['after']}" if one["after"] else f"{who}gains {one['what']}"
    if one["after"] is None:
        return f"{who}loses {one['what']}: {one['before']}" if one["before"] else f"{who}loses {one['what']}"
    return f"{who}{one['what']} {one['before']} -> {one['after']}"


def _gang_differences(gang: str, old: Gang | None, new: Gang | None, names: Names) -> list[Difference]:
    found = _pairs(gang, None, _gang(old), _gang(new))
    found += _lists(gang, None, "territory", _territories(old), _territories(new))
    found += _lists(gang, None, "in the stash", _stash(old), _stash(new))
    old_fighters = old.fighters if old is not None else {}
    new_fighters = new.fighters if new is not None else {}
    for fighter in _ids(old_fighters, new_fighters):
        was, is_now = old_fighters.get(fighter), new_fighters.get(fighter)
        if was is is_now:
            continue
        if was is None or is_now is None:
            found += _pairs(gang, fighter, _place(was), _place(is_now))
            continue
        found += _pairs(gang, fighter, _fighter(was, names), _fighter(is_now, names))
        found += _lists(gang, fighter, "lasting injury", _injuries(was), _injuries(is_now))
        for what, before, after in _kit(was, is_now, names):
            found += _lists(gang, fighter, what, before, after)
    return found


def _ids(before: Iterable[str], after: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*before, *after]))


def _pairs(gang: str | None, fighter: str | None, before: Facts, after: Facts) -> list[Difference]:
    return [
        Difference(gang=gang, fighter=fighter, what=what, before=before.get(what), after=after.get(what))
        for what in _ids(before, after)
        if before.get(what) != after.get(what)
    ]


def _lists(
    gang: str, fighter: str | None, what: str, before: Sequence[str], after: Sequence[str]
) -> list[Difference]:
    lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return [
        *(
            Difference(gang=gang, fighter=fighter, what=what, before=one, after=None)
            for one in lost.elements()
        ),
        *(
            Difference(gang=gang, fighter=fighter, what=what, before=None, after=one)
            for one in gained.elements()
        ),
    ]


def _campaign(state: CampaignState, names: Names) -> Facts:
    facts = {"campaign": safe(state.name), "book": safe(state.book)} if state.is_open else {}
    facts |= {f"battle {number}": safe(battle) for battle, number in state.battles.items()}
    if state.under_way is not None:
        facts["battle under way"] = names.battle(state.under_way.battle)
    for policy in state.policies:
        facts[f"house rule {safe(policy.policy)}@{policy.version} from battle {policy.from_battle}"] = _held(
            policy
        )
    return facts


def _held(policy: PolicyInForce) -> str:
    return "in force" if policy.until_battle is None else f"until battle {policy.until_battle}"


def _gang(gang: Gang | None) -> Facts:
    if gang is None:
        return {}
    return {
        "gang": safe(gang.name),
        "house": safe(gang.house),
        "player": safe(gang.player),
        "stash in credits": str(gang.credits),
        "rating in credits": str(rating(gang)),
        "wealth in credits": str(wealth(gang)),
        "Reputation": str(gang.reputation),
        "battles": str(gang.battles),
        "battles won": str(gang.won),
        "battles drawn": str(gang.drawn),
        "battles lost": str(gang.lost),
    }


def _territories(gang: Gang | None) -> list[str]:
    return [] if gang is None else [safe(territory.name) for territory in gang.territories]


def _stash(gang: Gang | None) -> list[str]:
    return [] if gang is None else [safe(item.name) for item in gang.stash]


def _place(fighter: Fighter | None) -> Facts:
    return {} if fighter is None else {"a place on the roster": plain(fighter.category)}


def _fighter(fighter: Fighter, names: Names) -> Facts:
    facts = {
        "name": safe(fighter.name),
        "gang": safe(fighter.gang),
        "rank": plain(fighter.category),
        "kind": plain(fighter.kind),
        "status": status_words(status(fighter)),
    }
    if fighter.capture_pending and fighter.captor is not None:
        facts["captor"] = names.gang(fighter.captor)
    if fighter.held_by is not None:
        facts["a captor to be freed from"] = names.gang(fighter.held_by)
    if fighter.recovering_since is not None:
        facts["Recovery since battle"] = str(fighter.recovering_since)
    for key in fighter.characteristics:
        shown = characteristic_shown(key, fighter.characteristics[key])
        facts[characteristic_name(key)] = shown
    facts |= {
        "XP": str(fighter.experience),
        "cost in credits": str(fighter.cost_credits),
        "enemies taken out": str(fighter.enemies_taken_out),
        "times Out of Action": str(fighter.times_out_of_action),
        "battles fought": str(fighter.battles_fought),
    }
    return facts


def _injuries(fighter: Fighter) -> list[str]:
    return [_injury(injury) for injury in fighter.injuries]


def _injury(injury: InjurySuffered) -> str:
    as_row = f" (as {titled(injury.counted_as)})" if injury.counted_as != injury.injury else ""
    battle = f", battle {injury.battle}" if injury.battle is not None else ""
    return f"{safe(injury.name)}{as_row}{battle}"


def _kit(before: Fighter, after: Fighter, names: Names) -> list[tuple[str, list[str], list[str]]]:
    return [
        (what, told(before, names), told(after, names))
        for what, told in (
            ("skill", lambda one, _: [titled(skill) for skill in one.skills]),
            ("enmity against", lambda one, names: [names.gang(gang) for gang in one.grudges]),
            ("weapon", lambda one, _: [safe(weapon.weapon) for weapon in one.weapons]),
            (
                "armour",
                lambda one, _: [f"{safe(a.name)} {a.save}+" for a in (one.armour, one.field_armour) if a],
            ),
            ("wargear", lambda one, _: [plain(item) for item in one.wargear]),
            ("mutation", lambda one, _: [titled(mutation) for mutation in one.mutations]),
        )
    ]


def _combatants(under_way: BattleUnderWay | None) -> dict[str, Combatant]:
    return {} if under_way is None else under_way.combatants


def _befallen(facts: Facts) -> Facts:
    return {what: told for what, told in facts.items() if what != "Wounds left" and told not in ("no", "0")}


def _at_the_table(combatant: Combatant | None) -> Facts:
    if combatant is None:
        return {}
    facts = {"Wounds left": str(combatant.wounds_left), "Flesh Wounds": str(combatant.flesh_wounds)}
    for what, holds in (
        ("Seriously Injured", combatant.seriously_injured),
        ("Pinned", combatant.pinned),
        ("Webbed", combatant.webbed),
        ("Out of Action", combatant.out_of_action),
    ):
        facts[what] = "yes" if holds else "no"
    # Only one game has these: they are told where they are there.
    if combatant.blood_markers:
        facts["Blood Markers"] = str(combatant.blood_markers)
    if combatant.blessing_markers:
        facts["Blessing Markers"] = str(combatant.blessing_markers)
    if combatant.down:
        facts["Down"] = "yes"
    if combatant.tough_spent:
        facts["TOUGH spent"] = "yes"
    if combatant.seriously_injured:
        facts["Seriously Injured in close combat"] = (
            "yes" if combatant.seriously_injured_in_close_combat else "no"
        )
    return facts
