"""The pages of corrections: an entry field by field, a forgotten entry, a battle by its report.

Each is a ruling with a preview. Knows no rule of the game and of rulings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracker.campaign import records
from tracker.dice import Die
from tracker.documents.armoury import PriceLookup
from tracker.documents.recorded_entries import RecordedEntry, recorded_entry
from tracker.documents.recorded_report import as_text, report_written
from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Choice, fighter_choices
from tracker.documents.wizard.writing import flow
from tracker.errors import Refusal
from tracker.reports.cards import display_name
from tracker.reports.dice_words import roll_words
from tracker.rules import loader
from tracker.rules.glossary import GameWords
from tracker.server.pages import rulings
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.operation_fields import OperationField, armoury_of
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import addressed, entry_of, game_of, here, names_of
from tracker.service.amendments import RecordedSlot
from tracker.service.as_of import is_count

KEY: Final = "key."
DICE: Final = "faces."
ALSO_AFTER, ALSO_TEXT = "also_after", "also_text"
_ALSO_FILE: Final = "also"
LOOK: Final = "look"
HEAD_KEY: Final = "head."
RESULT, DRAW = "result", "@draw"
CREWS: Final = "crews"
"""The field that says that the form has the crews' ticks; a gang without a tick did not fight."""


class _Wanted(NamedTuple):
    """The correction: the commands that preview it and make it, and their parameters."""

    preview: str
    rule: str
    given: dict[str, Any]
    files: dict[str, bytes]


class _Tick(NamedTuple):
    """A model that may have fought."""

    field: str
    name: str
    kind: str
    was_there: bool
    is_ticked: bool
    fighter: str


class _Crew(NamedTuple):
    """A gang that fought, and the models that may have fought for it."""

    gang: str
    name: str
    fighters: Sequence[_Tick]


def entry(request: PageRequest) -> Mapping[str, Any]:
    """The page that corrects a recorded entry, field by field."""
    filled = _filled(request)
    number = _entry_of(request)
    slot = request.tracker.amendments.recorded(request.known_campaign, number)
    part = _part(slot, filled)
    fields, why_not = _fields(request, slot, part, filled)
    wanted = _of_entry(request, slot, part, filled)
    said = [each.command.in_words(names_of(request)) for each in slot.parts]
    return {
        **_shown(request, wanted if LOOK in filled or request.refused else None, filled),
        "title": "Put right what was recorded",
        "about": said[part - 1],
        "parts": said if len(said) > 1 else [],
        "part": part,
        "fields": fields,
        "crews": (),
        "cannot": why_not,
        "entry": number,
        "text": None,
        "after": None,
        "dispute": request.path.get("dispute"),
        "entries": (),
    }


def forgotten(request: PageRequest) -> Mapping[str, Any]:
    """The page that adds a forgotten entry after another."""
    filled, number = _filled(request), _entry_of(request)
    wanted = _forgotten(request, filled) if filled.get("text") else None
    return {
        **_shown(request, wanted, filled),
        "title": "Add what was forgotten",
        "about": "What happened after this entry and was not recorded, as a report writes it.",
        "parts": [],
        "part": 1,
        "fields": [],
        "crews": (),
        "cannot": "",
        "entry": number,
        "text": filled.get("text"),
        "after": number,
        "dispute": None,
        "entries": (),
    }


def battle(request: PageRequest) -> Mapping[str, Any]:
    """The page that corrects a battle, entry by entry or by its whole report."""
    filled = _filled(request)
    text = _report(request, filled)
    wanted = _battle(request, filled) if LOOK in filled or request.refused else None
    return {
        **_shown(request, wanted, filled),
        "title": "Put a battle's report right",
        "about": "What its report says now. What you take out of it no longer counts.",
        "parts": [],
        "part": 1,
        "fields": [*_head_fields(request, text, filled)] if text else [],
        "crews": _crews(request, filled) if text else (),
        "cannot": "",
        "entry": None,
        "text": text,
        "after": None,
        "dispute": None,
        "entries": [*_one_by_one(request)],
    }


def _one_by_one(request: PageRequest) -> Iterator[tuple[int, str]]:
    """The events of the battle by the entry to correct, without its opening and end."""
    listed = request.data("battle show", battle=request.path["battle"])["entries"]
    for entry in sorted(listed, key=lambda entry: entry["slot"]):
        command = entry["events"][0]["data"].get("command") or {"type": records.OpenBattle.__name__}
        if command["type"] not in (records.OpenBattle.__name__, records.CloseBattle.__name__):
            yield entry["slot"], entry["asked"]


def look(_: PageRequest, filled: FormValues) -> None:
    """Do nothing: the page itself shows the consequences."""
    filled.fields[LOOK] = ["1"]


def rule_entry(request: PageRequest, filled: FormValues) -> Redirect:
    """Make the correction of an entry that was previewed."""
    slot = request.tracker.amendments.recorded(request.known_campaign, _entry_of(request))
    return _rule(request, filled, _of_entry(request, slot, _part(slot, filled), filled))


def rule_forgotten(request: PageRequest, filled: FormValues) -> Redirect:
    """Add the forgotten entry that was previewed."""
    return _rule(request, filled, _forgotten(request, filled))


def rule_battle(request: PageRequest, filled: FormValues) -> Redirect:
    """Make the correction of a battle that was previewed."""
    return _rule(request, filled, _battle(request, filled))


# --- the request -------------------------------------------------------------------------------------------


def _filled(request: PageRequest) -> FormValues:
    return request.typed if request.typed.fields else request.asked


def _entry_of(request: PageRequest) -> int:
    """The entry of the page, or the disputed one."""
    if (dispute := request.path.get("dispute")) is not None:
        return request.tracker.rulings.slot_in_dispute(request.known_campaign, dispute)
    number = request.path["entry"]
    return int(number) if is_count(number) else 0


def _part(slot: RecordedSlot, filled: FormValues) -> int:
    wanted = filled.get("part", "1")
    number = int(wanted) if is_count(wanted) else 1
    return number if 1 <= number <= len(slot.parts) else 1


def _of_entry(request: PageRequest, slot: RecordedSlot, part: int, filled: FormValues) -> _Wanted:
    sets = _sets(request, slot, part, filled)
    also, files = _also(filled)
    if (dispute := request.path.get("dispute")) is not None:
        given: dict[str, Any] = {"dispute": dispute, "amend": sets, "also": also}
        return _Wanted("dispute preview", "dispute rule", given, files)
    given = {"entry": slot.entry, "sets": sets, "also": also}
    given |= {"part": part} if len(slot.parts) > 1 else {}
    return _Wanted("entry amend", "entry amend", given, files)


def _forgotten(request: PageRequest, filled: FormValues) -> _Wanted:
    files = {"-": _document(filled, "text")}
    return _Wanted("entry add", "entry add", {"file": "-", "after": request.path["entry"]}, files)


def _battle(request: PageRequest, filled: FormValues) -> _Wanted:
    also, files = _also(filled)
    given = {"battle": request.path["battle"], "file": "-", "also": also}
    sent = filled.files.get("text")
    document = sent.content if sent is not None and sent.content else _headed(request, filled).encode()
    return _Wanted("battle amend", "battle amend", given, {"-": document, **files})


def _report(request: PageRequest, filled: FormValues) -> str:
    """The report as typed, else as recorded; empty if no report can hold all of it."""
    if "text" in filled:
        return filled.get("text").replace("\r\n", "\n")
    state, parts = request.tracker.amendments.battle_recorded(request.known_campaign, request.path["battle"])
    return report_written(parts, PriceLookup(state=state, armoury=armoury_of(request))) or ""


def _headed(request: PageRequest, filled: FormValues) -> str:
    """The report with the values of the fields above it."""
    text = f"{_report(request, filled).rstrip()}\n"
    changed: dict[str, Any] = {}
    for key, said in _head_of(text).items():
        wanted = filled.get(HEAD_KEY + key)
        if wanted and wanted != said:
            changed[key] = wanted
    if RESULT in changed:
        changed[RESULT] = {"draw": True} if changed[RESULT] == DRAW else {"winner": changed[RESULT]}
    crews = _crews(request, filled) if CREWS in filled else ()
    if any(tick.is_ticked != tick.was_there for crew in crews for tick in crew.fighters):
        changed["gangs"] = _crewed(writing.plain_of(text, file="").get("gangs"), crews)
    return as_text({**writing.plain_of(text, file=""), **changed}) if changed else text


def _crews(request: PageRequest, filled: FormValues) -> list[_Crew]:
    """The crews as ticked, or as recorded."""
    state, parts = request.tracker.amendments.battle_recorded(request.known_campaign, request.path["battle"])
    opening = parts[0].command
    assert isinstance(opening, records.OpenBattle), "a battle begins with its opening"
    crews = []
    for gang, crew in opening.crews.items():
        members = dict.fromkeys((*crew, *state.gangs[gang].enlisted))
        cards = [card for fighter in members if (card := state.fighter(fighter)) is not None]
        ticks = [
            _Tick(
                field=(field := f"crew.{gang}.{card.fighter}"),
                name=card.name,
                kind=card.kind,
                was_there=card.fighter in crew,
                is_ticked=field in filled if CREWS in filled else card.fighter in crew,
                fighter=card.fighter,
            )
            for card in cards
        ]
        crews.append(_Crew(gang, state.gangs[gang].name, ticks))
    return crews


def _crewed(said: Any, crews: Sequence[_Crew]) -> dict[str, Any]:
    """The gangs of a report with the changed ticks; a gang without a tick did not fight."""
    gangs = dict(said) if isinstance(said, Mapping) else dict.fromkeys(said or (), "all")
    for crew in crews:
        if any(tick.is_ticked != tick.was_there for tick in crew.fighters):
            gangs[crew.gang] = [tick.fighter for tick in crew.fighters if tick.is_ticked]
    return {gang: crew for gang, crew in gangs.items() if crew}


def _head_of(text: str) -> dict[str, str]:
    """The battle's own values in a report; empty for a text that is no report."""
    try:
        said = writing.plain_of(text, file="")
    except Refusal:
        return {}
    result = said.get(RESULT)
    won = str(result.get("winner") or DRAW) if isinstance(result, Mapping) else ""
    head = {key: str(said.get(key) or "") for key in ("scenario", "date")}
    return {**head, RESULT: won}


def _head_fields(request: PageRequest, text: str, filled: FormValues) -> Iterator[OperationField]:
    state = request.boards.state_at(request.known_campaign)
    won = [Choice(value=gang.gang, name=gang.name) for gang in state.gangs.values()]
    labels = {"scenario": "Scenario", "date": "Played on", RESULT: "Who won"}
    for key, said in _head_of(text).items():
        choices = [*won, Choice(value=DRAW, name="Nobody: a draw")] if key == RESULT else []
        shown = filled.get(HEAD_KEY + key) or said
        yield _field(HEAD_KEY + key, labels[key], shown, choices=choices)


def _also(filled: FormValues) -> tuple[list[tuple[str, str]], dict[str, bytes]]:
    """The entries that become due by the correction, rolled meanwhile."""
    if not filled.get(ALSO_AFTER) or not filled.get(ALSO_TEXT):
        return [], {}
    return [(filled.get(ALSO_AFTER), _ALSO_FILE)], {_ALSO_FILE: _document(filled, ALSO_TEXT)}


def _document(filled: FormValues, name: str) -> bytes:
    sent = filled.files.get(name)
    if sent is not None and sent.content:
        return sent.content
    return f"{filled.get(name)}\n".replace("\r\n", "\n").encode()


def _sets(request: PageRequest, slot: RecordedSlot, part: int, filled: FormValues) -> list[str]:
    """The differences from the recorded entry, as options of the command."""
    known = _entry_recorded(request, slot, part)
    was = {key: _plainly(value) for key, value in (known.content if known is not None else {}).items()}
    sets = []
    for name in filled.fields:
        key, value = name.removeprefix(KEY), filled.get(name)
        if name.startswith(KEY) and value != was.get(key, ""):
            of_list = isinstance(known.content.get(key), list) if known is not None else False
            sets.append(f"{key}=[{value}]" if of_list and value else f"{key}={value}")
    faces = {purpose: ", ".join(shown) for purpose, shown in _dice_of(slot, part).items()}
    for name in filled.fields:
        purpose, value = name.removeprefix(DICE), filled.get(name)
        if name.startswith(DICE) and value != faces.get(purpose, "") and value:
            sets.append(f"dice.{purpose}=[{value}]")
    note = filled.get("note")
    if "note" in filled and note != (slot.header.note or ""):
        sets.append(f"note={note}")
    return sets


def _rule(request: PageRequest, filled: FormValues, wanted: _Wanted) -> Redirect:
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    receipt = request.do(
        wanted.rule,
        sending=rulings.sent_for_any_state(request, filled),
        files=wanted.files,
        reason=filled.get("reason"),
        roll="roll" in filled,
        expect_head=rulings.must_have_looked(filled),
        **wanted.given,
        **rulings.later(filled, book),
    )
    if (dispute := request.path.get("dispute")) is not None:
        return Redirect(here(request, f"/disputes/{addressed(dispute)}"))
    return Redirect(here(request, f"/log/{entry_of(receipt)}"))


# --- the page ----------------------------------------------------------------------------------------------


def _shown(request: PageRequest, wanted: _Wanted | None, filled: FormValues) -> dict[str, Any]:
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    found = rulings.NOTHING
    if wanted is not None:
        found = rulings.previewed(request, wanted.preview, filled, book, files=wanted.files, **wanted.given)
    place = request.at
    for name, value in request.path.items():
        place = place.replace(f"{{{name}}}", addressed(value))
    return {
        "found": found,
        "filled": filled,
        "names": names_of(request),
        "mine": here(request, place.removesuffix("/rule")),
        "text_max": NOTE_CHARACTERS_MAX,
    }


def _entry_recorded(request: PageRequest, slot: RecordedSlot, part: int) -> RecordedEntry | None:
    lookup = PriceLookup(state=slot.before, armoury=armoury_of(request))
    try:
        return recorded_entry(slot.part(part).command, lookup)
    except Refusal:
        return None


def _fields(
    request: PageRequest, slot: RecordedSlot, part: int, filled: FormValues
) -> tuple[list[OperationField], str]:
    """The entry's keys with their values, its dice and its note; or why there are no fields."""
    known = _entry_recorded(request, slot, part)
    if known is None:
        return [], _why_none(slot.part(part).command, game_of(request))
    kinds = records.kinds_of_fields(type(slot.part(part).command))
    fields = []
    keys = dict.fromkeys((*known.content, *(n.removeprefix(KEY) for n in filled.fields if n.startswith(KEY))))
    for key in keys:
        said = known.content.get(key)
        shown = filled.get(KEY + key) if KEY + key in filled else _plainly(said)
        fields.append(
            _field(KEY + key, display_name(key), shown, choices=_choices(slot, kinds.get(key), said))
        )
    for purpose, faces in _dice_of(slot, part).items():
        shown = filled.get(DICE + purpose, ", ".join(faces))
        label = f"{display_name(roll_words(purpose))}: what lay on the table"
        fields.append(_field(DICE + purpose, label, shown))
    fields.append(_field("note", "Note", filled.get("note", slot.header.note or "")))
    return fields, ""


def _field(name: str, label: str, value: str, *, choices: Sequence[Choice] = ()) -> OperationField:
    return OperationField(
        name=name,
        label=label,
        help="",
        shape="one" if choices else "text",
        needed=True,
        choices=tuple(choices),
        is_open=False,
        values=(value,),
    )


def _choices(slot: RecordedSlot, kind: str | None, said: Any) -> tuple[Choice, ...]:
    state = slot.before
    if not isinstance(said, str):
        return ()
    if kind != "gang" and state.fighter(said) is not None:
        everybody = [fighter for gang in state.gangs.values() for fighter in gang.enlisted.values()]
        return fighter_choices(everybody)
    if said in state.gangs:
        return tuple(Choice(value=gang.gang, name=gang.name) for gang in state.gangs.values())
    return ()


def _dice_of(slot: RecordedSlot, part: int) -> dict[str, list[str]]:
    faces: dict[str, list[str]] = {}
    for die in slot.part(part).dice:
        faces.setdefault(die.purpose, []).append(_face(die))
    return faces


def _face(die: Die) -> str:
    return die.symbol or "-".join(map(str, die.faces))


def _plainly(value: Any) -> str:
    """The value of a key; lists without brackets."""
    if value is None:
        return ""
    if isinstance(value, list) and all(not isinstance(each, (dict, list)) for each in value):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else flow(value)


def _why_none(command: records.Command, game: GameWords) -> str:
    match command:
        case records.OpenBattle() | records.CloseBattle():
            return "Who fought and how it ended is put right with the whole battle: on the battle's page."
        case records.EnlistGang() | records.EnlistFighter():
            return game.said("Cards are put right on the {game.gang}'s page.")
        case _:
            return "This is put right by a dispute: strike it, and record it again."
