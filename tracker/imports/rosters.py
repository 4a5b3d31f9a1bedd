"""Rosters of New Recruit and BattleScribe for Trench Crusade: one tree of selections, as JSON, .ros or .rosz.

What stands for itself there: a `unit` that wraps one `model` is one fighter, a rolled skill or injury carries
its roll in brackets, and rules' prose stands everywhere: none of it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tracker.errors import BadInput
from tracker.imports.drafts import Draft, tidy_name
from tracker.imports.findings import Fact

TOOL: Final = "New Recruit or BattleScribe"
GAME: Final = "trench crusade"
CHARACTERISTICS: Final = {"Movement": "Mv", "Ranged": "Rng", "Melee": "Mel", "Armour": "Arm"}
IDS: Final = (
    "id", "entryId", "entryGroupId", "typeId", "catalogueId", "catalogueRevision", "gameSystemId",
    "gameSystemRevision", "battleScribeVersion", "generatedBy", "xmlns", "from", "hidden", "page",
    "publicationId", "type", "primary", "gameSystemName", "typeName",
)  # fmt: skip
TECHNICAL: Final = "ids and settings of the roster builder"
PROSE: Final = "a rule's text is never kept"
_INCHES: Final = re.compile(r'^\s*([0-9]{1,2})\s*["”]?')
_MODELS_MAX: Final = 100


class GameNotHere(BadInput):
    """{file} is a roster of {game}, and only rosters of Trench Crusade are read here. Nothing was written."""

    file: str
    game: str


def is_one(data: Any) -> bool:
    """Whether this is such a file."""
    roster = data.get("roster") if isinstance(data, dict) else None
    return isinstance(roster, dict) and ("forces" in roster or "gameSystemName" in roster)


def game_of(root: Fact) -> str:
    """The game that a roster is for, by its own word."""
    return root.child("roster").child("gameSystemName").text


def read(root: Fact, draft: Draft) -> None:
    """Fill the draft from the file."""
    roster = root.child("roster")
    sheet = draft.sheet
    sheet["name"] = draft.name(roster.child("name").taken("name"), "Imported warband")
    sheet["gang"] = draft.id_for(sheet["name"], "gang")
    _technical(roster)
    forces = roster.child("forces").children()
    catalogue = forces[0].child("catalogueName") if forces else roster.child("catalogueName")
    sheet["house"] = tidy_name(catalogue.taken("house").text) or draft.answers.house or "unknown"
    sheet["player"] = draft.answers.player or "unknown"
    if draft.answers.player is None:
        draft.ask("player", "Who plays the warband?", ())
        draft.findings.say("asked", "the player", into="player", why="the file does not name one")
    _credits(roster, draft)
    for force in forces:
        _technical(force)
        for key in ("name", "customName"):
            force.child(key).left_out("what the roster builder calls a force")
        force.child("categories").left_out(TECHNICAL)
        force.child("costs").left_out("sums that the roster builder made")
        _prose(force)
        for selection in force.child("selections").children():
            _selection(selection, draft)


def _credits(roster: Fact, draft: Draft) -> None:
    limit = _cost(roster.child("costLimits"), "ducats")
    spent = _cost(roster.child("costs"), "ducats")
    if limit is not None and limit >= 0 and spent is not None and limit >= spent:
        draft.sheet["credits"] = limit - spent
        roster.child("costLimits").guessed("credits", f"the limit of {limit} less the {spent} spent")
    else:
        draft.ask("credits", "How many ducats has the warband left?", ())
        draft.findings.say("asked", "ducats left", into="credits", why="the roster sets no limit")
        roster.child("costLimits").left_out("a limit that is none")
    roster.child("costs").left_out("sums that the roster builder made")


def _cost(fact: Fact, currency: str) -> int | None:
    for cost in fact.children():
        if currency in cost.child("name").text.casefold():
            return cost.child("value").number
    return None


def _selection(selection: Fact, draft: Draft) -> None:
    """One selection of a force: a model, a unit of them, or a setting of the roster."""
    models = [*_models(selection)]
    if not models:
        _setting(selection)
        return
    for model in models:
        times = model.child("number").number or 1
        for _ in range(min(max(times, 1), _MODELS_MAX - len(draft.sheet["fighters"]))):
            draft.sheet["fighters"].append(_fighter(model, draft))
    if models[0] is not selection:
        _technical(selection)
        selection.child("name").left_out("the unit around a model")
        selection.child("customName").lost("a name of the unit around a model")
        _prose(selection)
        for key in ("costs", "categories", "number"):
            selection.child(key).left_out("the unit around a model")


def _models(selection: Fact) -> Iterator[Fact]:
    kind = selection.child("type").text
    if kind == "model":
        yield selection
        return
    within = [model for child in selection.child("selections").children() for model in _models(child)]
    if within:
        yield from within
    elif any(profile.child("typeName").text == "Unit" for profile in selection.child("profiles").children()):
        yield selection


def _setting(selection: Fact) -> None:
    _technical(selection)
    name = selection.child("name").text
    chosen = ", ".join(child.child("name").text for child in selection.child("selections").children())
    if name == "Campaign Rules" and "Disabled" in chosen:
        why = "the roster was made without campaign rules: it holds no XP, skills or injuries"
        selection.lost(why)
    else:
        selection.lost(f"a setting of the roster: {name}" + (f": {chosen}" if chosen else ""))


def _fighter(model: Fact, draft: Draft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    named = model.first("customName", "name")
    name = draft.name(named.taken(f"{into}.name"), f"Model {at}")
    kind = model.child("name").taken(f"{into}.type")
    _technical(model)
    model.child("number").left_out("how many models of a kind stand on one line")
    rank, keywords = _rank(model, draft, into)
    card: dict[str, Any] = {
        "id": draft.id_for(name, f"model-{at}"),
        "name": name,
        "type": tidy_name(kind.text) or "unknown",
        "category": rank,
        "cost": _whole_cost(model, into),
        "characteristics": _characteristics(model, into),
        "skills": keywords,
        "wargear": [],
    }
    so_far: dict[str, Any] = {}
    for rule in model.child("rules").children():
        _skill(rule, card, into)
    for profile in model.child("profiles").children():
        if profile.child("typeName").text != "Unit":
            _profile(profile)
    for selection in model.child("selections").children():
        _carried(selection, card, so_far, draft, into)
    if so_far:
        card["so_far"] = so_far
    card["skills"] = [*dict.fromkeys(card["skills"])][:50]
    card["wargear"] = card["wargear"][:50]
    return {key: value for key, value in card.items() if value != []}


def _rank(model: Fact, draft: Draft, into: str) -> tuple[str, list[str]]:
    names = []
    for category in model.child("categories").children():
        names.append(category.child("name").text)
        _technical(category)
    said = {name.casefold() for name in names}
    keywords = ["Tough"] if "tough" in said else []
    rank = "elite" if said & {"elite", "leader"} else "troop" if "troop" in said else ""
    for category, name in zip(model.child("categories").children(), names, strict=True):
        if name.casefold() in ("elite", "troop", "leader"):
            category.child("name").taken(f"{into}.category")
        elif name.casefold() == "tough":
            category.child("name").taken(f"{into}.skills")
        else:
            category.child("name").lost("a keyword that no rule of this program reads")
    if not rank:
        kind = model.child("name").text
        rank = draft.answers.categories.get(kind, "troop")
        if kind not in draft.answers.categories:
            draft.ask(
                f"category {kind}", f"Is {kind} an elite or a troop?", ("elite", "troop"), guess="troop"
            )
            model.child("name").asked(
                f"{into}.category", "neither ELITE nor troop: the sheet says troop for now"
            )
    return rank, keywords


def _whole_cost(fact: Fact, into: str) -> int:
    """Ducats down the whole tree. Glory stands apart, and no sheet counts it for a model."""
    total = 0
    for cost in fact.child("costs").children():
        _technical(cost)
        currency, value = cost.child("name"), cost.child("value").number
        if "ducat" in currency.text.casefold():
            total += max(value or 0, 0)
            cost.child("value").taken(f"{into}.cost")
            currency.left_out(TECHNICAL)
        elif value:
            cost.lost(f"{value} {currency.text}: a sheet counts ducats")
        else:
            cost.left_out("costs of nothing")
    return total + sum(_whole_cost(child, into) for child in fact.child("selections").children())


def _characteristics(model: Fact, into: str) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    for profile in model.child("profiles").children():
        if profile.child("typeName").text != "Unit":
            continue
        _technical(profile)
        profile.child("name").left_out("the profile's name is the model's type")
        for written in profile.child("characteristics").children():
            _technical(written)
            named, value = written.child("name"), written.child("$text")
            short = CHARACTERISTICS.get(named.text)
            named.left_out(TECHNICAL)
            if short is None:
                value.lost(f"{named.text}: no number that a card here has")
                continue
            numbers[short] = _number(short, value, f"{into}.characteristics.{short}")
    return numbers


def _number(short: str, value: Fact, into: str) -> Any:
    if short == "Mv":
        inches = _INCHES.match(value.text)
        beyond = value.text[inches.end() :].strip("/ ") if inches else ""
        value.taken(into, f"{beyond!r} beside the inches is not kept" if beyond else "")
        return f'{inches[1]}"' if inches else "-"
    number = value.number
    if number is None:
        value.taken(into, "a dash on the card")
        return "-"
    value.taken(into)
    return number if short == "Arm" else f"{number:+d} DICE"


def _carried(selection: Fact, card: dict[str, Any], so_far: dict[str, Any], draft: Draft, into: str) -> None:
    """Something under a model: gear, a skill, an injury, XP; and what stands under that in turn."""
    _technical(selection)
    group = selection.child("group").text.casefold()
    named = selection.child("name")
    selection.child("group").left_out("the list that something was chosen from")
    selection.child("categories").left_out(TECHNICAL)
    times = selection.child("number")
    number = times.number or 1
    kinds = {profile.child("typeName").text.casefold() for profile in selection.child("profiles").children()}
    if named.text.casefold() == "experience":
        card["xp"] = number
        times.taken(f"{into}.xp")
        named.left_out("the line that counts XP")
    elif any(word in group for word in ("injur", "trauma", "scar")):
        if (injury := draft.injury(named, f"{into}.so_far.injuries")) is not None:
            so_far.setdefault("injuries", []).append(injury)
    elif "advance" in group or "skill" in group or "ability" in kinds:
        _skill(selection, card, into)
        so_far["advances"] = so_far.get("advances", 0) + ("advance" in group)
    else:
        name = tidy_name(named.taken(f"{into}.wargear").text)
        card["wargear"] += [name] * min(max(number, 1), 20) if name else []
        times.taken(f"{into}.wargear")
    if not so_far.get("advances"):
        so_far.pop("advances", None)
    times.left_out("how many there are of one thing")
    for profile in selection.child("profiles").children():
        _profile(profile)
    _prose(selection)
    for within in selection.child("selections").children():
        _carried(within, card, so_far, draft, into)


def _skill(fact: Fact, card: dict[str, Any], into: str) -> None:
    name = tidy_name(re.sub(r"\s*\[[^\]]*\]\s*$", "", fact.child("name").text))
    fact.child("name").taken(f"{into}.skills")
    if name:
        card["skills"].append(name)
    fact.child("description").left_out(PROSE)
    _technical(fact)


def _profile(profile: Fact) -> None:
    """A weapon's numbers or an ability's text beside the thing itself."""
    kind = profile.child("typeName").text.casefold()
    _technical(profile)
    profile.child("name").left_out("a profile of something that is named beside it")
    for written in profile.child("characteristics").children():
        _technical(written)
        written.child("name").left_out(TECHNICAL)
        if kind == "weapon" and written.child("name").text.casefold() in ("type", "range", "keywords"):
            written.child("$text").lost(
                f"of {profile.child('name').text}: give the weapon its numbers with an armoury"
            )
        else:
            written.child("$text").left_out(PROSE)


def _prose(fact: Fact) -> None:
    for rule in fact.child("rules").children():
        rule.left_out(PROSE)


def _technical(fact: Fact) -> None:
    for key in IDS:
        fact.child(key).left_out(TECHNICAL)
