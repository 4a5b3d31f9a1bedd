"""Roster: gangs and their fighters, for terminals, pages, sheets and programs.

Knows the rows of the roster board. Knows no log: `fighter.py` explains the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tracker.projections.standings import gone_from
from tracker.reports import cards, dispute_marks
from tracker.reports.cards import columns
from tracker.reports.escaping import name_marked, sanitize, strong
from tracker.reports.names import Names
from tracker.reports.page import (
    Block,
    Bullets,
    Cell,
    DataTable,
    Heading,
    Page,
    PerFormat,
    Row,
    Section,
    Sheet,
    Text,
)
from tracker.reports.rating_history import history_pictures
from tracker.reports.weapons import weapons_table
from tracker.rules.glossary import USUAL, GameWords

if TYPE_CHECKING:
    # Not at run time: reading boards needs no events.
    from tracker.projections.dependent_events import DependentEvent
    from tracker.projections.rating_history import RatingRow

_CSV_BEFORE = ("gang", "gang_name", "fighter", "name", "category", "kind", "status")
_CSV_BEHIND = (
    "experience", "injuries", "skills", "grudges", "armour", "field_armour", "weapons", "wargear",
    "cost_credits", "enemies_taken_out", "times_out_of_action", "battles_fought", "mutations",
)  # fmt: skip
KIT_COLUMNS = ("Fighter", "Skills", "Armour", "Wargear")
GONE = ("dead", "retired", "sold")
"""Standings of fighters who have left for good."""
_VEHICLE_COLUMNS = ("Vehicle", "Crew", "M", "T (F/S/R)", "HP", "Hnd", "Sv", "Weapons", "Lasting damage")
EMPTY = "No {game.gangs} yet."


def roster_page(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    *,
    heading: str = "",
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
    names: Names | None = None,
    history: Sequence[RatingRow] = (),
    some_gone: bool = False,
) -> Page:
    """Gangs one below the other: totals, cards, equipment; open disputes last.

    `names` is needed if a gang is named that is not among the rows, `history` for the charts in HTML.
    `some_gone`: some former fighters are not among the rows, and are only counted.
    """
    known = names or board_names(gangs, fighters)
    marked = dispute_marks.with_pending(gangs, dependents), dispute_marks.with_pending(fighters, dependents)
    return Page(
        schema="roster",
        title=heading or "Roster",
        blocks=lambda: _blocks(*marked, heading, pending, known.marked(), history, some_gone=some_gone),
        data=lambda: {
            "heading": heading,
            "gangs": [{**gang, "fighters": [*map(dict, members_of(gang, fighters))]} for gang in gangs],
            **dispute_marks.dispute_data(pending, dependents),
        },
        sheet=lambda: _sheet(*marked, known),
    )


def _blocks(
    gangs: Sequence[Row],
    fighters: Sequence[Row],
    heading: str,
    pending: Sequence[Row],
    names: Names,
    history: Sequence[RatingRow],
    *,
    some_gone: bool,
) -> Iterator[Block]:
    if heading:
        yield [Heading(heading)]
    for number, gang in enumerate(gangs, start=1):
        pictures = history_pictures(history, [gang], game=names.game, id_prefix=f"gang{number}")
        yield [Section([*_gang_blocks(gang, fighters, names, some_gone=some_gone), pictures])]
    if not gangs:
        yield [Text([names.game.said(EMPTY)])]
    yield dispute_marks.dispute_notices(pending)


def _gang_blocks(gang: Row, fighters: Sequence[Row], names: Names, *, some_gone: bool) -> Iterator[Block]:
    members = members_of(gang, fighters)
    owner = f"{cards.display_name(gang['house'])}, player {name_marked(gang['player'])}"
    yield [
        Heading(f"{name_marked(gang['name'])} ({owner})", level=2),
        Text([gang_totals(gang, names), *bonds_and_past(gang)]),
    ]
    if territories := ", ".join(
        name_marked(names.territory(territory["territory"], territory["name"]))
        for territory in gang.get("territories", ())
    ):
        yield [PerFormat({"html": Text([f"Territories: {territories}"])})]
    gone = [row for row in members if row["standing"] in GONE]
    members = [row for row in members if row not in gone]
    if members:
        yield [_cards(members, names)]
    if weapons := weapons_table(members):
        yield [weapons]
    if kit := kit_lines(members, names):
        columns = kit_columns(members)
        yield [DataTable(columns, kit, chat=[_kit_in_chat(columns, line) for line in kit])]
    if vehicles := vehicle_lines(gang, names):
        yield [DataTable((*_VEHICLE_COLUMNS, names.game.Credits), vehicles, breaks=(2, 7))]
    if mounted := weapons_table(_vehicles_as_carriers(gang), carrier="Vehicle"):
        yield [mounted]
    if stash := ", ".join(
        f"{item['name']} ({cards.lowercase_id(item['kind'])}, {item['cost_credits']})"
        for item in gang.get("stash", ())
    ):
        yield [PerFormat({"html": Text([f"In the stash: {stash}"])})]
    if captives := captive_lines(gang, fighters, names):
        yield [Bullets(captives)]
    if gone:
        yield [_gone_table(gone, names)]
    if some_gone and (left := gone_from(gang) - len(gone)):
        yield [Text([f"{left:,} dead or gone; --all shows them."])]


def _sheet(gangs: Sequence[Row], fighters: Sequence[Row], names: Names) -> Sheet:
    """One line per fighter with bare numbers; the last column names those that depend on a dispute."""
    heads = (*_CSV_BEFORE, *_card(fighters), *_CSV_BEHIND)
    rows = [
        {
            **fighter,
            **_csv_fields(gang, fighter, names),
            dispute_marks.IN_DISPUTE: dispute_marks.disputed_numbers(fighter, heads),
        }
        for gang in gangs
        for fighter in members_of(gang, fighters)
    ]
    return Sheet((*heads, dispute_marks.IN_DISPUTE), rows)


def gangs_page(
    gangs: Sequence[Row],
    *,
    game: GameWords = USUAL,
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
) -> Page:
    """The gangs of a campaign, a line each."""
    rows = [
        (
            *(row[name] for name in ("gang", "name", "house", "player")),
            dispute_marks.in_dispute(row["rating_credits"], row, "rating_credits"),
            dispute_marks.in_dispute(row["battles"], row, "battles"),
        )
        for row in dispute_marks.with_pending(gangs, dependents)
    ]
    columns = (game.Gang, "Name", game.house, "Player", "Rating", "Battles")
    return Page(
        schema="gangs",
        blocks=lambda: [
            [
                DataTable(columns, rows)
                if rows
                else Text([game.said(f"{EMPTY} Enlist one: arbitrator gang add SHEET.yaml")])
            ],
            dispute_marks.dispute_notices(pending),
        ],
        data=lambda: {"gangs": list(gangs), **dispute_marks.dispute_data(pending, dependents)},
    )


def gang_totals(gang: Row, names: Names) -> str:
    """Money, standing and record of a gang on one line."""
    battles = cards.counted(gang["battles"], "battle")
    record = f"{battles}: {gang['won']} won, {gang['drawn']} drawn, {gang['lost']} lost"
    worth = f"{'worth' if gang.get('warband') else 'rating'} {names.money(gang['rating_credits'])}"
    totals = [
        dispute_marks.in_dispute(worth, gang, "rating_credits"),
        dispute_marks.in_dispute(_stash(gang, names), gang, *_STASH_NUMBERS[: 3 if gang.get("stash") else 1]),
        *(_warband(gang, names) if gang.get("warband") else [_reputation(gang)]),
        dispute_marks.in_dispute(record, gang, "battles", "won", "drawn", "lost"),
    ]
    taken_out = f"{cards.counted(gang['enemies_taken_out'], 'enemy', 'enemies')} taken out"
    totals.append(dispute_marks.in_dispute(taken_out, gang, "enemies_taken_out"))
    if gang.get("corrupted"):
        totals.append(dispute_marks.in_dispute("corrupted", gang, "corrupted"))
    return " · ".join(totals)


def bonds_and_past(gang: Row) -> list[str]:
    """The gang's allegiances, and the battles that it brought along, each on a line."""
    bonds = [
        *([gang["alignment"].replace("_", "-")] if gang.get("alignment") else []),
        *([f"allegiance: {sanitize(gang['allegiance'])}"] if gang.get("allegiance") else []),
        *_bound("allied with", gang.get("alliances", ())),
        *_bound("patron" if len(gang.get("patrons", ())) == 1 else "patrons", gang.get("patrons", ())),
    ]
    lines = [" · ".join(bonds)[:1].upper() + " · ".join(bonds)[1:]] if bonds else []
    if (past := gang.get("brought")) is not None:
        lines.append(f"Brought along: {cards.past_shown(past)}")
    return lines


def _bound(word: str, names: Sequence[str]) -> list[str]:
    return [f"{word} {', '.join(map(sanitize, names))}"] if names else []


_STASH_NUMBERS = ("credits", "stash", "wealth_credits")


def _stash(gang: Row, names: Names) -> str:
    """'stash 40 credits'; with items also their number, and the gang's wealth."""
    there, things = names.money(gang["credits"]), len(gang.get("stash", ()))
    if not things:
        return f"stash {there}"
    return f"stash {there} and {cards.counted(things, 'thing')}, wealth {gang['wealth_credits']}"


def _reputation(gang: Row) -> str:
    return dispute_marks.in_dispute(f"Reputation {gang['reputation']}", gang, "reputation")


def _warband(gang: Row, names: Names) -> list[str]:
    """A warband's values instead of Reputation: Glory, and once raised the limits of its next game."""
    totals = [dispute_marks.in_dispute(f"Glory {gang['glory']}", gang, "glory")]
    if gang["threshold_ducats"] is not None:
        ducats, strength = names.money(gang["threshold_ducats"]), gang["field_strength"]
        allows = f"Threshold {ducats}, Field Strength {strength}"
        totals.append(dispute_marks.in_dispute(allows, gang, "threshold_ducats", "field_strength"))
    return totals


def board_names(gangs: Sequence[Row], fighters: Sequence[Row]) -> Names:
    """The names in the rows."""
    return Names(
        fighters={row["fighter"]: row["name"] for row in fighters},
        gangs={row["gang"]: row["name"] for row in gangs},
        territories={held["territory"]: held["name"] for row in gangs for held in row.get("territories", ())},
        # One campaign has one book, so the first card is enough.
        game=cards.words_beside(fighters[0]["characteristics"] if fighters else ()),
    )


def members_of(gang: Row, fighters: Sequence[Row]) -> list[Row]:
    """The gang's fighters, in the order given."""
    return [row for row in fighters if row["gang"] == gang["gang"]]


def injuries_shown(fighter: Row) -> str:
    """'Hobbled, Impressive Scars (as Out Cold)'; the same row twice counts as '× 2'."""
    counts: dict[str, int] = {}
    for injury in fighter["injuries"]:
        counts[injury_shown(injury)] = counts.get(injury_shown(injury), 0) + 1
    return ", ".join(name if count == 1 else f"{name} × {count}" for name, count in counts.items())


def injury_shown(injury: Row) -> str:
    """The injury's name, and the row that it counted as if that is another one."""
    name = sanitize(injury["name"])
    counted_as = injury.get("counted_as")
    return (
        name
        if counted_as in (None, injury["injury"])
        else f"{name} (as {cards.display_name(str(counted_as))})"
    )


def skills_shown(fighter: Row, names: Names) -> str:
    """Skills, then other lasting effects, and grudges against gangs."""
    grudges = [f"enmity against {names.gang(gang)}" for gang in fighter["grudges"]]
    flags = [sanitize(flag) for flag in fighter.get("flags", ())]
    return ", ".join([*(cards.display_name(skill) for skill in fighter["skills"]), *flags, *grudges])


def mutations_shown(fighter: Row) -> str:
    """'Dark Madness, Warped Limbs, one to choose'; a row of an older release has none."""
    to_choose = fighter.get("mutations_to_choose", 0)
    waiting = [f"{'one' if to_choose == 1 else to_choose} to choose"] if to_choose else []
    return ", ".join([*(cards.display_name(mutation) for mutation in fighter.get("mutations", ())), *waiting])


def weapons_shown(fighter: Row) -> str:
    """The weapons' names."""
    return ", ".join(_named(weapon, "weapon") for weapon in fighter["weapons"])


def armour_shown(fighter: Row) -> str:
    """'flak armour 6+, refractor field 5+'."""
    worn = [_saving(fighter.get(key)) for key in ("armour", "field_armour")]
    return ", ".join(piece for piece in worn if piece)


def captive_lines(gang: Row, fighters: Sequence[Row], names: Names) -> list[str]:
    """The gang's captives elsewhere, and those it holds, by the captive's row."""
    captives = [row for row in fighters if row.get("held_by") is not None]
    return [
        *(
            dispute_marks.in_dispute(
                f"{name_marked(row['name'])} is held captive by {names.gang(row['held_by'])}.", row, "held_by"
            )
            for row in captives
            if row["gang"] == gang["gang"]
        ),
        *(
            dispute_marks.in_dispute(
                f"Holds captive: {name_marked(row['name'])} of {names.gang(row['gang'])}.", row, "held_by"
            )
            for row in captives
            if row["held_by"] == gang["gang"]
        ),
    ]


def _cards(members: Sequence[Row], names: Names) -> DataTable:
    numbers = _card(members).values()
    rows: list[list[Cell]] = [
        [
            row["name"],
            dispute_marks.in_dispute(cards.display_name(row["category"]), row, "category"),
            dispute_marks.in_dispute(cards.status_shown(row), row, "status"),
            *(
                dispute_marks.in_dispute(shown, row, number)
                for number, shown in zip(
                    columns(row["characteristics"]), cards.card_cells(row["characteristics"]), strict=True
                )
            ),
            dispute_marks.in_dispute(row["experience"], row, "experience"),
            dispute_marks.in_dispute(injuries_shown(row), row, "injuries"),
            dispute_marks.in_dispute(row["cost_credits"], row, "cost_credits"),
        ]
        for row in members
    ]
    heads = ("Fighter", "Rank", "Status", *numbers, "XP", "Lasting injuries", names.game.Credits)
    in_chat = [_in_chat(row, names) for row in members]
    return DataTable(heads, rows, breaks=(3, 3 + len(numbers)), chat=in_chat)


def _in_chat(row: Row, names: Names) -> str:
    """A fighter's card on one line."""
    rank, status = cards.display_name(row["category"]), cards.status_shown(row)
    parts = [
        f"{strong(row['name'])}: {dispute_marks.in_dispute(rank, row, 'category')}",
        dispute_marks.in_dispute(status, row, "status"),
        cards.card_line(row["characteristics"], pending=row.get("pending", ())),
        *_record_in_chat(row, names),
    ]
    return " · ".join(parts)


def _record_in_chat(row: Row, names: Names) -> list[str]:
    injuries = injuries_shown(row)
    return [
        dispute_marks.in_dispute(f"{row['experience']} XP", row, "experience"),
        *([dispute_marks.in_dispute(injuries, row, "injuries")] if injuries else []),
        dispute_marks.in_dispute(names.money(row["cost_credits"]), row, "cost_credits"),
    ]


def _kit_in_chat(columns: Sequence[str], line: Sequence[Cell]) -> str:
    """'**Mags**: Skills Fearsome; Wargear photo-goggles'."""
    carried = [f"{head} {cell}" for head, cell in zip(columns[1:], line[1:], strict=True) if cell]
    return f"{strong(line[0])}: {'; '.join(carried)}"


def _gone_table(gone: Sequence[Row], names: Names) -> DataTable:
    """Former fighters: dead, retired and sold, apart from those who can be played."""
    rows: list[list[Cell]] = [
        [
            row["name"],
            dispute_marks.in_dispute(cards.display_name(row["category"]), row, "category"),
            dispute_marks.in_dispute(cards.status_shown(row), row, "status"),
            dispute_marks.in_dispute(row["experience"], row, "experience"),
            dispute_marks.in_dispute(injuries_shown(row), row, "injuries"),
            dispute_marks.in_dispute(row["cost_credits"], row, "cost_credits"),
        ]
        for row in gone
    ]
    heads = ("Fights no more", "Rank", "Status", "XP", "Lasting injuries", names.game.Credits)
    in_chat = [
        " · ".join(
            [f"{strong(row['name'])}: {cards.status_words(row['status'])}", *_record_in_chat(row, names)]
        )
        for row in gone
    ]
    return DataTable(heads, rows, chat=in_chat)


def _card(fighters: Sequence[Row]) -> dict[str, str]:
    # One campaign has one book, so the first card is enough.
    return columns(fighters[0]["characteristics"]) if fighters else cards.SHORT_NAMES


def kit_columns(members: Sequence[Row]) -> tuple[str, ...]:
    """The column headings of `kit_lines`: mutations only if there are any."""
    return (*KIT_COLUMNS, "Mutations") if any(map(mutations_shown, members)) else KIT_COLUMNS


def kit_lines(members: Sequence[Row], names: Names) -> list[list[Cell]]:
    """Equipment and skills by fighter; fighters with nothing are left out."""
    mutated = len(kit_columns(members)) > len(KIT_COLUMNS)
    kit: list[list[Cell]] = [
        [
            row["name"],
            _carried(skills_shown(row, names), row, "skills", "grudges"),
            _carried(armour_shown(row), row, "armour", "field_armour"),
            _carried(", ".join(cards.lowercase_id(item) for item in row["wargear"]), row, "wargear"),
            *([dispute_marks.in_dispute(mutations_shown(row), row, "mutations")] if mutated else []),
        ]
        for row in members
    ]
    return [line for line in kit if any(line[1:])]


def _carried(shown: str, row: Row, *numbers: str) -> str:
    # An empty value is not listed, in dispute or not.
    return dispute_marks.in_dispute(shown, row, *numbers) if shown else shown


def vehicle_lines(gang: Row, names: Names) -> list[list[Cell]]:
    """One row per vehicle."""
    return [
        [
            dispute_marks.in_dispute(vehicle["name"], gang, f"vehicles/{vehicle['vehicle']}"),
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


def _vehicles_as_carriers(gang: Row) -> list[Row]:
    """The vehicles with those of their weapons whose numbers are on their own cards."""
    return [
        {
            "name": dispute_marks.in_dispute(vehicle["name"], gang, f"vehicles/{vehicle['vehicle']}"),
            "weapons": vehicle.get("armament", ()),
            # S is the Strength of whoever fires it.
            "characteristics": {"strength": None},
        }
        for vehicle in gang.get("vehicles", ())
    ]


def _csv_fields(gang: Row, fighter: Row, names: Names) -> dict[str, Cell]:
    return {
        **fighter["characteristics"],
        "gang_name": gang["name"],
        "injuries": injuries_shown(fighter),
        "mutations": mutations_shown(fighter),
        "skills": ", ".join(cards.display_name(skill) for skill in fighter["skills"]),
        "grudges": ", ".join(names.gang(against) for against in fighter["grudges"]),
        "armour": _saving(fighter.get("armour")),
        "field_armour": _saving(fighter.get("field_armour")),
        "weapons": weapons_shown(fighter),
        "wargear": ", ".join(cards.lowercase_id(item) for item in fighter["wargear"]),
    }


def _saving(armour: Row | str | None) -> str:
    if not armour:
        return ""
    return sanitize(armour) if isinstance(armour, str) else f"{sanitize(armour['name'])} {armour['save']}+"


def _named(thing: Row | str, key: str) -> str:
    return sanitize(thing) if isinstance(thing, str) else sanitize(thing[key])
