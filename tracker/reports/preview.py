"""Preview: what a ruling would change, fighter by fighter and entry by entry, before anybody rules.

Knows what became of each slot that follows, and the exact chances of dice that were never rolled. Decides
nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from fractions import Fraction

from tracker.campaign import records
from tracker.campaign.rulings.absences import Absence
from tracker.campaign.rulings.open_dice import OutcomeDistribution, PossibleOutcome
from tracker.campaign.rulings.redecision import RedecidedSlot, Result
from tracker.campaign.state import CampaignState
from tracker.records import Record, replace
from tracker.reports.absences import battles_missed, fact_lines, facts_data, missed_lines
from tracker.reports.cards import counted, lowercase_id, numbers_listed
from tracker.reports.differences import Difference, differences, differences_lines
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.names import Names
from tracker.reports.odds import chance_data, percent
from tracker.reports.plain_data import event_data
from tracker.reports.sentences import sentence

ENDS_SHOWN = 6
TAKEN_AS_PLAYED = (
    "What is told above counts such an entry as it was played, and as void where it cannot be kept so."
)
_RESULTS: dict[Result, str] = {
    "unchanged": "comes out the same",
    "changed": "comes out differently",
    "needs_dice": "needs dice that were never rolled",
    "refused": "cannot follow any more",
    "voided": "voided",
    "kept": "kept as played",
    "held": "stays kept by an earlier ruling",
    "freed": "no longer kept by ruling, for the rules decide it as it was played",
}


class Followed(Record):
    """What a ruling makes of one slot. `asked` is its command in words, `why` names the dice or the refusal.

    `before` and `after` are its events, the header not needed. `again`: it was void, and counts again.
    `chances` are the ends that dice may bring which it needs, each as the differences it makes; `whole`: with
    what fighters carry home; `untold`: why there are none.
    """

    slot: int
    battle: str | None
    asked: str
    result: Result
    why: str = ""
    before: tuple[records.Event, ...] = ()
    after: tuple[records.Event, ...] = ()
    chances: tuple[tuple[PossibleOutcome, tuple[Difference, ...]], ...] = ()
    whole: bool = True
    untold: str = ""
    again: bool = False


def followed_slot(
    judged: RedecidedSlot,
    names: Names,
    *,
    battle: str | None = None,
    chances: OutcomeDistribution | None = None,
    followed: bool = True,
) -> Followed:
    """What `rulings.redecide` made of a slot, ready to be told; `followed`: chances were looked for."""
    after = judged.judgement.events if judged.judgement is not None else judged.fill or ()
    headers = (one.event for one in after if isinstance(one.event, records.DecisionTaken))
    header = judged.slot.header or next(headers, None)
    ends: tuple[tuple[PossibleOutcome, tuple[Difference, ...]], ...] = ()
    if chances is not None and judged.state is not None:
        ends = tuple((one, _end_differences(judged.state, one.state, names)) for one in chances.ends)
    untold = ""
    if chances is None and judged.result == "needs_dice":
        untold = "too many ways to follow" if followed else "told once the entries above are settled"
    return Followed(
        slot=judged.slot.slot,
        battle=battle,
        asked=header.command.in_words(names) if header is not None else "void already",
        result=judged.result,
        why=judged.why,
        before=judged.slot.said,
        after=tuple(decided.event for decided in after),
        chances=ends,
        whole=chances is None or chances.whole,
        untold=untold,
        again=judged.slot.header is None and header is not None,
    )


def _end_differences(before: CampaignState, after: CampaignState, names: Names) -> tuple[Difference, ...]:
    # Who stood how on the table is over with the battle.
    start = before if after.under_way is not None else replace(before, under_way=None)
    return tuple(differences(start, after, names))


def preview_text(
    *,
    dispute: int,
    target: str,
    verdict: str,
    followed: Sequence[Followed],
    changes: Sequence[Difference],
    names: Names,
    about: str = "",
    unchanged: int = 0,
    absences: Sequence[Absence] = (),
    own: Sequence[records.Event] = (),
    head: int | None = None,  # noqa: ARG001  # for programs
    next_steps: Sequence[str] = (),
) -> str:
    """What a ruling would change: cards first, then every entry that follows, then what to type.

    `about` is what is rolled back or taken back where nothing is doubted. `unchanged` counts entries that
    come out the same and are not among `followed`.
    """
    if dispute:
        what = f"dispute {dispute} about {sanitize(target)}, ruled "
    elif target:
        what = f"{sanitize(target)}, were it disputed, ruled "
    else:
        what = f"{sanitize(about)}, " if about else ""
    top = f"Preview: {what}{sanitize(verdict)}. Nothing is written."
    lines = consequence_lines(followed, changes, names, unchanged=unchanged, absences=absences)
    if unsettled := unsettled_slots(followed):
        lines += [
            "",
            f"To settle first: {counted(len(unsettled), 'entry', 'entries')} ({numbers_listed(unsettled)}).",
            "For each, give the dice it needs, keep it as played, or void it.",
            TAKEN_AS_PLAYED,
        ]
    told = [sentence(event, names) for event in own]
    also = ["", "Besides:", *_indented(told)] if told else []
    return "\n".join([top, "", *lines, *also, *_next(next_steps)])


def preview_json(
    *,
    dispute: int,
    target: str,
    verdict: str,
    followed: Sequence[Followed],
    changes: Sequence[Difference],
    names: Names,
    about: str = "",
    unchanged: int = 0,
    absences: Sequence[Absence] = (),
    own: Sequence[records.Event] = (),
    head: int | None = None,
    next_steps: Sequence[str] = (),
) -> str:
    """The same for programs. `can_be_ruled` says that nothing is left to settle first; `head` is what to rule
    with as --expect-head."""
    return json_text(
        "preview",
        {
            "dispute": dispute,
            "target": target,
            "about": about,
            "verdict": verdict,
            "can_be_ruled": not unsettled_slots(followed),
            "head": head,
            "differences": [dict(one) for one in changes],
            "battles_missed": battles_missed(absences),
            "absences": facts_data(absences),
            "unchanged": unchanged + sum(one.result == "unchanged" for one in followed),
            "slots": [followed_data(one, names) for one in followed],
            "besides": [{**event_data(event), "sentence": sentence(event, names)} for event in own],
            "next_steps": list(next_steps),
        },
    )


def verdict_words(verdict: str, die: str = "", outcome: str | None = None) -> str:
    """'corrected: save 5 -> 2', 'set by ruling as failed: save 5 -> 2'."""
    said = records.ruling_words(0, verdict).removeprefix("ruling: ")  # type: ignore[arg-type]  # a verdict
    if verdict == "set" and outcome is not None:
        said += f" as {lowercase_id(outcome)}"
    return f"{said}{' ' if verdict == 'house_rules' else ': '}{die}" if die else said


def followed_data(one: Followed, names: Names) -> dict[str, object]:
    """One slot of a preview as plain data."""
    return {
        "slot": one.slot,
        "battle": one.battle,
        "asked": one.asked,
        "result": one.result,
        "why": one.why,
        "before": [{**event_data(event), "sentence": sentence(event, names)} for event in one.before],
        "after": [{**event_data(event), "sentence": sentence(event, names)} for event in one.after],
        "chances_whole": one.whole,
        "chances_untold": one.untold or None,
        "chances": [
            {
                **chance_data(end.chance),
                "refused": end.refused or None,
                "further": end.further or None,
                "differences": [dict(change) for change in changes],
            }
            for end, changes in one.chances
        ],
    }


def consequence_lines(
    followed: Sequence[Followed],
    changes: Sequence[Difference],
    names: Names,
    *,
    unchanged: int = 0,
    absences: Sequence[Absence] = (),
) -> list[str]:
    """What stands otherwise and which entries follow, for previews and what-ifs alike."""
    lines = ["What will stand otherwise:", *_indented(differences_lines(changes, names))]
    if missed := missed_lines(absences, names):
        lines += ["", "Battles missed, as the rules have it, before -> after:", *_indented(missed)]
    if facts := fact_lines(absences, names):
        lines += ["", "Who stood on the table is a fact, which no ruling moves:", *_indented(facts)]
    lines += ["", "Entries, in the order of play:"]
    same = unchanged + sum(one.result == "unchanged" for one in followed)
    for one in followed:
        if one.result != "unchanged":
            lines += _indented(_slot_lines(one, names))
    if not same and not followed:
        lines += _indented(["None is decided again."])
    if same:
        verb = "comes" if same == 1 else "come"
        lines += _indented([f"{counted(same, 'entry', 'entries')} {verb} out the same."])
    return lines


def _slot_lines(one: Followed, names: Names) -> list[str]:
    battle = f"{names.battle(one.battle)}, " if one.battle is not None else ""
    why = f": {sanitize(one.why)}" if one.why else ""
    result = "counts again" if one.again and one.result == "changed" else _RESULTS[one.result]
    lines = [f"{one.slot}  {battle}{sanitize(one.asked)}", f"    {result}{why}"]
    if one.result in ("changed", "voided"):
        lines += [f"    {line}" for line in _changed_lines(one, names)]
    if one.result == "needs_dice":
        lines += [f"    {line}" for line in _chance_lines(one, names)]
    return lines


def _chance_lines(one: Followed, names: Names) -> list[str]:
    if not one.chances:
        return [f"What they may bring: {one.untold}."] if one.untold else []
    lines = [f"What they may bring{'' if one.whole else ', lasting injuries apart'}:"]
    wide = max(len(str(end.chance)) for end, _ in one.chances[:ENDS_SHOWN])
    for end, changes in one.chances[:ENDS_SHOWN]:
        told = _end_words(changes, names) if changes else "nothing changes"
        said = f"refused: {sanitize(end.refused)}" if end.refused else told
        if end.further:
            said += f"; then more dice ({sanitize(end.further)})"
        lines.append(f"  {end.chance!s:>{wide}} ({percent(end.chance)})  {said}")
    rest = one.chances[ENDS_SHOWN:]
    if rest:
        left = sum((end.chance for end, _ in rest), Fraction(0))
        lines.append(
            f"  and {counted(len(rest), 'other end')}, together {left} ({percent(left)}); see --json"
        )
    return lines


def _end_words(changes: Sequence[Difference], names: Names) -> str:
    """'Mags (Sump Rats): Wounds left 1 -> 0, Out of Action no -> yes; Krug (...): XP 3 -> 5'."""
    told: dict[str, list[str]] = {}
    for line in differences_lines(changes, names):
        who, colon, what = line.partition(": ")
        told.setdefault(who if colon else "", []).append(what if colon else line)
    return "; ".join(f"{who}: {', '.join(whats)}" if who else ", ".join(whats) for who, whats in told.items())


def _changed_lines(one: Followed, names: Names) -> list[str]:
    before, after = _sentences(one.before, names), _sentences(one.after, names)
    lines = []
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            lines += [f"- {line}" for line in before[start:end]]
            lines += [f"+ {line}" for line in after[new_start:new_end]]
    return lines


def _sentences(events: Sequence[records.Event], names: Names) -> list[str]:
    return [sentence(event, names) for event in events if not isinstance(event, records.DecisionTaken)]


def unsettled_slots(followed: Sequence[Followed]) -> list[int]:
    """The entries that are left open."""
    return [one.slot for one in followed if one.result in ("needs_dice", "refused")]


def _next(next_steps: Sequence[str]) -> list[str]:
    return ["", "Next:", *_indented([sanitize(step) for step in next_steps])] if next_steps else []


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]
