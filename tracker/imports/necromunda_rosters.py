"""Rosters of BattleScribe and New Recruit for Necromunda: one tree of selections, as JSON, .ros or .rosz.

A model is a selection with a card: a profile with the twelve characteristics. Data files name the lists
within it freely, so items are known by their profiles and injuries by the book's names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from tracker.documents.weapon_sheet import WeaponOnSheet
from tracker.imports import rosters, sheet_draft
from tracker.imports.findings import Fact
from tracker.imports.rosters import TECHNICAL
from tracker.imports.sheet_draft import SheetDraft

GAME: Final = "necromunda"
NUMBERS_MIN: Final = 8
"""The fewest of a card's twelve numbers that make a profile a card."""
CATEGORIES: Final = {
    "leader": "leader", "champion": "champion", "ganger": "ganger", "juve": "juve", "prospect": "prospect",
    "specialist": "specialist", "crew": "crew", "brute": "brute", "hanger on": "hanger_on",
    "hangers on": "hanger_on", "exotic beast": "exotic_beast", "hired gun": "hired_gun",
    "bounty hunter": "hired_gun", "hive scum": "hired_gun",
}  # fmt: skip
STATES: Final = {
    "recovery": "in_recovery", "in recovery": "in_recovery", "convalescence": "convalescing",
    "critical": "critical", "critical injury": "critical", "critically injured": "critical",
}  # fmt: skip
GONE: Final = {"dead": "dead", "killed": "dead", "memorable death": "dead", "retired": "retired"}
HEADINGS: Final = (
    "character", "weapons", "wargear", "equipment", "trading post", "black market", "skills", "armour",
    "lasting injury", "lasting injuries", "injuries", "status", "advancements", "upgrades",
)  # fmt: skip
WEAPON: Final = {
    "rng s": "range.short", "rng l": "range.long", "range s": "range.short", "range l": "range.long",
    "short range": "range.short", "long range": "range.long", "acc s": "accuracy.short",
    "acc l": "accuracy.long", "str": "S", "s": "S", "strength": "S", "ap": "AP", "d": "D", "damage": "D",
    "am": "ammo", "ammo": "ammo", "traits": "traits",
}  # fmt: skip
SHORTS: Final = ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "Cl", "Wil", "Int")
"""The names of a card's numbers."""
SAVES: Final = ("sv", "save", "armour save")
HEADING: Final = "a heading of the roster builder"
_WEAPON_READ: Final[TypeAdapter[Any]] = TypeAdapter(WeaponOnSheet)


def read(root: Fact, draft: SheetDraft) -> None:
    """Fill the draft from the file."""
    roster = root.child("roster")
    forces = [*rosters.forces(roster)]
    rosters.read_heading(roster, forces, draft, "gang")
    draft.findings.say("asked", "the Reputation", into="reputation", why="no roster says it: 0 for now")
    gang = _GangReader(draft)
    for force in forces:
        gang.force(force)
    gang.finished(roster)


class _GangReader:
    """Reads what the tree says about the gang, apart from its fighters."""

    def __init__(self, draft: SheetDraft) -> None:
        self.draft = draft
        self.so_far: dict[str, Any] = {}
        self.stash: list[dict[str, Any]] = []
        self.credits: int | None = None

    def force(self, force: Fact) -> None:
        """Read a force: its models, and the gang's property."""
        rosters.leave_out_force_details(force)
        for profile in force.child("profiles").children():
            _prose(profile, "the force")
        for selection in force.child("selections").children():
            self.selection(selection, ())

    def selection(self, selection: Fact, trail: tuple[str, ...]) -> None:
        """Read a selection: a model, or the gang's property."""
        if _card_of(selection) is not None:
            _recruit(selection, self.draft)
            return
        rosters.leave_out_technical(selection)
        named, number = selection.child("name"), selection.child("number")
        called = named.text.casefold()
        within = selection.child("selections").children()
        draft = self.draft
        if "credit" in called and number.number is not None and not within:
            self.credits = max(number.number, 0)
            number.taken("credits")
            named.left_out("the line that counts credits")
        elif called == "reputation" and number.number is not None:
            draft.sheet["reputation"] = draft.count(number, "reputation")
            named.left_out("the line that counts Reputation")
        elif "stash" in trail and called not in ("trading post", "black market"):
            self._stashed(selection)
        elif trail and trail[-1] in ("alliance", "alliances"):
            if ally := draft.name(named, "so_far.alliances"):
                self.so_far.setdefault("alliances", []).append(ally)
        elif _is_territory(selection, trail):
            self._territory(named)
        elif within or called in ("stash", "territory", "territories", "gang headquarters"):
            named.left_out(HEADING)
        else:
            said = f", under {': '.join(trail)}" if trail else ""
            named.lost(f"a setting of the roster{said}, that no sheet has a place for")
        number.left_out("how many there are of it")
        selection.child("group").left_out("the list that something was chosen from")
        selection.child("categories").left_out(f"keywords of {named.text}")
        for key in ("customName", "customNotes"):
            selection.child(key).lost(f"a name or a note of its own for {named.text}")
        _costs_left_out(selection, "no fighter's")
        rosters.leave_out_rules(selection, named.text)
        for profile in selection.child("profiles").children():
            _prose(profile, named.text)
        for inner in within:
            self.selection(inner, (*trail, called))

    def _stashed(self, thing: Fact) -> None:
        named, number = thing.child("name"), thing.child("number")
        times = max(number.number or 1, 1)
        worth = _credits(thing, "stash") // times
        number.taken("stash", f"{named.text}, {times} of it")
        name = self.draft.name(named, "stash")
        weapon = _weapon(thing, name) if name else None
        item: dict[str, Any] = {"name": name, "cost": max(worth, 0)}
        if weapon is not None:
            item |= {
                "kind": "weapon",
                "weapon": {key: weapon[key] for key in weapon if key not in ("name", "cost")},
            }
            _weapon_taken(thing, name, "stash")
        if name:
            self.draft.add(self.stash, item, times, sheet_draft.STASH_MAX, "stash")

    def _territory(self, named: Fact) -> None:
        held = self.so_far.setdefault("territories", [])
        if name := self.draft.name(named, f"so_far.territories[{len(held) + 1}]"):
            territory = {"name": name}
            kinds = {rules.name.casefold(): kind for kind, rules in self.draft.book.territories.items()}
            if name.casefold() in kinds:
                territory["kind"] = kinds[name.casefold()]
            held.append(territory)

    def finished(self, roster: Fact) -> None:
        """Finish the gang, and compare sums with what was imported."""
        draft, sheet = self.draft, self.draft.sheet
        if self.stash:
            sheet["stash"] = self.stash
        for key, limit in (("territories", 50), ("alliances", 20)):
            if key in self.so_far:
                self.so_far[key] = draft.within(self.so_far[key], limit, "a gang", f"so_far.{key}")
        if self.so_far:
            sheet["so_far"] = self.so_far
        came = sum(fighter["cost"] for fighter in sheet["fighters"])
        for key in ("costs", "costLimits"):
            for cost in roster.child(key).children():
                rosters.leave_out_technical(cost)
                currency, value = cost.child("name"), cost.child("value")
                if key == "costs" and "credit" in currency.text.casefold():
                    stashed = sum(item["cost"] for item in self.stash)
                    both = value.number == came + stashed
                    draft.check_sum(value, came + stashed if both else came, "the fighters' costs")
                elif (
                    key == "costLimits" and "credit" in currency.text.casefold() and (value.number or -1) >= 0
                ):
                    value.lost("the limit for founding: what is left in credits is asked for")
                else:
                    value.left_out("a sum or a limit of the roster builder")
                currency.left_out(TECHNICAL)
        if self.credits is not None:
            sheet["credits"] = self.credits
        else:
            draft.credits_left("the roster does not say it")


def _is_territory(selection: Fact, trail: tuple[str, ...]) -> bool:
    kinds = {profile.child("typeName").text.casefold() for profile in selection.child("profiles").children()}
    return "territory" in kinds or (bool(trail) and trail[-1] in ("territory", "territories"))


def _card_of(selection: Fact) -> Fact | None:
    """The profile with a fighter's numbers, of the selection itself; None if it is no model."""
    for profile in selection.child("profiles").children():
        if _is_card(profile):
            return profile
    return None


def _is_card(profile: Fact) -> bool:
    named = {each.child("name").text.casefold() for each in profile.child("characteristics").children()}
    return len(named & {short.casefold() for short in SHORTS}) >= NUMBERS_MIN


# --- a model -----------------------------------------------------------------------------------------------


def _recruit(model: Fact, draft: SheetDraft) -> None:
    """Add as many fighters as the line of a model counts."""
    fighters = draft.sheet["fighters"]
    times = max(model.child("number").number or 1, 1)
    model.child("number").taken("fighters", f"{times} of this kind")
    card = _FighterCard(draft, f"fighters[{len(fighters) + 1}]", times).of(model)
    before = len(fighters)
    draft.add(fighters, card, times, sheet_draft.FIGHTERS_MAX, "fighters")
    for place in range(before, len(fighters)):
        fighters[place] = {**card}


class _FighterCard:
    """Reads one model's card from everything under it."""

    def __init__(self, draft: SheetDraft, into: str, times: int) -> None:
        self.draft = draft
        self.into = into
        self.times = times
        self.card: dict[str, Any] = {}
        self.so_far: dict[str, Any] = {}
        self.cost = 0
        self.rank: str | None = None

    def of(self, model: Fact) -> dict[str, Any]:
        """The whole card."""
        draft, into = self.draft, self.into
        kind, own = model.child("name"), model.child("customName")
        name = draft.name(own if own.is_there else kind, f"{into}.name", "Fighter")
        card = self.card = {
            "name": name, "type": draft.name(kind, f"{into}.type", "unknown"), "category": "", "cost": 0,
            "characteristics": {}, "xp": 0, "skills": [], "weapons": [], "wargear": [],
        }  # fmt: skip
        rosters.leave_out_technical(model)
        model.child("group").left_out("the list that something was chosen from")
        model.child("customNotes").lost("a card has no place for notes")
        self._costs(model)
        for category in model.child("categories").children():
            self._category(category)
        card["category"] = self.rank or draft.category(kind, f"{into}.category")
        numbers = _card_of(model)
        assert numbers is not None, "a model has a card"
        self._numbers(numbers)
        for profile in model.child("profiles").children():
            if profile.path != numbers.path:
                self._profile(profile, profile.child("name"))
        for rule in model.child("rules").children():
            rosters.leave_out_technical(rule)
            rule.child("description").left_out(rosters.PROSE)
            self._thing(rule.child("name"), 1)
        for selection in model.child("selections").children():
            self.carried(selection)
        card["cost"] = draft.cost_of_one(self.cost, self.times, name, f"{into}.cost")
        for key, limit in (("skills", sheet_draft.SKILLS_MAX), ("weapons", sheet_draft.WEAPONS_MAX)):
            card[key] = draft.within(card[key], limit, name, f"{into}.{key}")
        if self.so_far:
            card["so_far"] = self.so_far
        return {key: value for key, value in card.items() if value != []}

    def _category(self, category: Fact) -> None:
        rosters.leave_out_technical(category)
        named = category.child("name")
        rank = CATEGORIES.get(re.sub(r"[-_ ]+", " ", named.text.casefold()).strip().removesuffix("s"))
        if rank is None:
            named.left_out("a keyword or a list of the roster builder")
            return
        self.rank = self.rank or rank
        named.taken(f"{self.into}.category", rank)

    def _numbers(self, profile: Fact) -> None:
        rosters.leave_out_technical(profile)
        profile.child("name").left_out("the profile's name is the fighter's type")
        shorts = {short.casefold(): short for short in SHORTS}
        for written in profile.child("characteristics").children():
            rosters.leave_out_technical(written)
            named, value = written.child("name"), written.child("$text")
            named.left_out(TECHNICAL)
            short = shorts.get(named.text.casefold())
            place = f"{self.into}.characteristics.{short}"
            if short is not None:
                self.card["characteristics"][short] = _number(value, place)
            elif named.text.casefold() in SAVES:
                self._save(value)
            elif named.text.casefold() in ("xp", "experience") and value.number is not None:
                self.card["xp"] = self.draft.count(value, f"{self.into}.xp")
            else:
                value.lost(f"{named.text}: no number that a card here has")
        for short in SHORTS:
            self.card["characteristics"].setdefault(short, "-")

    def _save(self, value: Fact) -> None:
        save = re.search(r"[2-6]", value.text)
        if save is None:
            value.left_out("no save")
            return
        self.card["armour"] = {"name": "armour", "save": f"{save[0]}+"}
        value.guessed(f"{self.into}.armour", f"a save of {save[0]}+ by what is worn: write its name")

    def _costs(self, fact: Fact) -> None:
        for cost in fact.child("costs").children():
            rosters.leave_out_technical(cost)
            currency, value = cost.child("name"), cost.child("value")
            called, named = currency.text.casefold(), fact.child("name").text
            currency.left_out(TECHNICAL)
            if "credit" in called and value.number is not None:
                self.cost += value.number
                value.taken(f"{self.into}.cost", f"{value.number} credits for {named}")
            elif "experience" in called and value.number and value.number > 0:
                self.card["xp"] = self.card.get("xp", 0) + value.number
                value.taken(f"{self.into}.xp")
            elif "slot" in called:
                value.left_out("room for weapons, as the roster builder counts it")
            else:
                value.lost(f"{currency.text} for {named}: a sheet counts credits")

    def carried(self, selection: Fact) -> None:
        """Read a selection under a model: an item, a skill, an injury, a state; and everything under it."""
        rosters.leave_out_technical(selection)
        self._costs(selection)
        named, number = selection.child("name"), selection.child("number")
        called, group = named.text.casefold(), selection.child("group").text.casefold()
        within = selection.child("selections").children()
        profiles = selection.child("profiles").children()
        selection.child("group").left_out("the list that something was chosen from")
        selection.child("categories").left_out(f"keywords of {named.text}")
        selection.child("customName").lost(f"a name of its own for {named.text}")
        selection.child("customNotes").lost("a card has no place for notes")
        kinds = {profile.child("typeName").text.casefold() for profile in profiles}
        rosters.leave_out_rules(selection, named.text)
        row = sheet_draft.row_called(self.draft.injuries, sheet_draft.without_roll(named.text))
        if called in ("experience", "xp"):
            self.card["xp"] += max(number.number or 0, 0)
            number.taken(f"{self.into}.xp", "XP, with other lines that say it")
            named.left_out("the line that counts XP")
        elif called in STATES:
            self.so_far[STATES[called]] = True
            named.taken(f"{self.into}.so_far.{STATES[called]}", "how the fighter is now")
        elif called in GONE:
            self.so_far["gone"] = GONE[called]
            named.taken(f"{self.into}.so_far.gone", "gone for good")
        elif called in ("captured", "captive"):
            self._captive(named)
        elif called in ("kills", "advances", "battles") and number.number is not None:
            self.so_far[called] = self.draft.count(number, f"{self.into}.so_far.{called}")
            named.left_out("the line that counts them")
        elif row is not None or "injur" in group or any("injur" in kind for kind in kinds):
            if (injury := self.draft.injury(named, f"{self.into}.so_far.injuries")) is not None:
                self.so_far.setdefault("injuries", []).append(injury)
        elif any("skill" in kind for kind in kinds) or "skill" in group:
            if name := self.draft.name(named, f"{self.into}.skills"):
                self.card["skills"].append(name)
        elif any(_is_weapon(profile) for profile in profiles):
            self._weapon(selection)
        elif called in HEADINGS or (within and not profiles and not any(map(_amount, _costs_of(selection)))):
            named.left_out(HEADING)
        else:
            self._thing(named, _count_per_model(number.number, self.times))
            number.taken(f"{self.into}.wargear", f"{named.text}, {number.text} of it")
        number.left_out("how many there are of one thing")
        for profile in profiles:
            profile.child("name").left_out(f"a profile of {named.text}")
            _prose(profile, named.text)
        for inner in within:
            self.carried(inner)

    def _captive(self, named: Fact) -> None:
        who = str(self.card["name"])
        holder = self.draft.answers.captives.get(who)
        if holder is not None:
            self.so_far["captive_of"] = holder
            named.taken(f"{self.into}.so_far.captive_of", f"a captive of {holder}, as was said")
            return
        why = "a captive, and the roster does not say whose: name the captive on that gang's sheet"
        named.asked(f"{self.into}.so_far.captive_of", why)
        self.draft.ask(f"captive {who}", f"Which gang, enlisted here already, holds {who}?", ())

    def _weapon(self, selection: Fact) -> None:
        named, number = selection.child("name"), selection.child("number")
        name = self.draft.name(named, f"{self.into}.weapons")
        weapon = _weapon(selection, name) if name else None
        times = _count_per_model(number.number, self.times)
        number.taken(f"{self.into}.weapons", f"{named.text}, {number.text} of it")
        if weapon is None:
            self._thing(named, times)
            return
        self.draft.add(self.card["weapons"], weapon, times, sheet_draft.WEAPONS_MAX, f"{self.into}.weapons")
        _weapon_taken(selection, name, f"{self.into}.weapons")

    def _profile(self, profile: Fact, named: Fact) -> None:
        """Read a further profile of the model itself: a skill, an item that it always has, its keywords."""
        kind = profile.child("typeName").text.casefold()
        if "skill" in kind:
            if name := self.draft.name(named, f"{self.into}.skills"):
                self.card["skills"].append(name)
        elif _is_weapon(profile):
            name = self.draft.name(named, f"{self.into}.weapons")
            weapon = _weapon_of([profile], name) if name else None
            if weapon is not None:
                self.card["weapons"].append(weapon)
                _profile_taken(profile, name, f"{self.into}.weapons")
            elif name:
                self.card["wargear"].append(name)
        elif "keyword" in kind:
            named.left_out("keywords of the roster builder")
        elif _is_card(profile):
            named.lost("a second profile of the fighter: a card has one")
        else:
            self._thing(named, 1)
        _prose(profile, named.text)

    def _thing(self, named: Fact, times: int) -> None:
        if name := self.draft.name(named, f"{self.into}.wargear"):
            self.draft.add(self.card["wargear"], name, times, sheet_draft.CARRIED_MAX, f"{self.into}.wargear")


def _count_per_model(number: int | None, times: int) -> int:
    counted = max(number or 1, 1)
    return counted // times if counted % times == 0 else counted


def _number(value: Fact, into: str) -> int | str:
    """A number as the roster writes it; a dash if there is none."""
    if value.number == 0 or value.text.casefold() in sheet_draft.DASHES or not value.is_there:
        value.taken(into, "a dash on the card")
        return "-"
    if re.fullmatch(r'[0-9]{1,2}["”+]?', value.text):
        value.taken(into)
        return int(value.text) if value.text.isdecimal() else value.text.replace("”", '"')
    value.lost("no number: the card has a dash instead")
    return "-"


def _costs_of(selection: Fact) -> list[Fact]:
    return selection.child("costs").children()


def _amount(cost: Fact) -> int:
    return cost.child("value").number or 0 if "credit" in cost.child("name").text.casefold() else 0


def _credits(fact: Fact, into: str) -> int:
    total = 0
    for cost in fact.child("costs").children():
        rosters.leave_out_technical(cost)
        if "credit" in cost.child("name").text.casefold() and cost.child("value").number is not None:
            total += cost.child("value").number or 0
            cost.child("value").taken(into, f"for {fact.child('name').text}")
        else:
            cost.child("value").left_out(rosters.BUILDERS_SUM)
        cost.child("name").left_out(TECHNICAL)
    return total


def _costs_left_out(fact: Fact, whose: str) -> None:
    for cost in fact.child("costs").children():
        rosters.leave_out_technical(cost)
        cost.child("name").left_out(TECHNICAL)
        cost.child("value").lost(f"{cost.child('name').text} for {fact.child('name').text}: it is {whose}")


# --- weapons ----------------------------------------------------------------------------------------------


def _is_weapon(profile: Fact) -> bool:
    return "weapon" in profile.child("typeName").text.casefold()


def _weapon(selection: Fact, name: str) -> dict[str, Any] | None:
    """A weapon with its numbers; None if a sheet cannot hold them."""
    profiles = [profile for profile in selection.child("profiles").children() if _is_weapon(profile)]
    return _weapon_of(profiles, name) if profiles else None


def _weapon_of(profiles: list[Fact], name: str) -> dict[str, Any] | None:
    read = [_profile_read(profile) for profile in profiles]
    weapon: dict[str, Any] = {"name": name}
    if len(read) == 1:
        weapon |= read[0]
    else:
        named = [_profile_name(profile, name, place) for place, profile in enumerate(profiles, start=1)]
        weapon["profiles"] = [{"name": each, **numbers} for each, numbers in zip(named, read, strict=True)]
    try:
        _WEAPON_READ.validate_python(weapon)
    except ValidationError:
        return None
    return weapon


def _profile_name(profile: Fact, weapon: str, place: int) -> str:
    called = sheet_draft.tidy_name(profile.child("name").text)
    if called.casefold().startswith(weapon.casefold()):
        called = called[len(weapon) :].strip(" ,:-()")
    return called or f"profile {place}"


def _profile_read(profile: Fact) -> dict[str, Any]:
    numbers: dict[str, Any] = {"S": "-", "AP": "-", "D": "-"}
    for key, value in _weapon_numbers(profile):
        text = value.text
        if key == "traits":
            listed = [sheet_draft.tidy_name(part) for part in re.split(r",(?![^()]*\))", text)]
            numbers["traits"] = [*filter(None, listed)]
        elif text in ("", *sheet_draft.DASHES) or text.casefold() in sheet_draft.DASHES:
            continue
        elif "." in key:
            outer, _, inner = key.partition(".")
            if inner_value := text.rstrip('"”').strip():
                numbers.setdefault(outer, {})[inner] = inner_value
        else:
            numbers[key] = int(text) if text.isdecimal() else text
    return {key: value for key, value in numbers.items() if value not in ([], {})}


def _weapon_numbers(profile: Fact) -> Iterator[tuple[str, Fact]]:
    for written in profile.child("characteristics").children():
        key = WEAPON.get(written.child("name").text.casefold())
        if key is not None:
            yield key, written.child("$text")


def _weapon_taken(selection: Fact, name: str, into: str) -> None:
    for profile in selection.child("profiles").children():
        if _is_weapon(profile):
            _profile_taken(profile, name, into)


def _profile_taken(profile: Fact, name: str, into: str) -> None:
    profile.child("name").left_out(f"a profile of {name}")
    for _, value in _weapon_numbers(profile):
        value.taken(into, f"of {name}")


def _prose(profile: Fact, named: str) -> None:
    """Note the rest of a profile: numbers that no sheet holds, by name, and rules' text."""
    rosters.leave_out_technical(profile)
    profile.child("description").left_out(rosters.PROSE)
    profile.child("name").left_out(f"a profile of {named}")
    weapon = _is_weapon(profile)
    for written in profile.child("characteristics").children():
        rosters.leave_out_technical(written)
        key, value = written.child("name"), written.child("$text")
        key.left_out(TECHNICAL)
        if weapon and value.text.casefold() not in sheet_draft.DASHES:
            value.lost(f"{key.text} of {named}: no number that a card here has")
        else:
            value.left_out(rosters.PROSE)
