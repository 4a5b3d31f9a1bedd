"""Ledger: a gang's statement as a bank prints one, and its stash. Knows the ledger board's rows.

What the lines add up to and what the gang's row says are compared, and a difference is said aloud. Each line
says the gang's last battle before it, as what is done after a battle follows from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from tracker.campaign.records import account_words, place_words
from tracker.projections.ledger import FOUNDING, LedgerRow, StatementLine, statement
from tracker.reports.cards import lowercase_id
from tracker.reports.dispute_marks import MARK, pending_lines, resting_data
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.rendering import table_text

if TYPE_CHECKING:
    # Not at run time: who reads boards alone meets no event.
    from tracker.projections.dependents import DependentEvent

_COLUMNS = ("Date", "Entry", "Battle", "What", "From or to", "In", "Out", "Balance")
_THINGS = ("Date", "Entry", "Battle", "What", "From", "To", "Worth")
_STASH = ("What", "Kind", "Worth")


def ledger_text(
    rows: Sequence[LedgerRow],
    gang: Row,
    names: Names,
    battles: Sequence[Row] = (),
    *,
    pending: Sequence[Row] = (),
    doubted: AbstractSet[int] = frozenset(),
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Money line by line with the balance after each, then the things that moved.

    `doubted` are the events, by their place in the log, that rest on a dispute.
    """
    rows = after_battles(rows, gang["gang"], battles)
    lines = statement(rows, gang["gang"])
    money = [line for line in lines if line["row"]["kind"] != "item"]
    things = [line["row"] for line in lines if line["row"]["kind"] == "item"]
    told = [_money_cells(line, names, doubted) for line in money]
    blocks = [f"{sanitize(gang['name'])}: ledger", table_text(_COLUMNS, told, width=width, colour=colour)]
    blocks.append(_sum(lines, gang, names))
    if things:
        moved = [_thing_cells(row, names, doubted) for row in things]
        blocks.append(table_text(_THINGS, moved, width=width, colour=colour))
    blocks += ["\n".join(pending_lines(pending))] if pending else []
    return "\n\n".join(blocks)


def ledger_json(
    rows: Sequence[LedgerRow],
    gang: Row,
    battles: Sequence[Row] = (),
    *,
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
) -> str:
    """Every line with its change and the balance after it."""
    rows = after_battles(rows, gang["gang"], battles)
    lines = statement(rows, gang["gang"])
    balance = lines[-1]["balance"] if lines else 0
    told = [
        {**line["row"], **{name: line[name] for name in ("change", "other_side", "balance")}}
        for line in lines
    ]
    return json_text(
        "ledger",
        {
            "gang": gang["gang"],
            "lines": told,
            "balance": balance,
            "board": gang["credits"],
            "pending": [dict(one) for one in pending],
            "resting": resting_data(resting),
        },
    )


def after_battles(rows: Sequence[LedgerRow], gang: str, battles: Sequence[Row]) -> list[LedgerRow]:
    """The rows, each with the gang's last battle that opened before it; None before the first."""
    fought = [one for one in battles if any(crew["gang"] == gang for crew in one["crews"])]
    told = []
    for row in rows:
        before = [one["battle"] for one in fought if one["slot"] < row["slot"]]
        told.append(LedgerRow(**{**row, "battle": row["battle"] or (before[-1] if before else None)}))
    return told


def stash_text(gang: Row, names: Names, *, width: int | None = None, colour: bool = False) -> str:
    """What lies in a gang's stash, and what the gang is worth."""
    head = f"{sanitize(gang['name'])}: {names.money(gang['credits'])} in the stash"
    things = [
        [sanitize(item["name"]), lowercase_id(item["kind"]), item["cost_credits"]] for item in gang["stash"]
    ]
    parked = [[sanitize(one["name"]), "vehicle", one["cost_credits"]] for one in _parked(gang)]
    worth = f"Rating {gang['rating_credits']}, wealth {names.money(gang['wealth_credits'])}."
    if not things and not parked:
        return f"{head}, and nothing else.\n\n{worth}"
    table = table_text(_STASH, [*things, *parked], width=width, colour=colour)
    return f"{head}\n\n{table}\n\n{worth}"


def stash_json(gang: Row) -> str:
    """The same for programs."""
    told = {name: gang[name] for name in ("gang", "credits", "stash", "rating_credits", "wealth_credits")}
    return json_text("stash", {**told, "vehicles": _parked(gang)})


def _parked(gang: Row) -> list[Row]:
    """The vehicles that nobody drives."""
    return [one for one in gang["vehicles"] if not one["crew"]]


def _sum(lines: Sequence[StatementLine], gang: Row, names: Names) -> str:
    came = sum(line["change"] for line in lines if line["change"] > 0)
    went = -sum(line["change"] for line in lines if line["change"] < 0)
    total = f"{came} in, {went} out: {names.money(came - went)} now."
    if came - went != gang["credits"]:
        return f"{total} The board says {gang['credits']}: see 'arbitrator boards verify'."
    return total


def _money_cells(line: StatementLine, names: Names, doubted: AbstractSet[int]) -> list[str | int]:
    row, change = line["row"], line["change"]
    other = "the founding" if line["other_side"] == FOUNDING else account_words(line["other_side"], names)
    came, went = (change, "") if change >= 0 else ("", -change)
    why = sanitize(row["why"]) + _mark(row, doubted)
    return [row["at"][:10], _address(row), _battle(row), why, other, came, went, line["balance"]]


def _thing_cells(row: LedgerRow, names: Names, doubted: AbstractSet[int]) -> list[str | int]:
    item = row["item"] or {}
    source, target = place_words(row["source"], names), place_words(row["target"], names)
    head = [row["at"][:10], _address(row), _battle(row), sanitize(row["thing"]) + _mark(row, doubted)]
    return [*head, source, target, item.get("cost_credits", 0)]


def _mark(row: LedgerRow, doubted: AbstractSet[int]) -> str:
    return MARK if row["seq"] in doubted else ""


def _battle(row: LedgerRow) -> str:
    return sanitize(row["battle"]) if row["battle"] is not None else ""


def _address(row: LedgerRow) -> str:
    return f"{row['entry']}.{row['position']}"
