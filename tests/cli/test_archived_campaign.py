"""A campaign under the archived rules, from its first word to a verified log."""

from cli_arbitrator import Arbitrator, begin
from cli_reports import GANG_SHEETS, report


def test_a_campaign_under_the_archived_rules_is_played_and_verified(empty: Arbitrator) -> None:
    begin(empty, "--ruleset", "necromunda_archive", "--policy", "one-lasting-injury-roll@1")
    hit = (
        "hit: {attacker: krug, weapon: autogun, target: quill}\n"
        "    dice: {wound: [6], save: [1], injury: [ooa], lasting_injury: [4-6]}"
    )
    told = empty.record(
        report("b1", hit, "out_of_action: {fighter: vex, by: sable, lasting_injury: 6-6}")
    ).out
    assert "Archived rules · Resolve Hits · 1. Wound Roll" in told
    assert "Core Rulebook" not in told
    roster = empty.roster()
    assert (roster["quill"]["status"], roster["vex"]["status"]) == ("in_recovery", "dead")
    assert [injury["injury"] for injury in roster["quill"]["injuries"]] == ["humiliated"]
    assert empty.read("campaign", "show")["ruleset"] == "necromunda_archive"
    refused = empty.refused(
        1, "battle", "record", empty.write(report("b2", gangs="{iron-skulls: all, gilded-cage: [quill]}"))
    )
    assert "in Recovery since battle 1" in refused
    empty.record(report("b2"))
    assert empty.roster()["quill"]["status"] == "available"
    assert empty("audit", "verify").code == 0


def test_a_house_rule_of_another_book_is_refused(empty: Arbitrator) -> None:
    begin(empty, "--ruleset", "necromunda_archive", sheets=GANG_SHEETS[:1])
    said = empty.refused(2, "policy", "adopt", "old-battle-wound-at-once@1", "--reason", "asked for")
    assert "has no knob 'old_battle_wound.first_battle'" in said
