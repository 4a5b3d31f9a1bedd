"""Webbed counts as Seriously Injured: Bottle checks, Coup de Grace, Nerve tests, pinning, flight.

Source: Core Rulebook (2023) · Conditions · Webbed. In battles recorded before, only Recovery tests knew it.
"""

import pytest
from fights import coup_de_grace, fight, weapon
from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, card, given, hit, older
from shots import armed, shot
from special_rules import dice, purposes

from tracker.campaign import records


def webbed(table: Table, fighter: str = VEX) -> Table:
    """The fighter, caught in a web by an enemy."""
    by = MAGS if fighter in (KRUG, VEX) else KRUG
    caught = table.when(hit(fighter, by=by, traits=("Web",)), *dice(wound=6))
    assert caught.combatant(fighter).webbed
    return caught


@pytest.mark.parametrize("book", ["necromunda_2023", "necromunda_archive"])
def test_webbed_counts_as_a_casualty_in_a_bottle_check(book: str) -> None:
    caught = webbed(given(book=book))
    checked = caught.when(records.CheckBottle(gang=SKULLS), *dice(book, bottle=2))
    assert [(modifier.why, modifier.by) for modifier in checked.rolls[0].modifiers] == [("casualties", 1)]
    before = older(caught, 2).when(records.CheckBottle(gang=SKULLS))
    assert isinstance(before.refusal, records.NoReasonToBottle)


def test_webbed_and_seriously_injured_is_one_casualty() -> None:
    both = webbed(given()).when(hit(VEX, by=MAGS), *dice(wound=6, injury="serious"))
    checked = both.when(records.CheckBottle(gang=SKULLS), *dice(bottle=1))
    assert [(modifier.why, modifier.by) for modifier in checked.rolls[0].modifiers] == [("casualties", 1)]


def test_a_webbed_enemy_can_be_given_a_coup_de_grace() -> None:
    caught = webbed(given())
    given_it = caught.when(coup_de_grace(MAGS, VEX), *dice(lasting_injury="1-5"))
    assert given_it.combatant(VEX).out_of_action
    assert isinstance(older(caught, 2).when(coup_de_grace(MAGS, VEX)).refusal, records.NoCoupDeGrace)


def test_who_webs_the_only_enemy_engaged_may_give_a_free_coup_de_grace() -> None:
    table = given(card(MAGS, weapons=(weapon("net", "Melee", "Web"),), attacks=1))
    attack = fight(MAGS, VEX, using=("net",), coup_de_grace=VEX)
    done = table.when(attack, *dice(melee_hit=6, wound=6, lasting_injury="1-5"))
    assert done.combatant(VEX).out_of_action
    old = older(table, 2).when(attack, *dice(melee_hit=6, wound=6))
    assert not old.combatant(VEX).out_of_action


def test_the_webbed_are_attacked_by_no_fight() -> None:
    refused = webbed(given()).when(fight(MAGS, VEX)).refusal
    assert isinstance(refused, records.FighterProne)
    assert (refused.condition, "coup_de_grace" in refused.next_step) == ("Webbed", True)


def test_a_friend_who_is_webbed_is_a_reason_for_a_nerve_test_and_no_help_in_one() -> None:
    caught = webbed(given(), DOT)
    test = records.TakeNerveTest(fighter=MAGS, because_of=DOT, friends_near=(DOT,))
    tested = caught.when(test, *dice(nerve="3+4"))
    assert [(modifier.why, modifier.by) for modifier in tested.rolls[0].modifiers] == [("Dot is Webbed", 0)]
    assert isinstance(older(caught, 2).when(test).refusal, records.NothingBefell)


def test_a_shot_pins_nobody_who_is_webbed() -> None:
    caught = webbed(armed(), KRUG)
    missed_no_more = caught.when(shot(), *dice(hit=6, firepower="one_hole", wound=1))
    assert not missed_no_more.combatant(KRUG).pinned
    assert older(caught, 2).when(shot(), *dice(hit=6, firepower="one_hole", wound=1)).combatant(KRUG).pinned


def test_a_webbed_enemy_who_is_nearer_is_skipped_without_a_test() -> None:
    nearer = (records.NearerEnemy(model=VEX, because="seriously_injured"),)
    shooting = shot(closest=False, nearer=nearer)
    skipped = webbed(armed()).when(shooting, *dice(hit=1, firepower="one_hole"))
    assert purposes(skipped) == ["hit", "firepower"]


def test_the_webbed_do_not_leave_of_their_own_will() -> None:
    bottled = webbed(given()).when(records.CheckBottle(gang=SKULLS, voluntary=True))
    away = records.FleeBattlefield(gang=SKULLS, fighters=(VEX,))
    assert isinstance(bottled.when(away).refusal, records.FleeingListWrong)


def test_a_bottle_check_counts_the_webbed_on_every_face() -> None:
    """With one of a crew of two Webbed, a D6 of 2 or more is over the crew."""
    caught = webbed(given(), DOT)
    checks = [caught.when(records.CheckBottle(gang=SAINTS), *dice(bottle=face)) for face in range(1, 7)]
    bottled = [
        table.state.under_way is not None and SAINTS in table.state.under_way.bottled for table in checks
    ]
    assert bottled == [False, True, True, True, True, True]
