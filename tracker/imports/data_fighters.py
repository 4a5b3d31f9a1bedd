"""Types of fighter in data files, with their card, rank, price and skills, and the sets of skills."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from tracker.campaign.profiles import CATEGORIES
from tracker.documents.armoury import SKILLS_IN_A_SET, TypeOnPaper
from tracker.documents.known_names import KnownNames
from tracker.errors import BadInput
from tracker.imports import data_items, data_profiles, sheet_draft
from tracker.imports.data_choices import PricedChoice, is_required
from tracker.imports.data_contents import Contents
from tracker.imports.data_files import ENTRIES, GROUPS, Element
from tracker.imports.data_items import Items
from tracker.imports.data_profiles import Profile
from tracker.imports.necromunda_rosters import CATEGORIES as LISTS
from tracker.imports.ranks import rank_of
from tracker.imports.sheet_draft import ELITE, TROOP, tidy_name, without_roll

SETS_OF_A_TYPE_MAX: Final = 30
_SET_NAME: Final = re.compile(r"^(?P<name>.+?) (skills?|skill set)$", re.IGNORECASE)
_ACCESS: Final = re.compile(r"\b(primary|secondary)\b")
_NUMBERED: Final = re.compile(r"^\s*(\[[^\]]{1,7}\]|[0-9]{1,2}\s*[.:)])\s*")
_GEAR_KIND: Final = re.compile(r"wargear|equipment|gear|battlekit|\bitem")


class NoSuchRank(BadInput):
    """{rank!r} is no category of {title}.{rank:nearest or They are}"""

    rank: str
    title: str
    known: tuple[str, ...]


class SkillSets:
    """The sets of six skills, and the names of all skills in the files."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self.skills: dict[str, str] = {}
        self.of_group: dict[int, str] = {}

    def named(self, name: str) -> str | None:
        """The set's name as the files spell it, or None."""
        return next(
            (each["name"] for each in self.listed if each["name"].casefold() == name.casefold()), None
        )


def skill_sets_of(contents: Contents) -> SkillSets:
    """Every group of six skills, as sets."""
    sets = SkillSets()
    for entry in contents.entries:
        if any("skill" in profile.kind.casefold() for profile in contents.info(entry).profiles):
            name = _skill_name(entry.name)
            sets.skills.setdefault(name.casefold(), name)
    for file in contents.library.files:
        for group in (node for node in file.nodes if node.key in GROUPS):
            _set_of(contents, sets, group)
    if sets.listed:
        why = "as the files list them: compare it with the faces of the book's die"
        contents.note("guessed", "the order of the skills in a set", "", into="skills", why=why)
    return sets


def _set_of(contents: Contents, sets: SkillSets, group: Element) -> None:
    choices = [_target(contents, each) for each in group.under("selectionEntries", "entryLinks")]
    entries = [each for each in choices if each is not None and each.key in ENTRIES]
    skills = [*dict.fromkeys(filter(None, (_skill_name(each.name) for each in entries)))]
    titled = _SET_NAME.match(group.name)
    known = [skill for skill in skills if skill.casefold() in sets.skills]
    if titled is None and (not skills or len(known) < len(skills)):
        return
    if any(contents.cards(each) or contents.weapons(each) for each in entries) or not skills:
        return
    name = tidy_name(_NUMBERED.sub("", titled["name"] if titled is not None else group.name))
    if not name or _ACCESS.search(name.casefold()):
        return
    if len(skills) != SKILLS_IN_A_SET:
        why = f"it has {len(skills)} skills, and a set has {SKILLS_IN_A_SET}"
        contents.note("lost", f"the skills {name}", group.place(), into="skills", why=why)
        return
    for skill in skills:
        sets.skills.setdefault(skill.casefold(), skill)
    listed = next((each for each in sets.listed if each["name"].casefold() == name.casefold()), None)
    if listed is None:
        listed = {"name": name, "skills": skills}
        sets.listed.append(listed)
        contents.note("taken", f"the skills {name}", group.place(), into="skills")
    elif {*map(str.casefold, listed["skills"])} != {*map(str.casefold, skills)}:
        contents.note(
            "lost", f"the skills {name}", group.place(), into="skills", why="listed already, otherwise"
        )
    sets.of_group[id(group)] = listed["name"]


def _skill_name(name: str) -> str:
    return tidy_name(without_roll(_NUMBERED.sub("", name)))


def _target(contents: Contents, choice: Element) -> Element | None:
    return contents.library.resolve(choice) if choice.key == "entryLinks" else choice


# --- fighters ----------------------------------------------------------------------------------------------


def fighters_of(
    contents: Contents, items: Items, sets: SkillSets, categories: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Every type of fighter in the files. Raises NoSuchRank for a category that no book has."""
    ranks = contents.book.categories or tuple(rank for rank in CATEGORIES if rank not in (ELITE, TROOP))
    for rank in categories.values():
        if rank not in ranks:
            raise NoSuchRank(rank=rank, title=contents.book.title, known=tuple(ranks))
    said = {kind.casefold(): rank for kind, rank in categories.items()}
    adapter: TypeAdapter[Any] = TypeAdapter(TypeOnPaper)
    context = KnownNames(other_numbers=contents.is_trench)
    listed: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in contents.entries:
        for profile in contents.info(entry).profiles:
            if data_profiles.is_vehicle(profile):
                why = "an armoury lists no vehicles: write its card on the gang sheet, under `vehicles`"
                contents.note("lost", f"the vehicle {entry.name}", entry.place(), why=why)
        if not contents.cards(entry):
            continue
        fighter = _FighterReader(contents, items, sets, said, entry).read()
        if fighter is None:
            continue
        try:
            adapter.validate_python(fighter, context=context)
        except ValidationError as wrong:
            reason = data_items.text_of_first(wrong)
            contents.note(
                "lost", entry.name, entry.place(), why=f"no type that an armoury can hold: {reason}"
            )
            continue
        key = (fighter["type"].casefold(), fighter.get("house", "").casefold())
        if key in listed:
            if listed[key] != fighter:
                why = "a type of that name is listed already, and that one counts"
                contents.note("lost", f"another {fighter['type']}", entry.place(), into="fighters", why=why)
            continue
        listed[key] = fighter
        contents.note("taken", fighter["type"], entry.place(), into="fighters")
    for kind in said:
        if kind not in {fighter["type"].casefold() for fighter in listed.values()}:
            contents.note("lost", f"--category {kind}", "", why="no type of that name is in the files")
    return [*listed.values()]


class _FighterReader:
    """Reads one type of fighter from its element and the elements around and under it."""

    def __init__(
        self, contents: Contents, items: Items, sets: SkillSets, said: Mapping[str, str], entry: Element
    ) -> None:
        self.contents = contents
        self.items = items
        self.sets = sets
        self.said = said
        self.entry = entry
        self.place = entry.place()
        self.holder = self._holder()
        self.name = ""

    def read(self) -> dict[str, Any] | None:
        """The type; None if its name cannot be stored."""
        contents, entry = self.contents, self.entry
        cards = contents.cards(entry)
        self.name = tidy_name(self._called(cards[0]))
        if not self.name:
            contents.note(
                "lost", entry.name or "a fighter without a name", self.place, why="no name that can be kept"
            )
            return None
        lost = contents.lost_of(self.name, self.place)
        fighter: dict[str, Any] = {"type": self.name}
        if house := self._house():
            fighter["house"] = house
        fighter["category"] = self._category()
        fighter["cost"] = self._cost()
        fighter["characteristics"] = data_profiles.card_numbers(cards[0], contents.book, lost)
        for beyond in cards[1:]:
            contents.note(
                "lost", f"the profile {beyond.name} of {self.name}", self.place, why="a card has one profile"
            )
        skills, wargear = self._skills(), self._wargear()
        if armour := self._armour(cards[0]):
            fighter["armour"] = armour
            wargear = [each for each in wargear if each.casefold() != armour["name"].casefold()]
        if skills:
            fighter["skills"] = contents.within([*dict.fromkeys(skills)], sheet_draft.SKILLS_MAX, "skills")
        if wargear:
            fighter["wargear"] = contents.within(
                [*dict.fromkeys(wargear)], sheet_draft.CARRIED_MAX, "wargear"
            )
        words = {*map(str.casefold, (*self._lists(), *contents.info(entry).rules))}
        if "mounted" in words:
            fighter["mounted"] = True
        if any(word.startswith("gang fighter") for word in words):
            fighter["gang_fighter"] = True
        for access, names in self._access().items():
            if names:
                fighter[access] = names[:SETS_OF_A_TYPE_MAX]
        if any(card.is_changed for card in cards) or contents.price(entry).is_changed:
            contents.changed[self.name] = None
        return fighter

    def _holder(self) -> Element | None:
        """The unit or model around an element without a card of its own."""
        for around in self.entry.above():
            if around.key in ENTRIES:
                alone = around.text("type") in ("unit", "model") and not self.contents.cards(around)
                return around if alone else None
        return None

    def _siblings(self) -> int:
        """The number of cards under the unit or model around this one."""
        waiting, found = [self.holder] if self.holder is not None else [], 0
        while waiting:
            here = waiting.pop()
            found += bool(here.key in ENTRIES and self.contents.cards(here))
            waiting += here.under("selectionEntries", "selectionEntryGroups")
        return found

    def _called(self, card: Profile) -> str:
        if self.holder is None or self.entry.text("type") == "model":
            return self.entry.name
        return self.holder.name if self._siblings() == 1 else card.name or self.entry.name

    def _house(self) -> str | None:
        file = self.entry.file
        if not file.is_system and not file.is_library:
            return tidy_name(file.name) or None
        linked = {
            choice.link.file.name
            for choice in self.contents.choices_of(self.holder or self.entry)
            if choice.link is not None and not choice.link.file.is_library and not choice.link.file.is_system
        }
        return tidy_name(linked.pop()) or None if len(linked) == 1 else None

    def _choices_of_both(self) -> list[PricedChoice]:
        return [
            *self.contents.choices_of(self.entry),
            *(self.contents.choices_of(self.holder) if self.holder else ()),
        ]

    def _cost(self) -> int:
        contents = self.contents
        own = contents.price(self.entry)
        asked = [choice.price for choice in contents.choices_of(self.entry) if not choice.way.fighter]
        price = next((each for each in (*asked, own) if each.money is not None), own)
        cost = price.money or 0
        around = contents.price(self.holder) if self.holder is not None else None
        if around is not None and around.money:
            if self.entry.text("type") != "model" or self._siblings() == 1:
                cost += around.money
            else:
                why = f"{around.money} for the whole {self.holder.name if self.holder else 'unit'}"
                contents.note("lost", f"a part of the cost of {self.name}", self.place, why=why)
        for each in filter(None, (own, around)):
            for kind, amount in each.other:
                if not re.search(r"slot|experience|\bxp\b", kind.casefold()):
                    why = f"an armoury counts {contents.book.words.credits}"
                    contents.note("lost", f"{amount} {kind} for {self.name}", self.place, why=why)
            if each.lost is not None:
                contents.note(
                    "lost",
                    f"the price {each.lost} of {self.name}",
                    self.place,
                    why="no whole number of 0 or more",
                )
        if cost == 0 and price.money is None:
            contents.note(
                "guessed",
                f"the price of {self.name}",
                self.place,
                into="fighters",
                why="0, for the files say none",
            )
        return cost

    def _lists(self) -> Iterator[str]:
        """The names of its categories, the primary one first."""
        links = [choice.link for choice in self._choices_of_both() if choice.link is not None]
        for node in (self.entry, *filter(None, (self.holder,)), *links):
            for link in sorted(node.under("categoryLinks"), key=lambda each: not each.says("primary")):
                target = self.contents.library.resolve(link)
                yield target.name if target is not None else link.name

    def _category(self) -> str:
        contents = self.contents
        if (said := self.said.get(self.name.casefold())) is not None:
            contents.note(
                "taken", f"the category of {self.name}", self.place, into="fighters", why="as was said"
            )
            return said
        lists = [*self._lists()]
        if contents.is_trench:
            words = {name.casefold() for name in lists}
            if words & {"elite", "leader"}:
                return ELITE
            usual = TROOP
            if "troop" in words:
                return TROOP
        else:
            usual = "ganger"
            for name in lists:
                rank = LISTS.get(re.sub(r"[-_ ]+", " ", name.casefold()).strip().removesuffix("s"))
                if rank is not None:
                    return rank
            for name in (self.name, *lists):
                if (likely := rank_of(name)) is not None:
                    contents.note("guessed", f"the category of {self.name}", self.place, into="fighters",
                                  why=f"{likely[0]}: {likely[1]}")  # fmt: skip
                    return likely[0]
        why = f"the files do not say it: {usual} for now; say it with --category TYPE=RANK"
        contents.note("asked", f"the category of {self.name}", self.place, into="fighters", why=why)
        return usual

    def _skills(self) -> list[str]:
        contents, info = self.contents, self.contents.info(self.entry)
        skills = [
            profile.name
            for profile in info.profiles
            if "skill" in profile.kind.casefold()
            or (contents.is_trench and profile.kind.casefold() == "ability")
        ]
        for rule in info.rules:
            if contents.is_trench or rule.casefold() in self.sets.skills:
                skills.append(rule)
            elif not re.search(r"^gang fighter|armou?r", rule.casefold()):
                why = (
                    "a special rule, which an armoury has no place for; write it under `skills` if it is one"
                )
                contents.note("lost", f"{rule} of {self.name}", self.place, why=why)
        if contents.is_trench and "tough" in {name.casefold() for name in self._lists()}:
            skills.append("Tough")
        skills += [
            each.name
            for each in self._required()
            if any("skill" in profile.kind.casefold() for profile in contents.info(each).profiles)
        ]
        return [name for name in map(_skill_name, skills) if name]

    def _required(self) -> Iterator[Element]:
        """The choices that the type must take: required ones with a single option."""
        for offer_of in (self.entry, self.holder):
            for each in offer_of.under("selectionEntries", "entryLinks") if offer_of is not None else ():
                target = _target(self.contents, each)
                if target is not None and (is_required(each) or is_required(target)):
                    yield target

    def _wargear(self) -> list[str]:
        contents, carried = self.contents, []
        for item in data_items.offered_as_required(contents, self.entry, self.items):
            if item.get("kind", "weapon") == "weapon":
                why = "what a type begins with holds no weapons: write it on the sheet, by name"
                contents.note("lost", f"{item['name']} of {self.name}", self.place, why=why)
            else:
                carried.append(item["name"])
        for profile in contents.info(self.entry).profiles:
            if data_profiles.is_weapon(profile, contents.book):
                self._own_weapon(profile)
            elif _GEAR_KIND.search(profile.kind.casefold()) and (name := tidy_name(profile.name)):
                carried.append(name)
        return carried

    def _own_weapon(self, profile: Profile) -> None:
        """Add a weapon that is part of the fighter to the items for 0, so that a sheet can name it."""
        name = tidy_name(profile.name)
        if not name or self.items.named(name) is not None:
            return
        lost = self.contents.lost_of(name, self.place)
        weapon = data_profiles.weapon_numbers(name, [profile], self.contents.book, lost)
        self.items.add({"name": name, "weapon": weapon, "cost": 0})
        why = f"a weapon that is part of {self.name}: listed for 0, so that a sheet can name it"
        self.contents.note("guessed", name, self.place, into="items", why=why)

    def _armour(self, card: Profile) -> dict[str, Any] | None:
        saves = data_profiles.save_of(card)
        carried = [item for item in data_items.offered_as_required(self.contents, self.entry, self.items)
                   if item.get("kind") == "armour"]  # fmt: skip
        if carried:
            return {"name": carried[0]["name"], "save": carried[0]["save"]}
        info = self.contents.info(self.entry)
        names = [
            name
            for name in (*info.rules, *(each.name for each in info.profiles))
            if re.search(r"armou?r", name.casefold())
        ]
        if len(saves) == 1:
            return {
                "name": tidy_name(names[0]) if names and tidy_name(names[0]) else "armour",
                "save": saves[0],
            }
        if saves:
            why = "no one number: write the armour and its save"
            said = " and ".join(f"{save}+" for save in saves)
            self.contents.note("lost", f"the save {said} of {self.name}", self.place, why=why)
        elif names and not self.contents.is_trench:
            known = self.items.named(names[0])
            if known is not None and known.get("kind") == "armour":
                return {"name": known["name"], "save": known["save"]}
            why = "the files say no save for it"
            self.contents.note("lost", f"{names[0]} of {self.name}", self.place, why=why)
        return None

    def _access(self) -> dict[str, list[str]]:
        """The Primary and Secondary sets of skills of the type."""
        found: dict[str, list[str]] = {"primary": [], "secondary": []}
        seen: set[tuple[int, str]] = set()
        waiting: list[tuple[Element, str]] = [(self.entry, "")]
        while waiting:
            here, access = waiting.pop()
            target = _target(self.contents, here)
            for node in dict.fromkeys(each for each in (here, target) if each is not None):
                if (id(node), access) in seen or (
                    node is not self.entry and self.contents.is_fighter_card(node)
                ):
                    continue
                seen.add((id(node), access))
                said = _ACCESS.search(node.name.casefold())
                access = said[1] if said is not None else access
                if access and (name := self.sets.of_group.get(id(node))) is not None:
                    if name not in found[access]:
                        found[access].append(name)
                    continue
                choices = [*node.under("selectionEntries", "selectionEntryGroups", "entryLinks")]
                waiting += [(each, access) for each in reversed(choices)]
        return found
