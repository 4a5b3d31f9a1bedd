"""Trench Companion: its export, and the JSON behind a share link, whose warband is JSON within JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from tracker.documents.text import slug_of
from tracker.imports import sheet_draft
from tracker.imports.findings import Fact
from tracker.imports.rosters import trench_number
from tracker.imports.sheet_draft import SheetDraft, tidy_name

TOOL: Final = "Trench Companion"
STATS: Final = {"stat-move": "Mv", "stat-ranged": "Rng", "stat-melee": "Mel", "stat-armour": "Arm"}
TECHNICAL: Final = "ids, links and settings of Trench Companion"
OWN_ID: Final = "made of the tool's own id"
GLORY: Final = ("1", "glory")
_SETTINGS: Final = (
    "id", "source", "tags", "contextdata", "custom_rel", "purchaseid", "faction_rel_id", "modelpurch",
    "count_limit", "count_cap", "sell_item", "sell_full", "selections", "consumables", "equipment_id",
    "option_refID", "homebrew_id",
)  # fmt: skip


def is_trench_companion(data: Any) -> bool:
    """Whether this is such a file, of either kind."""
    return isinstance(data, dict) and ("warband-name" in data or "warband_data" in data)


def opened(data: dict[str, Any]) -> dict[str, Any]:
    """The file with its inner JSON parsed; unchanged if it has none."""
    within = data.get("warband_data")
    if not isinstance(within, str):
        return data
    try:
        return {**data, "warband_data": json.loads(within)}
    except (ValueError, RecursionError):
        return data


def read(root: Fact, draft: SheetDraft) -> None:
    """Fill the draft from the file."""
    if root.child("warband_data").is_there:
        _read_share(root, draft)
    else:
        _read_export(root, draft)


def _name(fact: Fact, draft: SheetDraft) -> None:
    draft.sheet["name"] = draft.name(fact, "name", "Imported warband")
    draft.sheet["gang"] = slug_of(draft.sheet["name"]) or "gang"


def _listed(fact: Fact, *keys: str) -> Iterator[tuple[Fact, Fact]]:
    """Each member of a list with the fact that names it, directly or within a wrapped map."""
    for member in fact.children():
        yield member, _named(member, *keys)
        _settings(member)


def _named(fact: Fact, *keys: str) -> Fact:
    if not isinstance(fact.value, dict):
        return fact
    for key in (*keys, "name", "location", "skill", "object_id", "slug", "id"):
        inner = fact.child(key)
        if isinstance(inner.value, dict):
            inner = _named(inner)
        if inner.text:
            return inner
    return fact.child("name")


# --- the export ------------------------------------------------------------------------------------------


def _read_export(root: Fact, draft: SheetDraft) -> None:
    _name(root.child("warband-name"), draft)
    draft.house(root.first("faction-name", "warband-faction"))
    draft.player()
    draft.sheet["credits"] = draft.count(root.child("ducat-bank"), "credits")
    if glory := draft.count(root.child("glory-bank"), "so_far.glory"):
        draft.sheet["so_far"] = {"glory": glory}
    backer = root.first("patron-name", "patron", "warband-patron")
    if backer.text and (patron := draft.name(backer, "so_far.patrons")):
        draft.sheet.setdefault("so_far", {})["patrons"] = [patron]
    for key in ("warband-id", "warband-url"):
        root.child(key).left_out(TECHNICAL)
    root.child("glory-rating").lost("a sheet rates in ducats")
    for model in root.child("models").children():
        draft.sheet["fighters"].append(_exported(model, draft))
    total = sum(fighter["cost"] for fighter in draft.sheet["fighters"])
    draft.check_sum(root.child("ducat-rating"), total, "the models' costs")
    draft.findings.say("lost", "XP, advancements spent, battles", why="an export of this kind holds none")


def _exported(model: Fact, draft: SheetDraft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    kind = draft.name(model.child("model-name"), f"{into}.type", "unknown")
    name = draft.name(model.first("name", "model-name"), f"{into}.name", f"Model {at}")
    said = set()
    for keyword in model.child("keywords").children():
        named = keyword.child("keyword-name")
        keyword.child("keyword-id").left_out(TECHNICAL)
        said.add(named.text.casefold())
        match named.text.casefold():
            case "elite" | "leader":
                named.taken(f"{into}.category", "a leader is an elite")
            case "tough":
                named.taken(f"{into}.skills")
            case _:
                named.lost("a keyword that no rule of this program reads")
    cost = model.child("cost")
    cost.child("glory").lost("a sheet counts ducats")
    card: dict[str, Any] = {
        "name": name,
        "type": kind,
        "category": "elite" if said & {"elite", "leader"} else "troop",
        "cost": draft.count(cost.child("ducats"), f"{into}.cost"),
        "characteristics": {
            short: trench_number(short, model.child(key), f"{into}.characteristics.{short}")
            for key, short in STATS.items()
        },
        "skills": ["Tough"] if "tough" in said else [],
        "wargear": [],
    }
    for key, prefix, kept in (
        ("equipment", "equipment", "wargear"),
        ("abilities", "ability", "skills"),
        ("advancements", "advancement", "skills"),
        ("upgrades", "upgrade", "wargear"),
    ):
        for listed, named in _listed(model.child(key), f"{prefix}-name"):
            if thing := draft.name(named, f"{into}.{kept}"):
                card[kept].append(thing)
            for technical in (f"{prefix}-id", f"{prefix}-type"):
                listed.child(technical).left_out(TECHNICAL)
    injuries = []
    for listed, named in _listed(model.child("injuries"), "injury-name"):
        injuries.append(draft.injury(named, f"{into}.so_far.injuries"))
        listed.child("injury-id").left_out(TECHNICAL)
    model.child("model-id").left_out(TECHNICAL)
    return _finished(card, injuries, {}, draft, into)


def _finished(
    card: dict[str, Any], injuries: list[Any], so_far: dict[str, Any], draft: SheetDraft, into: str
) -> dict[str, Any]:
    found = [injury for injury in injuries if injury is not None]
    if found:
        so_far["injuries"] = draft.within(
            found, sheet_draft.INJURIES_MAX, card["name"], f"{into}.so_far.injuries"
        )
    for key, limit in (("skills", sheet_draft.SKILLS_MAX), ("wargear", sheet_draft.CARRIED_MAX)):
        card[key] = draft.within(card[key], limit, card["name"], f"{into}.{key}")
    if so_far:
        card["so_far"] = so_far
    return {key: value for key, value in card.items() if value != []}


# --- the share link --------------------------------------------------------------------------------------


def _read_share(root: Fact, draft: SheetDraft) -> None:
    data = root.child("warband_data")
    own, outer = data.child("name"), root.first("name", "title")
    _name(own if own.is_there else outer, draft)
    outer.left_out("what the link is called, beside the warband's name")
    _faction(data, draft)
    draft.player()
    so_far: dict[str, Any] = {}
    _banks(data, so_far, draft)
    explored = data.child("exploration")
    places = [_slug(named, "so_far.locations") for _, named in _listed(explored.child("locations"))]
    if found := [*filter(None, places)]:
        so_far["locations"] = draft.within(found, 50, "a warband", "so_far.locations")
    for _, skill in _listed(explored.child("explorationskills")):
        skill.lost("no sheet has a warband's exploration skills")
    if so_far:
        draft.sheet["so_far"] = so_far
    for model in data.child("models").children():
        draft.sheet["fighters"].append(_shared(model, draft))
    stash = [thing for item in data.child("equipment").children() if (thing := _stashed(item, draft))]
    if stash:
        draft.sheet["stash"] = draft.within(stash, sheet_draft.STASH_MAX, "a stash", "stash")
    rating = data.child("context").child("stored_ratings").child("rating_ducat")
    if rating.is_there:
        draft.check_sum(rating, sum(each["cost"] for each in draft.sheet["fighters"]), "the models' costs")
    data.child("notes").lost("a gang sheet has no place for it")
    _settings(data)
    _settings(explored)
    for key in ("warband_id", "warband_user_id", "warband_hash", "id", "status", "code"):
        root.child(key).left_out(TECHNICAL)


def _faction(data: Fact, draft: SheetDraft) -> None:
    faction = data.child("faction") if isinstance(data.child("faction").value, dict) else data
    named = _named(faction.child("faction_property"))
    house = draft.answers.house or tidy_name(_words_of(named.text))
    if draft.answers.house:
        named.left_out(f"the tool's own id of the list: you said {house}")
    elif house:
        named.guessed("house", f"{OWN_ID}: {house}")
    if not house:
        draft.house()
        return
    draft.sheet["house"] = house
    for _, rule in _listed(faction.child("faction_rules")):
        rule.left_out("a rule of the list")
    if faction is not data:
        faction.child("patron_id").lost("an id of a patron without a name: write it under so_far.patrons")
        faction.child("name").left_out(TECHNICAL)
        _settings(faction)


def _banks(data: Fact, so_far: dict[str, Any], draft: SheetDraft) -> None:
    context = data.child("context")
    ratings = context.child("stored_ratings")
    left, glory = ratings.child("spare_ducat"), ratings.child("spare_glory")
    data.child("ducat_bank").left_out("the ducats of all time; those left are taken")
    data.child("glory_bank").left_out("the Glory of all time; what is left is taken")
    if left.is_there:
        draft.sheet["credits"] = draft.count(left, "credits")
    else:
        draft.credits_left("the file has only their total")
    if counted := draft.count(glory, "so_far.glory"):
        so_far["glory"] = counted
    ratings.child("rating_glory").lost("a sheet rates in ducats")
    for key in ("stash_rating_ducat", "stash_rating_glory"):
        ratings.child(key).left_out("a sum that Trench Companion made")
    if failed := draft.count(context.child("failed_promotions"), "so_far.promotion_failures"):
        so_far["promotion_failures"] = failed
    rounds = context.child("campaign_round")
    if (fought := rounds.number) is not None and fought > 1:
        so_far["battles"] = fought - 1
        rounds.guessed("so_far.battles", f"round {fought} comes after {fought - 1} battles")
    else:
        rounds.left_out("the first round")
    context.child("victory_points").lost("how each battle went is not in the file: write won, drawn and lost")
    for key in ("ducats", "glory"):
        data.child("debts").child(key).lost("a debt: take it off the credits, or remember it")
    _settings(context)


def _shared(entry: Fact, draft: SheetDraft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    model = entry.child("model") if isinstance(entry.child("model").value, dict) else entry
    name = draft.name(model.child("name"), f"{into}.name", f"Model {at}")
    elite = model.child("elite")
    card: dict[str, Any] = {
        "name": name,
        "type": _slug(_named(model.child("model")), f"{into}.type") or "unknown",
        "category": "elite" if elite.value in (True, 1, "1") else "troop",
        "cost": _cost(entry.child("purchase"), name, into),
        "characteristics": {"Mv": "-", "Rng": "-", "Mel": "-", "Arm": "-"},
        "xp": draft.count(model.child("experience"), f"{into}.xp"),
        "skills": [],
        "wargear": [],
    }
    elite.taken(f"{into}.category", card["category"])
    draft.ask("characteristics", "Write the models' characteristics into the sheet.", ())
    draft.findings.say(
        "asked", f"the numbers of {name}", into=f"{into}.characteristics", why="a share link holds none"
    )
    so_far: dict[str, Any] = {}
    if scars := draft.count(model.child("scar_reserves"), f"{into}.so_far.scars"):
        so_far["scars"] = scars
    injuries = [_injury(named, into, draft) for _, named in _listed(model.child("list_injury"), "injury")]
    for key, kept in (("list_skills", "skills"), ("subproperties", "skills"), ("list_upgrades", "wargear"),
                      ("equipment", "wargear")):  # fmt: skip
        for listed, named in _listed(model.child(key), "skill", "upgrade", "equipment"):
            into_list = f"{into}.{kept}"
            if key == "equipment" and named.path[-1] == "name":
                thing = draft.name(named, into_list)
            else:
                thing = _slug(named, into_list)
            if thing:
                card[kept].append(thing)
            card["cost"] += _cost(listed.child("purchase"), thing, into)
            _settings(listed.child("equipment"))
            _settings(listed.child("upgrade"))
    _active(model.child("active"), so_far, into)
    model.child("recruited").left_out(TECHNICAL)
    model.child("notes").lost("a card has no place for notes")
    for key in ("list_modelequipment", "stat_selections"):
        model.child(key).left_out("choices of the tool, whose things are listed apart")
    _settings(model)
    return _finished(card, injuries, so_far, draft, into)


def _injury(named: Fact, into: str, draft: SheetDraft) -> dict[str, Any] | None:
    """An injury by its name, or by the name in the tool's id."""
    if sheet_draft.row_called(draft.injuries, sheet_draft.without_roll(named.text)) is None:
        slug = _words_of(named.text)
        if (row := sheet_draft.row_called(draft.injuries, slug)) is not None:
            named = Fact(row.name, named.path, draft.findings)
    return draft.injury(named, f"{into}.so_far.injuries")


def _active(active: Fact, so_far: dict[str, Any], into: str) -> None:
    if active.value in (True, 1, "1") or active.text.casefold() == "active":
        active.left_out("a model that is in the warband")
    elif active.value in (False, 0, "0") or active.text.casefold() in ("dead", "lost", "inactive", "removed"):
        so_far["gone"] = "dead"
        active.guessed(f"{into}.so_far.gone", "not active any more: dead or retired")
    else:
        active.lost("a status that no sheet has: the model counts as being in the warband")


def _cost(purchase: Fact, named: str, into: str) -> int:
    """The price paid in ducats; a price in Glory is noted as lost."""
    price, currency = purchase.first("cost_value", "cost"), purchase.child("cost_type")
    off = purchase.child("discount")
    _settings(purchase)
    if currency.text.casefold() in GLORY:
        price.lost(f"Glory for {named}: a sheet counts ducats")
        currency.left_out("a price in Glory")
        off.lost(f"a discount on {named}, in Glory")
        return 0
    currency.left_out("a price in ducats")
    paid = price.number or 0
    if price.is_there:
        price.taken(f"{into}.cost", f"{paid} for {named}")
    off.lost(f"a discount on {named}: its whole price is counted")
    return max(paid, 0)


def _stashed(item: Fact, draft: SheetDraft) -> dict[str, Any] | None:
    named = _named(item, "equipment")
    name = draft.name(named, "stash") if named.path[-1] == "name" else _slug(named, "stash")
    cost = _cost(item.child("purchase"), name, "stash")
    _settings(item.child("equipment"))
    return {"name": name, "cost": cost} if name else None


def _slug(named: Fact, into: str) -> str:
    """The name in an id such as 'md_hereticpriest', in which words are not separated."""
    words = tidy_name(_words_of(named.text))
    if not words:
        named.lost("no name can be made of it")
    elif words == named.text:
        named.taken(into)
    else:
        named.guessed(into, f"{OWN_ID}: {words}")
    return words


def _words_of(slug: str) -> str:
    """'md_hereticpriest' as 'hereticpriest'."""
    head, _, tail = slug.partition("_")
    return (tail if tail and len(head) <= 3 else slug).replace("_", " ").strip()


def _settings(fact: Fact) -> None:
    """Note choices, tags and ids. Notes on parts of them take precedence."""
    if isinstance(fact.value, dict):
        for key in _SETTINGS:
            fact.child(key).left_out(TECHNICAL)
