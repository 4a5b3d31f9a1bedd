"""Battle: the season's battles, and one battle with its crews, its result and what happened in it.

Knows the battle board's rows, recorded entries, and the conditions of models in a battle under way, which are
gone when it ends. Knows no rule of how a battle is won or what a condition means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant, CombatVehicle
from tracker.projections.dependent_events import DependentEvent
from tracker.reports import log, people
from tracker.reports.battle_highlights import Highlights, highlight_blocks, highlights_data
from tracker.reports.battle_story import GangStory, story_data
from tracker.reports.cards import counted
from tracker.reports.condition_words import CONDITIONS
from tracker.reports.dispute_marks import dispute_data, dispute_notices
from tracker.reports.escaping import sanitize, strong
from tracker.reports.log import Entry, Place, StruckContent
from tracker.reports.names import Names
from tracker.reports.page import (
    Block,
    Bullets,
    DataTable,
    Details,
    Heading,
    Page,
    Part,
    PerFormat,
    Row,
    Sheet,
    Text,
)
from tracker.reports.plain_data import entry_data, plain_data

CSV_COLUMNS: tuple[str, ...] = ("number", "battle", "date", "scenario", "gangs", "status", "winner", "drawn")

_EMPTY = "No battles yet."
_FIGHTER = {
    "seriously_injured": "Seriously Injured",
    "down": "Down",
    "pinned": "Pinned",
    "webbed": "Webbed",
    "broken": "Broken",
    **CONDITIONS,
}
_VEHICLE = {
    "stalled": "Stalled",
    "shaken": "shaken",
    "movement_capped": "movement capped",
    "rolling": "rolling over",
    "driver_blacked_out": "driver blacked out",
    **CONDITIONS,
}


def battles_page(rows: Sequence[Row], names: Names) -> Page:
    """The battles in the order given."""
    columns = ("No.", "Battle", "Date", "Scenario", names.game.Gangs, "Result")
    lines = [
        (
            row["number"],
            row["battle"],
            row["date"],
            row["scenario"],
            _gangs(row, names),
            result_words(row, names),
        )
        for row in rows
    ]
    return Page(
        schema="battles",
        data=lambda: {"battles": [dict(row) for row in rows]},
        blocks=lambda: [[DataTable(columns, lines) if rows else Text([_EMPTY])]],
        sheet=lambda: Sheet(CSV_COLUMNS, [{**row, "gangs": _gangs(row, names)} for row in rows]),
    )


def battle_page(
    row: Row,
    entries: Sequence[Entry],
    names: Names,
    *,
    story: Callable[[Names], Sequence[GangStory]] = lambda _: (),
    highlights: Highlights | None = None,
    state: CampaignState | None = None,
    struck: Mapping[Place, StruckContent] | None = None,
    struck_out: Row | None = None,
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
) -> Page:
    """One battle: crews and result, highlights, the state of every model while it is under way in `state`,
    its story, its entries.

    `dependents` are events that depend on the disputes `pending`. A battle that the ruling in the row
    `struck_out` voided has no story.
    """
    disputed = frozenset(dependent.event.seq for dependent in dependents)
    return Page(
        schema="battle",
        title=_title(row),
        blocks=lambda: _blocks(
            row, entries, names.marked(), story, highlights, state, struck, struck_out, pending, disputed
        ),
        data=lambda: {
            "battle": dict(row),
            "struck_out": _struck_out_data(struck_out),
            "in_battle": table_state_data(state, row["battle"], names),
            "highlights": None
            if highlights is None or struck_out is not None
            else highlights_data(row, highlights, names),
            "story": story_data(story(names) if struck_out is None else ()),
            "entries": [
                {**entry_data(entry, names), "struck_out": log.struck_data(entry[0], struck)}
                for entry in entries
                if entry
            ],
            **dispute_data(pending, dependents),
        },
    )


def _blocks(
    row: Row,
    entries: Sequence[Entry],
    names: Names,
    story: Callable[[Names], Sequence[GangStory]],
    highlights: Highlights | None,
    state: CampaignState | None,
    struck: Mapping[Place, StruckContent] | None,
    struck_out: Row | None,
    pending: Sequence[Row],
    disputed: AbstractSet[int],
) -> Iterator[Block]:
    crews = [f"{names.gang(crew['gang'])}: {_crew(crew, names)}" for crew in row["crews"]]
    yield [
        Heading(_title(row)),
        Text([*_struck_out_words(struck_out), f"Result: {result_words(row, names)}"]),
        PerFormat({"md": Text(crews)}, Bullets(crews)),
    ]
    if highlights is not None and struck_out is None and row["status"] == "closed":
        yield from highlight_blocks(row, highlights, names)
    yield list(table_state_parts(state, row["battle"], names))
    for gang in story(names) if struck_out is None else ():
        name = names.gang(gang.gang)
        yield [Heading(name, level=2, chat=""), *_chapters(gang, name)]
    lines = log.log_lines(entries, names, struck=struck, disputed=disputed, with_struck_dice=True)
    yield [Details("Entry by entry", [Bullets(lines)])]
    yield dispute_notices(pending)


def _struck_out_words(ruling: Row | None) -> Iterator[str]:
    if ruling is not None:
        who = f"{sanitize(people.person(ruling['actor'], ruling['at']))}, {log.when(ruling['at'])}"
        why = sanitize(ruling["reason"] or "no reason given")
        yield f"Struck out by entry {ruling['entry']} ({who}): {why}"
        yield "It no longer counts. What follows is what was recorded."


def _struck_out_data(ruling: Row | None) -> dict[str, Any] | None:
    if ruling is None:
        return None
    return {
        "ruling": ruling["entry"],
        "by": ruling["actor"],
        "by_name": people.person(ruling["actor"], ruling["at"]),
        "at": ruling["at"],
        "reason": ruling["reason"],
    }


def _chapters(gang: GangStory, name: str) -> Iterator[Part]:
    chapters = [("Casualties", [casualty.sentence for casualty in gang.casualties] or ["none"])]
    chapters += [("Experience", [story.sentence for story in gang.experience])] if gang.experience else []
    chapters += [("After the battle", list(gang.after))] if gang.after else []
    for heading, sentences in chapters:
        yield Heading(heading, level=3, chat=f"{strong(name)}: {heading.lower()}")
        yield Bullets(sentences)


def _title(row: Row) -> str:
    return f"Battle {row['number']} ({row['battle']}): {row['scenario']}, {row['date']}"


def result_words(row: Row, names: Names) -> str:
    """'won by Iron Hawks', 'a draw', 'no winner' or 'under way'."""
    if row["status"] == "under_way":
        return "under way"
    if row["winner"] is not None:
        return f"won by {names.gang(row['winner'])}"
    return "a draw" if row["drawn"] else "no winner"


def _crew(crew: Row, names: Names) -> str:
    fighters = ", ".join(names.fighter(fighter) for fighter in crew["fighters"])
    return f"{counted(len(crew['fighters']), 'fighter')}" + (f" ({fighters})" if fighters else "")


def _gangs(row: Row, names: Names) -> str:
    return " against ".join(names.gang(crew["gang"]) for crew in row["crews"])


# --- how everybody stands in a battle under way ---------------------------------------------------------


def table_state_parts(state: CampaignState | None, battle: str, names: Names) -> Iterator[Part]:
    """A heading for every gang and a line for every model; nothing if that battle is not under way."""
    under_way = state.under_way if state is not None else None
    if state is None or under_way is None or under_way.battle != battle:
        return
    yield Heading("How everybody stands", level=2)
    for gang in under_way.crews:
        conditions = ", ".join(words for words, gangs in gang_conditions(under_way) if gang in gangs)
        yield Heading(names.gang(gang) + (f" ({conditions})" if conditions else ""), level=3)
        models = standing_models(state, gang)
        yield Bullets([f"{names.fighter(model)}: {', '.join(words)}" for model, words, _ in models])
    if under_way.last_fight is not None and under_way.last_fight.may_react:
        fighters = ", ".join(names.fighter(fighter) for fighter in under_way.last_fight.may_react)
        yield Heading(f"May still react to the last fight: {fighters}", level=3)


def table_state_data(state: CampaignState | None, battle: str, names: Names) -> dict[str, Any] | None:
    """The same for programs, with each model's record; None if that battle is not under way."""
    under_way = state.under_way if state is not None else None
    if state is None or under_way is None or under_way.battle != battle:
        return None
    last = under_way.last_fight
    return {
        "gangs": {
            gang: {
                "bottled": gang in under_way.bottled,
                "forfeit": gang in under_way.forfeit,
                "models": {
                    model: {
                        "name": names.fighter(model),
                        "stands": list(stands),
                        "condition": plain_data(record),
                    }
                    for model, stands, record in standing_models(state, gang)
                },
            }
            for gang in under_way.crews
        },
        "may_react": list(last.may_react) if last is not None else [],
    }


def gang_conditions(battle: BattleUnderWay) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The possible conditions of whole gangs, each with the gangs that have it."""
    return (
        ("bottled", battle.bottled),
        ("forfeits the battle", battle.forfeit),
        ("shaken by its losses", battle.shaken),
        ("has fled and lost", battle.routed),
    )


def standing_models(state: CampaignState, gang: str) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """A gang's fighters and vehicles in the battle: id, conditions in words, the record."""
    battle = state.under_way
    assert battle is not None, "asked of a battle under way"
    for fighter in battle.crews[gang]:
        if fighter in battle.combatants:
            card = state.fighter(fighter)
            wounds = card.characteristics.get("wounds", 0) if card is not None else 0
            combatant = battle.combatants[fighter]
            yield fighter, tuple(_fighter_words(combatant, wounds)) or ("unhurt",), combatant
    for name, condition in battle.vehicles.items():
        vehicle = state.vehicle(name)
        if vehicle is not None and vehicle.gang == gang:
            words = tuple(_vehicle_words(condition, vehicle.hit_points))
            yield name, words or ("unharmed",), condition


def words_in_battle(state: CampaignState, fighter: str) -> tuple[str, ...]:
    """A fighter's conditions in the battle under way, as its page words them; empty if they are in none."""
    card = state.fighter(fighter)
    if state.under_way is None or card is None or fighter not in state.under_way.combatants:
        return ()
    words = _fighter_words(state.under_way.combatants[fighter], card.characteristics.get("wounds", 0))
    return tuple(words) or ("unhurt",)


def _fighter_words(combatant: Combatant, wounds: int) -> Iterator[str]:
    if combatant.out_of_action or combatant.fled:
        yield "Out of Action" if combatant.out_of_action else "fled"
        return
    if combatant.wounds_left < wounds:
        yield f"{combatant.wounds_left} of {counted(wounds, 'Wound')} left"
    if combatant.flesh_wounds:
        yield counted(combatant.flesh_wounds, "Flesh Wound")
    yield from (words for name, words in _FIGHTER.items() if getattr(combatant, name))
    if combatant.blood_markers:
        yield counted(combatant.blood_markers, "Blood Marker")
    if combatant.blessing_markers:
        yield counted(combatant.blessing_markers, "Blessing Marker")
    if combatant.tough_spent:
        yield "Tough is spent"
    yield from _ammo_words(combatant)


def _vehicle_words(vehicle: CombatVehicle, hit_points: int) -> Iterator[str]:
    if vehicle.wrecked:
        yield "Wrecked"
        return
    if vehicle.hit_points_left < hit_points:
        yield f"{vehicle.hit_points_left} of {counted(hit_points, 'hit point')} left"
    if not vehicle.mobile and not vehicle.stalled:
        yield "stationary"
    yield from (words for name, words in _VEHICLE.items() if getattr(vehicle, name, False))
    if vehicle.handling_hindered:
        yield f"handling hindered by {vehicle.handling_hindered}"
    yield from (f"{sanitize(weapon)} destroyed" for weapon in vehicle.weapons_destroyed)
    if vehicle.driver_flesh_wounds:
        yield f"driver: {counted(vehicle.driver_flesh_wounds, 'Flesh Wound')}"
    yield from _ammo_words(vehicle)


def _ammo_words(model: Combatant | CombatVehicle) -> Iterator[str]:
    # A jammed weapon cannot be reloaded, so "out of ammo" would add nothing.
    yield from (f"{sanitize(slot)} out of ammo" for slot in model.out_of_ammo if slot not in model.jammed)
    yield from (f"{sanitize(slot)} jammed" for slot in model.jammed)
    for spent in model.ammo_spent:
        slot, _, profile = spent.partition("|")
        yield (
            f"{sanitize(slot)}: no more {sanitize(profile)}" if profile else f"{sanitize(slot)}: ammo used up"
        )
