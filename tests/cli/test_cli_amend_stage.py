"""What puts a battle right afterwards goes on by the stage of the rules that it was recorded by (ADR 29)."""

from contextlib import closing

import pytest
from cli_arbitrator import Arbitrator, begin_anew
from cli_reports import report

from tracker.campaign import records
from tracker.campaign.steps import battles
from tracker.service.application import Tracker

HIT = "hit: {{attacker: {by}, weapon: autogun, target: tallow}}\n    dice: {{wound: [1]}}"


def stages(table: Arbitrator) -> list[int | None]:
    """The stage of each battle that counts, as its opening event and what came after it keep it."""
    with closing(Tracker(f"sqlite:///{table.file}", actor="Kit")) as tracker:
        campaign = tracker.directory.campaign_id("ash-wastes")
        live = [recorded.event for recorded in tracker.repository.log.live(campaign)]
        after = {now.whole_book for now in tracker.repository.state(campaign).after_battle.values()}
    opened = [event.whole_book for event in live if isinstance(event, records.BattleOpened)]
    asked = [
        event.command.whole_book
        for event in live
        if isinstance(event, records.DecisionTaken) and isinstance(event.command, records.OpenBattle)
    ]
    assert asked == opened
    assert after == {opened[-1]}
    return opened


@pytest.mark.parametrize("stage", [None, 1, 2])
def test_an_amended_or_ruled_battle_keeps_its_stage(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch, stage: int | None
) -> None:
    with monkeypatch.context() as then:
        then.setattr(battles, "WHOLE_BOOK", stage)
        begin_anew(empty, reports=[report("night", HIT.format(by="krug"))])
    assert stages(empty) == [stage]
    corrected = report("night", HIT.format(by="hob"), HIT.format(by="krug")).replace(
        "2026-03-14", "2026-03-15"
    )
    file = empty.write(corrected, name="corrected.yaml")
    empty.done("battle", "amend", "night", file, "--reason", "typed wrong", *empty.seen())
    assert stages(empty) == [stage]
    opened = empty.read("battle", "show", "night")["entries"][0]["entry"]
    empty.done("dispute", "open", str(opened), "--reason", "was it that evening?")
    number = str(empty.head["entries"])
    empty.done("dispute", "rule", number, "--confirm", "--reason", "it was", *empty.seen())
    assert stages(empty) == [stage]
    assert empty.read("audit", "verify", "--deep")["ok"] is True
