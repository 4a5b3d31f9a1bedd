"""Close combat, played: Reaction attacks, what follows a Fight, and Coups de Grace."""

import pytest
from fights import KNIFE, at, coup_de_grace, fight, melee_hit, moved, unpin
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    VEX,
    Table,
    card,
    fall,
    given,
    injury,
    lasting,
    out_of_action,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.dice import DiceLeftOver
from tracker.records import replace

MISS, HIT = melee_hit(1), melee_hit(6)
SERIOUS = (HIT, wound(6), injury("serious"))
OUT = (HIT, wound(6), injury("ooa"), OUT_COLD)
ATTACKED_ONLY = {"melee.reactors": "attacked_only"}


def broken(table: Table, fighter: str) -> Table:
    state = evolve(table.state, records.FighterBroke(fighter=fighter, flight="running_for_cover"))
    return replace(table, state=state)


def resolved(table: Table) -> records.FightResolved:
    (fight,) = [event for event in table.outcome if isinstance(event, records.FightResolved)]
    return fight


def reaction(fighter: str, *targets: str, **more):
    return fight(fighter, *targets, reaction=True, **more)


# --- reactions -------------------------------------------------------------------------------------------


def test_whoever_still_stands_and_is_engaged_may_react() -> None:
    assert resolved(given().when(fight(KRUG, MAGS), MISS)).may_react == (MAGS,)
    assert resolved(given().when(fight(KRUG, MAGS), HIT, wound(6), injury("flesh"))).may_react == (MAGS,)
    assert resolved(given().when(fight(KRUG, MAGS), *SERIOUS)).may_react == ()
    assert resolved(given().when(fight(KRUG, MAGS), *OUT)).may_react == ()


def test_an_engaged_enemy_who_was_not_attacked_may_react_too() -> None:
    brawl = {"engaged": ((DOT, KRUG),)}
    table = given().when(fight(KRUG, MAGS, **brawl), MISS)
    assert resolved(table).may_react == (MAGS, DOT)
    assert table.when(reaction(DOT, KRUG), MISS).refusal is None


def test_by_the_other_reading_only_enemies_who_were_attacked_react() -> None:
    table = given(knobs=ATTACKED_ONLY).when(fight(KRUG, MAGS, engaged=((DOT, KRUG),)), MISS)
    assert resolved(table).may_react == (MAGS,)
    table.when(reaction(DOT, KRUG)).then_refused(records.NoReaction)
    assert table.when(reaction(MAGS, KRUG), MISS).refusal is None


def test_whoever_reacts_does_so_once() -> None:
    table = given().when(fight(KRUG, MAGS), MISS).when(reaction(MAGS, KRUG), MISS)
    table.when(reaction(MAGS, KRUG)).then_refused(records.NoReaction)
    again = table.when(fight(KRUG, MAGS), MISS)
    assert again.when(reaction(MAGS, KRUG), MISS).refusal is None


def test_nobody_reacts_to_a_reaction() -> None:
    table = given().when(fight(KRUG, MAGS), MISS).when(reaction(MAGS, KRUG), MISS)
    assert resolved(table).may_react == ()
    table.when(reaction(KRUG, MAGS)).then_refused(records.NoReaction)


def test_a_fighter_who_was_put_down_does_not_react() -> None:
    table = given().when(fight(KRUG, MAGS), *SERIOUS)
    table.when(reaction(MAGS, KRUG)).then_refused(records.FighterProne)
    given().when(fight(KRUG, MAGS), *OUT).when(reaction(MAGS, KRUG)).then_refused(records.FighterOutOfPlay)


def test_a_fighter_who_was_not_in_the_fight_does_not_react_to_it() -> None:
    given().when(fight(KRUG, MAGS), MISS).when(reaction(DOT, KRUG)).then_refused(records.NoReaction)


def test_a_reaction_to_what_was_not_shown_as_a_fight_is_believed() -> None:
    table = given().when(reaction(MAGS, KRUG), MISS)
    assert table.refusal is None
    assert table.when(fight(DOT, VEX), MISS).when(reaction(MAGS, KRUG), MISS).refusal is None


def test_a_reaction_may_strike_another_enemy_engaged_unless_only_the_attacker() -> None:
    brawl = {"engaged": ((VEX, MAGS),)}
    for targets in ((VEX,), (KRUG,)):
        table = given().when(fight(KRUG, MAGS, **brawl), MISS)
        assert table.when(reaction(MAGS, *targets), MISS).refusal is None
    strict = given(knobs={"melee.reaction_targets": "attacker_only"}).when(fight(KRUG, MAGS, **brawl), MISS)
    strict.when(reaction(MAGS, VEX)).then_refused(records.NoReaction)
    assert strict.when(reaction(MAGS, KRUG), MISS).refusal is None


def test_a_reaction_has_no_charging_dice_and_hits_like_any_attack() -> None:
    table = given(card(MAGS, attacks=2, weapons=(KNIFE,))).when(
        fight(KRUG, MAGS, charging=True), melee_hit(1, 1)
    )
    struck = table.when(reaction(MAGS, KRUG, using=("knife",)), melee_hit(4, 1), wound(6), injury("serious"))
    assert struck.combatant(KRUG).seriously_injured_in_close_combat
    assert struck.fighter(MAGS).experience == 2  # a Leader


def test_a_broken_fighter_reacts_at_minus_2_and_after_turning_at_minus_3() -> None:
    table = broken(given().when(fight(KRUG, MAGS), MISS), MAGS)
    assert moved(table.when(reaction(MAGS, KRUG), MISS)) == {(("Broken", -2),)}
    turned = table.when(reaction(MAGS, KRUG, turn_to_face=True), MISS)
    assert moved(turned) == {(("turned to face", -1), ("Broken", -2))}
    assert turned.rolls[0].target == 7


def test_whoever_was_charged_while_prone_reacts_as_if_turned_to_face_but_once() -> None:
    pinned = given().when(fall(MAGS, hundredths=300), wound(1))
    table = pinned.when(fight(KRUG, MAGS, charging=True), melee_hit(1, 1))
    assert moved(table.when(reaction(MAGS, KRUG), MISS)) == {(("charged while Prone", -1),)}
    assert moved(table.when(reaction(MAGS, KRUG, turn_to_face=True), MISS)) == {
        (("charged while Prone", -1),)
    }
    later = table.when(reaction(MAGS, KRUG), MISS).when(fight(KRUG, MAGS), MISS)
    assert moved(later.when(reaction(MAGS, KRUG), MISS)) == {()}


# --- afterwards ------------------------------------------------------------------------------------------


def test_a_fighter_consolidates_when_nobody_is_left_standing() -> None:
    for dice in (SERIOUS, OUT):
        table = given().when(fight(KRUG, MAGS, consolidate=True), *dice)
        assert table.outcome[-1] == records.FighterConsolidated(fighter=KRUG, up_to_inches=2)


def test_an_engaged_enemy_who_was_not_attacked_forbids_consolidation_and_coup_de_grace() -> None:
    brawl = {"engaged": ((DOT, KRUG),)}
    table = given().when(fight(KRUG, MAGS, consolidate=True, **brawl), *SERIOUS)
    note = table.outcome[-1]
    assert isinstance(note, records.RuleNoted)
    assert note.why == "no consolidation: an enemy engaged is still fighting"
    wished = given().when(fight(KRUG, MAGS, coup_de_grace=MAGS, **brawl), *SERIOUS)
    assert not wished.combatant(MAGS).out_of_action
    assert isinstance(wished.outcome[-1], records.RuleNoted)


def test_a_coup_de_grace_that_is_not_allowed_takes_no_dice() -> None:
    with pytest.raises(DiceLeftOver):
        _ = given().when(fight(KRUG, MAGS, coup_de_grace=MAGS), MISS, OUT_COLD).events


def test_a_free_coup_de_grace_takes_the_enemy_out_with_one_lasting_injury_roll() -> None:
    table = given().when(fight(KRUG, DOT, coup_de_grace=DOT), *SERIOUS, lasting(4, 6))
    gone = [event for event in table.outcome if isinstance(event, records.FighterWentOutOfAction)]
    assert gone == [
        records.FighterWentOutOfAction(
            fighter=DOT, by=KRUG, reason="coup_de_grace", out_of_action_dice=0, lasting_injury_rolls=1
        )
    ]
    assert len([event for event in table.outcome if isinstance(event, records.LastingInjurySuffered)]) == 1


def test_an_enemy_out_of_action_beside_one_seriously_injured_leaves_consolidation_alone() -> None:
    both = given(card(KRUG, attacks=2))
    dice = (melee_hit(6, 6), wound(6), injury("ooa"), OUT_COLD, wound(6), injury("serious"))
    targets = (at(MAGS, 1), at(DOT, 1))
    refused = both.when(fight(KRUG, *targets, coup_de_grace=DOT), *dice)
    assert not refused.combatant(DOT).out_of_action
    assert isinstance(refused.outcome[-1], records.RuleNoted)
    granted = both.when(fight(KRUG, *targets, consolidate=True), *dice)
    assert granted.outcome[-1] == records.FighterConsolidated(fighter=KRUG, up_to_inches=2)


def test_of_two_seriously_injured_one_gets_the_coup_de_grace() -> None:
    table = given(card(KRUG, attacks=2)).when(
        fight(KRUG, at(MAGS, 1), at(DOT, 1), coup_de_grace=DOT),
        melee_hit(6, 6),
        wound(6),
        injury("serious"),
        wound(6),
        injury("serious"),
        OUT_COLD,
    )
    assert (table.combatant(MAGS).out_of_action, table.combatant(DOT).out_of_action) == (False, True)


def test_impetuous_consolidates_or_gives_a_coup_de_grace_and_by_house_rule_both() -> None:
    wish = {"coup_de_grace": DOT, "consolidate": True}
    dice = (*SERIOUS, OUT_COLD)
    rash = card(KRUG, skills=("Impetuous",))
    house = {"melee.impetuous": "both"}
    table = given(rash, knobs=house).when(fight(KRUG, DOT, **wish), *dice)
    assert table.combatant(DOT).out_of_action
    assert table.outcome[-1] == records.FighterConsolidated(fighter=KRUG, up_to_inches=4)
    given(rash).when(fight(KRUG, DOT, **wish)).then_refused(records.ContradictoryStatement)
    given(knobs=house).when(fight(KRUG, DOT, **wish)).then_refused(records.ContradictoryStatement)


# --- one activation --------------------------------------------------------------------------------------


def test_a_charge_brings_one_fight_and_by_house_rule_rain_of_blows_two() -> None:
    charge = fight(KRUG, MAGS, charging=True, activation="krug, round 1")
    second = replace(charge, charging=False)
    flurry = card(KRUG, skills=("Rain of Blows",))
    house = {"melee.rain_of_blows": "two_fights_on_a_charge"}
    for cards, knobs in (((), {}), ((flurry,), {}), ((), house)):
        table = given(*cards, knobs=knobs).when(charge, melee_hit(1, 1))
        table.when(second).then_refused(records.ChargeFoughtAlready)
        table.when(charge).then_refused(records.ChargeFoughtAlready)
    table = given(flurry, knobs=house).when(charge, melee_hit(1, 1)).when(second, MISS)
    assert table.refusal is None
    table.when(second).then_refused(records.ChargeFoughtAlready)


def test_two_fights_of_one_activation_without_a_charge_are_the_tables_affair() -> None:
    attack = fight(KRUG, MAGS, activation="krug, round 1")
    assert given().when(attack, MISS).when(attack, MISS).refusal is None


def test_a_charge_in_another_activation_brings_its_own_fight() -> None:
    table = given().when(fight(KRUG, MAGS, charging=True, activation="1"), melee_hit(1, 1))
    assert table.when(fight(KRUG, MAGS, charging=True, activation="2"), melee_hit(1, 1)).refusal is None
    assert table.when(fight(KRUG, MAGS, charging=True), melee_hit(1, 1)).refusal is None


# --- experience ------------------------------------------------------------------------------------------


@every("activation", [None, "krug, round 1"])
def test_serious_injury_and_coup_de_grace_in_one_fight_pay_2_in_all(activation: str | None) -> None:
    table = given().when(fight(KRUG, DOT, coup_de_grace=DOT, activation=activation), *SERIOUS, OUT_COLD)
    paid = [event.amount for event in table.outcome if isinstance(event, records.ExperienceGained)]
    assert (paid, table.fighter(KRUG).experience) == ([1, 1], 2)


def test_two_hits_of_one_fight_pay_once_for_one_enemy() -> None:
    table = given(card(KRUG, attacks=2)).when(
        fight(KRUG, DOT), melee_hit(6, 6), wound(6), injury("serious"), wound(6), injury("ooa"), OUT_COLD
    )
    assert table.fighter(KRUG).experience == 2


def test_a_coup_de_grace_of_another_activation_pays_its_own_experience() -> None:
    same = given().when(fight(KRUG, DOT, activation="1"), *SERIOUS)
    assert same.when(coup_de_grace(KRUG, DOT, activation="1"), OUT_COLD).fighter(KRUG).experience == 2
    assert same.when(coup_de_grace(KRUG, DOT, activation="2"), OUT_COLD).fighter(KRUG).experience == 3


def test_a_leader_or_champion_is_worth_1_more_in_close_combat_too() -> None:
    table = given().when(fight(KRUG, MAGS, coup_de_grace=MAGS), *SERIOUS, OUT_COLD)
    assert table.fighter(KRUG).experience == 3


def test_a_memorable_death_by_coup_de_grace_pays_its_own_experience() -> None:
    table = given().when(fight(KRUG, DOT, coup_de_grace=DOT), *SERIOUS, lasting(6, 6))
    assert (table.fighter(DOT).standing, table.fighter(KRUG).experience) == ("dead", 3)


# --- a Coup de Grace by itself ---------------------------------------------------------------------------


def test_a_coup_de_grace_needs_an_enemy_who_is_seriously_injured() -> None:
    table = given()
    table.when(coup_de_grace(MAGS, VEX)).then_refused(records.NoCoupDeGrace)
    pinned = given().when(fall(VEX, hundredths=300), wound(1))
    pinned.when(coup_de_grace(MAGS, VEX)).then_refused(records.NoCoupDeGrace)
    down = given().when(seriously_injured(VEX))
    done = down.when(coup_de_grace(MAGS, VEX), OUT_COLD)
    assert done.combatant(VEX).out_of_action
    assert done.outcome[0] == records.FighterWentOutOfAction(
        fighter=VEX, by=MAGS, reason="coup_de_grace", out_of_action_dice=0, lasting_injury_rolls=1
    )


def test_friends_the_broken_the_prone_and_the_removed_give_no_coup_de_grace() -> None:
    down = given().when(seriously_injured(VEX))
    down.when(coup_de_grace(KRUG, VEX)).then_refused(records.NoEnemy)
    down.when(coup_de_grace(VEX, VEX)).then_refused(records.TargetsSelf)
    down.when(coup_de_grace(MAGS, VEX, grudge_against="nobody")).then_refused(records.UnknownGang)
    broken(down, MAGS).when(coup_de_grace(MAGS, VEX)).then_refused(records.BrokenMayNotAttack)
    fallen = down.when(fall(MAGS, hundredths=300), wound(1))
    fallen.when(coup_de_grace(MAGS, VEX)).then_refused(records.FighterProne)
    both = down.when(seriously_injured(MAGS))
    both.when(coup_de_grace(MAGS, VEX)).then_refused(records.FighterProne)
    gone = down.when(out_of_action(VEX), OUT_COLD)
    gone.when(coup_de_grace(MAGS, VEX)).then_refused(records.FighterOutOfPlay)


# --- standing up -----------------------------------------------------------------------------------------


def test_a_pinned_fighter_who_stood_up_fights_again() -> None:
    table = given().when(fall(KRUG, hundredths=300), wound(1)).when(unpin(KRUG))
    table.then(records.FighterUnpinned(fighter=KRUG))
    assert table.when(fight(KRUG, MAGS), MISS).refusal is None


def test_only_a_pinned_fighter_stands_up() -> None:
    given().when(unpin(KRUG)).then_refused(records.NotPinned, condition="Standing")
    down = given().when(seriously_injured(KRUG))
    down.when(unpin(KRUG)).then_refused(records.NotPinned, condition="Seriously Injured")
    assert "Krug is Seriously Injured and cannot stand up" in str(down.when(unpin(KRUG)).refusal)


def test_nothing_of_a_fight_outlives_its_battle() -> None:
    table = given().when(fight(KRUG, MAGS), MISS).when(CLOSING)
    assert table.state.under_way is None


def test_a_fight_keeps_all_others_the_same_objects() -> None:
    table = given().when(fight(KRUG, MAGS), MISS)
    assert all(table.fighter(name) is table.before.fighter(name) for name in (KRUG, VEX, MAGS, DOT))


def test_the_last_fight_is_remembered_for_reactions_alone() -> None:
    table = given().when(fight(KRUG, MAGS), MISS)
    assert table.state.under_way is not None
    assert (table.state.under_way.fights, table.state.under_way.last_fight.fighter) == (1, KRUG)
    reacted = table.when(reaction(MAGS, KRUG), MISS)
    assert (reacted.state.under_way.fights, reacted.state.under_way.last_fight.reacted) == (2, (MAGS,))
