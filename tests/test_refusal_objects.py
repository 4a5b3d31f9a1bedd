"""A refusal as programs read it, for every refusal class that there is: `docs/formats/refusal.md`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import jsonschema
from declared_records import chapters, code, other_refusals, own_refusals, with_blanks
from tables import every

from tracker.errors import Refusal
from tracker.reports.escaping import json_text
from tracker.reports.refusal import RefusedElsewhere, refusal_data, refusal_schema

CLASSES = [kind for module in chapters().values() for kind in own_refusals(module)] + [
    kind for kinds in other_refusals().values() for kind in kinds if kind is not RefusedElsewhere
]
"""All but one: what was refused elsewhere has its object from there."""
SCHEMA = jsonschema.Draft202012Validator(refusal_schema())
PAGE = Path(__file__).parent.parent / "docs" / "formats" / "refusal.md"


def shown(refusal: Refusal) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json_text("refusal", refusal_data(refusal)))
    return read


def test_the_published_schema_is_the_one_of_the_objects(golden: Callable[[str, str], None]) -> None:
    golden("../docs/schemas/refusal.json", json.dumps(refusal_schema(), indent=2, ensure_ascii=False) + "\n")
    jsonschema.Draft202012Validator.check_schema(refusal_schema())


def test_the_example_of_the_page_fits_the_schema() -> None:
    SCHEMA.validate(json.loads(PAGE.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]))


def test_no_two_refusals_share_a_code() -> None:
    assert [name for name, count in Counter(map(code, CLASSES)).items() if count > 1] == []


@every("kind", CLASSES, ids=code)
def test_every_refusal_is_an_object_with_its_code_message_and_facts(kind: type[Refusal]) -> None:
    refusal = with_blanks(kind, kind._fields or get_type_hints(kind.__init__))
    read = shown(refusal)
    SCHEMA.validate(read)
    assert read["message"] == refusal.message() != ""
    assert read["exit_code"] == refusal.exit_code
    if not refusal.each() and refusal.itself() is refusal:
        assert read["code"] == code(kind)
        assert read["facts"].keys() - {"decided"} == refusal.facts().keys()
        assert [one["code"] for one in read["errors"]] == [read["code"]]
