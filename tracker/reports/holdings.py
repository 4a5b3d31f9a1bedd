"""What gangs own between battles: captives, territories, money, items; and a warband's open tasks.

Knows the boards' rows. The sum of a ledger is compared with the gang's row, and a difference is shown. Each
line names the gang's last battle before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from tracker.campaign.fighters import Fighter
from tracker.campaign.records import account_words, place_words
from tracker.campaign.state import Gang
from tracker.projections.ledger import FOUNDING, LedgerRow, StatementLine, statement
from tracker.reports.cards import lowercase_id
from tracker.reports.dispute_marks import MARK, dispute_data, dispute_notices
from tracker.reports.names import Names
from tracker.reports.page import Block, DataTable, Heading, Page, Row, Text
from tracker.rules.warband_tables import WarbandRules

if TYPE_CHECKING:
    from tracker.projections.dependent_events import DependentEvent

_CAPTIVES = ("Captive", "Gang", "Held by", "Rescue", "Works at", "Cost", "Guilders pay")
_TERRITORIES = ("Territory", "Id", "Kind", "Held by")
_WARBANDS = (
    "Glory", "Threshold", "Field Strength", "ELITE", "Failed promotion dice",
    "Skill to learn", "Held for ransom",
)  # fmt: skip
_MONEY = ("Date", "Entry", "Battle", "What", "From or to", "In", "Out", "Balance")
_THINGS = ("Date", "Entry", "Battle", "What", "From", "To", "Worth")
_STASH = ("What", "Kind", "Worth")


# --- captives and territories ---------------------------------------------------------------------------


def captives_of(
    fighters: Sequence[Row], gang_names: dict[str, str], *, percent: int, round_up_to: int
) -> list[Row]:
    """A line for each captive: who, whose, held by whom, and what the Guilders would pay."""
    return [
        {
            "fighter": row["fighter"],
            "name": row["name"],
            "gang": row["gang"],
            "gang_name": gang_names.get(row["gang"], row["gang"]),
            "held_by": row["held_by"],
            "held_by_name": gang_names.get(row["held_by"], row["held_by"]),
            "rescue": row["rescue"],
            "works_at": row["works_at"],
            "cost_credits": row["cost_credits"],
            "guilders_pay": -(-row["cost_credits"] * percent // (100 * round_up_to)) * round_up_to,
        }
        for row in fighters
        if row["held_by"] is not None
    ]


def captures_open(fighters: Sequence[Row], gang_names: dict[str, str]) -> list[Row]:
    """The fighters whose capture is still to be decided, with the possible captor."""
    return [
        {
            "fighter": row["fighter"],
            "name": row["name"],
            "gang": row["gang"],
            "gang_name": gang_names.get(row["gang"], row["gang"]),
            "captor": row["captor"],
            "captor_name": gang_names.get(row["captor"], row["captor"]),
        }
        for row in fighters
        if row["capture_pending"]
    ]


def captives_page(
    captives: Sequence[Row],
    *,
    still_open: Sequence[Row] = (),
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
    disputed: Collection[str] = (),
) -> Page:
    """A row for each captive; whether the `disputed` are held depends on a dispute."""
    rows = [
        (
            row["name"],
            row["gang_name"],
            row["held_by_name"] + (MARK if row["fighter"] in disputed else ""),
            lowercase_id(row["rescue"]) if row["rescue"] is not None else "still open",
            row["works_at"] or "-",
            row["cost_credits"],
            row["guilders_pay"],
        )
        for row in captives
    ]
    marked = any(row["fighter"] in disputed for row in captives)
    undecided = [
        f"{row['name']} ({row['gang_name']}) is not held yet: whether {row['captor_name'] or 'somebody'}"
        " captures them is decided in a post-battle file."
        for row in still_open
    ]
    return Page(
        schema="captives",
        blocks=lambda: [
            [DataTable(_CAPTIVES, rows) if rows else Text(["Nobody is held captive."])],
            [Text(undecided)] if undecided else [],
            dispute_notices(pending if marked else ()),
        ],
        data=lambda: {
            "captives": list(captives),
            **({"still_open": list(still_open)} if still_open else {}),
            **dispute_data(pending, dependents),
        },
    )


def territories_page(territories: Sequence[Row]) -> Page:
    """The territories, those without a holder last."""
    rows = [
        (row["name"], row["territory"], lowercase_id(row["kind"]), row["holder_name"] or "-")
        for row in territories
    ]
    return Page(
        schema="territories",
        blocks=lambda: [[DataTable(_TERRITORIES, rows) if rows else Text(["No territories yet."])]],
        data=lambda: {"territories": list(territories)},
    )


# --- warbands -----------------------------------------------------------------------------------------------


def warbands_of(gangs: Iterable[Gang], rules: WarbandRules) -> list[dict[str, Any]]:
    """A row for each warband; before its first game it has the values of that."""
    first = rules.threshold(1)
    return [
        {
            "gang": gang.gang,
            "name": gang.name,
            "ducats": gang.credits,
            "glory": gang.glory,
            "threshold_ducats": first.ducats if gang.threshold_ducats is None else gang.threshold_ducats,
            "field_strength": first.field_strength if gang.field_strength is None else gang.field_strength,
            "elite": sum(member.category == rules.elite.rank for member in _members(gang)),
            "elite_most": rules.elite.most,
            "promotion_failures": gang.promotion_failures,
            "may_learn": [member.name for member in _members(gang) if _learns(member, rules)],
            "held_for_ransom": [member.name for member in _members(gang) if member.capture_pending],
        }
        for gang in gangs
    ]


def warbands_page(warbands: Sequence[Row], names: Names) -> Page:
    """Glory, the limits of the next game, failed promotion dice, and open tasks."""
    rows = [
        (
            row["name"],
            row["ducats"],
            row["glory"],
            row["threshold_ducats"],
            row["field_strength"],
            f"{row['elite']} of {row['elite_most']}",
            row["promotion_failures"],
            ", ".join(row["may_learn"]) or "-",
            ", ".join(row["held_for_ransom"]) or "-",
        )
        for row in warbands
    ]
    return Page(
        schema="warbands",
        blocks=lambda: [[DataTable(("Warband", names.game.Credits, *_WARBANDS), rows)]],
        data=lambda: {"warbands": list(warbands)},
    )


def _members(gang: Gang) -> list[Fighter]:
    return list(gang.enlisted.values())


def _learns(fighter: Fighter, rules: WarbandRules) -> bool:
    """Whether a model has XP for a skill that it has not learned yet."""
    word = rules.experience.limited_keyword
    limited = any(skill.strip().lower().replace(" ", "_") == word for skill in fighter.skills)
    steps = [at for at in rules.experience.learns_at if not limited or at <= rules.experience.limited_to]
    reached = sum(fighter.experience >= at for at in steps)
    return fighter.category == rules.elite.rank and reached > fighter.advancements


# --- ledger and stash -----------------------------------------------------------------------------------


def ledger_page(
    rows: Sequence[LedgerRow],
    gang: Row,
    names: Names,
    battles: Sequence[Row] = (),
    *,
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
) -> Page:
    """A gang's statement: money with the balance after each line, then the items that moved.

    `dependents` are events that depend on the disputes `pending`.
    """
    lines = statement(after_battles(rows, gang["gang"], battles), gang["gang"])
    disputed = frozenset(dependent.event.seq for dependent in dependents)
    return Page(
        schema="ledger",
        blocks=lambda: _ledger_blocks(lines, gang, names, pending, disputed),
        data=lambda: {
            "gang": gang["gang"],
            "lines": [
                {**line["row"], **{name: line[name] for name in ("change", "other_side", "balance")}}
                for line in lines
            ],
            "balance": lines[-1]["balance"] if lines else 0,
            "board": gang["credits"],
            **dispute_data(pending, dependents),
        },
    )


def _ledger_blocks(
    lines: Sequence[StatementLine],
    gang: Row,
    names: Names,
    pending: Sequence[Row],
    disputed: AbstractSet[int],
) -> Iterator[Block]:
    money = [_money_cells(line, names, disputed) for line in lines if line["row"]["kind"] != "item"]
    things = [_thing_cells(line["row"], names, disputed) for line in lines if line["row"]["kind"] == "item"]
    yield [Heading(f"{gang['name']}: ledger")]
    yield [DataTable(_MONEY, money, keys=2)]
    yield [Text([_sum(lines, gang, names)])]
    if things:
        yield [DataTable(_THINGS, things, keys=2)]
    yield dispute_notices(pending)


def after_battles(rows: Sequence[LedgerRow], gang: str, battles: Sequence[Row]) -> list[LedgerRow]:
    """The rows, each with the gang's last battle that opened before it; None before the first."""
    fought = [battle for battle in battles if any(crew["gang"] == gang for crew in battle["crews"])]
    dated = []
    for row in rows:
        before = [battle["battle"] for battle in fought if battle["slot"] < row["slot"]]
        dated.append(LedgerRow(**{**row, "battle": row["battle"] or (before[-1] if before else None)}))
    return dated


def stash_page(gang: Row, names: Names) -> Page:
    """A gang's stash, and its rating and wealth."""
    parked = [vehicle for vehicle in gang["vehicles"] if not vehicle["crew"]]
    things = [(item["name"], lowercase_id(item["kind"]), item["cost_credits"]) for item in gang["stash"]]
    things += [(vehicle["name"], "vehicle", vehicle["cost_credits"]) for vehicle in parked]
    head = f"{gang['name']}: {names.money(gang['credits'])} in the stash"
    worth = f"Rating {gang['rating_credits']}, wealth {names.money(gang['wealth_credits'])}."
    keys = ("gang", "credits", "stash", "rating_credits", "wealth_credits")
    return Page(
        schema="stash",
        blocks=lambda: [
            [Heading(head if things else f"{head}, and nothing else.")],
            [DataTable(_STASH, things)] if things else [],
            [Text([worth])],
        ],
        data=lambda: {**{name: gang[name] for name in keys}, "vehicles": parked},
    )


def _sum(lines: Sequence[StatementLine], gang: Row, names: Names) -> str:
    income = sum(line["change"] for line in lines if line["change"] > 0)
    went = -sum(line["change"] for line in lines if line["change"] < 0)
    total = f"{income} in, {went} out: {names.money(income - went)} now."
    if income - went != gang["credits"]:
        return f"{total} The board says {gang['credits']}: see 'arbitrator boards verify'."
    return total


def _money_cells(line: StatementLine, names: Names, disputed: AbstractSet[int]) -> list[str | int]:
    row, change = line["row"], line["change"]
    account = "the founding" if line["other_side"] == FOUNDING else account_words(line["other_side"], names)
    came, went = (change, "") if change >= 0 else ("", -change)
    why = f"{row['why']}{_mark(row, disputed)}"
    return [row["at"][:10], _address(row), _battle(row), why, account, came, went, line["balance"]]


def _thing_cells(row: LedgerRow, names: Names, disputed: AbstractSet[int]) -> list[str | int]:
    item = row["item"] or {}
    source, target = place_words(row["source"], names), place_words(row["target"], names)
    head = [row["at"][:10], _address(row), _battle(row), f"{row['thing']}{_mark(row, disputed)}"]
    return [*head, source, target, item.get("cost_credits", 0)]


def _mark(row: LedgerRow, disputed: AbstractSet[int]) -> str:
    return MARK if row["seq"] in disputed else ""


def _battle(row: LedgerRow) -> str:
    return row["battle"] or ""


def _address(row: LedgerRow) -> str:
    return f"{row['entry']}.{row['position']}"
