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


def test_the_container_is_built_of_files_that_are_there_and_not_ignored() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    kept = set(re.findall(r"^!(.+)$", (ROOT / ".containerignore").read_text(), re.MULTILINE))
    assert {"pyproject.toml", "tracker", "migrations"} <= sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(Path(name).is_relative_to(source) for name in kept), source


def test_the_unit_starts_the_program_where_the_page_on_hosting_installs_it() -> None:
    unit = (ROOT / "packaging" / "arbitrator.service").read_text()
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    (started,) = re.findall(r"^ExecStart=(\S+)/bin/arbitrator ", unit, re.MULTILINE)
    assert f"python3 -m venv {started}\n{started}/bin/pip install" in page
    assert "cp packaging/arbitrator.service /etc/systemd/system/" in page
