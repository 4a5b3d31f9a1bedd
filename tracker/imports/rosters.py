"""Rosters of New Recruit and BattleScribe for Trench Crusade: one tree of selections, as JSON, .ros or .rosz.

A `unit` around one `model` is one fighter, a cost is the sum for all that a line counts, and a rolled skill
or injury has its roll in brackets. Rules' text is everywhere, and none of it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tracker.documents.nodes import Path
from tracker.documents.text import slug_of
from tracker.errors import BadInput
from tracker.imports import sheet_draft, weapon_profiles
from tracker.imports.findings import Fact
from tracker.imports.sheet_draft import SheetDraft

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
BUILDERS_SUM: Final = "a sum that the roster builder made"
PILES: Final = ("pile", "pile of stuff", "stash", "armoury", "stockpile")


class GameNotHere(BadInput):
    """{file} is a roster of {game}, and only rosters of Necromunda and Trench Crusade are read here. Nothing
    was written.
    """

    file: str
    game: str


def is_roster(data: Any) -> bool:
    """Whether this is such a file."""
    roster = data.get("roster") if isinstance(data, dict) else None
    return isinstance(roster, dict) and ("forces" in roster or "gameSystemName" in roster)


def game_of(root: Fact) -> str:
    """The game of a roster, as it names it."""
    return root.child("roster").child("gameSystemName").text


def read(root: Fact, draft: SheetDraft) -> None:
    """Fill the draft from the file."""
    roster = root.child("roster")
    sheet = draft.sheet
    roster_forces = [*forces(roster)]
    read_heading(roster, roster_forces, draft, "warband")
    sheet["so_far"], sheet["stash"] = {}, []
    for force in roster_forces:
        _force(force, draft)
    _sums(roster, draft)
    for key in ("so_far", "stash"):
        if not sheet[key]:
            del sheet[key]


def read_heading(roster: Fact, roster_forces: Sequence[Fact], draft: SheetDraft, kind: str) -> None:
    """Read the name, house and player of a roster's gang; `kind` is the game's word for one."""
    sheet = draft.sheet
    custom_names = [force.child("customName") for force in roster_forces]
    custom_name = next((fact for fact in custom_names if fact.is_there), None)
    sheet["name"] = draft.name(custom_name or roster.child("name"), "name", f"Imported {kind}")
    if custom_name is not None:
        roster.child("name").left_out(f"what the roster is called, beside the {kind}'s name")
    sheet["gang"] = slug_of(sheet["name"]) or "gang"
    leave_out_technical(roster)
    draft.house((roster_forces[0] if roster_forces else roster).child("catalogueName"))
    draft.player()
    roster.child("customNotes").lost("a gang sheet has no place for it")


def forces(fact: Fact) -> Iterator[Fact]:
    """Every force, including forces within forces."""
    for force in fact.child("forces").children():
        yield force
        yield from forces(force)


def _force(force: Fact, draft: SheetDraft) -> None:
    leave_out_force_details(force)
    for profile in force.child("profiles").children():
        _profile(profile, "the force", draft)
    for selection in force.child("selections").children():
        if _is_pile(selection):
            _pile(selection, draft)
        elif models := [*_models(selection, ())]:
            around: set[Path] = set()  # what a unit holds is its first model's
            for parts in models:
                _recruit([part for part in parts if part.path not in around], draft, alone=len(models) == 1)
                around |= {part.path for part in parts}
        else:
            _setting(selection, draft, ())


def leave_out_force_details(force: Fact) -> None:
    """Note what a force says beside its models, which no sheet holds."""
    leave_out_technical(force)
    force.child("catalogueName").left_out("the list of one more force, beside the sheet's house")
    force.child("name").left_out("what the roster builder calls a force")
    force.child("customName").lost("the name of one more force")
    force.child("customNotes").lost("a gang sheet has no place for it")
    force.child("categories").left_out("the lists that a force may choose from")
    force.child("costs").left_out(BUILDERS_SUM)
    leave_out_rules(force, "the force")


def _sums(roster: Fact, draft: SheetDraft) -> None:
    """The credits left, and a comparison of the costs with what was imported."""
    limit, spent = _cost(roster.child("costLimits"), "ducat"), _cost(roster.child("costs"), "ducat")
    if limit is not None and spent is not None and limit >= spent:
        draft.sheet["credits"] = limit - spent
        for fact in _costs(roster.child("costLimits"), "ducat"):
            fact.child("value").guessed("credits", f"the limit of {limit} less the {spent} spent")
    else:
        draft.credits_left("the roster sets no limit")
    came = sum(fighter["cost"] for fighter in draft.sheet["fighters"])
    for fact in _costs(roster.child("costs"), "ducat"):
        draft.check_sum(fact.child("value"), came, "the models' costs")
    for key in ("costs", "costLimits"):
        for fact in roster.child(key).children():
            leave_out_technical(fact)
            currency = fact.child("name")
            if "ducat" not in currency.text.casefold():
                why = f"{'spent' if key == 'costs' else 'the limit'} in {currency.text}"
                fact.child("value").lost(f"{why}: write what is left of Glory as so_far.glory")
            else:
                fact.child("value").left_out("a limit that is none")
            currency.left_out(TECHNICAL)


def _costs(fact: Fact, currency: str) -> Iterator[Fact]:
    for cost in fact.children():
        if currency in cost.child("name").text.casefold():
            yield cost


def _cost(fact: Fact, currency: str) -> int | None:
    return next((cost.child("value").number for cost in _costs(fact, currency)), None)


# --- selections that are no models -------------------------------------------------------------------------


def _setting(selection: Fact, draft: SheetDraft, trail: tuple[str, ...]) -> None:
    """Read a setting of the roster, or something that a campaign gave the warband."""
    leave_out_technical(selection)
    named, group = selection.child("name"), selection.child("group").text.casefold()
    number = selection.child("number")
    so_far = draft.sheet["so_far"]
    if named.text == "Disabled" and trail and "campaign" in trail[-1].casefold():
        named.lost("the roster was made without campaign rules: it holds no XP, skills or injuries")
    elif "glory" in named.text.casefold() and number.number:
        so_far["glory"] = so_far.get("glory", 0) + max(number.number, 0)
        number.guessed("so_far.glory", f"{named.text}: Glory that is not spent")
        named.left_out("the line that counts Glory")
    elif "patron" in group or (trail and trail[-1].casefold() in ("patron", "patrons")):
        if patron := draft.name(named, "so_far.patrons"):
            so_far.setdefault("patrons", []).append(patron)
    elif "exploration reward" in group or "location" in group:
        if place := draft.name(named, "so_far.locations"):
            so_far.setdefault("locations", []).append(place)
    else:
        said = ", under " + ": ".join(trail) if trail else ""
        named.lost(f"a setting of the roster{said}, that no sheet has a place for")
    number.left_out("how many there are of it")
    _lost_costs(selection)
    _leave_out_details(selection, draft)
    for within in selection.child("selections").children():
        _setting(within, draft, (*trail, named.text))


def _is_pile(selection: Fact) -> bool:
    names = [
        selection.child("name"),
        *(each.child("name") for each in selection.child("categories").children()),
    ]
    return any(name.text.casefold() in PILES for name in names)


def _pile(selection: Fact, draft: SheetDraft) -> None:
    """Read the warband's stash, which rosters hold as a model."""
    leave_out_technical(selection)
    _leave_out_details(selection, draft)
    for key in ("name", "customName", "number", "costs"):
        selection.child(key).left_out("the pile that the stash lies in")
    for thing in selection.child("selections").children():
        leave_out_technical(thing)
        named, number = thing.child("name"), thing.child("number")
        if "disclaimer" in thing.child("group").text.casefold() or named.text.casefold().endswith("storage"):
            named.left_out("a place in the pile, no thing")
            number.left_out("a place in the pile, no thing")
            _pile(thing, draft)
            continue
        times = max(number.number or 1, 1)
        name = draft.name(named, "stash")
        worth = _ducats(thing, "stash") // times
        number.taken("stash", f"{name}, {times} of it")
        if name:
            item = {"name": name, "cost": max(worth, 0)}
            draft.add(draft.sheet["stash"], item, times, sheet_draft.STASH_MAX, "stash")
        _leave_out_details(thing, draft, of=name)
        for within in thing.child("selections").children():
            leave_out_technical(within)
            within.lost(f"part of {name} in the stash")


# --- models ------------------------------------------------------------------------------------------------


def _models(selection: Fact, around: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
    """Each model of a selection, after the units around it."""
    parts = (*around, selection)
    if selection.child("type").text == "model":
        yield parts
        return
    within = [found for child in selection.child("selections").children() for found in _models(child, parts)]
    if within:
        yield from within
    elif any(profile.child("typeName").text == "Unit" for profile in selection.child("profiles").children()):
        yield parts


def _recruit(parts: Sequence[Fact], draft: SheetDraft, *, alone: bool) -> None:
    """Add as many fighters as the line of a model counts, with the equipment of the units around it."""
    model = parts[-1]
    fighters = draft.sheet["fighters"]
    times = max(model.child("number").number or 1, 1)
    if times > 1 or not alone:  # a unit's name is nobody's own
        for unit in parts[:-1]:
            unit.child("customName").lost("the name of a unit of several models")
    model.child("number").taken("fighters", f"{times} of this kind")
    card = _fighter(parts, draft, times, alone=alone and times == 1)
    before = len(fighters)
    draft.add(fighters, card, times, sheet_draft.FIGHTERS_MAX, "fighters")
    for place in range(before, len(fighters)):
        fighters[place] = {**card}


def _fighter(parts: Sequence[Fact], draft: SheetDraft, times: int, *, alone: bool) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    model = parts[-1]
    kind = draft.name(model.child("name"), f"{into}.type", "unknown")
    names = [part.child("customName") for part in reversed(parts if alone else parts[-1:])]
    named = next((fact for fact in names if fact.is_there), None)
    name = draft.name(named or model.child("name"), f"{into}.name", f"Model {at}")
    card: dict[str, Any] = {"name": name, "type": kind, "category": "", "cost": 0,
                            "characteristics": {}, "skills": [], "wargear": [], "weapons": []}  # fmt: skip
    carry = _ModelCard(card, draft, into, times)
    for part in parts:
        carry.part(part, wraps=part is not model)
    return carry.finished(model)


class _ModelCard:
    """Reads one model's card from everything under it."""

    def __init__(self, card: dict[str, Any], draft: SheetDraft, into: str, times: int) -> None:
        self.card = card
        self.draft = draft
        self.into = into
        self.times = times
        self.so_far: dict[str, Any] = {}
        self.keywords: set[str] = set()
        self.cost = 0

    def part(self, part: Fact, *, wraps: bool) -> None:
        """Read a unit or the model itself, and everything that is carried under it."""
        leave_out_technical(part)
        if wraps:
            part.child("name").left_out("the unit around a model")
            part.child("number").left_out("the unit around a model")
        part.child("group").left_out("the list that something was chosen from")
        part.child("customName").lost("a second name of the model, or of the unit around it")
        part.child("customNotes").lost("a card has no place for notes")
        self.cost += _ducats(part, f"{self.into}.cost")
        for category in part.child("categories").children():
            self._keyword(category)
        for rule in part.child("rules").children():
            self._skill(rule)
        for profile in part.child("profiles").children():
            self._own_profile(profile)
        for selection in part.child("selections").children():
            if not wraps or not any(_models(selection, ())):
                self._carried(selection)

    def finished(self, model: Fact) -> dict[str, Any]:
        """The whole card."""
        card, draft, into = self.card, self.draft, self.into
        card["category"] = self._rank(model)
        card["cost"] = draft.cost_of_one(self.cost, self.times, card["name"], f"{into}.cost")
        if not card["characteristics"]:
            draft.findings.say("asked", f"the numbers of {card['name']}", into=f"{into}.characteristics",
                               why="the roster holds no profile of this model")  # fmt: skip
            card["characteristics"] = dict.fromkeys(CHARACTERISTICS.values(), "-")
        skills = [*dict.fromkeys(card["skills"])]
        card["skills"] = draft.within(skills, sheet_draft.SKILLS_MAX, card["name"], f"{into}.skills")
        if self.so_far:
            card["so_far"] = self.so_far
        return {key: value for key, value in card.items() if value != []}

    def _rank(self, model: Fact) -> str:
        kind = model.child("name").text
        if self.keywords & {"elite", "leader"}:
            return "elite"
        if "troop" in self.keywords:
            return "troop"
        said = self.draft.answers.categories.get(kind)
        if said is None:
            question = f"Is {kind} an elite or a troop?"
            self.draft.ask(f"category {kind}", question, ("elite", "troop"), guess="troop")
            model.child("name").asked(
                f"{self.into}.category", "neither ELITE nor troop: the sheet says troop for now"
            )
        return said or "troop"

    def _keyword(self, category: Fact) -> None:
        named = category.child("name")
        keyword = named.text.casefold()
        self.keywords.add(keyword)
        leave_out_technical(category)
        if keyword in ("elite", "troop", "leader"):
            named.taken(f"{self.into}.category", "a leader is an elite" if keyword == "leader" else "")
        elif keyword == "tough":
            self.card["skills"].append("Tough")
            named.taken(f"{self.into}.skills")
        else:
            named.lost("a keyword that no rule of this program reads")

    def _skill(self, fact: Fact) -> None:
        rolled = sheet_draft.without_roll(fact.child("name").text)
        why = "" if rolled == fact.child("name").text else "its roll is no roll of this campaign"
        if name := self.draft.name(
            Fact(rolled, fact.child("name").path, self.draft.findings), f"{self.into}.skills"
        ):
            self.card["skills"].append(name)
        if why:
            fact.child("name").taken(f"{self.into}.skills", why)
        fact.child("description").left_out(PROSE)
        leave_out_technical(fact)

    def _own_profile(self, profile: Fact) -> None:
        """Read a profile of the model itself: its numbers, an ability, a weapon that it always has."""
        kind = profile.child("typeName").text.casefold()
        if kind == "unit" and not self.card["characteristics"]:
            leave_out_technical(profile)
            profile.child("name").left_out("the profile's name is the model's type")
            for written in profile.child("characteristics").children():
                self._number(written)
        elif kind == "ability":
            self._skill(profile)
            _prose(profile)
        elif kind == "unit":
            profile.child("name").lost("a second profile of the model: a card has one")
            _lost_profile(profile)
        else:
            self._thing(profile.child("name"), 1, weapon=weapon_profiles.keep(profile, self.draft))
            _prose(profile)

    def _number(self, written: Fact) -> None:
        named, value = written.child("name"), written.child("$text")
        short = CHARACTERISTICS.get(named.text)
        leave_out_technical(written)
        named.left_out(TECHNICAL)
        if short is None:
            value.lost(f"{named.text}: no number that a card here has")
            return
        place = f"{self.into}.characteristics.{short}"
        self.card["characteristics"][short] = trench_number(short, value, place)

    def _carried(self, selection: Fact) -> None:
        """Read a selection under a model: gear, a skill, an injury, XP; and everything under it."""
        leave_out_technical(selection)
        paid = _ducats(selection, f"{self.into}.cost")
        self.cost += paid
        group = selection.child("group").text.casefold()
        named, times = selection.child("name"), selection.child("number")
        selection.child("group").left_out("the list that something was chosen from")
        selection.child("categories").left_out(f"keywords of {named.text}")
        selection.child("customName").lost(f"a name of its own for {named.text}")
        selection.child("customNotes").lost("a card has no place for notes")
        number = times.number or 1
        profiles = selection.child("profiles").children()
        kinds = {profile.child("typeName").text.casefold() for profile in profiles}
        apart = [profile for profile in profiles if profile.child("name").text != named.text]
        if named.text.casefold() == "experience":
            self.card["xp"] = max(number, 0)
            times.taken(f"{self.into}.xp")
            named.left_out("the line that counts XP")
        elif "promotion" in named.text.casefold() and "advance" in group:
            self.keywords.add("elite")
            named.taken(f"{self.into}.category", "promoted: an elite")
        elif any(word in group for word in ("injur", "trauma", "scar")):
            if (injury := self.draft.injury(named, f"{self.into}.so_far.injuries")) is not None:
                self.so_far.setdefault("injuries", []).append(injury)
        elif "advance" in group or "skill" in group or ("ability" in kinds and "weapon" not in kinds):
            self._skill(selection)
            if "advance" in group:
                self.so_far["advances"] = self.so_far.get("advances", 0) + 1
        else:
            each = number // self.times if number % self.times == 0 else number
            own = [profile for profile in profiles if profile not in apart]
            price = max(paid, 0) // max(number, 1)
            kept = [weapon_profiles.keep(profile, self.draft, price) for profile in own]
            self._thing(named, max(each, 1), weapon=True in kept)
            times.taken(f"{self.into}.wargear", f"{named.text}, {number} of it")
        times.left_out("how many there are of one thing")
        for profile in profiles:
            part = profile.child("name")
            if profile in apart and weapon_profiles.keep(profile, self.draft):
                self._thing(part, 1, weapon=True)
            elif profile in apart and profile.child("typeName").text.casefold() == "ability":
                part.left_out(f"what {named.text} does")
            elif profile in apart:
                part.lost(f"part of {named.text}, or what it does")
            _profile(profile, named.text, self.draft)
        leave_out_rules(selection, named.text)
        for within in selection.child("selections").children():
            self._carried(within)

    def _thing(self, named: Fact, times: int, *, weapon: bool) -> None:
        key = "weapons" if weapon else "wargear"
        if name := self.draft.name(named, f"{self.into}.{key}"):
            limit = sheet_draft.WEAPONS_MAX if weapon else sheet_draft.CARRIED_MAX
            self.draft.add(self.card[key], name, times, limit, f"{self.into}.{key}")


def trench_number(short: str, value: Fact, into: str) -> Any:
    """A characteristic of Trench Crusade as a sheet writes it."""
    if short == "Mv":
        inches, _, beyond = value.text.replace("”", '"').partition('"')
        beyond = beyond.strip("/ ")
        known = inches.strip().isdecimal() and len(inches.strip()) <= 2
        value.taken(into, f"{beyond!r} beside the inches is not kept" if beyond and known else "")
        if not known:
            value.taken(into, "a dash on the card")
        return f'{int(inches)}"' if known else "-"
    number = value.number
    if number is None:
        dash = value.text.casefold() in sheet_draft.DASHES or not value.is_there
        value.taken(into, "a dash on the card") if dash else value.lost(
            "no number: the card has a dash instead"
        )
        return "-"
    value.taken(into)
    return number if short == "Arm" else f"{number:+d} DICE"


# --- details of selections ---------------------------------------------------------------------------------


def _ducats(fact: Fact, into: str) -> int:
    """The ducats of one line of the tree. Glory is noted as lost, because no sheet counts it for a model."""
    total = 0
    named = fact.child("name").text
    for cost in fact.child("costs").children():
        leave_out_technical(cost)
        currency, value = cost.child("name"), cost.child("value")
        if "ducat" in currency.text.casefold() and value.number is not None:
            total += value.number
            value.taken(into, f"{value.number} ducats for {named}")
        else:
            value.lost(f"{currency.text} for {named}: a sheet counts ducats")
        currency.left_out(TECHNICAL)
    return total


def _lost_costs(fact: Fact) -> None:
    for cost in fact.child("costs").children():
        leave_out_technical(cost)
        currency = cost.child("name")
        cost.child("value").lost(f"{currency.text} for {fact.child('name').text}: it is no model's")
        currency.left_out(TECHNICAL)


def _leave_out_details(selection: Fact, draft: SheetDraft, of: str = "") -> None:
    """Note groups, keywords, rules and profiles of something that has been read."""
    named = of or selection.child("name").text
    selection.child("group").left_out("the list that something was chosen from")
    selection.child("categories").left_out(f"keywords of {named}")
    for key in ("customName", "customNotes"):
        selection.child(key).lost(f"a name or a note of its own for {named}")
    leave_out_rules(selection, named)
    for profile in selection.child("profiles").children():
        profile.child("name").left_out(f"what {named} does")
        _profile(profile, named, draft)


def _profile(profile: Fact, named: str, draft: SheetDraft) -> None:
    """Read the numbers of a weapon, or note the text of an ability."""
    weapon_profiles.keep(profile, draft)
    profile.child("name").left_out(f"a profile of {named}")
    _prose(profile)


def _prose(profile: Fact) -> None:
    """Note the rest of a profile: numbers that no card has, and rules' text."""
    named = profile.child("name").text
    leave_out_technical(profile)
    profile.child("description").left_out(PROSE)
    for written in profile.child("characteristics").children():
        leave_out_technical(written)
        key, value = written.child("name"), written.child("$text")
        key.left_out(TECHNICAL)
        if key.text.casefold() in weapon_profiles.SHORT and value.text.casefold() not in sheet_draft.DASHES:
            value.lost(f"{key.text} of {named}: no number that a card here has")
        else:
            value.left_out(PROSE)


def _lost_profile(profile: Fact) -> None:
    leave_out_technical(profile)
    for written in profile.child("characteristics").children():
        leave_out_technical(written)
        written.child("$text").lost(f"{written.child('name').text} of {profile.child('name').text}")
        written.child("name").left_out(TECHNICAL)


def leave_out_rules(fact: Fact, named: str) -> None:
    for rule in fact.child("rules").children():
        leave_out_technical(rule)
        rule.child("name").left_out(f"a rule of {named}")
        rule.child("description").left_out(PROSE)


def leave_out_technical(fact: Fact) -> None:
    if isinstance(fact.value, dict):
        for key in IDS:
            if key in fact.value:
                fact.child(key).left_out(TECHNICAL)
