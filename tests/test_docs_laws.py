"""docs/laws.md names the tests that hold each law, and they exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAWS = (ROOT / "docs" / "laws.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def test_there_are_twelve_laws_and_each_is_held_by_a_test() -> None:
    laws = re.split(r"^## ", LAWS, flags=re.MULTILINE)[1:]
    assert [law.partition(".")[0] for law in laws] == [str(number) for number in range(1, 13)]
    assert [law.partition("\n")[0] for law in laws if not NAMED.search(law)] == []


def test_every_named_test_exists() -> None:
    missing = []
    for file, function in NAMED.findall(LAWS):
        path = ROOT / file
        if not path.exists() or (
            function and not re.search(rf"^\s*def {function}\(", path.read_text("utf-8"), re.MULTILINE)
        ):
            missing.append(f"{file}::{function}")
    assert missing == []
