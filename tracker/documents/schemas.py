"""The published JSON Schemas of the documents, generated from the models that read them.

Knows which formats there are. Says less than the reader does: that ids are not repeated and dice belong to
the book is checked when a document is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tracker.documents.battle_report import BattleReport
from tracker.documents.checking import Strict
from tracker.documents.exchange import ExchangeFile
from tracker.documents.gang_sheet import GangSheet
from tracker.errors import BadInput, nearest

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_MODELS: Final[dict[str, type[Strict]]] = {
    "battle-report": BattleReport,
    "exchange": ExchangeFile,
    "gang-sheet": GangSheet,
}
SCHEMAS: Final = tuple(_MODELS)


@dataclass(eq=False)
class SchemaNotKnown(BadInput):
    """There is no format of that name."""

    name: str

    def message(self) -> str:
        return f"There is no schema {self.name!r}.{nearest(self.name, SCHEMAS)} Known: {', '.join(SCHEMAS)}."


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a document format, by name. Raises SchemaNotKnown."""
    model = _MODELS.get(name)
    if model is None:
        raise SchemaNotKnown(name=name)
    return {"$schema": DIALECT, **model.model_json_schema(by_alias=True, mode="validation")}
