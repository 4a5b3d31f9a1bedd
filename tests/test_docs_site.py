"""The documentation site: its navigation names every page once, and each is there. `make docs` builds it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
FROM_ABOVE = {"index.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench.md"}
"""Pages that `docs/site_hooks.py` brings in from outside `docs/`."""


def pages(navigation: Any) -> Iterator[str]:
    match navigation:
        case str():
            yield navigation
        case list():
            for part in navigation:
                yield from pages(part)
        case dict():
            for part in navigation.values():
                yield from pages(part)


def test_the_navigation_names_every_page_once() -> None:
    navigation = YAML(typ="safe").load(ROOT / "mkdocs.yml")["nav"]
    files = [
        file for file in (ROOT / "docs").rglob("*.md") if "." not in file.stem
    ]  # no fragment of a change
    written = {file.relative_to(ROOT / "docs").as_posix() for file in files}
    assert sorted(pages(navigation)) == sorted(written | FROM_ABOVE)
