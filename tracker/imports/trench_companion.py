"""Trench Companion: its export, and the JSON behind a share link, whose warband is JSON within JSON."""

from __future__ import annotations

import json
from typing import Any, Final

from tracker.imports.drafts import Draft, tidy_name
from tracker.imports.findings import Fact

TOOL: Final = "Trench Companion"
STATS: Final = {"stat-move": "Mv", "stat-ranged": "Rng", "stat-melee": "Mel", "stat-armour": "Arm"}
TECHNICAL: Final = "ids and links of Trench Companion"


def is_one(data: Any) -> bool:
    """Whether this is such a file, of either kind."""
    return isinstance(data, dict) and ("warband-name" in data or "warband_data" in data)


def opened(data: dict[str, Any]) -> dict[str, Any]:
    """The file with the JSON within it read; as it was where it holds none."""
    within = data.get("warband_data")
    if not isinstance(within, str):
        return data
    try:
        return {**data, "warband_data": json.loads(within)}
    except (ValueError, RecursionError):
        return data


def read(root: Fact, draft: Draft) -> None:
    """Fill the draft from the file."""
    if root.child("warband_data").is_there:
        _read_share(root, draft)
    else:
        _read_export(root, draft)


def _head(name: Fact, house: Fact, draft: Draft) -> None:
    sheet = draft.sheet
    sheet["name"] = draft.name(name.taken("name"), "Imported warband")
    sheet["gang"] = draft.id_for(sheet["name"], "gang")
    sheet["house"] = draft.answers.house or tidy_name(house.taken("house").text) or "unknown"
    if sheet["house"] == "unknown":
        draft.ask("house", "Which warband list is it?", ())
        draft.findings.say("asked", "the warband's list", into="house", why="the file does not name it")
    sheet["player"] = draft.answers.player or "unknown"
    if draft.answers.player is None:
        draft.ask("player", "Who plays the warband?", ())
        draft.findings.say("asked", "the player", into="player", why="the file does not name one")


def _count(fact: Fact, into: str) -> int:
    number = fact.number
    if number is None or number < 0:
        fact.lost("it is no whole number of 0 or more")
        return 0
    fact.taken(into)
    return number


# --- the export ------------------------------------------------------------------------------------------


def _read_export(root: Fact, draft: Draft) -> None:
    _head(root.child("warband-name"), root.first("faction-name", "warband-faction"), draft)
    draft.sheet["credits"] = _count(root.child("ducat-bank"), "credits")
    if glory := _count(root.child("glory-bank"), "so_far.glory"):
        draft.sheet["so_far"] = {"glory": glory}
    for key in ("warband-id", "warband-url"):
        root.child(key).left_out(TECHNICAL)
    root.child("glory-rating").lost("a sheet rates in ducats")
    models = root.child("models").children()
    for model in models:
        draft.sheet["fighters"].append(_exported(model, draft))
    total = sum(fighter["cost"] for fighter in draft.sheet["fighters"])
    rating = root.child("ducat-rating")
    if rating.number == total:
        rating.taken("", f"the models' costs add up to it: {total}")
    else:
        rating.guessed("", f"the models' costs add up to {total}: look for what is missing")
    draft.findings.say("lost", "XP, advancements spent, battles", why="an export of this kind holds none")


def _exported(model: Fact, draft: Draft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    name = draft.name(model.first("name", "model-name").taken(f"{into}.name"), f"Model {at}")
    keywords = []
    for keyword in model.child("keywords").children():
        keywords.append(keyword.child("keyword-name").text)
        keyword.child("keyword-id").left_out(TECHNICAL)
        if keywords[-1].casefold() in ("elite", "leader"):
            keyword.child("keyword-name").taken(f"{into}.category")
        elif keywords[-1].casefold() == "tough":
            keyword.child("keyword-name").taken(f"{into}.skills")
        else:
            keyword.child("keyword-name").lost("a keyword that no rule of this program reads")
    said = {keyword.casefold() for keyword in keywords}
    numbers: dict[str, Any] = {}
    for key, short in STATS.items():
        written = model.child(key)
        place = f"{into}.characteristics.{short}"
        if short == "Mv":
            inches = written.text.partition('"')[0].strip()
            numbers[short] = f'{inches}"' if inches.isdecimal() else "-"
            written.taken(place, "what stands beside the inches is not kept" if "/" in written.text else "")
        elif (number := written.number) is None:
            numbers[short] = "-"
            written.taken(place, "a dash on the card")
        else:
            numbers[short] = number if short == "Arm" else f"{number:+d} DICE"
            written.taken(place)
    cost = model.child("cost")
    cost.child("glory").lost("a sheet counts ducats")
    card: dict[str, Any] = {
        "id": draft.id_for(name, f"model-{at}"),
        "name": name,
        "type": tidy_name(model.child("model-name").taken(f"{into}.type").text) or "unknown",
        "category": "elite" if said & {"elite", "leader"} else "troop",
        "cost": _count(cost.child("ducats"), f"{into}.cost"),
        "characteristics": numbers,
        "skills": ["Tough"] if "tough" in said else [],
        "wargear": [],
    }
    for key, prefix, kept in (
        ("equipment", "equipment", "wargear"),
        ("abilities", "ability", "skills"),
        ("advancements", "advancement", "skills"),
        ("upgrades", "upgrade", "wargear"),
    ):
        for listed in model.child(key).children():
            named = listed.first(f"{prefix}-name", "name") if isinstance(listed.value, dict) else listed
            if thing := tidy_name(named.taken(f"{into}.{kept}").text):
                card[kept].append(thing)
            for technical in (f"{prefix}-id", f"{prefix}-type"):
                listed.child(technical).left_out(TECHNICAL)
    injuries = []
    for listed in model.child("injuries").children():
        named = listed.first("injury-name", "name") if isinstance(listed.value, dict) else listed
        if (injury := draft.injury(named, f"{into}.so_far.injuries")) is not None:
            injuries.append(injury)
        listed.child("injury-id").left_out(TECHNICAL)
    if injuries:
        card["so_far"] = {"injuries": injuries}
    model.child("model-id").left_out(TECHNICAL)
    return {key: value for key, value in card.items() if value != []}


# --- the share link --------------------------------------------------------------------------------------


def _read_share(root: Fact, draft: Draft) -> None:
    data = root.child("warband_data")
    faction = data.child("faction_property")
    _head(
        root.first("name", "title") if not data.child("name").is_there else data.child("name"), faction, draft
    )
    context = data.child("context")
    so_far: dict[str, Any] = {}
    left = context.child("stored_ratings").child("spare_ducat")
    draft.sheet["credits"] = _count(left, "credits") if left.is_there else 0
    data.child("ducat_bank").left_out("the ducats of all time; those left are taken")
    if not left.is_there:
        draft.ask("credits", "How many ducats has the warband left?", ())
        draft.findings.say("asked", "ducats left", into="credits", why="the file has only their total")
    glory = context.child("stored_ratings").child("spare_glory")
    if counted := _count(glory, "so_far.glory"):
        so_far["glory"] = counted
    data.child("glory_bank").left_out("the Glory of all time; what is left is taken")
    if failed := _count(context.child("failed_promotions"), "so_far.promotion_failures"):
        so_far["promotion_failures"] = failed
    rounds = context.child("campaign_round")
    if (fought := rounds.number) is not None and fought > 1:
        so_far["battles"] = fought - 1
        rounds.guessed("so_far.battles", f"round {fought} comes after {fought - 1} battles")
    else:
        rounds.left_out("the first round")
    context.child("victory_points").lost("how each battle went is not in the file: write won, drawn and lost")
    places = [
        name
        for place in data.child("exploration").child("locations").children()
        if (name := tidy_name(_called(place).taken("so_far.locations").text))
    ]
    if places:
        so_far["locations"] = places
    data.child("exploration").child("explorationskills").lost("no sheet has a warband's exploration skills")
    if so_far:
        draft.sheet["so_far"] = so_far
    for model in data.child("models").children():
        draft.sheet["fighters"].append(_shared(model, draft))
    for key in ("warband_id", "warband_user_id", "warband_hash", "id", "status", "code"):
        root.child(key).left_out(TECHNICAL)


def _called(fact: Fact) -> Fact:
    """The name of something that is a text, or a map with its name or slug."""
    return (
        fact.first("name", "location", "skill", "object_id", "slug", "id")
        if isinstance(fact.value, dict)
        else fact
    )


def _shared(entry: Fact, draft: Draft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    model = entry.child("model") if isinstance(entry.child("model").value, dict) else entry
    name = draft.name(model.child("name").taken(f"{into}.name"), f"Model {at}")
    elite = model.child("elite")
    purchase = entry.child("purchase")
    card: dict[str, Any] = {
        "id": draft.id_for(name, f"model-{at}"),
        "name": name,
        "type": _of_slug(model.child("model").guessed(f"{into}.type", "made of the tool's own id").text),
        "category": "elite" if elite.value in (True, 1, "1") else "troop",
        "cost": _count(purchase.child("cost"), f"{into}.cost"),
        "characteristics": {"Mv": "-", "Rng": "-", "Mel": "-", "Arm": "-"},
        "xp": _count(model.child("experience"), f"{into}.xp"),
        "skills": [],
        "wargear": [],
    }
    elite.taken(f"{into}.category")
    draft.ask("characteristics", "Write the models' characteristics into the sheet.", ())
    draft.findings.say(
        "asked", f"the numbers of {name}", into=f"{into}.characteristics", why="a share link holds none"
    )
    so_far: dict[str, Any] = {}
    if scars := _count(model.child("scar_reserves"), f"{into}.so_far.scars"):
        so_far["scars"] = scars
    injuries = [
        injury
        for listed in model.child("list_injury").children()
        if (injury := draft.injury(_called(listed), f"{into}.so_far.injuries")) is not None
    ]
    if injuries:
        so_far["injuries"] = injuries
    for key, kept in (("list_skills", "skills"), ("list_upgrades", "wargear"), ("equipment", "wargear")):
        for listed in model.child(key).children():
            if thing := _of_slug(_called(listed).guessed(f"{into}.{kept}", "made of the tool's own id").text):
                card[kept].append(thing)
    if model.child("active").value in (False, 0, "0", "dead"):
        so_far["gone"] = "dead"
        model.child("active").guessed(f"{into}.so_far.gone", "not active any more: dead or retired")
    model.child("active").left_out("a model that is in the warband")
    model.child("recruited").left_out(TECHNICAL)
    model.child("notes").lost("a card has no place for notes")
    if so_far:
        card["so_far"] = so_far
    return {key: value for key, value in card.items() if value != []}


def _of_slug(slug: str) -> str:
    """'md_hereticpriest' as 'hereticpriest': the tool's ids have no spaces to go by."""
    return tidy_name(slug.partition("_")[2].replace("_", " ") or slug) or "unknown"
