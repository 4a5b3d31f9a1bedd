"""Recovery tests: who is Seriously Injured or Webbed, who assists, what each face does. Source: D4.3."""

from itertools import product
from typing import Any

from end_phases import SYMBOLS, d6, down, out, recovery
from scenario import (
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    SAINTS,
    VEX,
    Table,
    card,
    fall,
    given,
    hit,
    lasting,
    out_of_action,
    phrases,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.dice import read_die


def flesh(left: int) -> records.FleshWoundsSuffered:
    return records.FleshWoundsSuffered(fighter=VEX, by=None, flesh_wounds=1, toughness=left)


def test_a_flesh_wound_gets_the_fighter_up_as_far_as_pinned() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("flesh"))
    table.then(flesh(2), records.SeriousInjuryOvercome(fighter=VEX))
    vex = table.combatant(VEX)
    assert (vex.seriously_injured, vex.pinned, vex.flesh_wounds) == (False, True, 1)


def test_a_serious_injury_costs_a_flesh_wound_and_the_fighter_stays_down() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("serious"))
    table.then(flesh(2))
    assert table.combatant(VEX).seriously_injured


def test_by_the_archived_rules_a_serious_injury_costs_nothing() -> None:
    table = down(knobs={"recovery_test.serious_injury": "nothing"})
    table.when(records.TakeRecoveryTest(fighter=VEX), recovery("serious")).then_nothing_happened()


def test_out_of_action_brings_one_lasting_injury_roll() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(4, 6))
    assert table.outcome[0] == out("recovery_test", dice=1)
    table.then_phrases("hobbled", "recovery from battle 1", "movement 5 to 4")


def test_a_failed_recovery_test_earns_nobody_anything() -> None:
    before = down()
    table = before.when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(6, 6))
    assert table.fighter(MAGS) == before.fighter(MAGS)
    assert table.fighter(VEX).standing == "dead"


@every("shown", ["flesh", "serious"])
def test_the_last_flesh_wound_of_a_recovery_test_takes_the_fighter_out(shown: str) -> None:
    table = down(card(VEX, toughness=1)).when(
        records.TakeRecoveryTest(fighter=VEX), recovery(shown), OUT_COLD
    )
    assert table.outcome[:2] == (flesh(0), out("toughness", dice=0))
    assert not table.combatant(VEX).pinned


def test_bitter_enmity_from_a_recovery_test_is_against_the_gang_that_did_the_harm() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(1, 4))
    assert phrases(table.events) == ("bitter_enmity", f"skill berserker against {SAINTS}")
    nobody = (
        given()
        .when(seriously_injured(VEX))
        .when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(1, 4))
    )
    assert phrases(nobody.events) == ("bitter_enmity counts as out_cold",)
    named = (
        given()
        .when(seriously_injured(VEX))
        .when(records.TakeRecoveryTest(fighter=VEX, grudge_against=SAINTS), recovery("ooa"), lasting(1, 4))
    )
    assert phrases(named.events) == ("bitter_enmity", f"skill berserker against {SAINTS}")


def test_only_who_is_seriously_injured_or_webbed_takes_a_recovery_test() -> None:
    given().when(records.TakeRecoveryTest(fighter=VEX)).then_refused(records.NoRecoveryTest)
    out = given().when(out_of_action(VEX), OUT_COLD)
    out.when(records.TakeRecoveryTest(fighter=VEX)).then_refused(records.FighterOutOfPlay)


def helped(*dice: str, **more: Any) -> Table:
    return down().when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG, **more), recovery(*dice))


def test_assistance_gives_a_second_die_spares_the_flesh_wound_and_earns_1_xp() -> None:
    table = helped("serious", "flesh")
    table.then(
        records.RecoveryAssisted(fighter=VEX, by=KRUG, round=None),
        records.SeriousInjuryOvercome(fighter=VEX),
        records.ExperienceGained(
            fighter=KRUG,
            amount=1,
            reason="assisted Vex's Recovery test",
            section="Core Rulebook (2023) · Experience · Gaining Experience",
        ),
    )


def test_either_die_of_an_assisted_recovery_test_may_be_picked() -> None:
    first = helped("serious", "flesh", picked=1)
    first.then(records.RecoveryAssisted(fighter=VEX, by=KRUG, round=None))
    second = helped("flesh", "serious", picked=2)
    second.then(records.RecoveryAssisted(fighter=VEX, by=KRUG, round=None))
    assert second.combatant(VEX).seriously_injured


@every(("first", "second"), list(product(SYMBOLS, repeat=2)))
def test_with_assistance_no_recovery_test_costs_a_flesh_wound(first: str, second: str) -> None:
    both_out = {first, second} == {"ooa"}
    command = records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG)
    table = down().when(command, recovery(first, second), *((OUT_COLD,) if both_out else ()))
    assert not any(isinstance(event, records.FleshWoundsSuffered) for event in table.events)
    assert any(isinstance(event, records.SeriousInjuryOvercome) for event in table.events) == (
        "flesh" in (first, second)
    )


def test_by_the_archived_rules_assistance_spares_no_flesh_wound() -> None:
    table = down(knobs={"recovery_test.assisted": "flesh_wound"})
    table = table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG), recovery("ooa", "flesh"))
    assert table.outcome[1:3] == (flesh(2), records.SeriousInjuryOvercome(fighter=VEX))


def test_a_recovery_test_is_assisted_by_another_friend_on_their_feet() -> None:
    table = down()
    table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=VEX)).then_refused(records.CannotAssist)
    table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=DOT)).then_refused(records.CannotAssist)
    for hurt in (
        (seriously_injured(KRUG),),
        (hit(KRUG, by=DOT, traits=("Web",)), wound(6)),
        (fall(KRUG, hundredths=300), wound(1)),
    ):
        table.when(*hurt).when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG)).then_refused(
            records.CannotAssist
        )
    table.when(records.TakeRecoveryTest(fighter=VEX, picked=1)).then_refused(records.NothingToPick)


def test_the_broken_may_assist_a_recovery_test() -> None:
    table = down().when(
        records.TakeNerveTest(fighter=KRUG, because_of=VEX, friends_near_count=0),
        read_die("nerve", "2D6", "1+1"),
    )
    table = table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG), recovery("flesh", "flesh"))
    assert not table.combatant(VEX).seriously_injured


@every(("first", "second"), [(None, None), (1, None), (None, 2), (2, 2)])
def test_a_helper_assists_one_recovery_test_in_an_end_phase(first: int | None, second: int | None) -> None:
    table = helped("serious", "serious", round=first)
    table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG, round=second)).then_refused(
        records.CannotAssist
    )


def test_in_another_round_a_helper_assists_a_recovery_test_again() -> None:
    table = helped("serious", "serious", round=1)
    again = records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG, round=2)
    assert table.when(again, recovery("serious", "serious")).refusal is None


def webbed() -> Table:
    return given().when(hit(VEX, by=MAGS, traits=("Web",)), wound(6))


def test_a_flesh_wound_sheds_the_web() -> None:
    table = webbed().when(records.TakeRecoveryTest(fighter=VEX), recovery("flesh"))
    table.then(flesh(2), records.WebShed(fighter=VEX))
    vex = table.combatant(VEX)
    assert (vex.webbed, vex.pinned) == (False, True)


def test_in_a_web_a_serious_injury_costs_nothing() -> None:
    webbed().when(records.TakeRecoveryTest(fighter=VEX), recovery("serious")).then_nothing_happened()


@every("face", range(1, 7))
def test_out_of_action_in_a_web_is_no_lasting_injury_roll_but_out_cold_or_captured(face: int) -> None:
    table = webbed().when(
        records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), d6("webbed_out_of_action", face)
    )
    captured = face >= 5
    injury, name = ("captured", "Captured") if captured else ("out_cold", "Out Cold")
    suffered = records.LastingInjurySuffered(
        fighter=VEX,
        by=None,
        table="webbed_out_of_action",
        cell=None,
        injury=injury,
        name=name,
        counts_as=None,
        occurrence=1,
        within=None,
        battle=1,
        section="Core Rulebook (2023) · The End Phase · 3. Recover & Restart",
    )
    taken = (records.CapturePending(fighter=VEX, captor=None),) if captured else ()
    table.then(out("webbed", dice=1, rolls=0), suffered, *taken)
