"""Ruling on a page: the verdict, the treatment of entries that no longer follow, and the preview.

All consequences come from the command's preview.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import click

from tracker.cli.rulings import STRATEGIES
from tracker.errors import Refusal
from tracker.reports import cards
from tracker.reports.page import Row
from tracker.reports.roster import injury_shown
from tracker.rules.rulebook import Book
from tracker.server import problems
from tracker.server.pages.dice import DieField, die_field
from tracker.server.pages.forms import HEAD, FormUnreadable, FormValues
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import without_ids
from tracker.service.as_of import is_count
from tracker.service.repository import RemoteRequest

_SETTLE: Final = re.compile(r"settle\.([0-9]{1,9})")
_DICE: Final = re.compile(r"(dice\.([0-9]{1,9})\.([a-z0-9_]{1,60})\.([0-9]{1,3})\.([^/]{0,80}))/[0-9]")
WAYS: Final = {
    "": "Not settled yet",
    "dice": "Decide it with these dice",
    "keep": "Keep it as played",
    "void": "Strike it",
    "unkeep": "Let the rules decide it again",
}


class UnresolvedEntry(NamedTuple):
    """An entry that needs an answer, or has one: the choices, the chosen one, and its dice."""

    slot: Mapping[str, Any]
    ways: Sequence[tuple[str, str]]
    chosen: str
    dice: Sequence[DieField]


class CardChange(NamedTuple):
    """The changes of one card; `fighter` is None for the gang's own."""

    gang: str | None
    fighter: str | None
    lines: Sequence[Mapping[str, Any]]


class ComparedFighter(NamedTuple):
    """A fighter before and after: the changes, and a summary of the rest."""

    fighter: str
    lines: Sequence[Mapping[str, Any]]
    stays: Sequence[str]


class WholeRoster(NamedTuple):
    """A changed gang, with its whole roster."""

    gang: str
    lines: Sequence[Mapping[str, Any]]
    """The changes of the gang itself."""
    members: Sequence[ComparedFighter]


class ShownPreview(NamedTuple):
    """The preview of a ruling for a page. At most one of `preview` and `wrong` is set."""

    preview: Mapping[str, Any] | None
    wrong: Mapping[str, Any] | None
    unresolved: Sequence[UnresolvedEntry]
    changes: Sequence[CardChange]
    rosters: Sequence[WholeRoster] = ()

    @property
    def lacks_dice(self) -> bool:
        """Whether an entry lacks dice that the tool could roll."""
        return any(entry.slot["result"] == "needs_dice" for entry in self.unresolved)


NOTHING: Final = ShownPreview(None, None, (), ())


def fields(request: PageRequest) -> FormValues:
    """The values of a refused form, else of the address."""
    return request.typed if request.refused else request.asked


def previewed(
    request: PageRequest,
    command: str,
    filled: FormValues,
    book: Book,
    *,
    about: int = 0,
    files: Mapping[str, bytes] | None = None,
    **given: Any,
) -> ShownPreview:
    """The preview of a command. `about` is the slot with the disputed die."""
    try:
        settled = {} if given.get("confirm") else later(filled, book)
        preview = request.report(command, files=files or {}, **given, **settled).data()
    except Refusal as refusal:
        return NOTHING._replace(wrong=problems.of_refusal(refusal))
    except click.ClickException as wrong:
        return NOTHING._replace(wrong=problems.of_misuse(wrong))
    changes = changed(preview["differences"])
    unresolved = [*_unresolved(preview, filled, book, about)]
    return ShownPreview(preview, None, unresolved, changes, rosters_whole(request, changes))


def what_if(request: PageRequest, **given: Any) -> ShownPreview:
    """The season under other house rules."""
    try:
        preview = request.data("policy what-if", **given)
    except Refusal as refusal:
        return NOTHING._replace(wrong=problems.of_refusal(refusal))
    except click.ClickException as wrong:
        return NOTHING._replace(wrong=problems.of_misuse(wrong))
    changes = changed(preview["differences"])
    return NOTHING._replace(preview=preview, changes=changes, rosters=rosters_whole(request, changes))


def changed(differences: Sequence[Mapping[str, Any]]) -> list[CardChange]:
    """Differences grouped by card."""
    return [
        CardChange(gang, fighter, tuple(map(without_ids, lines)))
        for (gang, fighter), lines in groupby(differences, key=lambda line: (line["gang"], line["fighter"]))
    ]


def rosters_whole(request: PageRequest, changes: Sequence[CardChange]) -> list[WholeRoster]:
    """The rosters of the changed gangs, in their own order."""
    concerned = {change.gang for change in changes}
    lines = {(change.gang, change.fighter): change.lines for change in changes}
    rosters = []
    for gang in request.data("roster show")["gangs"] if concerned else ():
        if gang["gang"] not in concerned:
            continue
        rows = {row["fighter"]: row for row in gang["fighters"] if row["gang"] == gang["gang"]}
        shown = [*rows, *(who for of, who in lines if of == gang["gang"] and who and who not in rows)]
        members = [_member(who, rows.get(who), lines.get((gang["gang"], who), ())) for who in shown]
        here = [
            member for member in members if member.lines or rows[member.fighter]["standing"] == "enlisted"
        ]
        rosters.append(WholeRoster(gang["gang"], lines.get((gang["gang"], None), ()), here))
    return rosters


def _member(fighter: str, row: Row | None, lines: Sequence[Mapping[str, Any]]) -> ComparedFighter:
    moves = {line["what"] for line in lines}
    gone = {line["before"] for line in lines}
    stays: list[str] = []
    if row is not None:
        numbers = row["characteristics"]
        stays = [
            f"{short} {shown}"
            for (number, short), shown in zip(
                cards.columns(numbers).items(), cards.card_cells(numbers), strict=True
            )
            if cards.characteristic_name(number) not in moves
        ]
        injuries = [injury_shown(injury) for injury in row["injuries"]]
        stays += [shown for shown in injuries if not any((was or "").startswith(shown) for was in gone)]
        stays += [] if "XP" in moves else [f"{row['experience']} XP"]
        stays += [] if "status" in moves else [cards.status_shown(row)]
    return ComparedFighter(fighter, lines, stays)


def later(filled: FormValues, book: Book) -> dict[str, Any]:
    """The form's answers about later entries, as options of the command."""
    chosen = {int(found[1]): filled.get(name) for name in filled.fields if (found := _SETTLE.fullmatch(name))}
    dice: dict[tuple[int, str], list[str]] = {}
    for name, slot, purpose, _ in _die_names(filled):
        field = die_field(book, purpose, name, filled)
        if field is not None and field.given is not None and chosen.get(slot, "") in ("", "dice"):
            dice.setdefault((slot, purpose), []).append(field.given)
    strategy = filled.get("strategy", STRATEGIES[0])
    return {
        "dice": [f"{slot}:{purpose}={','.join(values)}" for (slot, purpose), values in dice.items()],
        "keep": [slot for slot, way in chosen.items() if way == "keep"],
        "void": [slot for slot, way in chosen.items() if way == "void"],
        "unkeep": [slot for slot, way in chosen.items() if way == "unkeep"],
        "strategy": strategy or STRATEGIES[0],
    }


def looked_at(filled: FormValues) -> int | None:
    """The size of the log in the preview that the form was made for."""
    size = filled.get(HEAD).partition("-")[0]
    return int(size) if is_count(size) else None


def must_have_looked(filled: FormValues) -> int:
    """The same for an amendment, whose command only shows itself where nobody has looked. Raises
    FormUnreadable.
    """
    size = looked_at(filled)
    if size is None:
        raise FormUnreadable(why=f"its field {HEAD!r} is not what the page put there")
    return size


def sent_for_any_state(request: PageRequest, filled: FormValues) -> RemoteRequest:
    """The form's request without its head: a comment is valid for any state of the campaign, and a ruling
    names the size of the log in its preview, which is stricter.
    """
    assert request.caller is not None, "who writes is signed in"
    return filled.sending(request.caller.actor)._replace(expected_size=None, expected_leaf="")


def _die_names(filled: FormValues) -> list[tuple[str, int, str, str]]:
    """The dice of the form: name, slot, purpose and fighter, in the order of asking."""
    found = {match[1]: match for name in filled.fields if (match := _DICE.fullmatch(name))}
    in_order = sorted(found.values(), key=lambda match: (int(match[2]), match[3], int(match[4])))
    return [(match[1], int(match[2]), match[3], match[5]) for match in in_order]


def _unresolved(
    preview: Mapping[str, Any], filled: FormValues, book: Book, about: int
) -> Iterator[UnresolvedEntry]:
    spoken_of = {int(found[1]) for name in filled.fields if (found := _SETTLE.fullmatch(name))}
    for slot in preview["slots"]:
        number = slot["slot"]
        open_now = slot["result"] in ("needs_dice", "refused")
        if not (open_now or slot["result"] == "held" or number in spoken_of):
            continue
        dice = [*_dice_of(number, preview, filled, book)]
        ways = ["dice"] if dice else []
        ways += ["unkeep"] if slot["result"] == "held" else []
        ways += ["keep"] if slot["keepable"] and number != about else []
        ways += ["void"]
        chosen = filled.get(f"settle.{number}")
        yield UnresolvedEntry(
            slot=slot,
            ways=[(way, WAYS[way]) for way in ("", *ways)],
            chosen=chosen if chosen in ways else "dice" if any(die.given for die in dice) else "",
            dice=dice,
        )


def _dice_of(slot: int, preview: Mapping[str, Any], filled: FormValues, book: Book) -> Iterator[DieField]:
    """The dice that were given, then those that are still needed."""
    many: Counter[str] = Counter()
    for name, of_slot, purpose, fighter in _die_names(filled):
        if of_slot != slot:
            continue
        field = die_field(book, purpose, name, filled, fighter=fighter or None)
        if field is not None and field.given is not None:
            many[purpose] += 1
            yield field
    for needed in preview["dice_needed"]:
        if needed["entry"] != slot or not needed["certain"]:
            continue
        purpose = needed["purpose"]
        name = f"dice.{slot}.{purpose}.{many[purpose]}.{needed['fighter'] or ''}"
        many[purpose] += 1
        field = die_field(book, purpose, name, filled, fighter=needed["fighter"])
        if field is not None:
            yield field
