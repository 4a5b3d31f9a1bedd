"""What docs/scale.md says of every statement: it names the campaign whose rows it wants."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_reports import FIRST, GANG_SHEETS
from sqlalchemy import Engine, event

from tracker import schema
from tracker.cli.main import outcome
from tracker.log.chain import EMPTY_ROOT
from tracker.service import application


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Every statement that any engine is given."""
    said: list[str] = []

    def listen(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", listen)
    yield said
    event.remove(Engine, "before_cursor_execute", listen)


OUR_TABLES = re.compile(rf"\b(?:FROM|INTO|UPDATE|JOIN) ({'|'.join(schema.metadata.tables)})\b")
ALL_CAMPAIGNS = re.compile(
    r"FROM (board_campaigns\b|heads WHERE heads\.size > |heads$|events, heads WHERE events\.entry = \?)"
)
"""Only who asks for the list of campaigns, or for one by its name, reads past a single campaign."""


def test_every_statement_about_a_campaign_names_it(
    statements: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Boards that are read without SQLAlchemy are asked in the same words, which nobody could listen to.
    monkeypatch.setattr(application, "open_with_stdlib", lambda _: None)
    report = tmp_path / "first.yaml"
    report.write_text(FIRST, encoding="utf-8")
    arbitrator = ["--db", str(tmp_path / "scale.db"), "-c", "ash-wastes"]
    lines = [
        ["campaign", "new", "Ash Wastes", "--ruleset", "necromunda_2023"],
        *(["gang", "add", str(sheet)] for sheet in GANG_SHEETS),
        ["battle", "record", str(report)],
        ["roster", "show"],
        ["standings", "show"],
        ["log", "show"],
        ["fighter", "show", "krug"],
        ["dispute", "open", "6.3", "--reason", "cocked"],
        ["dispute", "preview", "6.3", "--confirm"],
        ["dispute", "list"],
        ["dispute", "show", "9"],
        ["dispute", "rule", "9", "--confirm", "--force", "nobody minds", "--reason", "seen"],
        ["log", "entry", "6"],
        ["log", "confirm", "6.4", "--by", "Robin"],
        ["explain", "krug"],
        ["battle", "list"],
        ["battle", "show", "b1"],
        ["roster", "diff", "--from", "entry:5"],
        ["roster", "show", "--as-of-battle", "b1"],
        ["standings", "show", "--as-of-entry", "6"],
        *(["gang", verb, "iron-skulls"] for verb in ("show", "ledger", "stash")),
        *(["gang", verb] for verb in ("list", "territories", "captives")),
        ["gang", "reputation", "iron-skulls", "--by", "1", "--reason", "x"],
        ["gang", "credits", "@rewards", "iron-skulls", "5", "--reason", "x"],
        ["fighter", "rename", "krug", "--name", "Krugg"],
        ["fighter", "award", "krug", "--xp", "1", "--reason", "x"],
        ["policy", "what-if", "one-lasting-injury-roll@1"],
        ["rollback", "preview", "--battle", "b1"],
        ["rollback", "rule", "--battle", "b1", "--force", "nobody minds", "--reason", "x"],
        ["policy", "adopt", "one-lasting-injury-roll@1", "--reason", "voted"],
        ["policy", "history"],
        ["audit", "verify", "--noted", f"0:{EMPTY_ROOT.hex()}"],
        ["audit", "report"],
        ["audit", "dice"],
        ["boards", "verify"],
        ["boards", "rebuild"],
        ["doctor"],
    ]
    for line in lines:
        assert outcome([*arbitrator, *line]) == 0, line
    asked = [one for one in statements if OUR_TABLES.search(one) and not one.startswith(("CREATE", "INSERT"))]
    assert len(asked) > 50, "the listener hears nothing"
    for statement in asked:
        assert "campaign_id = ?" in statement or ALL_CAMPAIGNS.search(statement), statement
