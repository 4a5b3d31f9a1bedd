"""Roster: gangs and their fighters as they stand, for terminals, pages, sheets and programs.

Knows the rows of the roster board. Knows no log: where a number comes from is `fighter.py`'s to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tracker.reports.cards import (
    SHORT_NAMES,
    card_cells,
    columns,
    currency,
    display_name,
    lowercase_id,
    status_words,
)
from tracker.reports.dispute_marks import IN_DISPUTE, in_dispute, pending_lines, resting_data, resting_numbers
from tracker.reports.gang_line import gang_title, gang_totals
from tracker.reports.names import Names
from tracker.reports.rendering import (
    Cell,
    Row,
    csv_text,
    json_text,
    markdown_cell,
    markdown_table,
    sanitize,
    table_text,
)

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.dependents import DependentEvent

_CSV_BEFORE = ("gang", "gang_name", "fighter", "name", "category", "kind", "status")
_CSV_BEHIND = (
    "experience",
    "injuries",
    "skills",
    "grudges",
    "armour",
    "field_armour",
    "weapons",
    "wargear",
    "cost_credits",
    "enemies_taken_out",
    "times_out_of_action",
    "battles_fought",
    "mutations",
)
KIT_COLUMNS = ("Fighter", "Skills", "Weapons", "Armour", "Wargear")
_VEHICLE_COLUMNS = (
    "Vehicle",
    "Crew",
    "M",
    "T (F/S/R)",
    "HP",
    "Hnd",
    "Sv",
    "Weapons",
    "Lasting damage",
)
EMPTY = "No gangs yet."


def roster_text(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    *,
    heading: str = "",
    pending: Sequence[Row] = (),
    names: Names | None = None,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Gangs one below the other: heading with totals, the cards, what they carry, open disputes last.

    `names` is wanted where a gang is named that is not among the rows.
    """
    names = names or board_names(gangs, fighters)
    blocks = [sanitize(heading)] if heading else []
    for gang in gangs:
        members = members_of(gang, fighters)
        block = f"{gang_title(gang)}\n{gang_totals(gang, names)}"
        if members:
            block += "\n\n" + table_text(
                card_columns(members, names), cards(members), width=width, colour=colour
            )
        kit = kit_lines(members, names)
        if kit:
            block += "\n\n" + table_text(kit_columns(members), kit, width=width, colour=colour)
        if vehicles := vehicle_lines(gang, names):
            block += "\n\n" + table_text(vehicle_columns(names), vehicles, width=width, colour=colour)
        if captives := captive_lines(gang, fighters, names):
            block += "\n\n" + "\n".join(captives)
        blocks.append(block)
    if not gangs:
        blocks.append(EMPTY)
    blocks += ["\n".join(pending_lines(pending))] if pending else []
    return "\n\n".join(blocks)


def roster_markdown(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    *,
    heading: str = "",
    pending: Sequence[Row] = (),
    names: Names | None = None,
) -> str:
    """The same as a page for a wiki or a chat."""
    names = names or board_names(gangs, fighters)
    blocks = [f"# {markdown_cell(heading)}"] if heading else []
    for gang in gangs:
        members = members_of(gang, fighters)
        blocks += [f"## {markdown_cell(gang_title(gang))}", markdown_cell(gang_totals(gang, names))]
        if members:
            blocks.append(markdown_table(card_columns(members, names), cards(members)))
        kit = kit_lines(members, names)
        if kit:
            blocks.append(markdown_table(kit_columns(members), kit))
        if vehicles := vehicle_lines(gang, names):
            blocks.append(markdown_table(vehicle_columns(names), vehicles))
        if captives := captive_lines(gang, fighters, names):
            blocks.append("\n".join(f"- {markdown_cell(line)}" for line in captives))
    if not gangs:
        blocks.append(EMPTY)
    if pending:
        blocks.append("\n".join(f"- {markdown_cell(line)}" for line in pending_lines(pending)))
    return "\n\n".join(blocks)


def roster_csv(gangs: Sequence[Row], fighters: Sequence[Row], *, names: Names | None = None) -> str:
    """One line per fighter, every number bare; last, which of them rest on a dispute."""
    names = names or board_names(gangs, fighters)
    wanted = (*_CSV_BEFORE, *_card(fighters), *_CSV_BEHIND)
    rows = [
        {**fighter, **_csv_fields(gang, fighter, names), IN_DISPUTE: resting_numbers(fighter, wanted)}
        for gang in gangs
        for fighter in members_of(gang, fighters)
    ]
    return csv_text(rows, (*wanted, IN_DISPUTE))


def roster_json(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    *,
    heading: str = "",
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
) -> str:
    """The rows as they are, each gang with its fighters; `resting` is what rests on open disputes."""
    told = [{**gang, "fighters": [dict(fighter) for fighter in members_of(gang, fighters)]} for gang in gangs]
    disputes = [dict(row) for row in pending]
    return json_text(
        "roster",
        {"heading": heading, "gangs": told, "pending": disputes, "resting": resting_data(resting)},
    )


# Shared with the pages of one gang or fighter


def board_names(gangs: Sequence[Row], fighters: Sequence[Row]) -> Names:
    """The names that stand in the rows."""
    return Names(
        fighters={row["fighter"]: row["name"] for row in fighters},
        gangs={row["gang"]: row["name"] for row in gangs},
        # One campaign has one book, so the first card tells of all.
        currency=currency(fighters[0]["characteristics"] if fighters else ()),
    )


def members_of(gang: Row, fighters: Sequence[Row]) -> list[Row]:
    """The gang's fighters, in the order given."""
    return [row for row in fighters if row["gang"] == gang["gang"]]


def injuries_shown(fighter: Row) -> str:
    """'Hobbled, Impressive Scars (as Out Cold)'; the same row twice is told as '× 2'."""
    counts: dict[str, int] = {}
    for injury in fighter["injuries"]:
        counts[injury_shown(injury)] = counts.get(injury_shown(injury), 0) + 1
    return ", ".join(name if count == 1 else f"{name} × {count}" for name, count in counts.items())


def injury_shown(injury: Row) -> str:
    """The injury's name, and as what it was treated where that is another row."""
    name = sanitize(injury["name"])
    counted_as = injury.get("counted_as")
    return name if counted_as in (None, injury["injury"]) else f"{name} (as {display_name(str(counted_as))})"


def skills_shown(fighter: Row, names: Names) -> str:
    """Skills, then what is held against which gang."""
    grudges = [f"enmity against {names.gang(gang)}" for gang in fighter["grudges"]]
    return ", ".join([*(display_name(skill) for skill in fighter["skills"]), *grudges])


def mutations_shown(fighter: Row) -> str:
    """'Dark Madness, Warped Limbs, one to choose'; a row of an older release has none."""
    to_choose = fighter.get("mutations_to_choose", 0)
    waiting = [f"{'one' if to_choose == 1 else to_choose} to choose"] if to_choose else []
    return ", ".join([*(display_name(one) for one in fighter.get("mutations", ())), *waiting])


def weapons_shown(fighter: Row) -> str:
    """The weapons' names."""
    return ", ".join(_named(weapon, "weapon") for weapon in fighter["weapons"])


def armour_shown(fighter: Row) -> str:
    """'flak armour 6+, refractor field 5+'."""
    worn = [_saving(fighter.get(key)) for key in ("armour", "field_armour")]
    return ", ".join(one for one in worn if one)


def captive_lines(gang: Row, fighters: Sequence[Row], names: Names) -> list[str]:
    """Who of the gang is held by another, and whom it holds: read off the captive's row on both rosters."""
    held = [row for row in fighters if row.get("held_by") is not None]
    return [
        *(
            in_dispute(
                f"{sanitize(row['name'])} is held captive by {names.gang(row['held_by'])}.", row, "held_by"
            )
            for row in held
            if row["gang"] == gang["gang"]
        ),
        *(
            in_dispute(
                f"Holds captive: {sanitize(row['name'])} of {names.gang(row['gang'])}.", row, "held_by"
            )
            for row in held
            if row["held_by"] == gang["gang"]
        ),
    ]


def card_columns(members: Sequence[Row], names: Names) -> tuple[str, ...]:
    """What stands over the columns of `cards`."""
    numbers = _card(members).values()
    return ("Fighter", "Rank", "Status", *numbers, "XP", "Lasting injuries", names.money_column)


def _card(fighters: Sequence[Row]) -> dict[str, str]:
    # One campaign has one book, so the first card tells of all.
    return columns(fighters[0]["characteristics"]) if fighters else SHORT_NAMES


def cards(members: Sequence[Row]) -> list[list[Cell]]:
    """One line of `card_columns` per fighter."""
    return [
        [
            row["name"],
            in_dispute(lowercase_id(row["category"]), row, "category"),
            in_dispute(status_words(row["status"]), row, "status"),
            *(
                in_dispute(shown, row, number)
                for number, shown in zip(
                    columns(row["characteristics"]), card_cells(row["characteristics"]), strict=True
                )
            ),
            in_dispute(row["experience"], row, "experience"),
            in_dispute(injuries_shown(row), row, "injuries"),
            in_dispute(row["cost_credits"], row, "cost_credits"),
        ]
        for row in members
    ]


def kit_columns(members: Sequence[Row]) -> tuple[str, ...]:
    """What stands over the columns of `kit_lines`: mutations only where there are any."""
    return (*KIT_COLUMNS, "Mutations") if any(map(mutations_shown, members)) else KIT_COLUMNS


def kit_lines(members: Sequence[Row], names: Names) -> list[list[Cell]]:
    """Who carries and knows what; fighters with nothing are left out."""
    mutated = len(kit_columns(members)) > len(KIT_COLUMNS)
    kit: list[list[Cell]] = [
        [
            row["name"],
            _carried(skills_shown(row, names), row, "skills", "grudges"),
            _carried(weapons_shown(row), row, "weapons"),
            _carried(armour_shown(row), row, "armour", "field_armour"),
            _carried(", ".join(lowercase_id(item) for item in row["wargear"]), row, "wargear"),
            *([in_dispute(mutations_shown(row), row, "mutations")] if mutated else []),
        ]
        for row in members
    ]
    return [line for line in kit if any(line[1:])]


def _carried(shown: str, row: Row, *numbers: str) -> str:
    # Nobody is listed for having nothing, in dispute or not.
    return in_dispute(shown, row, *numbers) if shown else shown


def vehicle_columns(names: Names) -> tuple[str, ...]:
    """What stands over the columns of `vehicle_lines`."""
    return (*_VEHICLE_COLUMNS, names.money_column)


def vehicle_lines(gang: Row, names: Names) -> list[list[Cell]]:
    """One line of `vehicle_columns` per vehicle."""
    return [
        [
            in_dispute(vehicle["name"], gang, f"vehicles/{vehicle['vehicle']}"),
            names.fighter(vehicle["crew"]) if vehicle["crew"] else "in the stash",
            f'{vehicle["movement"]}"',
            "/".join(str(number) for number in vehicle["toughness"]),
            vehicle["hit_points"],
            f"{vehicle['handling']}+",
            f"{vehicle['save']}+" if vehicle["save"] is not None else "",
            ", ".join(sanitize(weapon) for weapon in vehicle["weapons"]),
            ", ".join([*vehicle["lasting_damage"], *(["In Repair"] if vehicle["in_repair"] else [])]),
            vehicle["cost_credits"],
        ]
        for vehicle in gang.get("vehicles", ())
    ]


def _csv_fields(gang: Row, fighter: Row, names: Names) -> dict[str, Cell]:
    return {
        **fighter["characteristics"],
        "gang_name": gang["name"],
        "injuries": injuries_shown(fighter),
        "mutations": mutations_shown(fighter),
        "skills": ", ".join(display_name(skill) for skill in fighter["skills"]),
        "grudges": ", ".join(names.gang(against) for against in fighter["grudges"]),
        "armour": _saving(fighter.get("armour")),
        "field_armour": _saving(fighter.get("field_armour")),
        "weapons": weapons_shown(fighter),
        "wargear": ", ".join(lowercase_id(item) for item in fighter["wargear"]),
    }


def _saving(armour: Row | str | None) -> str:
    if not armour:
        return ""
    return sanitize(armour) if isinstance(armour, str) else f"{sanitize(armour['name'])} {armour['save']}+"


def _named(thing: Row | str, key: str) -> str:
    return sanitize(thing) if isinstance(thing, str) else sanitize(thing[key])
