"""The changelog begins with the version that the program says it is, and fragments wait under a known heading."""

import re
from pathlib import Path

import tracker

ROOT = Path(__file__).parent.parent


def test_the_newest_section_of_the_changelog_is_this_version() -> None:
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections[0] == tracker.__version__


def test_every_fragment_has_a_kind_and_one_line() -> None:
    for file in (ROOT / "docs" / "changes").glob("*"):
        if file.name != "README.md":
            assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed)\.md", file.name), file.name
            assert len(file.read_text(encoding="utf-8").splitlines()) == 1, file.name
