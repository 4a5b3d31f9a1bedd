"""The battle report as people write it."""

import pytest
from document_examples import (
    FIRST_ENTRY_LINE,
    REPORT_HEAD,
    example_in,
    plan_of,
    report_of,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.dice import D6, D66, Die
from tracker.documents.planned_decisions import PlannedDecision
from tracker.documents.refusals import DocumentRefused, FormatNotExpected


def played(*entries: str) -> tuple[PlannedDecision, ...]:
    return plan_of(report_of(*entries)).decisions[1:-1]


def command(entry: str) -> records.Command:
    (decision,) = played(entry)
    return decision.command


def dice(entry: str) -> tuple[Die, ...]:
    (decision,) = played(entry)
    return decision.dice


def faults(text: str) -> list[str]:
    with pytest.raises(DocumentRefused) as raised:
        plan_of(text)
    message = raised.value.message()
    assert "pydantic" not in message.lower()
    assert "function-" not in message
    assert raised.value.__cause__ is None
    return message.splitlines()[1:]


def fault(*entries: str) -> str:
    (only,) = faults(report_of(*entries))
    return only


HIT = "hit: {attacker: krug, weapon: autogun, target: mags}"


# --- the battle ------------------------------------------------------------------------------------------


def test_a_report_opens_the_battle_plays_its_entries_and_closes() -> None:
    plan = plan_of(report_of(f"{{{HIT}}}"))
    assert (plan.battle, plan.campaign, plan.recorded_by) == ("sump-bridge", None, None)
    assert [decision.command for decision in plan.decisions] == [
        records.OpenBattle(
            battle="sump-bridge",
            scenario="Toll at the Bridge",
            date="2025-03-14",
            crews={"iron-skulls": (), "gilded-cage": ()},
        ),
        records.ResolveHit(target="mags", attacker="krug", weapon="autogun"),
        records.CloseBattle(winner="iron-skulls"),
    ]


def test_the_example_in_the_docs_is_read_with_the_books_own_dice() -> None:
    plan = plan_of(example_in("battle-report.md"))
    assert len(plan.decisions) == 10
    assert plan.campaign == "ash-season"
    assert plan.decisions[-1].dice == (Die(purpose="old_battle_wound", die=D6, faces=(4,)),)


def test_gangs_may_name_their_fighters_or_bring_everybody() -> None:
    crews = "gangs: {iron-skulls: [krug, vex], gilded-cage: all}"
    opening = plan_of(REPORT_HEAD.replace("gangs: [iron-skulls, gilded-cage]", crews)).decisions[0].command
    assert isinstance(opening, records.OpenBattle)
    assert opening.crews == {"iron-skulls": ("krug", "vex"), "gilded-cage": ()}


def test_a_draw_has_no_winner() -> None:
    plan = plan_of(REPORT_HEAD.replace("{winner: iron-skulls}", "{draw: true}"))
    assert plan.decisions[-1].command == records.CloseBattle(drawn=True)


def test_each_decision_is_labelled_with_its_entry_and_line() -> None:
    first, second = played(f"{{{HIT}}}", "{experience: {fighter: krug, amount: 2, reason: held the bridge}}")
    assert (first.label, first.in_file.line) == (f"entry 1 (hit), line {FIRST_ENTRY_LINE}", FIRST_ENTRY_LINE)
    assert second.label == f"entry 2 (experience), line {FIRST_ENTRY_LINE + 1}"


# --- exchanges -------------------------------------------------------------------------------------------


def test_a_hit_keeps_what_was_seen_at_the_table() -> None:
    assert command(
        "{hit: {attacker: krug, weapon: bore cannon, profile: frag shell, target: mags, save_cover: full, save_with:"
        " field_armour, close_combat: true, hit_roll: 6, attack: false, grudge_against: gilded-cage}, activation: a1}"
    ) == records.ResolveHit(
        target="mags",
        attacker="krug",
        weapon="bore cannon",
        profile_name="frag shell",
        save_cover="full",
        save_with="field_armour",
        in_close_combat=True,
        hit_roll=6,
        attack=False,
        activation="a1",
        grudge_against="gilded-cage",
    )


def test_a_weapon_on_nobodys_card_is_written_with_its_numbers() -> None:
    inline = "{hit: {weapon: {name: falling crate, S: 5, AP: -1, D: 2, traits: [Knockback]}, target: mags}}"
    assert command(inline) == records.ResolveHit(
        target="mags",
        weapon="falling crate",
        profile=WeaponProfile(strength=5, armour_penetration=-1, damage=2, traits=("Knockback",)),
    )


def test_injury_dice_say_why_they_are_rolled() -> None:
    assert command(
        "{injury_roll: {target: mags, by: krug, count: 2, why: plants, AP: -1}}"
    ) == records.RollInjuryDice(
        target="mags", injury_dice=2, why="plants", attacker="krug", armour_penetration=-1
    )


@every(
    ("inches", "hundredths"),
    [
        ("5.2", 520),
        ('"5.2"', 520),
        ("5", 500),
        ('5.25"', 525),
        ("0.1", 10),
        (".5", 50),
        ("4.35", 435),
        ("5.20", 520),
    ],
)
def test_a_fall_is_measured_in_hundredths_read_off_the_text(inches: str, hundredths: int) -> None:
    fall = records.ResolveFall(target="mags", distance_hundredths=hundredths)
    assert command(f"{{fall: {{fighter: mags, inches: {inches}}}}}") == fall


@every("inches", ["-1", "5.255", "five", "true", "1000", "'5,2'", "[5]", "null"])
def test_a_fall_that_is_no_distance_is_refused(inches: str) -> None:
    assert "expected a distance in inches such as 5 or 5.2" in fault(
        f"{{fall: {{fighter: mags, inches: {inches}}}}}"
    )


@every(
    ("key", "outcome"), [("flesh_wound", "flesh_wound"), ("seriously_injured", "serious_injury"), ("out_of_action", "out_of_action")]
)  # fmt: skip
def test_an_outcome_can_be_stated_without_its_dice(key: str, outcome: str) -> None:
    stated = command(f"{{{key}: {{fighter: mags, by: krug, close_combat: true}}, activation: a1}}")
    assert stated == records.StateOutcome(
        target="mags", outcome=outcome, attacker="krug", in_close_combat=True, activation="a1"  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_lasting_injury_beside_the_outcome_is_its_die() -> None:
    (decision,) = played("{out_of_action: {fighter: mags, by: krug, lasting_injury: 4-6}}")
    assert decision.command == records.StateOutcome(target="mags", outcome="out_of_action", attacker="krug")
    assert decision.dice == (Die(purpose="lasting_injury", die=D66, faces=(4, 6)),)


def test_several_lasting_injuries_say_how_many_dice_showed_out_of_action() -> None:
    stated = command("{out_of_action: {fighter: mags, lasting_injury: [4-6, 11]}}")
    assert isinstance(stated, records.StateOutcome)
    assert stated.out_of_action_dice == 2


def test_how_many_dice_showed_out_of_action_may_be_stated() -> None:
    stated = command("{out_of_action: {fighter: mags, lasting_injury: [4-6, 11], out_of_action_dice: 1}}")
    assert isinstance(stated, records.StateOutcome)
    assert stated.out_of_action_dice == 1


def test_experience_is_awarded_with_a_reason() -> None:
    assert command(
        "{experience: {fighter: krug, amount: 2, reason: held the bridge}}"
    ) == records.AwardExperience(fighter="krug", amount=2, reason="held the bridge")


# --- dice ------------------------------------------------------------------------------------------------


def test_dice_come_in_the_order_of_the_book_and_then_as_rolled() -> None:
    given = f"{{{HIT}, dice: {{lasting_injury: [4-6], injury: [5, serious, Out of Action], save: [2], wound: [4]}}}}"
    assert [(die.purpose, die.shown()) for die in dice(given)] == [
        ("wound", "4"),
        ("save", "2"),
        ("injury", "5"),
        ("injury", "serious_injury"),
        ("injury", "out_of_action"),
        ("lasting_injury", "4-6"),
    ]


@every("face", ["4-6", "46", "'46'", "'4 6'", "[4, 6]"])
def test_a_d66_is_written_in_any_way_people_write_it(face: str) -> None:
    assert dice(f"{{{HIT}, dice: {{lasting_injury: [{face}]}}}}") == (
        Die(purpose="lasting_injury", die=D66, faces=(4, 6)),
    )


def test_a_single_die_needs_no_list() -> None:
    assert dice(f"{{{HIT}, dice: {{wound: 4}}}}") == (Die(purpose="wound", die=D6, faces=(4,)),)


def test_a_d66_of_37_is_refused_with_entry_line_and_column() -> None:
    given = "  - {out_of_action: {fighter: mags, lasting_injury: 37}}"
    assert fault(f"{{{HIT}}}", given.removeprefix("  - ")) == (
        f"  report.yaml:{FIRST_ENTRY_LINE + 1}:{given.index('37') + 1} entries[2].out_of_action.lasting_injury: found 37"
        " on a D66, expected two faces from 1 to 6, tens first, such as 4-6 (or the row's name, such as hobbled)."
    )


def test_a_d6_of_7_is_refused_with_entry_line_and_column() -> None:
    given = f"  - {{{HIT}, dice: {{wound: [4, 7]}}}}"
    assert fault(given.removeprefix("  - ")) == (
        f"  report.yaml:{FIRST_ENTRY_LINE}:{given.index('7') + 1} entries[1].dice.wound[2]: found 7 on a D6, expected a"
        " whole number from 1 to 6."
    )


@every("face", ["0", "7", "-1", "4.5", "true", "null", "{a: 1}", "[1, 2, 3]", "'x'", "99999999999"])
def test_a_face_that_no_die_shows_is_refused(face: str) -> None:
    assert "entries[1].dice.wound[1]: found" in fault(f"{{{HIT}, dice: {{wound: [{face}]}}}}")


def test_an_unknown_symbol_is_refused_with_the_nearest_known_one() -> None:
    refused = fault(f"{{{HIT}, dice: {{injury: [serius]}}}}")
    assert "found 'serius' on the injury die" in refused
    assert refused.endswith("Did you mean 'serious'?")


def test_an_unknown_purpose_is_refused_with_the_nearest_known_one() -> None:
    given = f"  - {{{HIT}, dice: {{woundd: [4]}}}}"
    assert fault(given.removeprefix("  - ")) == (
        f"  report.yaml:{FIRST_ENTRY_LINE}:{given.index('woundd') + 1} entries[1].dice.woundd: no die is rolled for this."
        " Did you mean 'wound'?"
    )


def test_a_lasting_injury_written_twice_is_refused() -> None:
    given = "{out_of_action: {fighter: mags, lasting_injury: 4-6}, dice: {lasting_injury: [11]}}"
    assert "the same dice stand under `dice` too" in fault(given)


def test_sixty_dice_of_a_purpose_are_read_and_not_one_more() -> None:
    assert len(dice(f"{{{HIT}, dice: {{wound: [{', '.join('4' * 60)}]}}}}")) == 60
    refused = fault(f"{{{HIT}, dice: {{wound: [{', '.join('4' * 61)}]}}}}")
    assert refused.endswith("entries[1].dice.wound: found a list of 61, expected at most 60 of them.")


# --- what is refused -------------------------------------------------------------------------------------


def test_an_unknown_key_is_refused_with_the_nearest_known_one() -> None:
    given = "  - {hit: {attacker: krug, weapon: autogun, targt: mags}}"
    assert fault(given.removeprefix("  - ")) == (
        f"  report.yaml:{FIRST_ENTRY_LINE}:{given.index('targt') + 1} entries[1].hit.targt: unknown key. Did you mean"
        " 'target'?"
    )


def test_an_unknown_exchange_is_refused_with_the_nearest_known_one() -> None:
    assert fault("{out_of_acton: {fighter: mags}}").endswith("unknown key. Did you mean 'out_of_action'?")


def test_an_entry_without_an_exchange_is_refused() -> None:
    assert "entries[1]: nothing happens in this entry: write one of hit, injury_roll" in fault(
        "{note: quiet}"
    )


def test_an_entry_with_two_exchanges_is_refused() -> None:
    two = "{flesh_wound: {fighter: mags}, seriously_injured: {fighter: mags}}"
    assert "one entry holds seriously_injured and flesh_wound" in fault(two)


def test_an_exchange_with_nothing_under_it_is_refused() -> None:
    assert "hit is empty" in fault("{hit: }")


def test_a_weapon_by_name_needs_an_attacker() -> None:
    assert "needs an `attacker`" in fault("{hit: {weapon: autogun, target: mags}}")


def test_numbers_in_the_report_have_no_profile_name() -> None:
    inline = "{hit: {weapon: {name: crate, S: 5, AP: 0, D: 1}, profile: solid, target: mags}}"
    assert "take `profile` out" in fault(inline)


def test_cover_of_another_word_is_refused() -> None:
    assert "found 'half', expected one of none, partial, full." in fault(
        "{hit: {attacker: krug, weapon: autogun, target: mags, save_cover: half}}"
    )


def test_yes_is_text_and_not_true() -> None:
    assert "found 'yes', expected true or false." in fault("{flesh_wound: {fighter: mags, attack: yes}}")


def test_a_fighter_who_is_no_id_is_refused() -> None:
    assert "found '!?', expected an id" in fault('{flesh_wound: {fighter: "!?"}}')
    assert "found 3, expected an id" in fault("{flesh_wound: {fighter: 3}}")


def test_whoever_is_named_is_meant_by_the_id_that_the_name_gives() -> None:
    named = "hit: {attacker: Krug, weapon: autogun, target: Mags Aurelia}"
    assert command(f"{{{named}}}") == records.ResolveHit(
        attacker="krug", weapon="autogun", target="mags-aurelia"
    )
    killed = command("{out_of_action: {fighter: mags, by: Żółta}}")
    assert isinstance(killed, records.StateOutcome)
    assert killed.attacker == "zolta"
    text = report_of(f"{{{HIT}}}").replace("winner: iron-skulls", "winner: Iron Skulls")
    crews = "gangs: {Iron Skulls: [Krug, vex], Gilded Cage: all}"
    decisions = plan_of(text.replace("gangs: [iron-skulls, gilded-cage]", crews)).decisions
    assert decisions[0].command == records.OpenBattle(
        battle="sump-bridge",
        scenario="Toll at the Bridge",
        date="2025-03-14",
        crews={"iron-skulls": ("krug", "vex"), "gilded-cage": ()},
    )
    assert decisions[-1].command == records.CloseBattle(winner="iron-skulls")


def test_a_battle_gets_its_id_from_nobody_s_name() -> None:
    (refused,) = faults(REPORT_HEAD.replace("battle: sump-bridge", "battle: Sump Bridge"))
    assert "battle: found 'Sump Bridge', expected an id" in refused


def test_two_names_for_the_same_gang_are_refused() -> None:
    crews = "gangs: {iron-skulls: all, Iron Skulls: [krug], gilded-cage: all}"
    (refused,) = faults(REPORT_HEAD.replace("gangs: [iron-skulls, gilded-cage]", crews))
    assert "'iron-skulls' and 'Iron Skulls' are both iron-skulls" in refused


@every("date", ["2025-02-30", "14.3.2025", "2025-3-14", "20250314", "12:30"])
def test_a_date_of_no_calendar_is_refused(date: str) -> None:
    (refused,) = faults(REPORT_HEAD.replace("2025-03-14", date))
    assert "report.yaml:4:7 date: found" in refused


@every("result", ["{}", "{winner: a, draw: true}", "{draw: false}", "{winner: null}"])
def test_a_battle_is_either_won_or_drawn(result: str) -> None:
    assert faults(REPORT_HEAD.replace("{winner: iron-skulls}", result)) == [
        "  report.yaml:6:9 result: write either `winner: GANG` or `draw: true`."
    ]


@every("gangs", ["[a, b, a]", "{a: [x, y, x]}"])
def test_a_gang_or_fighter_named_twice_is_refused(gangs: str) -> None:
    (refused,) = faults(REPORT_HEAD.replace("[iron-skulls, gilded-cage]", gangs))
    assert "stands in this list already" in refused


@every("gangs", ["[]", "{}", "{a: []}", "{a: some}", "{'!': all}", "['!']", "all", "{a: null}"])
def test_gangs_that_bring_nobody_are_refused(gangs: str) -> None:
    (refused,) = faults(REPORT_HEAD.replace("[iron-skulls, gilded-cage]", gangs))
    assert "gangs" in refused


def test_more_than_five_hundred_entries_are_refused() -> None:
    entries = ["{flesh_wound: {fighter: mags}}"] * 501
    assert len(played(*entries[:500])) == 500
    (refused,) = faults(report_of(*entries))
    assert refused.endswith("entries: found a list of 501, expected at most 500 of them.")


@every("text", ["[]", "x", "4", "a: 1"])
def test_what_names_no_format_is_refused(text: str) -> None:
    (refused,) = faults(text)
    assert "format: battle-report/1" in refused


def test_another_version_is_refused() -> None:
    with pytest.raises(FormatNotExpected, match="found battle-report/2, expected battle-report/1"):
        plan_of(REPORT_HEAD.replace("battle-report/1", "battle-report/2"))


def test_a_gang_sheet_given_as_a_report_says_where_it_belongs() -> None:
    with pytest.raises(FormatNotExpected, match="arbitrator gang add"):
        plan_of("format: gang-sheet/1\n")


def test_problems_come_in_the_order_of_the_file_and_at_most_twenty() -> None:
    listed = faults(report_of(*["{flesh_wound: {fighter: 1}}"] * 22).replace("sump-bridge", "Sump Bridge"))
    assert [line.split()[0] for line in listed[:2]] == [
        "report.yaml:2:9",
        f"report.yaml:{FIRST_ENTRY_LINE}:29",
    ]
    assert listed[-1] == "  ... and 3 more"


# --- the digest ------------------------------------------------------------------------------------------


def test_layout_comments_and_the_order_of_keys_do_not_change_the_digest() -> None:
    flow = report_of(f"{{{HIT}, dice: {{wound: [4], save: [2]}}}}")
    block = """\
# the same, written down another way
result:
    winner: "iron-skulls"
date:     2025-03-14
gangs:
- iron-skulls
- gilded-cage
scenario: Toll at the Bridge
battle: sump-bridge
format: battle-report/1
entries:
- dice:
    save:
    - 2
    wound: [4]
  hit:
    target: mags
    weapon: autogun
    attacker: krug
"""
    assert plan_of(flow).digest == plan_of(block).digest
    assert [d.dice for d in plan_of(flow).decisions] == [d.dice for d in plan_of(block).decisions]


def test_another_face_is_another_digest() -> None:
    first, second = (plan_of(report_of(f"{{{HIT}, dice: {{wound: [{face}]}}}}")) for face in (4, 5))
    assert first.digest != second.digest


def test_what_people_call_an_exchange_is_answered_with_its_key() -> None:
    said = fault("{charge: {attacker: krug, targets: [wren]}}")
    assert said.endswith("charge: unknown key. A charge is a `fight` with `charging: true`.")


def test_of_many_keys_the_first_are_named_and_the_others_counted() -> None:
    said = fault("{hut_of_mud: {attacker: krug}}")
    assert "Known here: hit, out_of_action, " in said
    assert said.endswith(" more.")
    assert len(said) < 300


# --- dice that the tool rolled before --------------------------------------------------------------------


def test_a_face_that_the_tool_rolled_says_so_and_keeps_its_place() -> None:
    text = "dice: {wound: [{rolled: 4}], injury: [out_of_action, {rolled: 6}], lasting_injury: {rolled: 4-6}}"
    assert [(die.purpose, die.shown(), die.source) for die in dice(f"{{{HIT}, {text}}}")] == [
        ("wound", "4", "reported"),
        ("injury", "out_of_action", "typed"),
        ("injury", "6", "reported"),
        ("lasting_injury", "4-6", "reported"),
    ]


@every("face", ["{rolled: 7}", "{rolled: [1, 2, 3]}", "{roled: 4}", "{rolled: 4, by: me}", "{}"])
def test_what_no_die_shows_is_refused_under_rolled_too(face: str) -> None:
    assert "dice.wound" in fault(f"{{{HIT}, dice: {{wound: [{face}]}}}}")


def test_an_unknown_purpose_is_answered_with_those_that_share_a_word() -> None:
    said = fault(f"{{{HIT}, dice: {{ranged_hit: [4]}}}}")
    assert "Did you mean " in said
    assert said.endswith(" or improbable_hit?")
    assert "Known here" not in said
