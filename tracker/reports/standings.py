"""Standings: the gangs of a campaign in order. Knows the gang board's rows, in that order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, assert_never

from tracker.reports import dispute_marks
from tracker.reports.cards import counted, display_name, listed, past_shown
from tracker.reports.escaping import name_marked, strong
from tracker.reports.page import Block, Bullets, Cell, DataTable, Heading, Page, PerFormat, Row, Sheet, Text
from tracker.reports.rating_history import history_pictures
from tracker.rules import loader
from tracker.rules.glossary import USUAL, GameWords
from tracker.rules.post_battle_tables import Triumph, TriumphBy

if TYPE_CHECKING:
    # Not at run time: reading boards needs no events.
    from tracker.projections.dependent_events import DependentEvent
    from tracker.projections.rating_history import RatingRow
    from tracker.service.boards import Standings

ORDER = "By battles won, then drawn, then Reputation, then enemies taken out."
"""The order of the rows; gangs with equal values share a place."""
_ORDER_OF_WARBANDS = "By battles won, then drawn, then enemies taken out."
"""The same for games without Reputation."""

_NUMBERS = {
    "battles": "Battles",
    "won": "Won",
    "drawn": "Drawn",
    "lost": "Lost",
    "enemies_taken_out": "Taken out",
    "reputation": "Reputation",
    "rating_credits": "Rating",
}
"""The columns of numbers, each with its heading."""
CSV_COLUMNS: tuple[str, ...] = (
    "place", "gang", "name", "house", "player", *_NUMBERS, "credits", "wealth_credits",
)  # fmt: skip
EMPTY = "No {game.gangs} yet."
TRIUMPHS = "Triumphs as things stand"
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
"""The same in the singular."""
_MOVED_WITH: Mapping[TriumphBy, tuple[str, ...]] = {
    "territories": ("territories",),
    "out_of_action_and_wrecks": ("enemies_taken_out", "enemy_vehicles_wrecked"),
    "wealth": ("wealth_credits",),
    "battles": ("battles",),
    "reputation": ("reputation",),
}


def triumph_shown(triumph: Row, gangs: Sequence[Row], triumphs: Sequence[Triumph]) -> str:
    """'260 credits of Wealth', marked if it depends on a dispute for a gang that has it."""
    if not triumph["gangs"]:
        return ""
    by = next(printed.by for printed in triumphs if printed.triumph == triumph["triumph"])
    ahead = [gang for gang in gangs if gang["gang"] in triumph["gangs"]]
    pending = [number for gang in ahead for number in gang.get("pending", ())]
    thing = _ONE.get(by) if triumph["most"] == 1 else None
    return dispute_marks.in_dispute(
        f"{triumph['most']} {thing or triumph['counted']}", {"pending": pending}, *_MOVED_WITH[by]
    )


def triumphs_of(gangs: Sequence[Row], triumphs: Sequence[Triumph]) -> list[Row]:
    """For each triumph of the book, the gang or gangs with the highest value, if any has one."""
    rows: list[Row] = []
    for triumph in triumphs:
        most = max((_count(gang, triumph.by) for gang in gangs), default=0)
        ahead = [gang for gang in gangs if most and _count(gang, triumph.by) == most]
        rows.append(
            {
                "triumph": triumph.triumph,
                "name": triumph.name,
                "counted": _COUNTED[triumph.by],
                "most": most,
                "gangs": [gang["gang"] for gang in ahead],
                "names": [gang["name"] for gang in ahead],
            }
        )
    return rows


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


def placed(gangs: Sequence[Row]) -> list[tuple[int, Row]]:
    """The rows in order, each with its place from 1."""
    places: list[tuple[int, Row]] = []
    for count, gang in enumerate(gangs, start=1):
        shared = bool(places) and _merits(places[-1][1]) == _merits(gang)
        places.append((places[-1][0] if shared else count, gang))
    return places


def standings_board_page(board: Standings, *, heading: str) -> Page:
    """The standings with the triumphs of the campaign's book."""
    book = loader.book(board.book)
    rules = book.post_battle_rules
    return standings_page(
        board.gangs,
        heading=heading,
        triumphs=rules.triumphs if rules is not None else (),
        pending=board.pending.disputes,
        dependents=board.pending.dependents,
        history=board.history,
        game=book.words,
    )


def standings_page(
    gangs: Sequence[Row],
    *,
    heading: str = "",
    triumphs: Sequence[Triumph] = (),
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
    history: Sequence[RatingRow] = (),
    game: GameWords = USUAL,
) -> Page:
    """The gangs in order, and who would have each triumph now. `dependents` depend on disputes."""
    marked = dispute_marks.with_pending(gangs, dependents)
    return Page(
        schema="standings",
        title=heading or "Standings",
        blocks=lambda: _blocks(marked, heading, triumphs, pending, history, game),
        data=lambda: {
            "heading": heading,
            "order": ORDER if game.has_reputation else _ORDER_OF_WARBANDS,
            "gangs": [{"place": place, **gang} for place, gang in placed(gangs)],
            "triumphs": triumphs_of(gangs, triumphs),
            **dispute_marks.dispute_data(pending, dependents),
        },
        sheet=lambda: Sheet(
            (*CSV_COLUMNS, dispute_marks.IN_DISPUTE),
            [
                {
                    **gang,
                    "place": place,
                    dispute_marks.IN_DISPUTE: dispute_marks.disputed_numbers(gang, CSV_COLUMNS),
                }
                for place, gang in placed(marked)
            ],
        ),
    )


def _blocks(
    gangs: Sequence[Row],
    heading: str,
    triumphs: Sequence[Triumph],
    pending: Sequence[Row],
    history: Sequence[RatingRow],
    game: GameWords,
) -> Iterator[Block]:
    if heading:
        yield [Heading(heading)]
    if not gangs:
        yield [Text([game.said(EMPTY)])]
        return
    numbers = [name for name in _NUMBERS if game.has_reputation or name != "reputation"]
    chat = [line for place, gang in placed(gangs) for line in _chat_lines(place, gang, numbers)]
    columns = ("Place", game.Gang, game.house, "Player", *(_NUMBERS[name] for name in numbers))
    yield [DataTable(columns, standing_lines(gangs, numbers), chat=chat, keys=2, breaks=(4, 8))]
    past = [gang for gang in gangs if (gang.get("brought") or {}).get("battles")]
    before = [f"Brought along: {name_marked(gang['name'])}, {past_shown(gang['brought'])}" for gang in past]
    yield [Text([ORDER if game.has_reputation else _ORDER_OF_WARBANDS, *before])]
    if triumphs:
        yield _triumphs(gangs, triumphs, game)
    yield [*dispute_marks.dispute_notices(pending)]
    yield history_pictures(history, gangs, game=game, id_prefix="campaign")


def _triumphs(gangs: Sequence[Row], triumphs: Sequence[Triumph], game: GameWords) -> Block:
    rows = [
        (row["name"], listed(row["names"]) or "nobody yet", triumph_shown(row, gangs, triumphs))
        for row in triumphs_of(gangs, triumphs)
    ]
    lines = [f"{name}: {who}" + (f", {number}" if number else "") for name, who, number in rows]
    return [
        PerFormat({"html": Heading(TRIUMPHS, level=2)}, Text([f"{TRIUMPHS}:"])),
        PerFormat({"html": DataTable(("Triumph", game.Gang, "With"), rows)}, Bullets(lines)),
    ]


def _chat_lines(place: int, gang: Row, shown: Collection[str]) -> list[str]:
    record = f"{gang['won']} won, {gang['drawn']} drawn, {gang['lost']} lost"
    taken_out = f"{counted(gang['enemies_taken_out'], 'enemy', 'enemies')} taken out"
    reputation = dispute_marks.in_dispute(f"Reputation {gang['reputation']}", gang, "reputation")
    numbers = [
        dispute_marks.in_dispute(f"rating {gang['rating_credits']}", gang, "rating_credits"),
        *([reputation] if "reputation" in shown else []),
        dispute_marks.in_dispute(taken_out, gang, "enemies_taken_out"),
    ]
    return [
        f"{strong(place)} {strong(gang['name'])} ({display_name(gang['house'])}, {gang['player']})",
        f"- {dispute_marks.in_dispute(record, gang, 'won', 'drawn', 'lost')}; {', '.join(numbers)}",
    ]


def _merits(gang: Row) -> tuple[int, int, int, int]:
    return gang["won"], gang["drawn"], gang["reputation"], gang["enemies_taken_out"]


def standing_lines(gangs: Sequence[Row], numbers: Iterable[str] = tuple(_NUMBERS)) -> list[list[Cell]]:
    """One line per gang: place, name, house, player and these numbers."""
    return [
        [
            dispute_marks.in_dispute(place, gang, "won", "drawn", "reputation", "enemies_taken_out"),
            gang["name"],
            display_name(gang["house"]),
            gang["player"],
            *(dispute_marks.in_dispute(gang[number], gang, number) for number in numbers),
        ]
        for place, gang in placed(gangs)
    ]
