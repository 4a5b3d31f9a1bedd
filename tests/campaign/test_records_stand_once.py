"""A record's name stands in one chapter: `campaign.records` gathers them all, and the last of two would hide the first."""

import ast
from collections import Counter
from pathlib import Path

import tracker

CHAPTERS = Path(tracker.__file__).parent / "campaign" / "records"


def declared(file: Path) -> list[str]:
    return [
        node.name
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    ]


def test_no_two_chapters_declare_one_name() -> None:
    names = Counter(name for file in CHAPTERS.glob("*.py") for name in declared(file))
    assert names["SellCaptive"] == 1
    assert [name for name, times in names.items() if times > 1] == []
