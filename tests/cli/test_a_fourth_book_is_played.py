"""The made-up book put among the books: the whole program plays it, with nothing changed."""

import importlib.util
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import GANG_SHEETS, report

from tracker.rules import loader

_SPEC = importlib.util.spec_from_file_location(
    "made_up_book", Path(__file__).parent.parent / "rules" / "made_up_book.py"
)
assert _SPEC is not None
assert _SPEC.loader is not None
made_up_book = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(made_up_book)


@pytest.fixture
def with_the_made_up_book(monkeypatch: pytest.MonkeyPatch) -> None:
    printed, known = loader.book_files, loader.book_names()
    monkeypatch.setattr(loader, "book_names", lambda: (*known, made_up_book.BOOK))
    monkeypatch.setattr(
        loader,
        "book_files",
        lambda name: made_up_book.files() if name == made_up_book.BOOK else printed(name),
    )


@pytest.mark.usefixtures("with_the_made_up_book")
def test_a_campaign_under_a_fourth_book_is_played_and_verified(empty: Arbitrator) -> None:
    begin(empty, "--ruleset", made_up_book.BOOK, sheets=GANG_SHEETS[:2])
    entry = (
        "hit: {attacker: krug, weapon: autogun, target: quill}\n"
        "    dice: {wound: [6], save: [1], injury: [2], lasting_injury: [1-1], sulk: [3]}"
    )
    output = empty.record(report("b1", entry)).out
    assert "Quill suffers Sulks (1-1)" in output
    assert "Sump Quarrels · Lasting Injury Table" in output
    assert empty.roster()["quill"]["status"] == "convalescing"
    assert empty("audit", "verify").code == 0
