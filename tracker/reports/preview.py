"""Preview: the consequences of a ruling, fighter by fighter and entry by entry, before it is made.

Knows the result for each later slot, and the exact chances of dice that were never rolled. Decides nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.campaign.rulings.absences import Absence
from tracker.campaign.rulings.dice_forecast import DiceForecast, ForecastDie
from tracker.campaign.rulings.next_die import RollOutcome
from tracker.campaign.rulings.outcome_distribution import OutcomeDistribution, PossibleOutcome
from tracker.campaign.rulings.owed_rolls import HOW_GIVEN, OwedRoll
from tracker.campaign.rulings.redecision import RedecidedSlot, Result
from tracker.campaign.state import CampaignState
from tracker.dice import PLAIN_DICE
from tracker.records import Record, replace
from tracker.reports.amendments import AmendedKey, amended_lines
from tracker.reports.cards import counted, lowercase_id, numbers_listed
from tracker.reports.dice_words import roll_words
from tracker.reports.differences import Difference, differences, differences_lines, in_one_line
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.odds import chance_data, percent
from tracker.reports.page import Block, Heading, Page, Text
from tracker.reports.plain_data import event_data, plain_data
from tracker.reports.redecision_reason import reason_for_dice
from tracker.reports.sentences import sentence

NextDice: TypeAlias = Mapping[int, tuple[str, Sequence[RollOutcome]]]
"""For each slot that lacks dice, the purpose of the first die and its possible outcomes."""

ENDS_SHOWN = 6
OWED = "Owed after this ruling; only the table knows who rolls:"
EMPTY_FORECAST = DiceForecast()
TAKEN_AS_PLAYED = "Above, an unresolved entry counts as played, or as void where it cannot be kept."
_RESULTS: dict[Result, str] = {
    "unchanged": "comes out the same",
    "changed": "comes out differently",
    "needs_dice": "needs dice that were never rolled",
    "refused": "no longer follows",
    "voided": "voided",
    "kept": "kept as played",
    "held": "stays kept by an earlier ruling",
    "freed": "no longer kept by a ruling: the rules now give the same result",
}


class SlotConsequence(Record):
    """The effect of a ruling on one slot. `asked` is its command in words, `why` names the dice or the
    refusal.

    `before` and `after` are its events without the header. `again`: it was void, and counts again. `because`
    is why it needs dice now that it did not need then. `chances` are the possible results of these dice, each
    as differences from the record, and `anyway` the differences that all of them share; `whole`: including
    what fighters carry home; `without_chances`: why there are none. `keepable`: it could be kept as played.
    """

    slot: int
    battle: str | None
    asked: str
    result: Result
    why: str = ""
    because: str = ""
    before: tuple[records.Event, ...] = ()
    after: tuple[records.Event, ...] = ()
    chances: tuple[tuple[PossibleOutcome, tuple[Difference, ...]], ...] = ()
    anyway: tuple[Difference, ...] = ()
    whole: bool = True
    without_chances: str = ""
    again: bool = False
    keepable: bool = True


def followed_slot(
    judged: RedecidedSlot,
    names: Names,
    *,
    battle: str | None = None,
    chances: OutcomeDistribution | None = None,
    followed: bool = True,
) -> SlotConsequence:
    """The result of `rulings.redecide` for a slot, in words. `followed`: chances were computed."""
    after = judged.judgement.events if judged.judgement is not None else judged.fill or ()
    headers = (decided.event for decided in after if isinstance(decided.event, records.DecisionTaken))
    header = judged.slot.header or next(headers, None)
    ends = _ends(judged, chances, names) if chances is not None else ()
    without_chances = ""
    if chances is None and judged.result == "needs_dice":
        without_chances = (
            "too many outcomes to count" if followed else "known once the entries above are settled"
        )
    return SlotConsequence(
        slot=judged.slot.slot,
        battle=battle,
        asked=header.command.in_words(names) if header is not None else "void already",
        result=judged.result,
        why=judged.why,
        because=reason_for_dice(judged, names),
        before=judged.slot.domain_events,
        after=tuple(decided.event for decided in after),
        chances=ends,
        anyway=_in_all([changes for end, changes in ends if not end.refused]),
        whole=chances is None or chances.whole,
        without_chances=without_chances,
        again=judged.slot.header is None and header is not None,
        keepable=judged.keepable,
    )


def _ends(
    judged: RedecidedSlot, chances: OutcomeDistribution, names: Names
) -> tuple[tuple[PossibleOutcome, tuple[Difference, ...]], ...]:
    """The results as differences from the record; results that look alike are one."""
    assert judged.state is not None, "what needs dice has a state before it"
    recorded = judged.as_played or judged.state
    against = [_differing(recorded, end.state, names) for end in chances.ends]
    followed = [
        changes
        for changes, end in zip(against, chances.ends, strict=True)
        if not (end.further or end.refused)
    ]
    had = [_undone(change) for change in _differing(judged.state, recorded, names)]
    found: dict[object, tuple[PossibleOutcome, tuple[Difference, ...]]] = {}
    for end, changes in zip(chances.ends, against, strict=True):
        if end.further:  # cut short: later certain results of the entry must not count as differences
            changes = tuple(
                change
                for change in changes
                if change not in had or (followed and all(change in end for end in followed))
            )
        key = (tuple(tuple(change.values()) for change in changes), end.refused, end.further)
        before = found[key][0].chance if key in found else Fraction(0)
        found[key] = (replace(end, chance=before + end.chance), changes)
    return tuple(sorted(found.values(), key=lambda ending: -ending[0].chance))


def _undone(change: Difference) -> Difference:
    return {**change, "before": change["after"], "after": change["before"]}


def _differing(before: CampaignState, after: CampaignState, names: Names) -> tuple[Difference, ...]:
    # Conditions of models end with the battle.
    if before.under_way is None or after.under_way is None:
        before, after = replace(before, under_way=None), replace(after, under_way=None)
    return tuple(differences(before, after, names))


def _in_all(ends: Sequence[Sequence[Difference]]) -> tuple[Difference, ...]:
    """The changes that all results share."""
    return tuple(change for change in ends[0] if all(change in end for end in ends)) if len(ends) > 1 else ()


def preview_page(
    *,
    dispute: int,
    target: str,
    verdict: str,
    followed: Sequence[SlotConsequence],
    changes: Sequence[Difference],
    names: Names,
    about: str = "",
    unchanged: int = 0,
    absences: Sequence[Absence] = (),
    own: Sequence[records.Event] = (),
    forecast: DiceForecast = EMPTY_FORECAST,
    owed: Sequence[OwedRoll] = (),
    head: int | None = None,
    next_steps: Sequence[str] = (),
    amended: Sequence[AmendedKey] = (),
) -> Page:
    """The consequences of a ruling: cards first, then every later entry, then the next command.

    `about` names what is rolled back or taken back if nothing is disputed. `unchanged` counts entries that
    come out the same and are not among `followed`. `head` is the number for --expect-head.
    """
    if dispute:
        what = f"dispute {dispute} about {target}, ruled "
    elif target:
        what = f"{target} (not disputed yet), ruled "
    else:
        what = f"{about}, " if about else ""
    consequences = Consequences(
        followed=followed, changes=changes, names=names, unchanged=unchanged, absences=absences
    )
    return Page(
        schema="preview",
        blocks=lambda: [
            [Heading(f"Preview: {what}{verdict}. Nothing is written.")],
            *_under("Amended:", amended_lines(amended)),
            *_consequence_blocks(consequences),
            *_to_settle(followed),
            *_forecast_blocks(forecast, followed, names),
            *_under(OWED, [*(sanitize(due.in_words()) for due in owed), *([HOW_GIVEN] if owed else [])]),
            *_under("Also:", [sentence(event, names) for event in own]),
            *_under("Next:", next_steps),
        ],
        data=lambda: {
            "dispute": dispute,
            "target": target,
            "about": about,
            "verdict": verdict,
            "can_be_ruled": not unsettled_slots(followed),
            "amended": plain_data(tuple(amended)),
            "head": head,
            **_changes_data(consequences, unchanged + sum(entry.result == "unchanged" for entry in followed)),
            "slots": [followed_data(entry, names) for entry in followed],
            **_forecast_data(forecast),
            "owed": [
                {
                    "what": due.what,
                    "because_of": due.because_of,
                    "entry": due.entry or None,
                    "late": due.late,
                    "why": due.why,
                }
                for due in owed
            ],
            "besides": [{**event_data(event), "sentence": sentence(event, names)} for event in own],
            "next_steps": list(next_steps),
        },
    )


def what_if_page(
    *,
    adopting: Sequence[str],
    repealing: Sequence[str],
    from_battle: int,
    followed: Sequence[SlotConsequence],
    next_dice: NextDice,
    absences: Sequence[Absence],
    changes: Sequence[Difference],
    names: Names,
    unchanged: int,
) -> Page:
    """The season under other house rules. Nothing is written, so nothing has to be settled."""
    rules = [*(f"with {policy}" for policy in adopting), *(f"without {policy}" for policy in repealing)]
    consequences = Consequences(
        followed=followed, changes=changes, names=names, unchanged=unchanged, absences=absences
    )
    left_open = unsettled_slots(followed)
    return Page(
        schema="what-if",
        blocks=lambda: [
            [Heading(f"What if: {', '.join(rules)}, from battle {from_battle} on. Nothing is written.")],
            *_consequence_blocks(consequences),
            *([Text(_next_dice_lines(slot, *dice))] for slot, dice in next_dice.items()),
            *([[Text([f"Unresolved: {_entries(left_open)}.", TAKEN_AS_PLAYED])]] if left_open else []),
        ],
        data=lambda: {
            "with": list(adopting),
            "without": list(repealing),
            "from_battle": from_battle,
            **_changes_data(consequences, unchanged),
            "next_dice": [
                {
                    "slot": slot,
                    "purpose": purpose,
                    "outcomes": [
                        {**chance_data(end.chance), "outcome": end.outcome, "more_dice": end.more_dice}
                        for end in outcomes
                    ],
                }
                for slot, (purpose, outcomes) in next_dice.items()
            ],
            "slots": [followed_data(entry, names) for entry in followed],
        },
    )


def _next_dice_lines(slot: int, purpose: str, outcomes: Sequence[RollOutcome]) -> list[str]:
    lines = [f"Entry {slot}, the {roll_words(purpose)} that nobody made:"]
    for end in outcomes:
        more = " (and then more dice)" if end.more_dice else ""
        lines.append(f"  {end.chance!s:>6} ({percent(end.chance)})  {end.outcome}{more}")
    return lines


def _to_settle(followed: Sequence[SlotConsequence]) -> list[Block]:
    unsettled = unsettled_slots(followed)
    if not unsettled:
        return []
    lines = [
        f"Unresolved: {_entries(unsettled)}.",
        "For each, give the dice it needs, keep it as played, or void it.",
        TAKEN_AS_PLAYED,
    ]
    return [[Text(lines)]]


def _forecast_blocks(
    forecast: DiceForecast, followed: Sequence[SlotConsequence], names: Names
) -> Iterator[Block]:
    """Every die that can be foreseen, and the entries that may no longer follow, depending on these."""
    sure = [_die_line(die, names) for die in forecast.dice if die.certain]
    perhaps = [_die_line(die, names) for die in forecast.dice if not die.certain]
    yield from _under("Dice to roll:", sure)
    yield from _under("Perhaps also, depending on these:", perhaps)
    known = {entry.slot for entry in followed if entry.result == "refused"}
    lines = [f"{slot}  {sanitize(why)}" for slot, why in forecast.refused if slot not in known]
    yield from _under("May no longer follow, depending on these:", lines)


def _die_line(forecast: ForecastDie, names: Names) -> str:
    whose = f" for {names.fighter(forecast.die.fighter)}" if forecast.die.fighter is not None else ""
    die = forecast.die.die if forecast.die.die in PLAIN_DICE else f"{forecast.die.die} die"
    return f"{forecast.entry}:{forecast.die.purpose}  {die}{whose}: {sanitize(forecast.die.why)}"


def _forecast_data(forecast: DiceForecast) -> dict[str, Any]:
    return {
        "dice_needed": [
            {
                "entry": asked.entry,
                "purpose": asked.die.purpose,
                "die": asked.die.die,
                "fighter": asked.die.fighter,
                "why": asked.die.why,
                "certain": asked.certain,
            }
            for asked in forecast.dice
        ],
        "may_not_follow": [{"entry": entry, "why": why} for entry, why in forecast.refused],
        "foreseen_whole": forecast.whole,
    }


def _entries(slots: Sequence[int]) -> str:
    return f"{counted(len(slots), 'entry', 'entries')} ({numbers_listed(slots)})"


def _under(heading: str, lines: Sequence[str]) -> list[Block]:
    """A heading with indented lines under it; empty without lines."""
    return [[Text([heading, *(f"  {line}" for line in lines)])]] if lines else []


def verdict_words(verdict: str, die: str = "", outcome: str | None = None) -> str:
    """'corrected: save 5 -> 2', 'set by ruling as failed: save 5 -> 2'."""
    words = records.ruling_words(0, verdict).removeprefix("ruling: ")  # type: ignore[arg-type]  # a verdict
    if verdict == "set" and outcome is not None:
        words += f" as {lowercase_id(outcome)}"
    return f"{words}{' ' if verdict == 'house_rules' else ': '}{die}" if die else words


def followed_data(entry: SlotConsequence, names: Names) -> dict[str, object]:
    """One slot of a preview as plain data."""
    return {
        "slot": entry.slot,
        "battle": entry.battle,
        "asked": entry.asked,
        "result": entry.result,
        "why": entry.why,
        "because": entry.because or None,
        "keepable": entry.keepable,
        "before": [{**event_data(event), "sentence": sentence(event, names)} for event in entry.before],
        "after": [{**event_data(event), "sentence": sentence(event, names)} for event in entry.after],
        "chances_anyway": [dict(change) for change in entry.anyway],
        "chances_whole": entry.whole,
        "without_chances": entry.without_chances or None,
        "chances": [
            {
                **chance_data(end.chance),
                "refused": end.refused or None,
                "further": end.further or None,
                "differences": [dict(change) for change in changes],
            }
            for end, changes in entry.chances
        ],
    }


class Consequences(Record):
    """The changes of cards and the later entries, for previews and what-ifs."""

    followed: Sequence[SlotConsequence]
    changes: Sequence[Difference]
    names: Names
    unchanged: int
    absences: Sequence[Absence]


def _changes_data(consequences: Consequences, unchanged: int) -> dict[str, Any]:
    return {
        "differences": [dict(change) for change in consequences.changes],
        "battles_missed": battles_missed(consequences.absences),
        "absences": absences_data(consequences.absences),
        "unchanged": unchanged,
    }


def _consequence_blocks(consequences: Consequences) -> Iterator[Block]:
    names = consequences.names
    yield from _under("Changes:", differences_lines(consequences.changes, names))
    yield from _under(
        "Battles missed by the rules, before -> after:", missed_lines(consequences.absences, names)
    )
    yield from _under(
        "Who fought is a fact, and no ruling changes it:", fact_lines(consequences.absences, names)
    )
    same = consequences.unchanged + sum(entry.result == "unchanged" for entry in consequences.followed)
    lines = [
        line
        for entry in consequences.followed
        if entry.result != "unchanged"
        for line in _slot_lines(entry, names)
    ]
    if not same and not consequences.followed:
        lines.append("None is decided again.")
    if same:
        lines.append(f"{counted(same, 'entry', 'entries')} {'comes' if same == 1 else 'come'} out the same.")
    yield from _under("Entries, in the order of play:", lines)


def _slot_lines(entry: SlotConsequence, names: Names) -> list[str]:
    battle = f"{names.battle(entry.battle)}, " if entry.battle is not None else ""
    why = f": {sanitize(entry.why)}" if entry.why else ""
    changed = _changed_lines(entry, names) if entry.result in ("changed", "voided") else []
    result = _RESULTS[entry.result]
    if entry.result == "changed" and (entry.again or not changed):
        result = "counts again" if entry.again else "is worded differently, and comes out the same"
    lines = [f"{entry.slot}  {battle}{sanitize(entry.asked)}", f"    {result}{why}"]
    lines += [f"    {line}" for line in changed]
    if entry.because:
        lines.append(f"    Why: {entry.because}.")
    if entry.result == "needs_dice":
        lines += [f"    {line}" for line in _chance_lines(entry, names)]
    return lines


def _chance_lines(entry: SlotConsequence, names: Names) -> list[str]:
    if not entry.chances:
        return [f"Chances: {entry.without_chances}."] if entry.without_chances else []
    apart = "" if entry.whole else ", lasting injuries apart"
    lines = [f"Chances, as changes from the recorded result{apart}:"]
    if entry.anyway:
        lines.append(f"  in every case: {in_one_line(entry.anyway, names)}")
    wide = max(len(str(end.chance)) for end, _ in entry.chances[:ENDS_SHOWN])
    for end, changes in entry.chances[:ENDS_SHOWN]:
        own = [change for change in changes if change not in entry.anyway]
        nothing = "nothing more" if entry.anyway else "the recorded result"
        words = in_one_line(own, names) if own else nothing
        result = f"refused: {sanitize(end.refused)}" if end.refused else words
        if end.further:
            result += f"; then more dice ({sanitize(end.further)})"
        lines.append(f"  {end.chance!s:>{wide}} ({percent(end.chance)})  {result}")
    rest = entry.chances[ENDS_SHOWN:]
    if rest:
        left = sum((end.chance for end, _ in rest), Fraction(0))
        lines.append(
            f"  and {counted(len(rest), 'other result')}, together {left} ({percent(left)}); see --json"
        )
    return lines


def _changed_lines(entry: SlotConsequence, names: Names) -> list[str]:
    before, after = _sentences(entry.before, names), _sentences(entry.after, names)
    lines = []
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            lines += [f"- {line}" for line in before[start:end]]
            lines += [f"+ {line}" for line in after[new_start:new_end]]
    return lines


def _sentences(events: Sequence[records.Event], names: Names) -> list[str]:
    return [sentence(event, names) for event in events if not isinstance(event, records.DecisionTaken)]


def unsettled_slots(followed: Sequence[SlotConsequence]) -> list[int]:
    """The entries that are left open."""
    return [entry.slot for entry in followed if entry.result in ("needs_dice", "refused")]


# --- battles missed -----------------------------------------------------------------------------------------


def missed_lines(absences: Sequence[Absence], names: Names) -> list[str]:
    """'Vex (Iron Skulls): battle 2 (quiet-night): dead -> none', for everybody for whom that changes."""
    return [
        f"{names.fighter(row['fighter'])} ({names.gang(row['gang'])}):"
        f" {_battles(row['before'], names)} -> {_battles(row['after'], names)}"
        for row in battles_missed(absences)
    ]


def battles_missed(absences: Sequence[Absence]) -> list[dict[str, Any]]:
    """The battles that the rules kept each fighter from, before and after, for fighters with a difference."""
    people: dict[tuple[str, str], list[Absence]] = {}
    for absence in absences:
        people.setdefault((absence.gang, absence.fighter), []).append(absence)
    return [
        {
            "gang": gang,
            "fighter": fighter,
            "before": [_battle(absence, absence.before) for absence in all_of if absence.before is not None],
            "after": [_battle(absence, absence.after) for absence in all_of if absence.after is not None],
        }
        for (gang, fighter), all_of in people.items()
        if any((absence.before is None) != (absence.after is None) for absence in all_of)
    ]


def fact_lines(absences: Sequence[Absence], names: Names) -> list[str]:
    """Fighters who fought and could not have under the ruling, or missed a battle and could have fought."""
    lines = []
    for (fighter, fought), missed in _by_fighter(absences).items():
        who = names.fighter(fighter)
        battles = ", ".join(
            f"{names.battle(absence.battle)} ({sanitize(_why(absence))})" for absence in missed
        )
        number = counted(len(missed), "battle")
        if fought:
            lines.append(f"{who} fought {number} but would now be unable to: {battles}")
        else:
            lines.append(f"{who} missed {number} but would now be able to fight: {battles}")
    return lines


def absences_data(absences: Sequence[Absence]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "fighter": absence.fighter,
            "gang": absence.gang,
            "battle": absence.battle,
            "number": absence.number,
            "fought": absence.fought,
            "why": _why(absence),
        }
        for absence in absences
        if absence.moved
    ]


def _battle(absence: Absence, why: str | None) -> dict[str, Any]:
    return {"battle": absence.battle, "number": absence.number, "why": why}


def _battles(listed: Sequence[dict[str, Any]], names: Names) -> str:
    return "; ".join(f"{names.battle(row['battle'])}: {sanitize(row['why'])}" for row in listed) or "none"


def _why(absence: Absence) -> str:
    return (absence.after if absence.fought else absence.before) or ""


def _by_fighter(absences: Iterable[Absence]) -> dict[tuple[str, bool], list[Absence]]:
    by_fighter: dict[tuple[str, bool], list[Absence]] = {}
    for absence in absences:
        if absence.moved:
            by_fighter.setdefault((absence.fighter, absence.fought), []).append(absence)
    return by_fighter
