"""A campaign under the archived rules, from its first word to a verified log."""

import json
from fractions import Fraction

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import GANG_SHEETS, report
from exchange_files import HEAD, exchange

ARCHIVED = HEAD.replace("necromunda_2023", "necromunda_archive")


def test_a_campaign_under_the_archived_rules_is_played_and_verified(empty: Arbitrator) -> None:
    begin(empty, "--ruleset", "necromunda_archive", "--policy", "one-lasting-injury-roll@1")
    hit = (
        "hit: {attacker: krug, weapon: autogun, target: quill}\n"
        "    dice: {wound: [6], save: [1], injury: [ooa], lasting_injury: [4-6]}"
    )
    output = empty.record(
        report("b1", hit, "out_of_action: {fighter: vex, by: sable, lasting_injury: 6-6}")
    ).out
    assert "Archived rules · Resolve Hits · 1. Wound Roll" in output
    assert "Core Rulebook" not in output
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
    assert "which has no setting old_battle_wound.first_battle" in said


@pytest.mark.usefixtures("wide")
def test_judge_decides_a_shot_and_a_fight_by_the_archived_rules(empty: Arbitrator) -> None:
    shot = "{shoot: {attacker: krug, weapon: autogun, target: mags, range: short}, dice: {hit: [5], firepower: [1], wound: [1]}}"
    fight = "{fight: {attacker: dot, targets: [{fighter: krug, across: barricade}]}, dice: {melee_hit: [4]}}"
    said = empty.done("judge", empty.write(exchange(shot, fight, head=ARCHIVED))).out
    assert "[Archived rules · Shooting · Hit Roll]" in said
    assert "across a barricade" in said
    assert "Core Rulebook" not in said


def test_judge_rolls_a_mutation_for_a_corrupted_gang(empty: Arbitrator) -> None:
    corrupted = "{corruption: {gang: saints}}"
    out = "{out_of_action: {fighter: mags, by: krug, lasting_injury: 4-6}, dice: {mutation: [6]}}"
    judgement = json.loads(
        empty.done("judge", empty.write(exchange(corrupted, out, head=ARCHIVED)), "--json").out
    )
    assert judgement["rolls"][-1]["purpose"] == "mutation"
    assert judgement["end_state"]["mags"]["carries_home"]["mutations"] == ["hungering_pride"]
    assert judgement["end_state"]["mags"]["stands"] == ["Out of Action", "Hungering Pride"]
    missing = empty.refused(
        2,
        "judge",
        empty.write(exchange(corrupted, out.replace(", dice: {mutation: [6]}", ""), head=ARCHIVED)),
    )
    assert "'mutation' for Mags (Hungering Pride instead of Humiliated, needs 6+)" in missing


def test_mutations_stand_on_the_roster_and_on_the_fighters_page(empty: Arbitrator) -> None:
    begin(empty, "--ruleset", "necromunda_archive")
    mutates = "out_of_action: {fighter: quill, by: krug, lasting_injury: 5-4}\n    dice: {mutation: [6]}"
    text = report("b1", "corruption: {gang: gilded-cage, daemons: [ivo]}", mutates)
    empty.record(text)
    roster = empty.roster()
    assert (roster["quill"]["mutations"], roster["quill"]["mutations_to_choose"]) == (["warped_limbs"], 0)
    assert (roster["ivo"]["mutations"], roster["ivo"]["daemon"]) == ([], True)
    gangs = {gang["gang"]: gang["corrupted"] for gang in empty.read("roster", "show")["gangs"]}
    assert [gang for gang, corrupted in gangs.items() if corrupted] == ["gilded-cage"]
    assert "Warped Limbs" in empty.done("roster", "show").out
    assert (
        "Mutations\nWarped Limbs\nQuill mutates: Warped Limbs" in empty.done("fighter", "show", "quill").out
    )
    assert empty.read("fighter", "show", "quill")["fighter"]["mutations"] == ["warped_limbs"]
    assert empty("boards", "verify").code == 0


def test_odds_are_exact_for_a_fight_across_a_barricade(empty: Arbitrator) -> None:
    # Unarmed, Weapon Skill 4+ at -1: 5 and 6 hit; Strength 3 against Toughness 3 wounds on 4; no save: 1/6.
    fight = "{fight: {attacker: krug, targets: [{fighter: dot, across: barricade}]}}"
    odds = json.loads(empty.done("odds", empty.write(exchange(fight, head=ARCHIVED)), "--json").out)
    fresh = [end["chance"] for end in odds["models"]["dot"]["ends"] if not end["end"]]
    assert [1 - Fraction(chance) for chance in fresh] == [Fraction(1, 3) * Fraction(1, 2)]
