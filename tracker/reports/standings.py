"""Standings: the gangs of a campaign in order. Knows the gang board's rows, in the order its board gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, assert_never

from tracker.reports.cards import counted, display_name, listed
from tracker.reports.discord import bold, chat, messages, pasted
from tracker.reports.dispute_marks import IN_DISPUTE, in_dispute, pending_lines, resting_data, resting_numbers
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
from tracker.rules.post_battle_tables import Triumph, TriumphBy

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.dependents import DependentEvent

ORDER = "By battles won, then drawn, then Reputation, then enemies taken out."
"""How the rows come; gangs that are equal in all of it share a place."""

CSV_COLUMNS: tuple[str, ...] = (
    "place",
    "gang",
    "name",
    "house",
    "player",
    "battles",
    "won",
    "drawn",
    "lost",
    "enemies_taken_out",
    "reputation",
    "rating_credits",
    "credits",
    "wealth_credits",
)

COLUMNS = (
    "Place",
    "Gang",
    "House",
    "Player",
    "Battles",
    "Won",
    "Drawn",
    "Lost",
    "Taken out",
    "Reputation",
    "Rating",
)
EMPTY = "No gangs yet."
_COUNTED: Mapping[TriumphBy, str] = {
    "territories": "territories",
    "out_of_action_and_wrecks": "enemies taken out and wrecked",
    "wealth": "credits of Wealth",
    "battles": "battles",
    "reputation": "Reputation",
}
_ONE: Mapping[TriumphBy, str] = {
    "territories": "territory",
    "out_of_action_and_wrecks": "enemy taken out or wrecked",
    "wealth": "credit of Wealth",
    "battles": "battle",
}
"""The same where it is one."""
_MOVED_WITH: Mapping[TriumphBy, tuple[str, ...]] = {
    "territories": ("territories",),
    "out_of_action_and_wrecks": ("enemies_taken_out", "enemy_vehicles_wrecked"),
    "wealth": ("wealth_credits",),
    "battles": ("battles",),
    "reputation": ("reputation",),
}


def triumph_shown(triumph: Row, gangs: Sequence[Row], triumphs: Sequence[Triumph]) -> str:
    """'260 credits of Wealth', marked where that of a gang which has it rests on a dispute."""
    if not triumph["gangs"]:
        return ""
    by = next(one.by for one in triumphs if one.triumph == triumph["triumph"])
    ahead = [gang for gang in gangs if gang["gang"] in triumph["gangs"]]
    pending = [number for gang in ahead for number in gang.get("pending", ())]
    one_alone = _ONE.get(by) if triumph["most"] == 1 else None
    told = f"{triumph['most']} {one_alone or triumph['counted']}"
    return in_dispute(told, {"pending": pending}, *_MOVED_WITH[by])


def triumphs_of(gangs: Sequence[Row], triumphs: Sequence[Triumph]) -> list[Row]:
    """For each triumph of the book who would have it now: the gang or gangs with most, if anybody has any."""
    found: list[Row] = []
    for triumph in triumphs:
        most = max((_count(gang, triumph.by) for gang in gangs), default=0)
        ahead = [gang for gang in gangs if most and _count(gang, triumph.by) == most]
        found.append(
            {
                "triumph": triumph.triumph,
                "name": triumph.name,
                "counted": _COUNTED[triumph.by],
                "most": most,
                "gangs": [gang["gang"] for gang in ahead],
                "names": [gang["name"] for gang in ahead],
            }
        )
    return found


def _count(gang: Row, by: TriumphBy) -> int:
    match by:
        case "territories":
            return len(gang["territories"])
        case "out_of_action_and_wrecks":
            return int(gang["enemies_taken_out"]) + int(gang["enemy_vehicles_wrecked"])
        case "wealth":
            return int(gang["wealth_credits"])
        case "battles":
            return int(gang["battles"])
        case "reputation":
            return int(gang["reputation"])
        case _:
            assert_never(by)


def _triumph_lines(gangs: Sequence[Row], triumphs: Sequence[Triumph]) -> list[str]:
    return [
        f"{one['name']}: {sanitize(listed(one['names'])) or 'nobody yet'}"
        + (f", {triumph_shown(one, gangs, triumphs)}" if one["names"] else "")
        for one in triumphs_of(gangs, triumphs)
    ]


def placed(gangs: Sequence[Row]) -> list[tuple[int, Row]]:
    """The rows as they come, each with its place from 1."""
    places: list[tuple[int, Row]] = []
    for count, gang in enumerate(gangs, start=1):
        shared = bool(places) and _merits(places[-1][1]) == _merits(gang)
        places.append((places[-1][0] if shared else count, gang))
    return places


def standings_text(
    gangs: Sequence[Row],
    *,
    heading: str = "",
    triumphs: Sequence[Triumph] = (),
    pending: Sequence[Row] = (),
    width: int | None = None,
    colour: bool = False,
) -> str:
    """The standings as a table, how they are ordered, and who would have each triumph now; `pending` are the
    disputes that some of it rests on."""
    blocks = [sanitize(heading)] if heading else []
    if not gangs:
        return "\n\n".join([*blocks, EMPTY])
    blocks += [table_text(COLUMNS, standing_lines(gangs), width=width, colour=colour), ORDER]
    if triumphs:
        blocks.append("\n".join(["Triumphs as things stand:", *_triumph_lines(gangs, triumphs)]))
    blocks += ["\n".join(pending_lines(pending))] if pending else []
    return "\n\n".join(blocks)


def standings_markdown(
    gangs: Sequence[Row],
    *,
    heading: str = "",
    triumphs: Sequence[Triumph] = (),
    pending: Sequence[Row] = (),
) -> str:
    """The same for a wiki or a chat."""
    blocks = [f"# {markdown_cell(heading)}"] if heading else []
    if not gangs:
        return "\n\n".join([*blocks, EMPTY])
    blocks += [markdown_table(COLUMNS, standing_lines(gangs)), ORDER]
    if triumphs:
        lines = [f"- {markdown_cell(line)}" for line in _triumph_lines(gangs, triumphs)]
        blocks.append("\n".join(["Triumphs as things stand:", "", *lines]))
    if pending:
        blocks.append("\n".join(f"- {markdown_cell(line)}" for line in pending_lines(pending)))
    return "\n\n".join(blocks)


def standings_discord(
    gangs: Sequence[Row],
    *,
    heading: str = "",
    triumphs: Sequence[Triumph] = (),
    pending: Sequence[Row] = (),
) -> str:
    """The same as messages for a chat: a line for each gang, as tables are none there."""
    if not gangs:
        return "\n".join([*([bold(heading)] if heading else []), EMPTY])
    blocks = [[line for place, gang in placed(gangs) for line in _chat_lines(place, gang)], [ORDER]]
    if triumphs:
        told = [f"- {chat(line)}" for line in _triumph_lines(gangs, triumphs)]
        blocks.append(["Triumphs as things stand:", *told])
    if pending:
        blocks.append([f"- {chat(line)}" for line in pending_lines(pending)])
    return pasted(messages(heading or "Standings", blocks))


def _chat_lines(place: int, gang: Row) -> list[str]:
    said = f"{gang['won']} won, {gang['drawn']} drawn, {gang['lost']} lost"
    record = in_dispute(said, gang, "won", "drawn", "lost")
    rating = in_dispute(f"rating {gang['rating_credits']}", gang, "rating_credits")
    reputation = in_dispute(f"Reputation {gang['reputation']}", gang, "reputation")
    taken_out = f"{counted(gang['enemies_taken_out'], 'enemy', 'enemies')} taken out"
    return [
        f"**{place}** {bold(gang['name'])} ({chat(display_name(gang['house']))}, {chat(gang['player'])})",
        f"- {record}; {rating}, {reputation}, {in_dispute(taken_out, gang, 'enemies_taken_out')}",
    ]


def standings_csv(gangs: Sequence[Row]) -> str:
    """One line per gang; last, which of its numbers rest on a dispute."""
    rows = [
        {**gang, "place": place, IN_DISPUTE: resting_numbers(gang, CSV_COLUMNS)}
        for place, gang in placed(gangs)
    ]
    return csv_text(rows, (*CSV_COLUMNS, IN_DISPUTE))


def standings_json(
    gangs: Sequence[Row],
    *,
    heading: str = "",
    triumphs: Sequence[Triumph] = (),
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
) -> str:
    """The rows in their order, each with its place."""
    told = [{"place": place, **gang} for place, gang in placed(gangs)]
    return json_text(
        "standings",
        {
            "heading": heading,
            "order": ORDER,
            "gangs": told,
            "triumphs": triumphs_of(gangs, triumphs),
            "pending": [dict(one) for one in pending],
            "resting": resting_data(resting),
        },
    )


def _merits(gang: Row) -> tuple[int, int, int, int]:
    return gang["won"], gang["drawn"], gang["reputation"], gang["enemies_taken_out"]


def standing_lines(gangs: Sequence[Row]) -> list[list[Cell]]:
    """One line of `COLUMNS` per gang."""
    return [
        [
            in_dispute(place, gang, "won", "drawn", "reputation", "enemies_taken_out"),
            gang["name"],
            display_name(gang["house"]),
            gang["player"],
            *(
                in_dispute(gang[number], gang, number)
                for number in (
                    "battles",
                    "won",
                    "drawn",
                    "lost",
                    "enemies_taken_out",
                    "reputation",
                    "rating_credits",
                )
            ),
        ]
        for place, gang in placed(gangs)
    ]
