"""YakTribe's gang JSON, as the site gives it and as helpers rewrite it: with or without `gang` around it.

What stands for itself there: xp is what is left, cost is all included, a 0 is a dash on the card.
"""

from __future__ import annotations

from typing import Any, Final

from tracker.imports.drafts import Draft, row_called, tidy_name
from tracker.imports.findings import Fact

TOOL: Final = "YakTribe"
CHARACTERISTICS: Final = {
    "m": "M", "ws": "WS", "bs": "BS", "s": "S", "t": "T", "w": "W", "i": "I", "a": "A", "ld": "Ld",
    "cl": "Cl", "wil": "Wil", "int": "Int", "intelligence": "Int",
}  # fmt: skip
TECHNICAL: Final = "ids, pictures and times of YakTribe"


def is_one(data: Any) -> bool:
    """Whether this is such a file."""
    gang = data.get("gang", data) if isinstance(data, dict) else None
    return isinstance(gang, dict) and "gang_name" in gang and isinstance(gang.get("gangers"), list)


def read(root: Fact, draft: Draft) -> None:
    """Fill the draft from the file."""
    gang = root.child("gang") if root.child("gang").is_there else root
    sheet = draft.sheet
    sheet["name"] = draft.name(gang.child("gang_name").taken("name"), "Imported gang")
    sheet["gang"] = draft.id_for(sheet["name"], "gang")
    sheet["house"] = (
        tidy_name(gang.child("gang_type").taken("house").text) or draft.answers.house or "unknown"
    )
    _player(gang, draft)
    for key in ("credits", "reputation"):
        fact = gang.child(key)
        if fact.is_there and fact.number is not None and fact.number >= 0:
            sheet[key] = fact.taken(key).number
        else:
            fact.lost("it is no whole number of 0 or more")
    so_far: dict[str, Any] = {}
    _alignment(gang.first("alignment", "gang_alignment"), so_far)
    _territories(gang, so_far)
    stash = [thing for fact in gang.child("stash").children() for thing in _things(fact, "stash")]
    if stash:
        sheet["stash"] = stash
    if so_far:
        sheet["so_far"] = so_far
    for key in ("gang_id", "gang_image", "image", "datetime_added", "datetime_updated", "user_id"):
        gang.child(key).left_out(TECHNICAL)
    gang.first("campaign", "campaign_name").left_out("the campaign is the one that the gang joins here")
    for key in ("notes", "allegiance", "affiliation", "wealth", "meat", "power"):
        gang.child(key).lost("a gang sheet has no place for it")
    for fighter in gang.child("gangers").children():
        sheet["fighters"].append(_fighter(fighter, draft))
    _check_rating(gang.first("gang_rating", "rating"), sheet)


def _player(gang: Fact, draft: Draft) -> None:
    fact = gang.first("gang_username", "username", "player")
    player = draft.answers.player or tidy_name(fact.taken("player").text)
    if not player:
        draft.ask("player", "Who plays the gang?", ())
        draft.findings.say("asked", "the player", into="player", why="the file does not name one")
    draft.sheet["player"] = player or "unknown"


def _alignment(fact: Fact, so_far: dict[str, Any]) -> None:
    known = {"law abiding": "law_abiding", "law-abiding": "law_abiding", "outlaw": "outlaw"}
    side = known.get(fact.text.casefold())
    if side is not None:
        so_far["alignment"] = side
        fact.taken("so_far.alignment")
    else:
        fact.lost("it is neither law-abiding nor outlaw")


def _territories(gang: Fact, so_far: dict[str, Any]) -> None:
    held: list[dict[str, Any]] = []
    ids: set[str] = set()
    for key in ("territories", "gang_territories", "campaign_territories"):
        for fact in gang.child(key).children():
            named = fact.first("territory_name", "name") if isinstance(fact.value, dict) else fact
            name = tidy_name(named.text)
            if not name:
                continue
            known = f"territory-{len(held) + 1}"
            if name.casefold() in ids:
                fact.left_out("a territory that the file names twice")
                continue
            ids.add(name.casefold())
            held.append({"territory": known, "name": name})
            fact.guessed(
                f"so_far.territories[{len(held)}]",
                "a territory of the table's own: give it the book's `kind`",
            )
    if held:
        so_far["territories"] = held


def _fighter(fact: Fact, draft: Draft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    name = draft.name(fact.child("name").taken(f"{into}.name"), f"Fighter {at}")
    kind = fact.child("type")
    card: dict[str, Any] = {
        "id": draft.id_for(name, f"fighter-{at}"),
        "name": name,
        "type": tidy_name(kind.text) or "unknown",
        "category": draft.category(kind, f"{into}.type"),
        "cost": _counted(fact.child("cost"), f"{into}.cost"),
        "characteristics": _characteristics(fact, into),
        "xp": _counted(fact.child("xp"), f"{into}.xp"),
    }
    skills = [tidy_name(skill.taken(f"{into}.skills").text) for skill in fact.child("skills").children()]
    card["skills"] = [skill for skill in skills if skill]
    carried = [
        thing["name"]
        for item in fact.child("equipment").children()
        for thing in _things(item, f"{into}.wargear")
    ]
    card["wargear"] = carried[:50]
    so_far: dict[str, Any] = {}
    for key, written in (("kills", "kills"), ("advance_count", "advances")):
        if number := _counted(fact.child(key), f"{into}.so_far.{written}"):
            so_far[written] = number
    injuries = [
        injury
        for injured in fact.child("injuries").children()
        if (injury := draft.injury(injured, f"{into}.so_far.injuries")) is not None
    ]
    if injuries:
        so_far["injuries"] = injuries
    _status(fact.child("status"), so_far, into)
    if so_far:
        card["so_far"] = so_far
    notes = fact.child("notes")
    names_injury = row_called(draft.injuries, notes.text) is not None
    notes.lost(
        "it names a lasting injury: write it under so_far.injuries if it counts"
        if names_injury
        else "a card has no place for notes"
    )
    for key in ("ganger_id", "label_id", "image", "datetime_added", "datetime_updated", "gang_id"):
        fact.child(key).left_out(TECHNICAL)
    return {key: value for key, value in card.items() if value != []}


def _status(fact: Fact, so_far: dict[str, Any], into: str) -> None:
    said = fact.text.casefold()
    place = f"{into}.so_far"
    if not said or said in ("alive", "active", "ok"):
        fact.taken(place, "alive")
    elif "dead" in said or "deceased" in said:
        so_far["gone"] = "dead"
        fact.taken(place)
    elif "retired" in said:
        so_far["gone"] = "retired"
        fact.taken(place)
    elif "recovery" in said:
        so_far["in_recovery"] = True
        fact.taken(place)
    elif "convalesc" in said:
        so_far["convalescing"] = True
        fact.taken(place)
    elif "critical" in said:
        so_far["critical"] = True
        fact.taken(place)
    elif "captur" in said:
        fact.lost("a captive, and the file does not say whose: write `captive_of: GANG` under so_far")
    else:
        fact.lost("a status that no sheet has")


def _characteristics(fact: Fact, into: str) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    for key, short in CHARACTERISTICS.items():
        written = fact.child(key)
        if written.value is None or short in numbers:
            continue
        number = written.number
        if number:
            numbers[short] = number
            written.taken(f"{into}.characteristics.{short}")
        else:
            numbers[short] = "-"
            written.taken(f"{into}.characteristics.{short}", "0 there is a dash on the card")
    return numbers


def _counted(fact: Fact, into: str) -> int:
    number = fact.number
    if number is None or number < 0:
        fact.lost("it is no whole number of 0 or more")
        return 0
    fact.taken(into)
    return number


def _things(fact: Fact, into: str) -> list[dict[str, Any]]:
    """A thing as often as there are of it. Numbers of weapons are not in these files."""
    if not isinstance(fact.value, dict):
        name = tidy_name(fact.text)
        fact.taken(into)
        return [{"name": name, "cost": 0}] if name else []
    name = tidy_name(fact.first("name", "equipment_name").text)
    times = fact.first("qty", "quantity").number or 1
    cost = fact.child("cost").number or 0
    fact.first("traits").lost("what a thing does is not kept: give weapons their numbers with an armoury")
    fact.first("equipment_id", "id").left_out(TECHNICAL)
    for key in ("name", "equipment_name", "qty", "quantity", "cost"):
        fact.child(key).taken(into, "" if key in ("name", "equipment_name") else f"of {name}")
    return [{"name": name, "cost": max(cost, 0)}] * min(max(times, 1), 20) if name else []


def _check_rating(fact: Fact, sheet: dict[str, Any]) -> None:
    if not fact.is_there:
        return
    gone = [fighter for fighter in sheet["fighters"] if fighter.get("so_far", {}).get("gone")]
    living = sum(fighter["cost"] for fighter in sheet["fighters"] if fighter not in gone)
    if fact.number == living:
        fact.taken("", f"the living fighters' costs add up to it: {living}")
    else:
        fact.guessed("", f"the living fighters' costs add up to {living}: look for what is missing")
