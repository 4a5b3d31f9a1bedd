"""The post-battle sequence as a book prints it: its steps, who may act, and its numbers.

Knows what the file may say. Knows no gang: doing is `campaign/steps/`. A book that lacks a part (a capture
roll, an escape roll, phases) has None or nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from tracker.records import Record

TriumphBy: TypeAlias = Literal["territories", "out_of_action_and_wrecks", "wealth", "battles", "reputation"]


class Step(Record):
    """One step of the sequence; `section` names where it stands in the book."""

    step: str
    name: str
    section: str


class EscapeRules(Record):
    """The escape roll: on a D6 with these modifiers `target` or more, or a natural `natural`."""

    target: int
    natural: int
    drawn: int
    lost: int
    webbed: int


class CaptureRules(Record):
    """The capture roll: 2D6 and modifiers against a level. `each` is what one of a kind adds."""

    level: int
    level_law_and_misrule: int
    each: Mapping[str, int]


class CaptivePrices(Record):
    """What a captive brings, in percent of the full cost."""

    guilders_percent: int
    bounty_percent: int
    freed_by_campaign_percent: int


class DoctorRules(Record):
    """The Doc: credits per pip of 2D6, and how who is stabilised rolls on the Lasting Injury table.

    `tens` None: a D66, `rerolls` rolled again; else a D6 for the units of that ten.
    """

    credits_per_pip: int
    tens: int | None
    rerolls: tuple[str, ...]


class RepairBand(Record):
    """On a D6 from `lowest` on: what the repair costs in percent, and what damage stays behind."""

    lowest: int
    percent: int
    leaves: str | None


class SeekRules(Record):
    """Looking for rare things: what traders of a category add, and what a market costs by alignment.

    `same_roll`: illegal things are judged by the same roll (with `illegal`), else by one of their own.
    """

    leader: int
    each_champion: int
    reputation_step: int
    same_roll: bool
    rare: Mapping[tuple[str, str], int]
    illegal: Mapping[tuple[str, str], int]


class Phase(Record):
    """A phase of the campaign: how many cycles, and what happens as it begins."""

    phase: str
    name: str
    cycles: int
    grant_credits: int
    clears_recovery: bool
    frees_captives: bool
    promotes: bool = False


class Triumph(Record):
    """A title at the campaign's end, for the gang with most of something."""

    triumph: str
    name: str
    by: TriumphBy


class PostBattleRules(Record):
    """A book's sequence. `at` says in which step each activity belongs; `hierarchy` who may act."""

    steps: tuple[Step, ...]
    at: Mapping[str, str]
    hierarchy: tuple[str, ...]
    actions: Mapping[str, str]
    round_up_to: int
    reputation_floor: int
    escape: EscapeRules | None
    capture: CaptureRules | None
    captives: CaptivePrices | None
    doctor: DoctorRules | None
    repairs: tuple[RepairBand, ...]
    seek: SeekRules | None
    scrap_credits_per_pip: int
    phases: tuple[Phase, ...]
    triumphs: tuple[Triumph, ...]
    # In which further steps an activity may be done, by a gang that stands there.
    also_at: Mapping[str, tuple[str, ...]]

    def place_of(self, step: str) -> int:
        """How far along the sequence a step stands, from 0."""
        return next(place for place, one in enumerate(self.steps) if one.step == step)

    def step_of(self, activity: str) -> Step:
        """The step that an activity belongs to."""
        return self.steps[self.place_of(self.at[activity])]

    def repair(self, face: int) -> RepairBand:
        """What a D6 says about a repair."""
        return next(band for band in self.repairs if face >= band.lowest)


ACTIVITIES = (
    "escape", "capture", "scrap", "territory", "rewards", "reputation", "income", "actions", "clean_house",
    "trading_post", "seek_rare", "boons", "distribute_equipment", "advancements", "gang_rating", "report",
    "battle_experience", "promotion", "threshold", "reinforcements", "exploration", "hire", "glory",
)  # fmt: skip
"""What can be done in a sequence; a book says where each belongs that it has."""


def post_battle_rules(content: Mapping[str, Any], sections: Mapping[str, str]) -> PostBattleRules:
    """The sequence from its file. Raises KeyError or ValueError for what does not hold together."""
    steps = tuple(
        Step(step=entry["id"], name=entry["name"], section=entry["section"]) for entry in content["step"]
    )
    ids = [one.step for one in steps]
    if len(set(ids)) != len(ids):
        raise ValueError("two steps of the sequence share an id")
    for one in steps:
        if one.section not in sections:
            raise ValueError(f"the step {one.step} names an unknown section {one.section!r}")
    at = dict(content["at"])
    for activity, step in at.items():
        if activity not in ACTIVITIES:
            raise ValueError(f"unknown activity {activity!r}; there are {', '.join(ACTIVITIES)}")
        if step not in ids:
            raise ValueError(f"{activity} belongs to a step {step!r} that there is not")
    also_at = {activity: tuple(places) for activity, places in content.get("also_at", {}).items()}
    for activity, places in also_at.items():
        if activity not in at or not set(places) <= set(ids):
            raise ValueError(f"also_at tells of {activity!r} or a step that there is not")
    repairs = tuple(
        RepairBand(lowest=entry["lowest"], percent=entry["percent"], leaves=entry.get("leaves"))
        for entry in content.get("repair", ())
    )
    lowest = [band.lowest for band in repairs]
    if lowest and (lowest != sorted(lowest, reverse=True) or lowest[-1] != 1):
        raise ValueError("repairs stand from the highest face down to 1")
    return PostBattleRules(
        steps=steps,
        at=at,
        hierarchy=tuple(content.get("hierarchy", ())),
        actions=dict(content.get("action", {})),
        round_up_to=content.get("round_up_to", 1),
        reputation_floor=content.get("reputation_floor", 0),
        escape=EscapeRules(**content["escape"]) if "escape" in content else None,
        capture=_capture(content["capture"]) if "capture" in content else None,
        captives=CaptivePrices(**content["captives"]) if "captives" in content else None,
        doctor=_doctor(content["doctor"]) if "doctor" in content else None,
        repairs=repairs,
        seek=_seek(content["seek_rare"]) if "seek_rare" in content else None,
        scrap_credits_per_pip=content.get("scrap_credits_per_pip", 0),
        phases=tuple(
            Phase(
                phase=entry["id"],
                name=entry["name"],
                cycles=entry["cycles"],
                grant_credits=entry.get("grant_credits", 0),
                clears_recovery=entry.get("clears_recovery", False),
                frees_captives=entry.get("frees_captives", False),
                promotes=entry.get("promotes", False),
            )
            for entry in content.get("phase", ())
        ),
        triumphs=_triumphs(content.get("triumph", ())),
        also_at=also_at,
    )


def _capture(entry: Mapping[str, Any]) -> CaptureRules:
    each = {name: by for name, by in entry.items() if name not in ("level", "level_law_and_misrule")}
    return CaptureRules(level=entry["level"], level_law_and_misrule=entry["level_law_and_misrule"], each=each)


def _doctor(entry: Mapping[str, Any]) -> DoctorRules:
    return DoctorRules(
        credits_per_pip=entry["credits_per_pip"],
        tens=entry.get("tens"),
        rerolls=tuple(entry.get("rerolls", ())),
    )


def _seek(entry: Mapping[str, Any]) -> SeekRules:
    return SeekRules(
        leader=entry["leader"],
        each_champion=entry["each_champion"],
        reputation_step=entry["reputation_step"],
        same_roll=entry["same_roll"],
        rare=_by_market(entry["modifier"], "rare"),
        illegal=_by_market(entry["modifier"], "illegal"),
    )


def _by_market(entries: Sequence[Mapping[str, Any]], key: str) -> dict[tuple[str, str], int]:
    return {(entry["alignment"], entry["market"]): entry[key] for entry in entries if key in entry}


def _triumphs(entries: Sequence[Mapping[str, Any]]) -> tuple[Triumph, ...]:
    for entry in entries:
        if entry["by"] not in get_args(TriumphBy):
            raise ValueError(f"the triumph {entry['id']} counts an unknown thing {entry['by']!r}")
    return tuple(Triumph(triumph=entry["id"], name=entry["name"], by=entry["by"]) for entry in entries)
