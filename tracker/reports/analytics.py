"""Analytics: the pages of exported event files, and of statistics over many campaigns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tracker.analytics.event_files import ExportResult
from tracker.analytics.replays import ReplayResult
from tracker.analytics.statistics import By, DiceTested, Statistics
from tracker.analytics.what_ifs import OtherSeason
from tracker.reports.cards import counted
from tracker.reports.escaping import sanitize
from tracker.reports.page import (
    Bar,
    Bars,
    Block,
    Bullets,
    Cell,
    DataTable,
    Heading,
    Page,
    Part,
    PerFormat,
    Text,
)
from tracker.reports.plain_data import plain_data
from tracker.rules.fairness import LEAN, Assessment


def events_written_page(written: ExportResult, place: Path, *, names: bool) -> Page:
    """The result of an export of events."""
    people = "players by name" if names else "players under pseudonyms"
    lines = [
        f"{counted(written.events, 'event')} of {counted(written.campaigns, 'campaign')}, {people}: {place}",
        f"{counted(len(written.files), 'file')} written, {written.kept} as they should be already.",
    ]
    facts = {
        "place": str(place),
        "campaigns": written.campaigns,
        "events": written.events,
        "names": names,
        "written": [file.name for file in written.files],
        "kept": written.kept,
    }
    return Page(schema="events-export", data=lambda: facts, blocks=lambda: [[Text(lines)]])


_FAMILY: Final[Mapping[By, str]] = {
    "purpose": "By what they were rolled for",
    "source": "By where they came from",
    "player": "By player",
    "campaign": "By campaign",
}
_SHOWN_MAX: Final = 20
_PICTURES_MAX: Final = 6
_TOGETHER: Final = (
    "Each p is also shown as it counts among all tests of this report (Holm): only that can be worth a look."
    f" Power is about how often so many dice would show a face that falls {LEAN:g} times as often as it"
    " should. None of it says who threw a die, or whether it fell as it was written down."
)


def statistics_page(found: Statistics, *, faces_min: int) -> Page:
    """The statistics over many campaigns."""
    return Page(
        schema="host-stats",
        title="All campaigns",
        data=lambda: _statistics_data(found),
        blocks=lambda: _statistics_blocks(found, faces_min),
    )


def _statistics_data(found: Statistics) -> dict[str, Any]:
    dice = [
        {
            "by": row.by,
            "what": row.what,
            "die": row.die,
            "faces": sum(row.counts),
            "counts": dict(zip(row.shown, row.counts, strict=True)),
            "weights": dict(zip(row.shown, row.weights, strict=True)),
            **_assessment_data(row.assessment),
        }
        for row in found.dice
    ]
    counts = {"campaigns": found.campaigns, "battles": found.battles, "events": found.events}
    return counts | {
        "dice": dice,
        "injuries": list(found.injuries),
        "survival": list(found.survival),
        "policies": list(found.policies),
    }


def _assessment_data(assessment: Assessment | None) -> dict[str, Any]:
    if assessment is None:
        return {"test": "too few to tell", "p": None, "p_holm": None, "power": None}
    return {name: getattr(assessment, name) for name in ("test", "p", "p_holm", "power")}


def _statistics_blocks(found: Statistics, faces_min: int) -> Iterator[Block]:
    size = ", ".join(
        (
            counted(found.campaigns, "campaign"),
            counted(found.battles, "battle"),
            counted(found.events, "event"),
        )
    )
    yield [Heading("All campaigns"), Text([size])]
    yield [Heading("Dice", level=2), Text([_TOGETHER])]
    for family, title in _FAMILY.items():
        rows = [row for row in found.dice if row.by == family]
        tested = sorted(
            (row for row in rows if row.assessment is not None),
            key=lambda row: (_p_holm(row), -sum(row.counts)),
        )
        yield [Heading(title, level=3), *_dice_parts(tested, len(rows) - len(tested), faces_min)]
        for number, row in enumerate(tested[:_PICTURES_MAX]):
            yield _picture(_bars(row, f"{family}-{number}"))
    yield _counted_block(
        "Lasting injuries", ("Ruleset", "Table", "Injury", "Suffered", "Fighters"), found.injuries
    )
    yield from map(_picture, _injury_bars(found.injuries))
    yield _counted_block("Who lives", ("Category", "Enlisted", "Died", "Retired"), found.survival)
    if found.survival:
        yield _picture(_survival_bars(found.survival))
    yield _counted_block("House rules adopted", ("House rule", "Version", "Campaigns"), found.policies)
    if found.policies:
        yield _picture(_policy_bars(found.policies, found.campaigns))


def _p_holm(row: DiceTested) -> float:
    return row.assessment.p_holm if row.assessment is not None else 1.0


def _dice_parts(tested: Sequence[DiceTested], too_few: int, faces_min: int) -> Iterator[Part]:
    lines = [
        (
            sanitize(row.what),
            row.die,
            sum(row.counts),
            row.assessment.test,
            f"{row.assessment.p:.4f}",
            f"{row.assessment.p_holm:.4f}",
            f"{100 * row.assessment.power:.0f} %",
        )
        for row in tested[:_SHOWN_MAX]
        if row.assessment is not None
    ]
    if lines:
        yield DataTable(("What", "Die", "Faces", "Test", "p", "Holm", "Power"), lines)
    if len(tested) > _SHOWN_MAX:
        yield Text([f"{len(tested) - _SHOWN_MAX} more, less remarkable: --json lists all."])
    if too_few:
        yield Text([f"{too_few} with fewer than {faces_min} faces: too few to tell, and not tested."])


def _bars(row: DiceTested, chart_name: str) -> Bars:
    rolls, of = sum(row.counts), sum(row.weights)
    bars = [
        Bar(name, count, rolls * weight / of)
        for name, count, weight in zip(row.shown, row.counts, row.weights, strict=True)
    ]
    return Bars(f"{sanitize(row.what)}, {row.die}: {counted(rolls, 'face')}", bars, f"dice-{chart_name}")


def _injury_bars(rows: Sequence[Mapping[str, Any]]) -> Iterator[Bars]:
    tables = dict.fromkeys((row["ruleset"], row["table"]) for row in rows)
    for number, (ruleset, table) in enumerate(tables):
        bars = [
            Bar(sanitize(row["injury"]), row["suffered"])
            for row in rows
            if (row["ruleset"], row["table"]) == (ruleset, table)
        ]
        title = f"{sanitize(ruleset)}, {sanitize(table)}: {sum(bar.fell for bar in bars)} suffered"
        yield Bars(title, bars, f"injuries-{number}", ("Injury", "Suffered"))


def _survival_bars(rows: Sequence[Mapping[str, Any]]) -> Bars:
    bars = [Bar(sanitize(row["category"]), row["enlisted"] - row["died"], row["enlisted"]) for row in rows]
    title = f"Not dead, of {sum(row['enlisted'] for row in rows)} who enlisted"
    return Bars(title, bars, "survival", ("Category", "Not dead", "Enlisted"), decimals=0)


def _policy_bars(rows: Sequence[Mapping[str, Any]], campaigns: int) -> Bars:
    bars = [Bar(f"{sanitize(row['policy'])}@{row['version']}", row["campaigns"]) for row in rows]
    title = f"House rules, by how many of {counted(campaigns, 'campaign')} adopted them"
    return Bars(title, bars, "policies", ("House rule", "Campaigns"))


def _picture(bars: Bars) -> Block:
    return [PerFormat({"html": bars})]


def _counted_block(title: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Block:
    lines = [
        tuple(sanitize(cell) if isinstance(cell, str) else cell for cell in row.values()) for row in rows
    ]
    return [Heading(title, level=2), DataTable(columns, lines) if lines else Text(["None."])]


def replays_page(found: Sequence[ReplayResult]) -> Page:
    """The final state of each campaign."""
    lines = [
        (row.name, row.ruleset, row.events, row.battles, row.fighters, row.dead, row.state[:12])
        for row in found
    ]
    columns = ("Campaign", "Ruleset", "Events", "Battles", "Fighters", "Dead", "State")
    facts = [plain_data(row) for row in found]
    return Page(
        schema="host-replay",
        data=lambda: {"campaigns": facts},
        blocks=lambda: [[DataTable(columns, lines) if lines else Text(["No campaigns."])]],
    )


def what_ifs_page(
    found: Sequence[OtherSeason], *, adopting: Sequence[str], without: Sequence[str], from_battle: int
) -> Page:
    """All seasons under other house rules."""
    rules = [*(f"with {sanitize(policy)}" for policy in adopting)]
    rules += [f"without {sanitize(policy)}" for policy in without]
    heading = f"What if: {', '.join(rules)}, from battle {from_battle} on. Nothing is written."
    return Page(
        schema="host-what-if",
        data=lambda: {
            "with": list(adopting),
            "without": list(without),
            "from_battle": from_battle,
            "campaigns": [plain_data(season) for season in found],
        },
        blocks=lambda: [[Heading(heading)], *_what_if_blocks(found)],
    )


def _what_if_blocks(found: Sequence[OtherSeason]) -> Iterator[Block]:
    decided = [(season, season.before, season.after) for season in found if season.before and season.after]
    facts = ("dead", "injuries", "experience", "advancements")
    lines: list[tuple[Cell, ...]] = [
        (
            season.campaign,
            season.changed,
            season.needs_dice + season.not_allowed,
            *(f"{getattr(before, name)} -> {getattr(after, name)}" for name in facts),
        )
        for season, before, after in decided
    ]
    if lines:
        totals = [
            f"{sum(getattr(before, name) for _, before, _ in decided)} ->"
            f" {sum(getattr(after, name) for _, _, after in decided)}"
            for name in facts
        ]
        changed = sum(season.changed for season, _, _ in decided)
        as_played = sum(season.needs_dice + season.not_allowed for season, _, _ in decided)
        lines.append(("All", changed, as_played, *totals))
        columns = ("Campaign", "Changed", "As played", "Dead", "Injuries", "XP", "Advances")
        yield [DataTable(columns, lines)]
    refused = [f"{sanitize(season.campaign)}: {season.refused}" for season in found if season.refused]
    if refused:
        yield [Text(["Not decided again:"]), Bullets(refused)]
