"""The documents as a whole: links lead somewhere, nothing names a machine, the sources know every knob."""

import re
from collections.abc import Iterator
from pathlib import Path

from tables import every

from tracker.cli.main import NOUNS
from tracker.rules import loader

ROOT = Path(__file__).parent.parent
FOLDERS = {file.name for folder in (ROOT, ROOT / "tracker") for file in folder.iterdir() if file.is_dir()}
DOCS = [file for file in (ROOT / "docs").rglob("*.md") if "." not in file.stem]  # no fragment of a change
PAGES = sorted([*ROOT.glob("*.md"), ROOT / "bench" / "README.md", *DOCS])


def names(pages: list[Path]) -> list[str]:
    """The pages as a test run names them."""
    return [str(page.relative_to(ROOT)) for page in pages]


def without_code(text: str) -> str:
    """The text without its code blocks and code words."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """The places in a page that a link can lead to, by the usual rule for headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> Iterator[str]:
    """Links of a page that lead nowhere."""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        if not found.exists() or (anchor and anchor not in anchors(found)):
            yield target


@every("page", PAGES, ids=names(PAGES))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert list(dead_links(page)) == []


@every("page", PAGES, ids=names(PAGES))
def test_no_page_names_a_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"(?<![\w.~$])/(?:home|root|tmp|work|Users|mnt|workspace)\b\S*", text) == []


def test_every_page_can_be_found_from_the_readme() -> None:
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        targets = re.findall(r"\]\(([^)\s#]+\.md)", page.read_text(encoding="utf-8"))
        waiting.extend((page.parent / target).resolve() for target in targets)
    assert names([page for page in PAGES if page not in seen]) == []


def test_the_sources_name_every_knob_and_every_open_question() -> None:
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    book = loader.book("necromunda_2023")
    assert [knob for knob in book.knobs if f"`{knob}`" not in text] == []
    numbers = {number for knob in book.knobs.values() for number in re.findall(r"G-\d\d", knob.about)}
    assert sorted(number for number in numbers if number not in text) == []


def test_the_sources_name_every_file_of_the_book() -> None:
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    folder = ROOT / "tracker" / "rules" / "books" / "necromunda_2023"
    assert [file.name for file in sorted(folder.glob("*.toml")) if f"`{file.name}`" not in text] == []


def test_the_glossary_explains_the_nouns_of_the_command_line() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").lower()
    spoken = {
        "campaign",
        "gang",
        "fighter",
        "battle",
        "roster",
        "standings",
        "log",
        "dispute",
        "policy",
        "boards",
    }
    assert spoken <= set(NOUNS)
    assert [
        noun for noun in spoken if f"**{noun}**" not in text and f"**{noun.rstrip('s')}**" not in text
    ] == []


@every("page", PAGES, ids=names(PAGES))
def test_every_file_of_the_project_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+(?:[\w@-]+\.(?:py|toml|md|json|yaml))?)`", text)
    known = [name for name in named if name.split("/")[0] in FOLDERS]
    assert [
        name for name in known if not ((ROOT / name).exists() or (ROOT / "tracker" / name).exists())
    ] == []
