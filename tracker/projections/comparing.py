"""The boards held against what they should be. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Table, Text, select

from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections.boards import Fold, Progress, rebuild
from tracker.projections.scratch import scratch_boards
from tracker.projections.sql import (
    BOARDS,
    PAGE,
    as_json,
    from_json,
)


def differences(
    connection: Connection,
    campaign: str,
    *,
    live: Iterable[RecordedEvent],
    struck: Iterable[RecordedEvent],
    fold: Fold,
    slug: str,
    created_at: str,
    progress: Progress | None = None,
) -> list[str]:
    """What stands on the boards and should not, or the other way round: one line for each such row.

    Writes nothing here: the boards are made again in a scratch database, and the two compared row by row.
    """
    with scratch_boards() as remade:
        rebuild(
            remade,
            campaign,
            live=live,
            struck=struck,
            fold=fold,
            slug=slug,
            created_at=created_at,
            progress=progress,
        )
        return [line for table in BOARDS for line in _differences_in(table, campaign, connection, remade)]


def _differences_in(table: Table, campaign: str, found: Connection, remade: Connection) -> Iterator[str]:
    name = table.name.removeprefix("board_")
    key = list(table.primary_key)[1:]
    columns = (*key, *(column for column in table.columns if not column.primary_key))
    names, keys = [column.name for column in columns], slice(len(key))
    is_rows, should_rows = (_in_key_order(table, columns, key, campaign, one) for one in (found, remade))
    row, should = next(is_rows, None), next(should_rows, None)
    while row is not None or should is not None:
        if row != should:
            if should is None or (row is not None and row[keys] < should[keys]):
                assert row is not None
                yield f"{name} {_key_words(row[keys])}: stands there and should not"
                row = next(is_rows, None)
                continue
            if row is None or should[keys] < row[keys]:
                yield f"{name} {_key_words(should[keys])}: is missing"
                should = next(should_rows, None)
                continue
            unlike = _unlike(dict(zip(names, row, strict=True)), dict(zip(names, should, strict=True)))
            yield f"{name} {_key_words(row[keys])}: {'; '.join(unlike)}"
        row, should = next(is_rows, None), next(should_rows, None)


def _in_key_order(
    table: Table,
    columns: Iterable[Column[Any]],
    key: list[Column[Any]],
    campaign: str,
    connection: Connection,
) -> Iterator[tuple[Any, ...]]:
    # Both engines must name keys in the order in which Python compares them.
    bytewise = "C" if connection.dialect.name == "postgresql" else "BINARY"
    order = [column.collate(bytewise) if isinstance(column.type, Text) else column for column in key]
    query = select(*columns).where(table.c.campaign_id == campaign).order_by(*order)
    return map(tuple, connection.execute(query.execution_options(yield_per=PAGE)))


def _key_words(key: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in key) or "itself"


def _unlike(found: Mapping[str, Any], should: Mapping[str, Any]) -> Iterator[str]:
    for column in should:
        if found[column] == should[column]:
            continue
        if column != "row":
            yield f"column {column} is {found[column]!r}, should be {should[column]!r}"
            continue
        try:
            one, other = from_json(found["row"]), from_json(should["row"])
        except (msgspec.DecodeError, RecursionError):
            yield "its row is no JSON"
            continue
        if not isinstance(one, dict) or one == other:
            yield "its row is written otherwise"
            continue
        for name in sorted({*one, *other}):
            if name not in one or name not in other or one[name] != other[name]:
                yield f"{name} is {_shown(one, name)}, should be {_shown(other, name)}"


def _shown(row: Mapping[str, Any], name: str) -> str:
    try:
        text = as_json(row[name]) if name in row else "absent"
    except RecursionError:
        return "nested too deep to be shown"
    return text if len(text) <= 60 else text[:57] + "..."
