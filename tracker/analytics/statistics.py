"""Statistics over event files, by DuckDB: dice, injuries, survival, house rules.

Only each slot's latest filling counts: events that a ruling replaced or voided are left out, and so are dice
that a ruling set.
"""

from __future__ import annotations

import atexit
import gc
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from tracker.analytics.event_files import (
    AnalyticsMissing,
    EventFile,
    EventFilesDamaged,
    event_files,
    file_description,
)
from tracker.analytics.faces import Faces, faces_shown
from tracker.dice import FROM_PEOPLE
from tracker.records import Record
from tracker.rules.fairness import Assessment, Sample, assess

By: TypeAlias = Literal["purpose", "source", "player", "campaign"]
FAMILIES: Final[tuple[By, ...]] = ("purpose", "source", "player", "campaign")
FACES_MIN: Final = 100
"""Fewer faces tell nothing among so many tests, and each exact test takes long."""
TOOL: Final = "rolled by the tool"

_LIVE: Final = """
    create temp table live as
    with latest as (select campaign, slot, max(entry) as entry from files group by all)
    select e.campaign, e.entry, e.type, json_extract(decode(e.body)::json, '$.actor')->>'$' as actor,
           json_extract(decode(e.body)::json, '$.data') as data
    from files e join latest using (campaign, slot, entry)
    where e.type in ('CampaignOpened', 'GangEnlisted', 'FighterEnlisted', 'FighterDied', 'FighterRetired',
                     'BattleClosed', 'RollMade', 'LastingInjurySuffered', 'PolicyAdopted')
"""
_CAMPAIGNS: Final = """
    select campaign, data->>'$.name', data->>'$.book' from live where type = 'CampaignOpened' order by 1
"""
_DICE: Final = """
    with people as (
        select campaign, data->>'$.gang' as gang, data->>'$.player' as player from live
        where type = 'GangEnlisted'),
    members as (
        select campaign, data->>'$.fighter' as fighter, any_value(data->>'$.gang') as gang from live
        where type = 'FighterEnlisted' group by all),
    rolls as (
        select campaign, actor, data->>'$.purpose' as purpose, data->>'$.die' as die,
               data->>'$.source' as source, data->>'$.symbol' as symbol,
               cast(data->'$.faces' as integer[]) as faces,
               data->>'$.rolled_by' as rolled_by, data->>'$.fighter' as fighter
        from live where type = 'RollMade' and data->>'$.source' <> 'ruling')
    select r.campaign, r.purpose, r.die, r.source, coalesce(p.player, r.actor) as who, r.symbol, r.faces,
           count(*)
    from rolls r left join members m using (campaign, fighter)
    left join people p on p.campaign = r.campaign and p.gang = coalesce(r.rolled_by, m.gang)
    group by all order by all
"""
_INJURIES: Final = """
    select o.data->>'$.book', l.data->>'$.table', l.data->>'$.name', count(*),
           count(distinct l.campaign || ' ' || (l.data->>'$.fighter'))
    from live l join live o on o.campaign = l.campaign and o.type = 'CampaignOpened'
    where l.type = 'LastingInjurySuffered' group by all order by 1, 2, 4 desc, 3
"""
_SURVIVAL: Final = """
    with gone as (
        select campaign, data->>'$.fighter' as fighter, max(type = 'FighterDied') as died from live
        where type in ('FighterDied', 'FighterRetired') group by all)
    select f.data->>'$.category', count(*), count(*) filter (g.died), count(*) filter (not g.died)
    from live f left join gone g on g.campaign = f.campaign and g.fighter = f.data->>'$.fighter'
    where f.type = 'FighterEnlisted' group by 1 order by 2 desc, 1
"""
_POLICIES: Final = """
    select data->>'$.policy', cast(data->>'$.version' as integer), count(distinct campaign) from live
    where type = 'PolicyAdopted' group by all order by 3 desc, 1, 2
"""


_BATTLES: Final = "select count(*) from live where type = 'BattleClosed'"


class DiceTested(Record):
    """The faces of one kind of die in one group, and the test's result among all tests."""

    by: By
    what: str
    die: str
    shown: Faces
    counts: tuple[int, ...]
    weights: tuple[int, ...]
    assessment: Assessment | None
    """None if there are too few faces to test."""


class Statistics(Record):
    """The counts over all campaigns."""

    campaigns: int
    battles: int
    events: int
    dice: tuple[DiceTested, ...]
    injuries: tuple[dict[str, Any], ...]
    survival: tuple[dict[str, Any], ...]
    policies: tuple[dict[str, Any], ...]


def statistics(place: Path, *, faces_min: int = FACES_MIN) -> Statistics:
    """Count over a folder's event files. Raises NoEventFiles, EventFilesDamaged, AnalyticsMissing."""
    files = event_files(place)
    said = [holds for file in files if (holds := file_description(file)) is not None]
    duckdb = _duckdb()
    try:
        with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as counting:
            # A dataset, because DuckDB would look for patterns in file names.
            counting.register("files", import_module("pyarrow.dataset").dataset([*map(str, files)]))
            counting.execute(_LIVE)
            opened = counting.execute(_CAMPAIGNS).fetchall()
            dice, injuries, survival, policies, ((battles,),) = (
                counting.execute(query).fetchall()
                for query in (_DICE, _INJURIES, _SURVIVAL, _POLICIES, _BATTLES)
            )
    except (duckdb.Error, import_module("pyarrow").ArrowException, OSError) as wrong:
        raise EventFilesDamaged(place=str(place), why=str(wrong).partition("\n")[0][:200]) from wrong
    titles = {campaign: (name, book) for campaign, name, book in opened}
    return Statistics(
        campaigns=len(titles),
        battles=battles,
        events=sum(held.events for holds in said for held in holds.campaigns),
        dice=_tested(dice, titles, said, faces_min),
        injuries=_rows(("ruleset", "table", "injury", "suffered", "fighters"), injuries),
        survival=_rows(("category", "enlisted", "died", "retired"), survival),
        policies=_rows(("policy", "version", "campaigns"), policies),
    )


def _rows(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> tuple[dict[str, Any], ...]:
    return tuple(dict(zip(names, row, strict=True)) for row in rows)


def _tested(
    rows: Iterable[Sequence[Any]],
    titles: dict[str, tuple[str, str]],
    said: Sequence[EventFile],
    faces_min: int,
) -> tuple[DiceTested, ...]:
    tallies: defaultdict[tuple[By, str, str, Faces], defaultdict[str, int]]
    tallies = defaultdict(lambda: defaultdict(int))
    by_name = all(holds.names for holds in said)
    for campaign, purpose, die, source, who, symbol, faces, times in rows:
        title, book = titles[campaign]
        names, shown = faces_shown(book, purpose, die, symbol, faces)
        person = who if by_name else f"{who} of {title}"
        keys: dict[By, str] = {
            "purpose": purpose,
            "source": source,
            "player": person if source in FROM_PEOPLE else TOOL,
            "campaign": title,
        }
        for by, what in keys.items():
            for face in shown:
                tallies[by, what, die, names][face] += times
    samples = {}
    for key in sorted(tallies, key=lambda key: (FAMILIES.index(key[0]), key[1:])):
        kinds = tuple(dict.fromkeys(key[3]))
        counts = tuple(tallies[key].get(kind, 0) for kind in kinds)
        samples[key] = Sample(counts=counts, weights=tuple(map(key[3].count, kinds)))
    known = {str(place): key for place, key in enumerate(samples)}
    enough = {place: samples[key] for place, key in known.items() if samples[key].rolls >= faces_min}
    assessed = assess(enough)
    return tuple(
        DiceTested(
            by=key[0],
            what=key[1],
            die=key[2],
            shown=tuple(dict.fromkeys(key[3])),
            counts=samples[key].counts,
            weights=samples[key].weights,
            assessment=assessed.get(place),
        )
        for place, key in known.items()
    )


def _duckdb() -> Any:
    try:
        duckdb = import_module("duckdb")
    except ModuleNotFoundError as missing:
        raise AnalyticsMissing(missing="duckdb", extra="analytics") from missing
    # The command line freezes the garbage collector, so DuckDB's bindings would report leaks at exit.
    atexit.register(gc.unfreeze)
    return duckdb
