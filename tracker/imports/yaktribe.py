"""YakTribe's gang JSON, as the site or other tools write it: with or without `gang` around it.

Its `xp` is unspent XP, its cost includes everything, and a 0 is a dash on the card.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tracker.documents.text import slug_of
from tracker.imports import sheet_draft
from tracker.imports.findings import Fact
from tracker.imports.sheet_draft import SheetDraft, row_called, tidy_name

TOOL: Final = "YakTribe"
CHARACTERISTICS: Final = {
    "m": "M", "ws": "WS", "bs": "BS", "s": "S", "t": "T", "w": "W", "i": "I", "a": "A", "ld": "Ld",
    "cl": "Cl", "wil": "Wil", "int": "Int", "intelligence": "Int",
}  # fmt: skip
TECHNICAL: Final = "ids, pictures and times of YakTribe"
COUNTED: Final = "the fighter's cost has it already"
NOBODY: Final = ("", "none", "unaligned", "no allegiance", "n/a", "-")
WITHOUT_PLACE: Final = (
    "notes", "gang_notes", "wealth", "meat", "power", "campaign_rackets", "rackets",
)  # fmt: skip


def is_yaktribe_gang(data: Any) -> bool:
    """Whether this is such a file."""
    gang = data.get("gang", data) if isinstance(data, dict) else None
    return isinstance(gang, dict) and "gang_name" in gang and isinstance(gang.get("gangers"), list)


def read(root: Fact, draft: SheetDraft) -> None:
    """Fill the draft from the file."""
    gang = root.child("gang") if root.child("gang").is_there else root
    sheet = draft.sheet
    sheet["name"] = draft.name(gang.child("gang_name"), "name", "Imported gang")
    sheet["gang"] = slug_of(sheet["name"]) or "gang"
    draft.house(gang.child("gang_type"))
    draft.player(gang.first("gang_username", "username", "player"))
    for key in ("credits", "reputation"):
        if gang.child(key).is_there:
            sheet[key] = draft.count(gang.child(key), key)
    so_far: dict[str, Any] = {}
    _alignment(gang.first("alignment", "gang_alignment"), so_far)
    _bonds(gang, draft, so_far)
    _territories(gang, draft, so_far)
    stash: list[dict[str, Any]] = []
    for fact in gang.child("stash").children():
        thing, times = _items(fact, "stash", draft)
        draft.add(stash, thing, times, sheet_draft.STASH_MAX, "stash")
    if stash:
        sheet["stash"] = stash
    if so_far:
        sheet["so_far"] = so_far
    for key in ("gang_id", "gang_user_id", "gang_image", "image", "url", "gang_url", "user_id"):
        gang.child(key).left_out(TECHNICAL)
    for key in ("datetime_added", "datetime_updated"):
        gang.child(key).left_out(TECHNICAL)
    for key in ("campaign", "campaign_name"):
        gang.child(key).left_out("the campaign is the one that the gang joins here")
    for key in WITHOUT_PLACE:
        gang.child(key).lost("a gang sheet has no place for it")
    for fighter in gang.child("gangers").children():
        sheet["fighters"].append(_fighter(fighter, draft))
    rating = gang.first("gang_rating", "rating")
    if rating.is_there:
        gone = [fighter for fighter in sheet["fighters"] if fighter.get("so_far", {}).get("gone")]
        living = sum(fighter["cost"] for fighter in sheet["fighters"] if fighter not in gone)
        draft.check_sum(rating, living, "the living fighters' costs")


def _alignment(fact: Fact, so_far: dict[str, Any]) -> None:
    known = {"law abiding": "law_abiding", "law-abiding": "law_abiding", "outlaw": "outlaw"}
    side = known.get(fact.text.casefold())
    if side is not None:
        so_far["alignment"] = side
        fact.taken("so_far.alignment")
    else:
        fact.lost("neither law-abiding nor outlaw")


def _bonds(gang: Fact, draft: SheetDraft, so_far: dict[str, Any]) -> None:
    """Read the gang's allegiance and affiliation; YakTribe's word Unaligned means none."""
    allegiance, affiliation = gang.child("allegiance"), gang.child("affiliation")
    if allegiance.text.casefold() in NOBODY:
        allegiance.left_out("to nobody, as a sheet says by saying nothing")
    elif allegiance.is_there and (named := draft.name(allegiance, "so_far.allegiance")):
        so_far["allegiance"] = named
    if affiliation.text.casefold() in NOBODY:
        affiliation.left_out("with nobody, as a sheet says by saying nothing")
        return
    allies = affiliation.children() if isinstance(affiliation.value, list) else [affiliation]
    named_allies = [draft.name(_named(ally), "so_far.alliances") for ally in allies if ally.is_there]
    if found := [*filter(None, named_allies)]:
        so_far["alliances"] = draft.within(found, 20, "a gang", "so_far.alliances")


def _territories(gang: Fact, draft: SheetDraft, so_far: dict[str, Any]) -> None:
    """Read the gang's territories and those it holds in the campaign. One that both lists name is one; one
    that a list names twice is two, because a campaign has many a Settlement.
    """
    held: list[dict[str, Any]] = []
    own_names = {rules.name.casefold(): kind for kind, rules in draft.book.territories.items()}
    for key in ("territories", "gang_territories", "campaign_territories"):
        before = Counter(known["name"].casefold() for known in held)
        for fact in gang.child(key).children():
            named = fact.first("territory_name", "name") if isinstance(fact.value, dict) else fact
            name = tidy_name(named.text)
            into = f"so_far.territories[{len(held) + 1}]"
            if name and before[name.casefold()]:
                before[name.casefold()] -= 1
                named.left_out("a territory that another list of the file names, too")
                continue
            name = draft.name(named, into)
            if not name:
                continue
            territory = {"name": name}
            kind = own_names.get(name.casefold())
            if kind is not None:
                territory["kind"] = kind
            else:
                named.guessed(into, "a territory of the table's own: give it the book's `kind` if it is one")
            held.append(territory)
    if held:
        so_far["territories"] = draft.within(held, 50, "a gang", "so_far.territories")


def _fighter(fact: Fact, draft: SheetDraft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    name = draft.name(fact.child("name"), f"{into}.name", f"Fighter {at}")
    kind = fact.child("type")
    card: dict[str, Any] = {
        "name": name,
        "type": draft.name(kind, f"{into}.type", "unknown"),
        "category": draft.category(kind, f"{into}.category"),
        "cost": draft.count(fact.child("cost"), f"{into}.cost"),
        "characteristics": _characteristics(fact, draft, into),
        "xp": draft.count(fact.child("xp"), f"{into}.xp"),
    }
    skills = [draft.name(_named(skill), f"{into}.skills") for skill in fact.child("skills").children()]
    card["skills"] = draft.within([*filter(None, skills)], sheet_draft.SKILLS_MAX, name, f"{into}.skills")
    card["wargear"] = []
    for item in fact.child("equipment").children():
        thing, times = _items(item, f"{into}.wargear", draft)
        draft.add(card["wargear"], thing["name"], times, sheet_draft.CARRIED_MAX, f"{into}.wargear")
    so_far: dict[str, Any] = {}
    for key, written in (("kills", "kills"), ("advance_count", "advances")):
        if number := draft.count(fact.child(key), f"{into}.so_far.{written}"):
            so_far[written] = number
    injuries = [
        draft.injury(_named(injured), f"{into}.so_far.injuries")
        for injured in fact.child("injuries").children()
    ]
    notes = fact.child("notes")
    if row_called(draft.injuries, notes.text) is not None:
        injuries.append(draft.injury(notes, f"{into}.so_far.injuries"))
        notes.guessed(
            f"{into}.so_far.injuries", "the notes name this lasting injury: strike it if it counts not"
        )
    else:
        notes.lost("a card has no place for notes")
    found = [injury for injury in injuries if injury is not None]
    if found:
        so_far["injuries"] = draft.within(found, sheet_draft.INJURIES_MAX, name, f"{into}.so_far.injuries")
    _status(fact.child("status"), name, so_far, draft, into)
    if so_far:
        card["so_far"] = so_far
    for key in ("ganger_id", "label_id", "image", "datetime_added", "datetime_updated", "gang_id"):
        fact.child(key).left_out(TECHNICAL)
    return {key: value for key, value in card.items() if value != []}


def _named(fact: Fact) -> Fact:
    """A name, directly or within a map."""
    return fact.first("name", "title") if isinstance(fact.value, dict) else fact


def _status(fact: Fact, name: str, so_far: dict[str, Any], draft: SheetDraft, into: str) -> None:
    said = fact.text.casefold()
    place = f"{into}.so_far"
    if not said or said in ("alive", "active", "ok"):
        fact.taken(place, "as everybody is of whom a sheet says nothing")
    elif "dead" in said or "deceased" in said or "retired" in said:
        so_far["gone"] = "retired" if "retired" in said else "dead"
        if said not in ("dead", "deceased", "retired"):
            so_far["when"] = draft.name(fact, f"{place}.when")
        fact.taken(f"{place}.gone")
    elif "recovery" in said:
        so_far["in_recovery"] = True
        fact.taken(f"{place}.in_recovery", "in Recovery")
    elif "convalesc" in said:
        so_far["convalescing"] = True
        fact.taken(f"{place}.convalescing", "in Convalescence")
    elif "critical" in said:
        so_far["critical"] = True
        fact.taken(f"{place}.critical", "Critically Injured")
    elif "captur" in said:
        _captive(fact, name, so_far, draft, place)
    else:
        fact.lost("a status that no sheet has")


def _captive(fact: Fact, name: str, so_far: dict[str, Any], draft: SheetDraft, place: str) -> None:
    """Whose captive the fighter is, from the answers; otherwise the sheet has to say it."""
    holder = draft.answers.captives.get(name)
    if holder is not None:
        so_far["captive_of"] = holder
        fact.taken(f"{place}.captive_of", f"a captive of {holder}, as was said")
        return
    why = "a captive, and the file does not say whose: write `captive_of: GANG` under so_far, or name the"
    fact.asked(f"{place}.captive_of", f"{why} captive on that gang's sheet")
    draft.ask(f"captive {name}", f"Which gang, enlisted here already, holds {name}?", ())


def _characteristics(fact: Fact, draft: SheetDraft, into: str) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    for key, short in CHARACTERISTICS.items():
        written = fact.child(key)
        if written.is_there and short not in numbers:
            numbers[short] = draft.dashed(written, f"{into}.characteristics.{short}")
    return numbers


def _items(fact: Fact, into: str, draft: SheetDraft) -> tuple[dict[str, Any], int]:
    """An item and its number. These files hold no weapons' numbers."""
    if not isinstance(fact.value, dict):
        name = draft.name(fact, into)
        return {"name": name, "cost": 0}, 1 if name else 0
    name = draft.name(fact.first("name", "equipment_name"), into)
    qty, cost = fact.first("qty", "quantity"), fact.child("cost")
    times = 1
    if qty.number is not None and qty.number > 0:
        times = qty.number
        qty.taken(into, f"{name}, {times} of it")
    else:
        qty.lost("no number of things: the sheet has one")
    fact.child("traits").lost("what a thing does is not kept: give weapons their numbers with an armoury")
    for key in ("equipment_id", "id"):
        fact.child(key).left_out(TECHNICAL)
    worth = 0
    if into == "stash":
        worth = draft.count(cost, into) if cost.is_there else 0
    else:
        cost.left_out(COUNTED)
    return {"name": name, "cost": worth}, times if name else 0
