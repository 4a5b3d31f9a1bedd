"""The published JSON Schemas: equal to the models, and as strict."""

import json
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from document_examples import GANG_SHEETS, REPORT_HEAD, example_in, report_of
from tables import every

from tracker.documents import schemas
from tracker.documents.schemas import SCHEMAS, SchemaNotKnown
from tracker.documents.yaml_reader import parse_document, read_document

json_schema = cache(schemas.json_schema)


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json_schema(name))


def plain(text: str) -> Any:
    return parse_document(text, file="f.yaml").root.plain()


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schema_is_the_one_of_the_models(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"../docs/schemas/{name}.json", json.dumps(json_schema(name), indent=2, ensure_ascii=False) + "\n")


@every("name", SCHEMAS)
def test_a_published_schema_is_valid_draft_2020_12(name: str) -> None:
    schema = json_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert "$id" not in schema


@every("name", SCHEMAS)
def test_every_key_of_a_published_schema_is_described(name: str) -> None:
    schema = json_schema(name)
    parts = schema.get("$defs", {})
    maps = [schema, *parts.values()]
    exchanges = parts.get("Entry", {}).get("properties", {})
    bare = [
        key
        for described in maps
        for key, text in described["properties"].items()
        if "description" not in text and not (key in exchanges and "$ref" in text)
    ]
    assert bare == []


@every("sheet", GANG_SHEETS, ids=lambda sheet: sheet.stem)
def test_the_schema_accepts_every_sample_gang(sheet: Path) -> None:
    validator("gang-sheet").validate(read_document(sheet).root.plain())


@every("name", SCHEMAS)
def test_the_schema_accepts_the_example_in_the_docs(name: str) -> None:
    example = example_in(f"{name}.md")
    validator(name).validate(tomllib.loads(example) if name == "house-rule" else plain(example))


@every(
    "text",
    [
        REPORT_HEAD + "colour: red\n",
        report_of("{hit: {attacker: krug, weapon: autogun, target: mags, colour: red}}"),
        report_of("{hit: {attacker: krug, weapon: {name: x, S: 3, AP: 0, D: 1, colour: red}, target: mags}}"),
        report_of("{colour: red}"),
        report_of("{note: nothing happens}"),
        report_of("{hit: null}"),
        report_of("{flesh_wound: {fighter: a}, seriously_injured: {fighter: a}}"),
        REPORT_HEAD.replace("winner: iron-skulls", "draw: false"),
        REPORT_HEAD.replace("winner: iron-skulls", ""),
    ],
)
def test_the_report_schema_refuses_what_the_reader_refuses(text: str) -> None:
    assert not validator("battle-report").is_valid(plain(text))


def _maps(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(found for member in value.values() for found in _maps(member))]
    if isinstance(value, list):
        return [found for member in value for found in _maps(member)]
    return []


@every("nth", [1, 3], ids=["a new gang", "one that moves in"])
def test_the_gang_schema_refuses_an_unknown_key_in_every_map(nth: int) -> None:
    sheet = plain(example_in("gang-sheet.md", nth))
    for target in _maps(sheet):
        target["colour"] = "red"
        assert not validator("gang-sheet").is_valid(sheet)
        del target["colour"]
    validator("gang-sheet").validate(sheet)


def test_a_schema_of_another_name_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(SchemaNotKnown, match="Did you mean 'gang-sheet'"):
        json_schema("gang-sheets")


def test_the_gang_schema_knows_fighters_alike() -> None:
    sheet = plain(example_in("gang-sheet.md", 3))
    sheet["fighters"].append({"name": "Grit", "like": "Brakka"})
    sheet["fighters"].append({"names": ["Yol", "Bo"], "like": "Grit", "cost": 55})
    validator("gang-sheet").validate(sheet)
    sheet["fighters"][-1].pop("names")
    assert not validator("gang-sheet").is_valid(sheet)
