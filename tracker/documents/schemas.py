"""The published JSON Schemas of the documents, generated from the models that read them.

Knows which formats there are. Says less than the reader does: that ids are not repeated and dice belong to
the book is checked when a document is read.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise
from typing import Any, Final

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core.core_schema import ModelSchema

from tracker.documents import derived_forms
from tracker.documents.armoury import ArmouryOnPaper
from tracker.documents.battle_continued import BattleContinued
from tracker.documents.battle_report import BattleReport
from tracker.documents.gang_sheet import GangSheet
from tracker.documents.house_rule import HouseRuleFile
from tracker.documents.judge_file import ExchangeFile
from tracker.documents.post_battle import PostBattleFile
from tracker.documents.validation import StrictModel
from tracker.errors import BadInput, nearest
from tracker.records import Record
from tracker.rules.glossary import USUAL

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_MODELS: Final[dict[str, type[StrictModel]]] = {
    "armoury": ArmouryOnPaper,
    "battle-continued": BattleContinued,
    "battle-report": BattleReport,
    "exchange": ExchangeFile,
    "gang-sheet": GangSheet,
    "house-rule": HouseRuleFile,
    "post-battle": PostBattleFile,
}
SCHEMAS: Final = tuple(_MODELS)


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
    described = model.model_json_schema(by_alias=True, mode="validation", schema_generator=_Described)
    return {"$schema": DIALECT, **described}


class _Described(GenerateJsonSchema):
    """Describes every key by the docstring under its field: read here, where alone it is asked for."""

    def model_schema(self, schema: ModelSchema) -> dict[str, Any]:
        described = super().model_schema(schema)
        for name, text in field_words(schema["cls"]).items():
            field = schema["cls"].model_fields[name]
            described["properties"][field.alias or name]["description"] = USUAL.said(text)
        if "description" in described:
            described["description"] = USUAL.said(described["description"])
        return described


def field_words(model: type[StrictModel]) -> dict[str, str]:
    """What each field of a model means, as its docstring says; of a derived form, its command's."""
    made = getattr(model, "makes", None) if issubclass(model, derived_forms.DerivedPart) else None
    base = StrictModel if made is None else Record
    kinds = [kind for kind in reversed((made or model).__mro__) if issubclass(kind, base)]
    written = [kind for kind in kinds if kind.__module__ != derived_forms.__name__]
    return {
        name: text
        for kind in written
        for name, text in docstrings_of_fields(kind)
        if name in model.model_fields
    }


@cache
def docstrings_of_fields(kind: type) -> tuple[tuple[str, str], ...]:
    (written,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(written, ast.ClassDef), f"{kind} is no class"
    return tuple(
        (line.target.id, inspect.cleandoc(below.value.value))
        for line, below in pairwise(written.body)
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(below.value.value, str)
    )
