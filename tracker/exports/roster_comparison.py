"""A gang that is here against a sheet that says how it stands elsewhere: a comparison, and nothing recorded.

Both are enlisted and written out the same way before they are compared, so that injuries taken off the cards,
numbers and ids differ only where the gangs do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracker.campaign import records
from tracker.campaign.state import CampaignState, Gang
from tracker.campaign.steps import decide
from tracker.dice import DiceTray
from tracker.documents.gang_sheet import WeaponsByName, gang_sheet_command
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.exports.gang_sheet import gang_on_sheet
from tracker.records import Record
from tracker.rules import loader

CARRIED: Final = ("weapons", "wargear", "armour", "field_armour")
WORN: Final = {"armour": "armour save", "field_armour": "field armour save"}
SHEET_KEYS: Final = ("format", "brought_from", "injuries_counted", "fighters", "vehicles", "gang", "id")
ONLY_HERE: Final = (
    "battles", "won", "drawn", "lost", "vehicles_wrecked", "out_of_action", "xp_spent", "improved",
    "captives", "captive_of", "when", "locations", "promotion_failures", *WORN.values(),
)  # fmt: skip
"""What other tools' files do not say: the campaign knows it, and its absence there is no difference."""


class RosterDifference(Record):
    """What differs of a gang or a fighter: as it is `here`, and as the file has it; empty for nothing."""

    about: str
    key: str
    here: str
    there: str


def align_ids(sheet: Mapping[str, Any], gang: Gang) -> dict[str, Any]:
    """The sheet with the ids that the gang and its fighters have here, by their names."""
    ids_by_name: dict[str, list[str]] = {}
    for fighter in gang.fighters.values():
        ids_by_name.setdefault(_normalized(fighter.name), []).append(fighter.fighter)
    fighters = []
    for card in sheet["fighters"]:
        ids = ids_by_name.get(_normalized(card["name"]), [])
        fighters.append({"id": ids.pop(0), **card} if ids else card)
    return {**sheet, "gang": gang.gang, "fighters": fighters}


def compare_roster(
    state: CampaignState, gang: str, sheet: Mapping[str, Any], weapons: WeaponsByName | None = None
) -> tuple[RosterDifference, ...]:
    """What differs between a gang and an aligned sheet. Raises what is wrong with the sheet."""
    book = loader.book(state.book)
    sheet_state = CampaignState()
    opened = records.OpenCampaign(name=state.name, slug=state.slug, book=state.book)
    document = parse_document(as_yaml({**sheet}), file=f"{gang}.yaml")
    enlist = gang_sheet_command(document, characteristics=book.characteristics, weapons=weapons)
    for command in (opened, enlist):
        sheet_state = decide(sheet_state, command, DiceTray(()), loader.rulebook, entry=1).state
    here, there = gang_on_sheet(state, gang).sheet, gang_on_sheet(sheet_state, gang).sheet
    return (*_differences(state.gangs[gang].name, here, there), *_of_fighters(here, there))


def _of_fighters(here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[RosterDifference]:
    cards, other_cards = ({card["id"]: card for card in sheet["fighters"]} for sheet in (here, there))
    for fighter_id, card in cards.items():
        if fighter_id in other_cards:
            yield from _differences(card["name"], card, other_cards[fighter_id])
        else:
            yield RosterDifference(about=card["name"], key="fighter", here=card["type"], there="")
    for fighter_id, card in other_cards.items():
        if fighter_id not in cards:
            yield RosterDifference(about=card["name"], key="fighter", here="", there=card["type"])


def _differences(about: str, here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[RosterDifference]:
    was, becomes = _facts(here), _facts(there)
    for key in dict.fromkeys((*was, *becomes)):
        old, new = was.get(key), becomes.get(key)
        if old == new or (new is None and key in ONLY_HERE):
            continue
        if isinstance(old or new, Counter):
            old, new = old or Counter(), new or Counter()
            yield RosterDifference(about=about, key=key, here=_listed(old - new), there=_listed(new - old))
        else:
            yield RosterDifference(about=about, key=key, here=_text(old), there=_text(new))


def _facts(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What a sheet says of a gang or a fighter: keys with a value, lists as names counted."""
    facts: dict[str, Any] = {}
    carried: Counter[str] = Counter()
    for key, value in (*sheet.items(), *sheet.get("so_far", {}).items()):
        match value:
            case _ if key in SHEET_KEYS or key == "so_far":
                continue
            case _ if key in CARRIED:
                carried.update(map(_name, value if isinstance(value, list) else [value]))
                if key in WORN:
                    facts[WORN[key]] = value["save"]
            case list():
                facts[key] = Counter(map(_name, value))
            case dict():
                facts |= value
            case _:
                facts[key] = value
    if carried:
        facts["carried"] = carried
    return facts


def _name(value: Any) -> str:
    if isinstance(value, dict):
        value = next((value[key] for key in ("name", "injury", "territory") if key in value), "")
    return str(value).casefold()


def _normalized(name: str) -> str:
    return " ".join(name.casefold().split())


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{times} {name}" if times > 1 else name for name, times in counted.items())


def _text(value: Any) -> str:
    return "" if value is None else "yes" if value is True else "no" if value is False else str(value)
