"""Timeline: the memorable moments of a campaign, battle by battle, with its injuries and losses in numbers.

Knows recorded events that count, and battles. Knows no rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.records import Record
from tracker.reports.battle import result_words
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.page import (
    Bar,
    Bars,
    Block,
    Bullets,
    ChartLine,
    DataTable,
    Heading,
    LineChart,
    Page,
    PerFormat,
    Pictures,
    Row,
    Text,
)
from tracker.reports.sentences import sentence

Kind: TypeAlias = Literal["gang", "death", "capture", "home", "rise", "house rule", "ruling"]

KINDS: Final[Mapping[type[records.Event], Kind]] = {
    records.GangEnlisted: "gang",
    records.FighterDied: "death",
    records.FighterCaptured: "capture",
    records.HeldForRansom: "capture",
    records.CaptiveSold: "death",
    records.FighterEscaped: "home",
    records.CaptiveFreed: "home",
    records.RansomSettled: "home",
    records.FighterPromoted: "rise",
    records.PolicyAdopted: "house rule",
    records.PolicyRepealed: "house rule",
    records.RulingMade: "ruling",
}
"""The events that are told, with their kind."""
COUNTED: Final = (records.LastingInjurySuffered, records.FighterWentOutOfAction)
"""The events that are only counted."""
EVENTS: Final = frozenset({*(event.__name__ for event in KINDS), *(event.__name__ for event in COUNTED)})
_MOST: Final = 12
"""The most kinds of injury with a bar of their own; the rest is one bar."""
_EMPTY: Final = "Nothing has happened yet."


class Moment(Record):
    """A memorable event. `about` is the fighter, `dispute` what a ruling settled, `policy` a house rule."""

    kind: Kind
    entry: int
    at: str
    words: str
    about: str | None = None
    dispute: int | None = None
    policy: str | None = None


class TimelineChapter(Record):
    """A battle and the time until the next; the first chapter has no battle."""

    battle: Row | None
    moments: tuple[Moment, ...]
    lost: Mapping[str, int]
    """The number of each gang's models that went Out of Action."""


class Timeline(Record):
    """The campaign so far, in the order of play."""

    chapters: tuple[TimelineChapter, ...]
    injuries: Mapping[str, int]


def timeline(
    entries: Sequence[Sequence[RecordedEvent]], battles: Sequence[Row], state: CampaignState
) -> Timeline:
    """The timeline from the entries that count and hold such events."""
    names = Names.of_state(state)
    opened = [(battle["slot"], battle) for battle in battles]
    moments: list[list[Moment]] = [[] for _ in range(len(opened) + 1)]
    lost: list[Counter[str]] = [Counter() for _ in moments]
    injuries: Counter[str] = Counter()
    for recorded in sorted((one for entry in entries for one in entry), key=lambda one: (one.slot, one.seq)):
        event = recorded.event
        place = sum(slot <= recorded.slot for slot, _ in opened)
        if isinstance(event, records.LastingInjurySuffered):
            injuries[sanitize(event.name)] += 1
        elif isinstance(event, records.FighterWentOutOfAction):
            lost[place][_gang_in(battles, place, event.fighter) or state.gang_of.get(event.fighter, "")] += 1
        elif (kind := KINDS.get(type(event))) is not None:
            moments[place].append(
                Moment(
                    kind=kind,
                    entry=recorded.entry,
                    at=recorded.at,
                    words=sentence(event, names),
                    about=getattr(event, "fighter", None),
                    dispute=getattr(event, "dispute", None),
                    policy=_policy(event),
                )
            )
    chapters = [
        TimelineChapter(battle=battle, moments=tuple(told), lost=dict(counts))
        for battle, told, counts in zip([None, *battles], moments, lost, strict=True)
    ]
    return Timeline(
        chapters=tuple(chapter for chapter in chapters if chapter.battle or chapter.moments),
        injuries=dict(sorted(injuries.items(), key=lambda row: (-row[1], row[0]))),
    )


def _policy(event: records.Event) -> str | None:
    """The house rule of an event: 'captives-in-rating@1'."""
    if isinstance(event, records.PolicyAdopted | records.PolicyRepealed):
        return f"{event.policy}@{event.version}"
    return None


def _gang_in(battles: Sequence[Row], place: int, fighter: str) -> str | None:
    """The gang that the fighter fought for then: a captive may have changed sides since."""
    crews = battles[place - 1]["crews"] if place else ()
    return next((crew["gang"] for crew in crews if fighter in crew["fighters"]), None)


def timeline_page(found: Timeline, state: CampaignState, *, heading: str) -> Page:
    """The story of the campaign, and its pictures."""
    names = Names.of_state(state)
    return Page(
        schema="timeline",
        title=heading,
        blocks=lambda: _blocks(found, names, heading),
        data=lambda: {
            "chapters": [
                {
                    "battle": None if chapter.battle is None else dict(chapter.battle),
                    "result": None if chapter.battle is None else result_words(chapter.battle, names),
                    "moments": [
                        {
                            "kind": moment.kind, "entry": moment.entry, "at": moment.at,
                            "words": moment.words, "fighter": moment.about, "dispute": moment.dispute,
                            "policy": moment.policy,
                        }
                        for moment in chapter.moments
                    ],
                    "lost": dict(chapter.lost),
                }
                for chapter in found.chapters
            ],
            "injuries": dict(found.injuries),
        },
    )  # fmt: skip


def _blocks(found: Timeline, names: Names, heading: str) -> Iterator[Block]:
    yield [Heading(heading)]
    if not found.chapters:
        yield [Text([_EMPTY])]
    for chapter in found.chapters:
        yield [
            Heading(_title(chapter, names), level=2),
            Bullets([moment.words for moment in chapter.moments] or ["nothing else"]),
        ]
    yield from timeline_pictures(found, names)


def _title(chapter: TimelineChapter, names: Names) -> str:
    battle = chapter.battle
    if battle is None:
        return "Before the first battle"
    return f"Battle {battle['number']}: {sanitize(battle['scenario'])}, {result_words(battle, names)}"


def timeline_pictures(found: Timeline, names: Names) -> Iterator[Block]:
    """The number of models Out of Action by gang and battle, and the injuries by kind."""
    fought = [chapter for chapter in found.chapters if chapter.battle is not None]
    gangs = [gang for gang in names.gangs if any(chapter.lost.get(gang) for chapter in fought)]
    if fought and gangs:
        labels = [str(chapter.battle["number"]) for chapter in fought if chapter.battle is not None]
        lines = [
            ChartLine(names.gang(gang), _summed([chapter.lost.get(gang, 0) for chapter in fought]))
            for gang in gangs
        ]
        title = "Fighters taken Out of Action so far"
        table = DataTable(
            ("After battle", *(line.name for line in lines)),
            [list(cells) for cells in zip(labels, *(line.values for line in lines), strict=True)],
            caption=title,
        )
        chart = LineChart(title, labels, lines, id="lost")
        yield [PerFormat({"html": Pictures([chart], [table])}, table)]
    if found.injuries:
        bars = [Bar(name, count) for name, count in found.injuries.items()]
        shown, rest = bars[:_MOST], sum(bar.fell for bar in bars[_MOST:])
        if rest:
            shown.append(Bar("all others", rest))
        yield [Bars("Lasting injuries by kind", shown, "injuries", ("Injury", "Suffered"))]


def _summed(numbers: Sequence[int]) -> list[int]:
    return [sum(numbers[: place + 1]) for place in range(len(numbers))]
